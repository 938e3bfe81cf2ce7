/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes in a function, where the code of a source line begins, see place.h: an event says
 * that a thread came there.
 */
#ifndef FGRAPH_PROBE_H
#define FGRAPH_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "place.h"

/**
 * struct stop - a row of the table in the function
 * @address:	where its code begins. The first of the rows there has a probe.
 * @places:	its source lines
 * @same:	the number of the first row with the same source lines
 * @line:	the number of the first row with the same line, in this or another inlined function
 * @is_stmt:	a statement begins there
 * @is_entry:	the function begins with it
 */
struct stop {
	uint64_t	address;
	struct places	places;
	unsigned int	same;
	unsigned int	line;
	bool		is_stmt;
	bool		is_entry;
};

/**
 * set_probes - set probes in a function, and at its return
 * @func:	the function, with its module, as in a trace
 *
 * If several functions have this name, all get probes. The instance must exist. It enables the
 * probes, and removes them at its end. Ends the program with a message if the function cannot
 * be probed. Probes that the kernel refuses are counted in a message.
 */
void set_probes(const char *func);

/* How many rows there are */
unsigned int count_stops(void);

/* Return a row by its number, or NULL. The rows at an address have successive numbers. */
const struct stop *find_stop(unsigned long number);

#endif
