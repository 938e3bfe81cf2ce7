/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A line on the terminal that is replaced while a trace goes on.
 */
#ifndef FGRAPH_PROGRESS_H
#define FGRAPH_PROGRESS_H

/* Show a line in place of the one before. */
void show_progress(const char *text);

/* Remove the line, so that other text takes its place. */
void clear_progress(void);

#endif
