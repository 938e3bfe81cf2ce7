/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file of the report.
 */
#ifndef FGRAPH_OUTPUT_H
#define FGRAPH_OUTPUT_H

#include <stdio.h>

/* Open the file of -o, which is created beside the one that it replaces; or use @otherwise. */
void open_report(FILE *otherwise);

/* End the program with a message if a part of the report was not written. */
void finish_report(void);

/* Let the file of the report, which may grow still, replace the one that was there. */
void keep_report(void);

#endif
