// SPDX-License-Identifier: GPL-2.0
/*
 * The trace event format, which Perfetto and speedscope open: a complete event, "ph":"X", for
 * each call, with its arguments and its result. Times are in us. "otherData" is about the whole
 * trace.
 */
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "quote.h"
#include "report.h"
#include "summary.h"
#include "thread.h"
#include "util.h"

static bool separate;

static void print_args_and_result(const struct call *call)
{
	fputs(",\"args\":{\"depth\":", options.report);
	fprintf(options.report, "%u", call->depth);
	if (call->args)
		print_json_member(options.report, "arguments", call->args);
	if (call->ret)
		print_json_member(options.report, "result", call->ret);
	if (call->results)
		print_json_member(options.report, "at_return", call->results);
	if (call->error)
		print_json_member(options.report, "error", call->error_name);
	fputc('}', options.report);
}

static unsigned long long at_least(unsigned long long ns, unsigned long long least)
{
	return ns < least ? least : ns;
}

static unsigned long long at_most(unsigned long long ns, unsigned long long most)
{
	return ns > most ? most : ns;
}

static void print_separator(void)
{
	fputs(separate ? ",\n" : "", options.report);
	separate = true;
}

/*
 * When a call is shown to begin. The times of the trace are in us, durations in ns, and an
 * interrupt may come between the two. So a call begins not before @first, and early enough to
 * end at @last.
 */
static unsigned long long find_begin(const struct call *call, unsigned long long first,
				     unsigned long long last)
{
	unsigned long long begin = at_most(begin_ns(call), last > call->ns ? last - call->ns : 0);

	return at_most(at_least(begin, first), last);
}

/* How much room the calls in a call need: a ns lies between two that touch. */
static unsigned long long room_for_calls(const struct call *call)
{
	const struct call *inner;
	unsigned long long ns = 0;

	for (inner = call->first; inner; inner = inner->next)
		ns += inner->ns + 1;
	return ns;
}

/*
 * Print a call and those in it, from @first to @last ns. No two calls begin or end at the same
 * time, because readers add times and durations as floating point numbers. Return when the
 * next call may begin.
 */
static unsigned long long print_event(const struct task *task, int track,
				      const struct call *call, unsigned long long first,
				      unsigned long long last)
{
	unsigned long long begin = find_begin(call, first, last);
	unsigned long long end = at_most(begin + call->ns, last), room = room_for_calls(call);
	const struct call *inner;

	print_separator();
	fprintf(options.report, "{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"name\":",
		process_of(task->pid),
		track);
	print_json_string(options.report, call->func);
	fprintf(options.report, ",\"ts\":%llu.%03llu,\"dur\":%llu.%03llu", begin / 1000,
		begin % 1000, (end - begin) / 1000, (end - begin) % 1000);
	print_args_and_result(call);
	fputc('}', options.report);
	begin++;
	for (inner = call->first; inner; inner = inner->next) {
		room -= inner->ns + 1;
		last = end > room + 1 ? end - room - 1 : 0;
		begin = print_event(task, track, inner, begin, at_least(last, begin));
	}
	return end + 1;
}

static void print_track_name(const struct task *task, int track, const char *what)
{
	char *name = print_text("%s[%d]%s", task->name, task->pid, what);

	print_separator();
	fprintf(options.report,
		"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":",
		process_of(task->pid), track);
	print_json_string(options.report, name);
	fputs("}}", options.report);
	free(name);
}

static void json_begin(void)
{
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", options.report);
}

/*
 * The calls of interrupts are on a track of their own, because they overlap others. Its number
 * is not a thread ID, because IDs are smaller.
 */
#define INTERRUPT_TRACK	4194304

static void json_add(struct task *task, const struct call *root)
{
	bool interrupt = root->depth;
	int track = task->pid + interrupt * INTERRUPT_TRACK;

	if (!task->tracks[interrupt].has_name)
		print_track_name(task, track, interrupt ? " interrupts" : "");
	task->tracks[interrupt].has_name = true;
	/* An interrupt that interrupted another one was printed before that. */
	if (interrupt && root->time_us * 1000 + 1000 < task->tracks[interrupt].end_ns)
		task->tracks[interrupt].end_ns = 0;
	task->tracks[interrupt].end_ns = print_event(task, track, root,
						     task->tracks[interrupt].end_ns,
						     (unsigned long long)-1);
}

static void json_end(void)
{
	fputs("\n],\"otherData\":{", options.report);
	print_trace_summary();
	fputs("}}\n", options.report);
}

const struct form json_form = {
	.begin	= json_begin,
	.add	= json_add,
	.end	= json_end,
};
