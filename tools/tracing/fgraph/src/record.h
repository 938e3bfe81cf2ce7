/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The form of the files that record writes, see record.c.
 */
#ifndef FGRAPH_RECORD_H
#define FGRAPH_RECORD_H

#define TRACE_VERSION	1
#define TRACE_MAGIC	"# fgraph trace, version "
#define TRACE_KERNEL	"# kernel: "
#define TRACE_HOST	"# host: "
#define TRACE_DATE	"# date: "
#define TRACE_COMMAND	"# command: "
#define TRACE_SYSCALL	"# syscall: "
#define TRACE_THREAD	"# thread: "
#define TRACE_NAME	"# name: "
#define TRACE_BUILD_ID	"# build ID: "
#define TRACE_CODE	"# code: "
#define TRACE_STATUS	"# status: "
#define TRACE_LOST	"# lost: "
#define TRACE_END	"# end"

/* The file that record writes and report reads if the user names no other */
#define TRACE_FILE	"fgraph.trace"

#endif
