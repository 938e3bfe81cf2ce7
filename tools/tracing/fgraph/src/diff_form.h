/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The forms in which two runs are compared: text as diff -u prints it, JSON, and a page.
 */
#ifndef FGRAPH_DIFF_FORM_H
#define FGRAPH_DIFF_FORM_H

#include "difference.h"

void print_diff_text(const struct runs *runs, const struct differences *differences);
void print_diff_json(const struct runs *runs, const struct differences *differences);
void print_diff_html(const struct runs *runs, const struct differences *differences);

#endif
