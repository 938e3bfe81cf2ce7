// SPDX-License-Identifier: GPL-2.0
/*
 * The form of diff -u: "-" is the good run, "+" the bad one.
 *
 *	--- good: mount -t tmpfs -o size=1m none /mnt: status 0
 *	+++ bad: mount -t tmpfs -o bad=1 none /mnt: status 255
 *
 *	mount[61], mount[64], after 57 equal system calls:
 *	  mount(dev_name=..., type=..., data=...)	the system call
 *	    path_mount → shmem_parse_options → ...	calls in it, each in the one before it
 *	-     __fs_parse(param="size") = 6		where the runs part
 *	+     __fs_parse(param="bad") = -519 (ENOPARAM)
 *	-       fs_param_is_string(param="size") = 0	what differs in that
 *
 *	Other system calls that differ:
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "diff_form.h"
#include "diff_rows.h"
#include "options.h"
#include "text.h"

/* How many other system calls are shown */
#define MAX_FURTHER	10

static void print_line(char sign, unsigned int depth, const char *text)
{
	const char *color = sign == '-' ? dim() : sign == '+' ? bold() : "";

	fprintf(options.report, "%s%c %*s%s%s\n", color, sign, depth * 2, "", text,
		*color ? plain() : "");
}

static void print_row(const struct row *row)
{
	if (is_same_row(row)) {
		print_line(' ', row->depth, row->good);
		return;
	}
	if (row->good)
		print_line('-', row->depth, row->good);
	if (row->bad)
		print_line('+', row->depth, row->bad);
}

static void print_thread(const struct forest *forest, size_t nr, const char *separator)
{
	if (nr != NO_CALL)
		fprintf(options.report, "%s%s[%d]", separator, forest->strands[nr].name,
			forest->strands[nr].pid);
}

static void print_threads(const struct runs *runs, const struct difference *difference)
{
	struct pair strands = difference->strands;

	fputs(dim(), options.report);
	print_thread(runs->good, strands.good, "");
	print_thread(runs->bad, strands.bad, is_both(strands) ? ", " : "");
	if (is_both(strands))
		fprintf(options.report, ", after %zu equal system calls:", difference->before);
	else
		fprintf(options.report, ", in the %s run alone:",
			strands.bad == NO_CALL ? "good" : "bad");
	fprintf(options.report, "%s\n", plain());
}

static void print_difference(const struct runs *runs, const struct difference *difference)
{
	struct rows rows;
	struct pair part;
	size_t i;

	print_threads(runs, difference);
	rows = explain_difference(runs, difference, &part);
	for (i = 0; i < rows.count; i++)
		print_row(&rows.list[i]);
	free_rows(&rows);
}

static bool are_equal(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Print rows, of which the last one was counted. */
static void print_counted(struct row *row, size_t count)
{
	if (!count)
		return;
	print_row(row);
	if (count > 1)
		fprintf(options.report, "    and %zu more times\n", count - 1);
	free(row->good);
	free(row->bad);
}

/* Equal ones that follow one another are printed once. */
static void print_further(const struct runs *runs, const struct differences *differences)
{
	size_t max = options.verbose ? differences->count : MAX_FURTHER, i, rows = 0, count = 0;
	struct row last, row;

	fprintf(options.report, "\nOther system calls that differ:\n");
	for (i = 1; i < differences->count; i++) {
		row = describe_pair(runs, differences->list[i].root);
		if (count && are_equal(row.good, last.good) && are_equal(row.bad, last.bad)) {
			free(row.good);
			free(row.bad);
			count++;
			continue;
		}
		print_counted(&last, count);
		last = row;
		count = 1;
		if (rows++ == max)
			break;
	}
	if (i == differences->count)
		print_counted(&last, count);
	else
		fprintf(options.report, "… and %zu more: -v shows them\n",
			differences->count - i);
}

static void print_run(const char *sign, const struct recording *recording, bool kernel)
{
	fprintf(options.report, "%s %s", sign, recording->name);
	if (*recording->command)
		fprintf(options.report, ": %s", recording->command);
	if (WIFSIGNALED(recording->status))
		fprintf(options.report, ": signal %d", WTERMSIG(recording->status));
	else if (recording->pid)
		fprintf(options.report, ": status %d", WEXITSTATUS(recording->status));
	fprintf(options.report, "%s%s\n", kernel ? ", " : "", kernel ? recording->kernel : "");
}

static void print_chance(const struct differences *differences)
{
	if (differences->chance)
		fprintf(options.report, "\n%zu more differ by chance.\n", differences->chance);
}

void print_diff_text(const struct runs *runs, const struct differences *differences)
{
	bool kernels = have_other_kernels(runs);

	print_run("---", &runs->good->recording, kernels);
	print_run("+++", &runs->bad->recording, kernels);
	if (!differences->count) {
		fprintf(options.report, "%zu system calls have equal arguments and results\n",
			differences->equal);
		print_chance(differences);
		return;
	}
	fputs(differences->list[0].weight == MINOR ?
	      "No system call has another outcome, but values differ.\n\n" : "\n",
	      options.report);
	print_difference(runs, &differences->list[0]);
	if (differences->count > 1)
		print_further(runs, differences);
	print_chance(differences);
}
