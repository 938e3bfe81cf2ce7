// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "listing.h"
#include "options.h"
#include "text.h"
#include "tracefs.h"
#include "util.h"

/* A tab of the source is shown as so many spaces: lines stand in the middle of a report. */
#define TAB_WIDTH	4

/* A longer line is cut. */
#define MAX_WIDTH	96

/* A file that was read */
struct listing {
	struct listing	*next;
	char		*name;
	char		*text;		/* NULL: it cannot be read */
};

static struct listing *listings;

static char *find_path(const char *file)
{
	struct utsname system;

	if (*file == '/')
		return copy_text(file);
	if (options.source)
		return print_text("%s/%s", options.source, file);
	return uname(&system) ? NULL : print_text("/lib/modules/%s/source/%s", system.release,
						  file);
}

static const char *read_listing(const char *file)
{
	struct listing *listing;
	char *path;

	for (listing = listings; listing; listing = listing->next)
		if (!strcmp(listing->name, file))
			return listing->text;
	path = find_path(file);
	listing = allocate(sizeof(*listing));
	listing->name = copy_text(file);
	listing->text = path ? read_file(AT_FDCWD, path) : NULL;
	listing->next = listings;
	listings = listing;
	free(path);
	return listing->text;
}

static char *copy_line(const char *from, size_t length)
{
	char *line = allocate(TAB_WIDTH * length + sizeof("…")), *to = line;
	size_t width;

	for (; length--; from++) {
		*to = *from;
		if (*to++ != '\t')
			continue;
		memset(to - 1, ' ', TAB_WIDTH);
		to += TAB_WIDTH - 1;
	}
	while (to > line && to[-1] == ' ')
		*--to = '\0';
	*to = '\0';
	width = to - line;
	if (width > MAX_WIDTH)
		strcpy(line + MAX_WIDTH, "…");
	clean_text(line);
	return line;
}

char *copy_source_line(const char *file, unsigned int line)
{
	const char *text = *file ? read_listing(file) : NULL;

	while (text && line > 1) {
		text = strchr(text, '\n');
		text += !!text;
		line--;
	}
	if (!text || !*text)
		return NULL;
	return copy_line(text, strcspn(text, "\n"));
}
