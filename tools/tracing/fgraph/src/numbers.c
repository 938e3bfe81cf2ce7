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
#define MANY_DIGITS	8

/* It counts as an address when it is shown. */
#define ANY_ADDRESS	"0x10000000"

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

/* How many digits of a number at @at are part of an address. A negative number is none. */
static size_t address_digits(const char *at)
{
	size_t digits;

	if (strncmp(at, "0x", 2))
		return 0;
	digits = strspn(at + 2, "0123456789abcdef");
	if (digits < MANY_HEX_DIGITS || (digits == 8 && !strncmp(at + 2, "fffff", 5)) ||
	    (digits == 16 && !strncmp(at + 2, "fffffffffffff", 13)))
		return 0;
	return digits;
}

/* How many digits of a decimal number at @at mean nothing in another run. */
static size_t chance_digits(const char *at, pid_t pid)
{
	size_t digits = strspn(at, "0123456789");

	return digits >= MANY_DIGITS || (digits && strtol(at, NULL, 10) == pid) ? digits : 0;
}

/*
 * Copy a text, with the same digits for each address: to @out, and without long numbers and the
 * ID of the thread to @key. What is in quotes stays, because the traced program has it.
 */
static void even_out(const char *text, pid_t pid, char *out, char *key)
{
	bool in_text = false;
	const char *at;
	size_t digits;

	for (at = text; *at; at++) {
		if (*at == '"' && (at == text || at[-1] != '\\'))
			in_text = !in_text;
		digits = in_text || is_in_word(text, at) ? 0 : address_digits(at);
		if (digits) {
			at += 1 + digits;
			out += sprintf(out, ANY_ADDRESS);
			key += sprintf(key, ANY_ADDRESS);
			continue;
		}
		*out++ = *at;
		digits = in_text || is_in_word(text, at) ? 0 : chance_digits(at, pid);
		if (!digits) {
			*key++ = *at;
			continue;
		}
		memcpy(out, at + 1, digits - 1);
		out += digits - 1;
		*key++ = '#';
		at += digits - 1;
	}
	*out = *key = '\0';
}

void number_text(const char *text, pid_t pid, unsigned int *shown, unsigned int *compared)
{
	char *out, *key;

	*shown = *compared = 0;
	if (!text)
		return;
	/* The shortest address becomes one digit longer. */
	out = allocate(strlen(text) * 2 + 16);
	key = allocate(strlen(text) * 2 + 16);
	even_out(text, pid, out, key);
	*shown = number_of(out);
	*compared = number_of(key);
	free(out);
	free(key);
}

size_t count_texts(void)
{
	return nr_texts;
}
