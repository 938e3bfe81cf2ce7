// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "fgraph.h"
#include "finding.h"
#include "text.h"

/* The column behind a short line */
#define WHERE_COLUMN	72

#define BUCKETS		65536

static struct finding *findings, **end = &findings;
static struct finding *buckets[BUCKETS];

static bool is_equal(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

struct finding *add_finding(char *brief, char *where, char *details, char *key)
{
	struct finding **bucket = &buckets[hash_text(brief) % BUCKETS], *finding;

	for (finding = *bucket; finding; finding = finding->next_in_bucket) {
		if (!is_equal(finding->brief, brief) || !is_equal(finding->key, key))
			continue;
		free(brief);
		free(where);
		free(details);
		free(key);
		finding->count++;
		return finding;
	}
	finding = allocate(sizeof(*finding));
	finding->brief = brief;
	finding->where = where;
	finding->details = details;
	finding->key = key;
	finding->count = 1;
	finding->next_in_bucket = *bucket;
	*bucket = finding;
	*end = finding;
	end = &finding->next;
	return finding;
}

/* How many columns a text takes, without the codes of colours */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text; text++) {
		if (*text == '\033')
			text += strcspn(text, "m");
		else if ((*text & 0xc0) != 0x80)
			width++;
	}
	return width;
}

void print_finding(struct finding *finding)
{
	int width = width_of(finding->brief);

	clear_progress();
	finding->shown = true;
	fprintf(options.report, "%s%s", finding->in_full ? "" : "  ", finding->brief);
	if (finding->in_full)
		fprintf(options.report, "%*s%s%s%s",
			width < WHERE_COLUMN ? WHERE_COLUMN - width : 4, "", dim(),
			finding->where, plain());
	if (finding->count > 1)
		fprintf(options.report, "  (%lu times)", finding->count);
	fputc('\n', options.report);
	if (finding->in_full && finding->details)
		fputs(finding->details, options.report);
}

void show_finding(struct finding *finding)
{
	if (!options.cmd && !finding->shown)
		print_finding(finding);
}

void print_all_findings(const char *title)
{
	struct finding *finding;

	for (finding = findings; finding; finding = finding->next) {
		if (!finding->in_full)
			continue;
		fputc('\n', options.report);
		print_finding(finding);
	}
	for (finding = findings; finding; finding = finding->next) {
		if (finding->in_full)
			continue;
		if (title)
			fprintf(options.report, "\n%s\n", title);
		title = NULL;
		print_finding(finding);
	}
}

void print_repeated_findings(void)
{
	struct finding *finding;

	for (finding = findings; finding; finding = finding->next) {
		if (finding->count == 1)
			continue;
		finding->in_full = false;
		print_finding(finding);
	}
}
