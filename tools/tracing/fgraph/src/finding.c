// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "finding.h"
#include "options.h"
#include "progress.h"
#include "text.h"
#include "thread.h"
#include "util.h"

/* The column after a short line */
#define WHERE_COLUMN	72

#define BUCKETS		65536

/* At most some 100 MiB */
#define MAX_FINDINGS	100000

static struct finding *findings, **end = &findings;
static struct finding *buckets[BUCKETS];
static unsigned long count, too_many;

struct where where_of(const struct task *task, const struct moment *when)
{
	struct where where = {
		.tid = task->pid, .pid = process_of(task->pid), .when = *when,
	};

	strcpy(where.name, task->name);
	return where;
}

struct finding *find_finding(const char *key)
{
	struct finding *finding = buckets[hash_text(key) % BUCKETS];

	while (finding && strcmp(finding->key ?: finding->brief, key))
		finding = finding->next_in_bucket;
	return finding;
}

static void free_finding(struct finding *finding)
{
	struct texts *texts;

	while ((texts = finding->texts)) {
		finding->texts = texts->next;
		free(texts->text);
		free(texts);
	}
	free(finding->brief);
	free(finding->details);
	free(finding->key);
	free(finding->origin);
	free(finding);
}

/* The oldest finding that no task remembers. Others count as new. */
static struct finding *find_oldest(void)
{
	struct finding *oldest;
	unsigned long tries;

	for (tries = count; tries && findings->users; tries--) {
		oldest = findings;
		findings = oldest->next;
		oldest->next = NULL;
		*end = oldest;
		end = &oldest->next;
	}
	return tries ? findings : NULL;
}

/* Forget a finding that was printed. Return false if there is none. */
static bool forget_oldest(void)
{
	struct finding *finding = options.cmd ? NULL : find_oldest(), **link;

	if (!finding)
		return false;
	if (options.json)
		print_finding_in_json(finding);
	link = &buckets[hash_text(finding->key ?: finding->brief) % BUCKETS];
	while (*link != finding)
		link = &(*link)->next_in_bucket;
	*link = finding->next_in_bucket;
	findings = finding->next;
	if (!findings)
		end = &findings;
	free_finding(finding);
	count--;
	return true;
}

struct finding *add_finding(char *brief, const struct where *where, char *details, char *key)
{
	struct finding **bucket = &buckets[hash_text(key ?: brief) % BUCKETS];
	struct finding *finding = find_finding(key ?: brief);

	if (finding) {
		free(brief);
		free(details);
		free(key);
		finding->count++;
		return finding;
	}
	if (count == MAX_FINDINGS && !forget_oldest()) {
		free(brief);
		free(details);
		free(key);
		too_many++;
		return NULL;
	}
	count++;
	finding = allocate(sizeof(*finding));
	finding->brief = brief;
	finding->where = *where;
	finding->details = details;
	finding->key = key;
	finding->count = 1;
	finding->next_in_bucket = *bucket;
	*bucket = finding;
	*end = finding;
	end = &finding->next;
	return finding;
}

void renew_finding(struct finding *finding, char *details)
{
	free(finding->details);
	finding->details = details;
	finding->newest = true;
}

void add_texts(struct finding *finding, char *texts)
{
	struct texts **link = &finding->texts;
	unsigned int nr = 0;

	for (; *link && strcmp((*link)->text, texts); link = &(*link)->next)
		nr++;
	if (*link || (!*texts && finding->texts) || nr > MAX_TEXTS) {
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

void set_failure(struct task *task, struct finding *finding)
{
	if (task->failure)
		task->failure->users--;
	task->failure = finding;
	if (finding)
		finding->users++;
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

static void print_where(const struct finding *finding)
{
	const struct where *where = &finding->where;
	int width = width_of(finding->brief);

	fprintf(options.report, "%*s%s", width < WHERE_COLUMN ? WHERE_COLUMN - width : 4, "",
		dim());
	if (options.timestamps)
		fprintf(options.report, "%llu.%06llu  ", where->when.time_us / 1000000,
			where->when.time_us % 1000000);
	fprintf(options.report, "%s[%d]", where->name, where->tid);
	/* A thread may end in a call. */
	if (where->when.ns) {
		fputs("  ", options.report);
		print_ns(options.report, where->when.ns);
	}
	fputs(plain(), options.report);
}

void print_finding(struct finding *finding)
{
	bool differ = finding->in_full && !finding->newest && finding->texts &&
		      finding->texts->next;

	clear_progress();
	finding->shown = true;
	fprintf(options.report, "%s%s", finding->in_full ? "" : "  ", finding->brief);
	if (finding->in_full)
		print_where(finding);
	if (finding->count > 1)
		fprintf(options.report, "  (%lu times%s)", finding->count,
			differ ? ", the first:" :
			finding->newest && finding->in_full ? ", the last:" : "");
	fputc('\n', options.report);
	if (finding->in_full && finding->details)
		fputs(finding->details, options.report);
	if (differ)
		print_other_texts(finding);
}

void show_finding(struct finding *finding)
{
	if (!options.cmd && !options.json && !finding->shown)
		print_finding(finding);
}

static void print_too_many(void)
{
	if (too_many)
		fprintf(options.report, "fgraph: %lu more are not shown: they are too many\n",
			too_many);
}

static void print_in_full(struct finding *finding, bool decides)
{
	for (; finding; finding = finding->next) {
		if (!finding->in_full || finding->decides != decides)
			continue;
		fputc('\n', options.report);
		print_finding(finding);
	}
}

static void print_list(struct finding *list, const char *title)
{
	struct finding *finding;

	print_in_full(list, true);
	print_in_full(list, false);
	for (finding = list; finding; finding = finding->next) {
		if (finding->in_full)
			continue;
		if (title)
			fprintf(options.report, "\n%s\n", title);
		title = NULL;
		print_finding(finding);
	}
}

/**
 * struct process - the findings of a process
 * @next:	the process after it
 * @next_in_bucket: for the search
 * @first:	its first finding
 * @end:	where its next one goes
 */
struct process {
	struct process	*next, *next_in_bucket;
	struct finding	*first, **end;
};

/* Divide the findings into those of each process, in the order of their first ones. */
static struct process *divide_findings(void)
{
	static struct process *processes[BUCKETS];
	struct process *first = NULL, **last = &first, *process, **bucket;
	struct finding *finding;

	for (finding = findings; finding; finding = finding->next) {
		bucket = &processes[(unsigned int)finding->where.pid % BUCKETS];
		for (process = *bucket; process; process = process->next_in_bucket)
			if (process->first->where.pid == finding->where.pid)
				break;
		if (!process) {
			process = allocate(sizeof(*process));
			process->end = &process->first;
			process->next_in_bucket = *bucket;
			*bucket = *last = process;
			last = &process->next;
		}
		*process->end = finding;
		process->end = &finding->next;
	}
	return first;
}

/* A process is named as its first thread that has a finding. */
static void print_by_process(const char *title)
{
	struct process *process = divide_findings();

	findings = NULL;
	end = &findings;
	for (; process; process = process->next) {
		*process->end = NULL;
		fprintf(options.report, "\n%s%s[%d]%s\n", bold(), process->first->where.name,
			process->first->where.pid, plain());
		print_list(process->first, title);
	}
}

static void print_in_json(void)
{
	const struct finding *finding;

	for (finding = findings; finding; finding = finding->next)
		print_finding_in_json(finding);
}

void print_all_findings(const char *title)
{
	if (options.json) {
		print_in_json();
		return;
	}
	print_too_many();
	if (options.by_process)
		print_by_process(title);
	else
		print_list(findings, title);
}

void print_repeated_findings(void)
{
	struct finding *finding;

	if (options.json) {
		print_in_json();
		return;
	}
	print_too_many();
	for (finding = findings; finding; finding = finding->next) {
		if (finding->count == 1)
			continue;
		finding->in_full = false;
		print_finding(finding);
	}
}

const struct finding *find_answer(void)
{
	const struct finding *finding, *answer = NULL;

	for (finding = findings; finding; finding = finding->next)
		if (finding->decides)
			return finding;
		else if (finding->in_full)
			answer = finding;
	return answer;
}

unsigned long count_left_out(void)
{
	return too_many;
}
