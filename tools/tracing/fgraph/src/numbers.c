// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "util.h"

/* A number of so many digits is an address, or a time, or a counter. */
#define MANY_HEX_DIGITS	7
#define MANY_DIGITS	10

/* Each text once, in the order in which they were found; 0 is no text. */
static char **texts;
static unsigned int nr_texts = 1, max_texts;

/* Numbers of texts, by their hashes; a power of two */
static unsigned int *slots;
static unsigned int nr_slots;

const char *text_of(unsigned int number)
{
	return number ? texts[number] : NULL;
}

static unsigned int *find_slot(const char *text)
{
	unsigned int i = hash_text(text) * 2654435769u;

	for (i >>= 7; ; i++) {
		i &= nr_slots - 1;
		if (!slots[i] || !strcmp(texts[slots[i]], text))
			return &slots[i];
	}
}

static void grow_texts(void)
{
	unsigned int i;

	max_texts = max_texts ? max_texts * 2 : 4096;
	texts = reallocate(texts, max_texts * sizeof(*texts));
	free(slots);
	nr_slots = max_texts * 2;
	slots = allocate(nr_slots * sizeof(*slots));
	for (i = 1; i < nr_texts; i++)
		*find_slot(texts[i]) = i;
}

unsigned int number_of(const char *text)
{
	unsigned int *slot;

	if (!text)
		return 0;
	if (nr_texts >= max_texts)
		grow_texts();
	slot = find_slot(text);
	if (!*slot) {
		texts[nr_texts] = copy_text(text);
		*slot = nr_texts++;
	}
	return *slot;
}

static bool is_in_word(const char *text, const char *at)
{
	return at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
}

/* Return true if the name of the argument whose value begins at @at ends with one of @ends. */
static bool is_value_of(const char *text, const char *at, const char *const *ends)
{
	const char *begin = at;
	size_t length;

	if (at == text || at[-1] != '=')
		return false;
	while (begin > text && begin[-1] != ' ')
		begin--;
	for (; *ends; ends++) {
		length = strlen(*ends);
		if ((size_t)(at - 1 - begin) >= length && !strncmp(at - 1 - length, *ends, length))
			return true;
	}
	return false;
}

/* How many digits of a number at @at are part of an address. A negative number is none. */
static size_t address_digits(const char *text, const char *at)
{
	static const char *const values[] = {
		"flags", "len", "length", "size", "count", "mask", "offset", "pos", "pages",
		"pgoff", NULL
	};
	size_t digits;

	if (strncmp(at, "0x", 2) || is_value_of(text, at, values))
		return 0;
	digits = strspn(at + 2, "0123456789abcdef");
	if (digits < MANY_HEX_DIGITS || (digits == 8 && !strncmp(at + 2, "fffff", 5)) ||
	    (digits == 16 && !strncmp(at + 2, "fffffffffffff", 13)))
		return 0;
	return digits;
}

/*
 * How many digits of a decimal number at @at mean nothing in another run: a time, or the ID of
 * the thread, which has the name of one, or is behind the name of a task.
 */
static size_t chance_digits(const char *text, const char *at, pid_t pid)
{
	static const char *const ids[] = { "pid", "tid", "tgid", "nr", NULL };
	size_t digits = strspn(at, "0123456789");

	if (digits >= MANY_DIGITS)
		return digits;
	if (!digits || strtol(at, NULL, 10) != pid)
		return 0;
	return is_value_of(text, at, ids) || (at > text + 1 && !strncmp(at - 2, "\" ", 2)) ?
	       digits : 0;
}

/* How many bytes at @at differ from run to run */
static size_t chance_bytes(const char *text, const char *at, pid_t pid)
{
	size_t digits;

	if (is_in_word(text, at))
		return 0;
	digits = address_digits(text, at);
	return digits ? digits + 2 : chance_digits(text, at, pid);
}

/* A text in quotes stays, because it is a value of the traced program. */
unsigned int number_key(const char *text, pid_t pid)
{
	char *key = text ? allocate(strlen(text) + 1) : NULL, *out = key;
	bool in_text = false;
	unsigned int number;
	const char *at;
	size_t bytes;

	for (at = text; at && *at; at += bytes ?: 1) {
		bytes = in_text ? 0 : chance_bytes(text, at, pid);
		if (bytes) {
			*out++ = '#';
			continue;
		}
		if (*at == '\\' && at[1])
			*out++ = *at++;
		else if (*at == '"')
			in_text = !in_text;
		*out++ = *at;
	}
	number = number_of(key);
	free(key);
	return number;
}

unsigned int number_function(const char *func)
{
	const char *call = strstr(func, "_sys_");
	char *name;
	unsigned int number;

	/* __x64_sys_read, __arm64_sys_read */
	if (call && !strncmp(func, "__", 2) && call - func < 8)
		func = call + 1;
	name = print_text("%.*s", (int)strcspn(func, "."), func);
	number = number_of(name);
	free(name);
	return number;
}

size_t count_texts(void)
{
	return nr_texts;
}
