// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "kprobe.h"
#include "tracefs.h"
#include "util.h"

char *kprobe_group(const char *instance)
{
	char *group = copy_text(instance), *at;

	for (at = group; *at; at++)
		if (*at == '-')
			*at = '_';
	return group;
}

static int write_and_free(int dir, const char *file, char *definition)
{
	int error = write_file(dir, file, definition, O_APPEND);

	free(definition);
	return error;
}

static int add_and_free(char *definition)
{
	return write_and_free(tracefs_dir(), "kprobe_events", definition);
}

int add_kprobe_line(const char *instance, uint64_t address, unsigned int number)
{
	char *group = kprobe_group(instance);
	int error = add_and_free(print_text("p:%s/" KPROBE_LINE " 0x%llx "
					      KPROBE_NUMBER "\\%u", group,
					      (unsigned long long)address, number));

	free(group);
	return error;
}

int add_kprobe_return(const char *instance, const char *func)
{
	char *group = kprobe_group(instance);
	int error = add_and_free(print_text("r:%s/" KPROBE_RETURN " %s " KPROBE_RESULT
					      "$retval", group, func));

	free(group);
	return error;
}

static int remove_event(int instances, const char *group, const char *event)
{
	int error = write_and_free(instances, "../kprobe_events",
				   print_text("-:%s/%s", group, event));

	/* There is no such event. */
	return error == ENOENT ? 0 : error;
}

int remove_kprobes(int instances, const char *instance)
{
	char *group = kprobe_group(instance);
	int error = remove_event(instances, group, KPROBE_LINE) ?:
		    remove_event(instances, group, KPROBE_RETURN);

	free(group);
	return error;
}
