// SPDX-License-Identifier: GPL-2.0
#include "finding.h"
#include "options.h"
#include "quote.h"

static void print_where(const struct where *where)
{
	fprintf(options.report, ",\"pid\":%d,\"tid\":%d", where->pid, where->tid);
	print_json_member(options.report, "task", where->name);
	fprintf(options.report, ",\"time\":%llu.%06llu,\"duration_ns\":%llu",
		where->when.time_us / 1000000, where->when.time_us % 1000000, where->when.ns);
}

/* Print the texts of equal findings, those of the first one first. */
static void print_texts(const struct texts *texts)
{
	const char *separator = ",\"texts\":[";
	unsigned int nr;

	if (!texts || !texts->next)
		return;
	for (nr = 0; texts && nr < MAX_TEXTS; texts = texts->next, nr++) {
		fputs(separator, options.report);
		print_json_string(options.report, texts->text);
		separator = ",";
	}
	fprintf(options.report, "]%s", texts ? ",\"more_texts\":true" : "");
}

/* The version changes when a member is removed, or means something else. */
void begin_json(void)
{
	static bool begun;

	if (!begun)
		fputs("{\"format\":\"fgraph why\",\"version\":1,\"failures\":[", options.report);
	begun = true;
}

void print_finding_in_json(const struct finding *finding)
{
	static const char *separator = "\n";

	begin_json();
	fprintf(options.report, "%s{\"call\":", separator);
	separator = ",\n";
	print_json_string(options.report, finding->brief);
	fprintf(options.report, ",%s,\"count\":%lu,\"decides\":%s,\"in_full\":%s",
		finding->details, finding->count, finding->decides ? "true" : "false",
		finding->in_full ? "true" : "false");
	print_where(&finding->where);
	print_texts(finding->texts);
	fputc('}', options.report);
}
