// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "kprobe.h"
#include "probe.h"
#include "util.h"
#include "way.h"

/* Of a longer way, the end is kept. */
#define MAX_STEPS	100000

/* Of so many calls that failed, the last ones are kept. */
#define MAX_WAYS	64

static void free_way(struct way *way)
{
	free(way->reached);
	free(way->steps);
	free(way);
}

static void free_list(struct way **list)
{
	struct way *way;

	while ((way = *list)) {
		*list = way->next;
		free_way(way);
	}
}

void free_ways(struct task *task)
{
	free_list(&task->open_ways);
	free_list(&task->ways);
}

static void add_step(struct way *way, unsigned int number, enum reached reached)
{
	if (way->nr && way->steps[way->nr - 1].number == number) {
		if (reached == BEGUN)
			way->steps[way->nr - 1].reached = BEGUN;
		return;
	}
	if (way->nr == MAX_STEPS) {
		way->nr /= 2;
		memmove(way->steps, way->steps + way->nr, way->nr * sizeof(*way->steps));
		way->is_cut = true;
	}
	if (way->nr == way->room) {
		way->room = way->room * 2 + 64;
		way->steps = realloc(way->steps, way->room * sizeof(*way->steps));
		if (!way->steps)
			die("out of memory");
	}
	way->steps[way->nr++] = (struct step){ number, reached };
}

/*
 * The compiler lets statements share code, which has the line of one of them. If this one did not
 * begin, the call may be in another one. It also moves the begin of a statement behind its first
 * instructions, so this is no proof.
 */
static void reach(struct way *way, const struct stop *stop)
{
	enum reached *reached = &way->reached[stop->line];

	if (stop->line == way->doubtful)
		return;
	way->doubtful = count_stops();
	if (stop->is_entry || stop->is_stmt) {
		*reached = BEGUN;
		add_step(way, stop->same, BEGUN);
	} else if (*reached != BEGUN) {
		way->doubtful = stop->line;
		if (*reached == NOT)
			add_step(way, stop->same, DOUBTFUL);
		*reached = DOUBTFUL;
	}
}

static void begin_way(struct task *task, const struct line *line)
{
	struct way *way = allocate(sizeof(*way));

	way->begin_us = line->time_us;
	way->reached = allocate(count_stops() * sizeof(*way->reached));
	way->doubtful = count_stops();
	way->next = task->open_ways;
	task->open_ways = way;
}

/* The error of "result=0xffffffea", or 0. The upper half of an int is not known. */
static int find_error_of(const struct line *line)
{
	const char *result = strstr(line->ret, KPROBE_RESULT);
	int error = result ? strtoull(result + strlen(KPROBE_RESULT), NULL, 0) : 0;

	return error < 0 && error >= -MAX_ERRNO ? error : 0;
}

static void forget_old_ways(struct task *task)
{
	struct way **link = &task->ways;
	unsigned int nr;

	for (nr = 0; *link && nr < MAX_WAYS; nr++)
		link = &(*link)->next;
	free_list(link);
}

static void end_way(struct task *task, const struct line *line)
{
	struct way *way = task->open_ways;

	if (!way)
		return;
	task->open_ways = way->next;
	way->end_us = line->time_us;
	way->error = find_error_of(line);
	if (!way->error) {
		free_way(way);
		return;
	}
	way->next = task->ways;
	task->ways = way;
	forget_old_ways(task);
}

bool add_way_event(struct task *task, const struct line *line)
{
	const struct stop *stop;
	const char *at;
	unsigned long number;
	uint64_t address;

	if (is_event(line, KPROBE_RETURN ": ")) {
		end_way(task, line);
		return true;
	}
	if (!is_event(line, KPROBE_LINE ": "))
		return false;
	at = strstr(line->ret, KPROBE_NUMBER);
	number = at ? strtoul(at + strlen(KPROBE_NUMBER), NULL, 0) : count_stops();
	stop = find_stop(number);
	if (stop && stop->is_entry)
		begin_way(task, line);
	if (!stop || !task->open_ways)
		return true;
	address = stop->address;
	for (; stop && stop->address == address; stop = find_stop(++number))
		reach(task->open_ways, stop);
	return true;
}

static unsigned long long distance(unsigned long long a, unsigned long long b)
{
	return a < b ? b - a : a - b;
}

/* The times of a trace are in microseconds, so several may fit as well: take the last one. */
struct way *find_way(const struct task *task, const struct call *call)
{
	unsigned long long end_us = call->end_us ?: call->time_us + call->ns / 1000, off;
	unsigned long long best = 0;
	struct way *way, *found = NULL;

	for (way = task->ways; way; way = way->next) {
		off = distance(way->begin_us, call->time_us) + distance(way->end_us, end_us);
		if (way->error != call->error || (found && off >= best))
			continue;
		found = way;
		best = off;
	}
	return found;
}
