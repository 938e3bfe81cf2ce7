/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands of fgraph.
 */
#ifndef FGRAPH_H
#define FGRAPH_H

#include "options.h"

extern const struct command why_command, slow_command, top_command, record_command,
			    report_command, where_command, line_command, diff_command;

#endif
