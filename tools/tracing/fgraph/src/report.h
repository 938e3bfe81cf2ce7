/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The forms of a report.
 */
#ifndef FGRAPH_REPORT_H
#define FGRAPH_REPORT_H

#include "call.h"

/**
 * struct form - a form in which calls are written to options.report
 * @begin:	write what is before the calls, or NULL
 * @add:	write a system call, or a function that was recorded without a caller
 * @end:	write what follows the calls, or NULL
 */
struct form {
	void		(*begin)(void);
	void		(*add)(struct task *task, const struct call *root);
	void		(*end)(void);
};

extern const struct form folded_form, json_form, html_form;

#endif
