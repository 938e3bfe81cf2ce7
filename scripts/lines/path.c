// SPDX-License-Identifier: GPL-2.0
/* Paths of source files */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "path.h"
#include "../signatures/util.h"

/* Removes the last part, unless it is "..". Return: false if there is none. */
static bool drop_last(char *path, size_t *length)
{
	size_t start = *length;

	if (!start)
		return false;
	while (start && path[start - 1] != '/')
		start--;
	if (*length - start == 2 && !memcmp(path + start, "..", 2))
		return false;
	*length = start ? start - 1 : 0;
	return true;
}

/* Removes ".", empty parts, and parts before "..". Symbolic links are not looked up. */
static void normalize(char *path)
{
	bool absolute = *path == '/';
	const char *part = path;
	size_t length = 0;

	while (*part) {
		size_t size = strcspn(part, "/");
		bool is_up = size == 2 && !memcmp(part, "..", 2);

		if (size && !(size == 1 && *part == '.') && !(is_up && drop_last(path, &length))) {
			if (length || absolute)
				path[length++] = '/';
			memmove(path + length, part, size);
			length += size;
		}
		part += size + !!part[size];
	}
	path[length] = '\0';
}

/* Return: the path of a file or directory, for free(). */
char *join_path(const char *directory, const char *name)
{
	size_t size = strlen(directory) + strlen(name) + 2;
	char *path = xrealloc(NULL, size, 1);

	if (*name == '/' || !*directory)
		strcpy(path, name);
	else
		snprintf(path, size, "%s/%s", directory, name);
	normalize(path);
	return path;
}

/* Return: the rest of a path in a directory, or NULL. */
static const char *skip_directory(const char *path, const char *directory)
{
	size_t length = directory ? strlen(directory) : 0;

	if (!length || strncmp(path, directory, length) || path[length] != '/')
		return NULL;
	return path + length + 1;
}

/**
 * relative_path - cut off where the source or the build was
 * @path:	an absolute path
 * @root:	the directory of the source, or NULL
 * @directory:	the directory where the compiler ran, or NULL
 *
 * Return: the rest of the path in the deeper one of the two directories that contain it,
 * or @path if none does.
 */
const char *relative_path(const char *path, const char *root, const char *directory)
{
	const char *source = skip_directory(path, root), *build = skip_directory(path, directory);

	if (source && build)
		return source > build ? source : build;
	return source ?: build ?: path;
}
