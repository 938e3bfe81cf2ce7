// SPDX-License-Identifier: GPL-2.0
/*
 * badname CALLS: calls access() with CALLS pointers to no text. Fails if one of the calls
 * finds a text. With the option funcgraph-names, the kernel also reads these pointers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

static unsigned int seed = 1;

static unsigned int next_random(void)
{
	seed = seed * 1103515245 + 12345;
	return seed >> 8;
}

static char *map(int protection)
{
	char *pages = mmap(NULL, 2 * PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		exit(1);
	return pages;
}

/*
 * Return an address without memory, of memory that must not be read, or of a text that does
 * not end before such memory.
 */
static char *bad_pointer(char *unmapped, char *hidden, char *unended)
{
	unsigned int offset = next_random() % (PAGE - 64);

	switch (next_random() % 6) {
	case 0:
		return unmapped + offset;
	case 1:
		return hidden + offset;
	case 2:
		return unended + PAGE - 1 - offset % 40;
	case 3:
		return (char *)NULL + offset % PAGE;
	case 4:
		return (char *)-1UL - offset;
	default:
		/* The end of user space of most machines, and a gap of 64-bit ones */
		return (char *)(~0UL / 2 + 1) + offset - PAGE / 2;
	}
}

/* Return the address of a page that is not memory of this program: the data of the vdso. */
static char *find_special(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start = 0;
	char line[256];

	while (maps && fgets(line, sizeof(line), maps)) {
		if (strstr(line, "[vvar]"))
			start = strtoul(line, NULL, 16);
	}
	return (char *)start;
}

int main(int argc, char **argv)
{
	long calls = argc == 2 ? atol(argv[1]) : 0, found = 0;
	char *unmapped = map(PROT_READ), *hidden = map(PROT_NONE);
	char *unended = map(PROT_READ | PROT_WRITE);

	munmap(unmapped, 2 * PAGE);
	memset(unended, 'x', PAGE);
	mprotect(unended + PAGE, PAGE, PROT_NONE);
	while (calls--)
		found += !access(bad_pointer(unmapped, hidden, unended), F_OK) ||
			errno != EFAULT;
	/*
	 * The kernel may read it, but must not record it, because it could belong to a
	 * device. The page is present from the second time on.
	 */
	access(find_special(), F_OK);
	access(find_special(), F_OK);
	if (found)
		printf("%ld pointers pointed to a text\n", found);
	return !!found;
}
