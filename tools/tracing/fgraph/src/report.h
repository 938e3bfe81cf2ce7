/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The forms of a report.
 */
#ifndef FGRAPH_REPORT_H
#define FGRAPH_REPORT_H

#include "call.h"

/**
 * struct form - a form in which calls are written to options.report
 * @name:	its name, as in --json
 * @begin:	write what is before the calls, or NULL
 * @add:	write a system call, or a function that was recorded without a caller
 * @end:	write what is behind the calls, or NULL
 */
struct form {
	const char	*name;
	void		(*begin)(void);
	void		(*add)(struct task *task, const struct call *root);
	void		(*end)(void);
};

extern const struct form folded_form, json_form, html_form;

/* The length of the character at @text, or 0 if it is not UTF-8, as in a name that was cut */
size_t utf8_length(const char *text);

/* How long a call took outside the calls in it */
unsigned long long self_ns(const struct call *call);

#endif
