// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "fgraph.h"
#include "finding.h"
#include "text.h"

/* The column behind a short line */
#define WHERE_COLUMN	72

#define BUCKETS		65536

/* How many different texts of equal findings are shown */
#define MAX_TEXTS	10

static struct finding *findings, **end = &findings;
static struct finding *buckets[BUCKETS];

struct finding *add_finding(char *brief, char *where, char *details, char *key)
{
	struct finding **bucket = &buckets[hash_text(key ?: brief) % BUCKETS], *finding;

	for (finding = *bucket; finding; finding = finding->next_in_bucket) {
		if (strcmp(finding->key ?: finding->brief, key ?: brief))
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

void add_texts(struct finding *finding, char *texts)
{
	struct texts **link = &finding->texts;
	unsigned int nr = 0;

	for (; *link && strcmp((*link)->text, texts); link = &(*link)->next)
		nr++;
	if (*link || !*texts || nr > MAX_TEXTS) {
		free(texts);
		return;
	}
	*link = allocate(sizeof(**link));
	(*link)->text = texts;
}

/* Print the texts of equal findings that are not in the details. */
static void print_other_texts(const struct finding *finding)
{
	const struct texts *texts = finding->texts->next;
	const char *separator = "  also: ";
	unsigned int nr;

	for (nr = 1; texts && nr < MAX_TEXTS; texts = texts->next, nr++) {
		fprintf(options.report, "%s%s", separator, texts->text);
		separator = ", ";
	}
	fprintf(options.report, "%s\n", texts ? ", …" : "");
}

/* How many columns a text takes, without the codes of colours */
static int width_of(const char *text)
{
	int width = 0;

	while (*text) {
		if (*text == '\033') {
			text += strcspn(text, "m");
			text += *text == 'm';
			continue;
		}
		width += (*text & 0xc0) != 0x80;
		text++;
	}
	return width;
}

void print_finding(struct finding *finding)
{
	bool differ = finding->in_full && finding->texts && finding->texts->next;
	int width = width_of(finding->brief);

	clear_progress();
	finding->shown = true;
	fprintf(options.report, "%s%s", finding->in_full ? "" : "  ", finding->brief);
	if (finding->in_full)
		fprintf(options.report, "%*s%s%s%s",
			width < WHERE_COLUMN ? WHERE_COLUMN - width : 4, "", dim(),
			finding->where, plain());
	if (finding->count > 1)
		fprintf(options.report, "  (%lu times%s)", finding->count,
			differ ? ", the first:" : "");
	fputc('\n', options.report);
	if (finding->in_full && finding->details)
		fputs(finding->details, options.report);
	if (differ)
		print_other_texts(finding);
}

void show_finding(struct finding *finding)
{
	if (!options.cmd && !finding->shown)
		print_finding(finding);
}

static void print_in_full(bool decides)
{
	struct finding *finding;

	for (finding = findings; finding; finding = finding->next) {
		if (!finding->in_full || finding->decides != decides)
			continue;
		fputc('\n', options.report);
		print_finding(finding);
	}
}

void print_all_findings(const char *title)
{
	struct finding *finding;

	print_in_full(true);
	print_in_full(false);
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
