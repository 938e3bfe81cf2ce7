// SPDX-License-Identifier: GPL-2.0
/*
 * callbench [getpgid|mmap]: prints how many ns one such system call takes, or one
 * getppid(), on average of many, in hundredths. The two fail, but not before they
 * have called a function with two and with six arguments.
 *
 * With ICOUNT=1 a ns is an instruction, and the figure repeats exactly.
 */
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

static void call_getpgid(void)
{
	/* More than there can be */
	getpgid(1 << 30);
}

static void call_mmap(void)
{
	/* There is no such file */
	mmap(NULL, 1, PROT_READ, MAP_SHARED, -1, 0);
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

	if (argc > 1 && !strcmp(argv[1], "getpgid"))
		call = call_getpgid;
	else if (argc > 1 && !strcmp(argv[1], "mmap"))
		call = call_mmap;

	/* The first round faults pages in and fills the saved command lines */
	time_calls(call);
	printf("%lld\n", time_calls(call) * 100 / CALLS);
	return 0;
}
