// SPDX-License-Identifier: GPL-2.0
/*
 * readbench FILE: prints how many lines FILE has, and how many ns it takes to read
 * it, as cat does. With ICOUNT=1 a ns is an instruction.
 */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

int main(int argc, char **argv)
{
	static char text[65536];
	long long ns = 0, lines = 0, start;
	ssize_t i, len;
	int fd;

	fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	if (fd < 0)
		return 1;

	do {
		/* What is done here with the text does not count */
		start = now();
		len = read(fd, text, sizeof(text));
		ns += now() - start;
		for (i = 0; i < len; i++)
			lines += text[i] == '\n';
	} while (len > 0);

	printf("%lld %lld\n", lines, ns);
	return len < 0;
}
