// SPDX-License-Identifier: GPL-2.0
/*
 * Passes tables of signatures to the kernel's code that reads them, in user space. A
 * file contains one table. Its first byte is the number of entries. Each entry has two
 * bytes: whether it belongs to the previous site, and the offset of its string. The
 * strings follow.
 *
 * The kernel must not read beyond a table that fgraph_strings_are_good() accepts. Each
 * allocation of strings, words or a table has exactly the needed size, so that ASan
 * detects such reads.
 */
#include <stdlib.h>

#include "fuzz_kernel.h"
#include "fgraph_sig.h"

#define MAX_ENTRIES	8

void seq_buf_putmem(struct seq_buf *s, const void *mem, unsigned int len)
{
	if (len > sizeof(s->buffer) - s->len)
		len = sizeof(s->buffer) - s->len;
	memcpy(s->buffer + s->len, mem, len);
	s->len += len;
}

static void put_formatted(struct seq_buf *s, const char *fmt, va_list args)
{
	char text[512];
	int len = vsnprintf(text, sizeof(text), fmt, args);

	seq_buf_putmem(s, text, min_t(size_t, len, sizeof(text) - 1));
}

void seq_buf_printf(struct seq_buf *s, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put_formatted(s, fmt, args);
	va_end(args);
}

void trace_seq_printf(struct trace_seq *s, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put_formatted(&s->seq, fmt, args);
	va_end(args);
}

int num_to_str(char *buf, int size, unsigned long long num, unsigned int width)
{
	char text[24];
	int len = snprintf(text, sizeof(text), "%llu", num);

	if (len > size)
		return 0;
	memcpy(buf, text, len);
	return len;
}

bool fgraph_find_signature(unsigned long func, struct fgraph_sig *sig)
{
	*sig = *(const struct fgraph_sig *)func;
	return true;
}

bool graph_find_signature(const struct trace_iterator *iter, unsigned long func,
			  struct fgraph_sig *sig)
{
	return fgraph_find_signature(func, sig);
}

static unsigned long *make_words(unsigned int nr)
{
	static const unsigned long values[] = { 0, -22UL, 1, 0x4010, -1UL, 10 };
	unsigned long *words = malloc(nr * sizeof(*words));

	for (unsigned int i = 0; i < nr; i++)
		words[i] = values[i % ARRAY_SIZE(values)];
	return words;
}

static void show(struct trace_seq *s, bool verbose)
{
	if (verbose)
		printf("%.*s\n", (int)s->seq.len, s->seq.buffer);
	s->seq.len = 0;
}

static void print_all(const struct fgraph_sig *sig, bool verbose)
{
	unsigned int nr = min_t(unsigned int, TRACE_GRAPH_MAX_ARGS,
				fgraph_sig_regs(sig->text) + fgraph_sig_stack(sig->text));
	struct graph_words recorded = { .nr = nr };
	static struct trace_seq s;
	unsigned long *words;

	fgraph_print_prototype(&s.seq, sig, "f");
	show(&s, verbose);
	words = make_words(nr);
	recorded.words = words;
	print_graph_sig_args(&s, sig, &recorded);
	show(&s, verbose);
	free(words);
	for (nr = 1; nr <= 2; nr++) {
		words = make_words(nr);
		recorded = (struct graph_words){ .words = words, .nr = nr };
		print_graph_sig_retval(&s, sig, &recorded);
		show(&s, verbose);
		free(words);
	}
	fgraph_sig_result_words(sig->text);
}

static void try_table(const unsigned char *file, size_t size, bool verbose)
{
	unsigned int nr = size ? file[0] % (MAX_ENTRIES + 1) : 0;
	size_t head = 1 + 2 * nr, bytes, site = 0;
	struct fgraph_site *sites;
	char *strings;

	if (size < head)
		return;
	/* No more than needed, so that ASan detects reads beyond the end */
	bytes = size - head;
	sites = malloc(nr * sizeof(*sites) + bytes);
	strings = (char *)(sites + nr);
	memcpy(strings, file + head, bytes);
	for (unsigned int i = 0; i < nr; i++) {
		site += !(file[1 + 2 * i] & 1);
		sites[i].site = site - 8 * i;
		sites[i].string = strings + (signed char)file[2 + 2 * i] -
				  (char *)&sites[i].string;
	}
	if (fgraph_strings_are_good(sites, nr, strings, bytes)) {
		for (unsigned int i = 0; i < nr; i++) {
			struct fgraph_sig sig = {
				.text = (char *)&sites[i].string + sites[i].string,
				.site = &sites[i], .end = sites + nr,
			};

			/* Other entries list enumerators */
			if (!i || !(file[1 + 2 * i] & 1))
				print_all(&sig, verbose);
		}
	} else if (verbose) {
		puts("refused");
	}
	free(sites);
}

/* FILE...: prints the content of each table, if there are several */
int main(int argc, char *argv[])
{
	static unsigned char file[1 << 16];

	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");

		if (!f)
			return 2;
		try_table(file, fread(file, 1, sizeof(file), f), argc > 2);
		fclose(f);
	}
	return 0;
}
