// SPDX-License-Identifier: GPL-2.0
/*
 * Reads prototypes, such as "struct file *do_filp_open(int dfd, struct filename *pathname);".
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prototype.h"

struct prototype {
	char			*name;
	struct result_type	result;
};

static struct prototype *prototypes;
static size_t nr_prototypes;

static const struct {
	const char		*name;
	struct result_type	type;
} types[] = {
	{ "void",		{ RESULT_NONE, 0 } },
	{ "bool",		{ RESULT_BOOL, 1 } },
	{ "short",		{ RESULT_SIGNED, 2 } },
	{ "int",		{ RESULT_SIGNED, 4 } },
	{ "long",		{ RESULT_SIGNED, 0 } },
	{ "long long",		{ RESULT_SIGNED, 8 } },
	{ "s32",		{ RESULT_SIGNED, 4 } },
	{ "s64",		{ RESULT_SIGNED, 8 } },
	{ "ssize_t",		{ RESULT_SIGNED, 0 } },
	{ "loff_t",		{ RESULT_SIGNED, 8 } },
	{ "pid_t",		{ RESULT_SIGNED, 4 } },
	{ "unsigned char",	{ RESULT_UNSIGNED, 1 } },
	{ "unsigned short",	{ RESULT_UNSIGNED, 2 } },
	{ "unsigned int",	{ RESULT_UNSIGNED, 4 } },
	{ "unsigned long",	{ RESULT_UNSIGNED, 0 } },
	{ "unsigned long long",	{ RESULT_UNSIGNED, 8 } },
	{ "u8",			{ RESULT_UNSIGNED, 1 } },
	{ "u16",		{ RESULT_UNSIGNED, 2 } },
	{ "u32",		{ RESULT_UNSIGNED, 4 } },
	{ "u64",		{ RESULT_UNSIGNED, 8 } },
	{ "size_t",		{ RESULT_UNSIGNED, 0 } },
};

static struct result_type parse_type(const char *text, size_t len)
{
	static const struct result_type pointer = { RESULT_POINTER, 0 };
	size_t i;

	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	if (len && text[len - 1] == '*')
		return pointer;
	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strlen(types[i].name) == len && !memcmp(types[i].name, text, len))
			return types[i].type;
	return (struct result_type){ RESULT_UNKNOWN, 0 };
}

/*
 * The name is the word before the first parenthesis. A result that is a pointer to a function
 * has a parenthesis before the name; its line is left out, like one without a signature.
 */
static bool parse_prototype(const char *line, struct prototype *proto)
{
	const char *end = strchr(line, '('), *name = end;

	if (!end)
		return false;
	while (name > line && (isalnum((unsigned char)name[-1]) || strchr("_.$", name[-1])))
		name--;
	if (name == end || name == line)
		return false;
	proto->name = strndup(name, end - name);
	proto->result = parse_type(line, name - line);
	return proto->name;
}

static bool add_prototype(const struct prototype *proto)
{
	struct prototype *more = prototypes;

	/* The array doubles when it is full. */
	if (!(nr_prototypes & (nr_prototypes - 1))) {
		more = realloc(prototypes, (nr_prototypes ? 2 * nr_prototypes : 1) * sizeof(*more));
		if (!more)
			return false;
		prototypes = more;
	}
	prototypes[nr_prototypes++] = *proto;
	return true;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct prototype *)a)->name, ((const struct prototype *)b)->name);
}

static bool is_same_type(const struct result_type *a, const struct result_type *b)
{
	return a->kind == b->kind && a->bytes == b->bytes;
}

/* Leave one prototype of each name, with an unknown type if there were several types. */
static void merge_names(void)
{
	size_t from, to = 0;

	for (from = 1; from < nr_prototypes; from++) {
		if (strcmp(prototypes[to].name, prototypes[from].name)) {
			prototypes[++to] = prototypes[from];
			continue;
		}
		if (!is_same_type(&prototypes[to].result, &prototypes[from].result))
			prototypes[to].result.kind = RESULT_UNKNOWN;
		free(prototypes[from].name);
	}
	if (nr_prototypes)
		nr_prototypes = to + 1;
}

bool read_prototypes(const char *file)
{
	FILE *list = fopen(file, "r");
	struct prototype proto;
	char *line = NULL;
	size_t size = 0;
	bool ok = list;

	while (ok && getline(&line, &size, list) > 0)
		if (parse_prototype(line, &proto))
			ok = add_prototype(&proto);
	ok = ok && !ferror(list);
	if (!ok)
		fprintf(stderr, "fgraph: %s: %s\n", file, strerror(errno));
	else if (!nr_prototypes)
		fprintf(stderr, "fgraph: %s: no prototype in it, as function_signatures has them\n",
			file);
	free(line);
	if (list)
		fclose(list);
	qsort(prototypes, nr_prototypes, sizeof(*prototypes), compare_names);
	merge_names();
	return ok && nr_prototypes;
}

struct result_type find_result_type(const char *func)
{
	const struct prototype key = { .name = (char *)func }, *found = NULL;

	if (nr_prototypes)
		found = bsearch(&key, prototypes, nr_prototypes, sizeof(key), compare_names);
	return found ? found->result : (struct result_type){ RESULT_UNKNOWN, 0 };
}

void free_prototypes(void)
{
	while (nr_prototypes)
		free(prototypes[--nr_prototypes].name);
	free(prototypes);
	prototypes = NULL;
}
