// SPDX-License-Identifier: GPL-2.0
#include "options.h"
#include "quote.h"
#include "recording.h"
#include "summary.h"

/**
 * struct summary - what a report says about all calls
 * @calls:	how many returned
 * @errors:	how many of those that no call encloses returned an error
 * @begin_ns:	when the first one began, in the clock of the trace
 * @end_ns:	when the last one ended
 */
static struct summary {
	unsigned long		calls;
	unsigned long		errors;
	unsigned long long	begin_ns;
	unsigned long long	end_ns;
} summary;

static const struct recording *recording;

static void print_head_member(const char *name, const char *value)
{
	if (value && *value)
		print_json_member(options.report, name, value);
}

void begin_summary(const struct recording *trace)
{
	recording = trace;
}

void print_trace_summary(void)
{
	fprintf(options.report,
		"\"duration_ns\":%llu,\"calls\":%lu,\"errors\":%lu,\"lost\":%lu,\"complete\":%s",
		summary.end_ns - summary.begin_ns, summary.calls, summary.errors, recording->lost,
		recording->complete ? "true" : "false");
	print_head_member("kernel", recording->kernel);
	print_head_member("host", recording->host);
	print_head_member("date", recording->date);
	print_head_member("command", recording->command);
}

void add_to_summary(const struct call *root)
{
	unsigned long long begin = begin_ns(root), end = begin + root->ns;
	const struct call *call;

	if (!summary.calls || begin < summary.begin_ns)
		summary.begin_ns = begin;
	if (end > summary.end_ns)
		summary.end_ns = end;
	summary.errors += !!root->error;
	for (call = root; call; call = next_call(root, call))
		summary.calls++;
}
