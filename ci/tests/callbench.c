// SPDX-License-Identifier: GPL-2.0
/*
 * callbench [access|clock_getres|mmap|open]: prints how many ns one such system call takes,
 * or one getppid(), on average of many, in hundredths. They call functions with a file name,
 * with two and with six arguments, on all architectures the same. open also closes the
 * file.
 *
 * With ICOUNT=1 a ns is an instruction, and the figure repeats exactly.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define CALLS 20000

static long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void call_getppid(void)
{
	getppid();
}

static void call_access(void)
{
	access("/no/such/file", F_OK);
}

static void call_clock_getres(void)
{
	struct timespec ts;

	/* The vDSO knows nothing of this clock */
	clock_getres(CLOCK_PROCESS_CPUTIME_ID, &ts);
}

static void call_mmap(void)
{
	/* Fails, but not before all arguments have been passed on */
	mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void call_open(void)
{
	close(open("/init", O_RDONLY));
}

static long long time_calls(void (*call)(void))
{
	long long start = now();
	int i;

	for (i = 0; i < CALLS; i++)
		call();
	return now() - start;
}

int main(int argc, char **argv)
{
	void (*call)(void) = call_getppid;

	if (argc > 1 && !strcmp(argv[1], "access"))
		call = call_access;
	else if (argc > 1 && !strcmp(argv[1], "clock_getres"))
		call = call_clock_getres;
	else if (argc > 1 && !strcmp(argv[1], "mmap"))
		call = call_mmap;
	else if (argc > 1 && !strcmp(argv[1], "open"))
		call = call_open;

	/* The first round faults pages in and fills the saved command lines */
	time_calls(call);
	printf("%lld\n", time_calls(call) * 100 / CALLS);
	return 0;
}
