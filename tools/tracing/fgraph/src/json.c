// SPDX-License-Identifier: GPL-2.0
/*
 * The trace event format, which Perfetto and speedscope open: a complete event, "ph":"X", for
 * each call, with its arguments and its result. Times are in us.
 */
#include <stdlib.h>
#include <string.h>

#include "fgraph.h"
#include "report.h"

static bool separate;

/* A string of JSON. The trace is UTF-8 already. */
static void print_string(const char *text)
{
	fputc('"', options.report);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', options.report);
		if ((unsigned char)*text < ' ')
			fprintf(options.report, "\\u%04x", *text);
		else
			fputc(*text, options.report);
	}
	fputc('"', options.report);
}

static void print_member(const char *name, const char *value)
{
	fputc(',', options.report);
	print_string(name);
	fputc(':', options.report);
	print_string(value);
}

static void print_args_and_result(const struct call *call)
{
	fputs(",\"args\":{\"depth\":", options.report);
	fprintf(options.report, "%u", call->depth);
	if (call->args)
		print_member("arguments", call->args);
	if (call->ret)
		print_member("result", call->ret);
	if (call->error)
		print_member("error", call->error_name);
	fputc('}', options.report);
}

static void print_separator(void)
{
	fputs(separate ? ",\n" : "", options.report);
	separate = true;
}

/*
 * Print a call and those in it. The times of the trace are in us, durations in ns, and an
 * interrupt may come between the time and the duration. So that the calls are nested and
 * follow each other, each begins and ends from @first to @last ns. Return its end.
 */
static unsigned long long print_event(const struct task *task, int track,
				      const struct call *call, unsigned long long first,
				      unsigned long long last)
{
	unsigned long long begin = call->time_us * 1000, end = begin + call->ns;
	const struct call *inner;

	if (call->end_us) {
		end = call->end_us * 1000;
		begin = end > call->ns ? end - call->ns : 0;
	}
	begin = begin < first ? first : begin > last ? last : begin;
	end = end < begin ? begin : end > last ? last : end;
	print_separator();
	fprintf(options.report, "{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"name\":", task->pid,
		track);
	print_string(call->func);
	fprintf(options.report, ",\"ts\":%llu.%03llu,\"dur\":%llu.%03llu", begin / 1000,
		begin % 1000, (end - begin) / 1000, (end - begin) % 1000);
	print_args_and_result(call);
	fputc('}', options.report);
	for (inner = call->first; inner; inner = inner->next)
		begin = print_event(task, track, inner, begin, end);
	return end;
}

static void print_track_name(const struct task *task, int track, const char *what)
{
	char *name = print_text("%s[%d]%s", task->name, task->pid, what);

	print_separator();
	fprintf(options.report,
		"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":",
		task->pid, track);
	print_string(name);
	fputs("}}", options.report);
	free(name);
}

static void json_begin(void)
{
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", options.report);
}

/* The calls of interrupts are on a track of their own, because they overlap others. */
static void json_add(struct task *task, const struct call *root)
{
	bool interrupt = root->depth;
	int track = interrupt ? -task->pid : task->pid;

	if (!task->tracks[interrupt].has_name)
		print_track_name(task, track, interrupt ? " interrupts" : "");
	task->tracks[interrupt].has_name = true;
	task->tracks[interrupt].end_ns = print_event(task, track, root,
						     task->tracks[interrupt].end_ns,
						     (unsigned long long)-1);
}

static void json_end(void)
{
	fputs("\n]}\n", options.report);
}

const struct form json_form = {
	.name	= "json",
	.begin	= json_begin,
	.add	= json_add,
	.end	= json_end,
};
