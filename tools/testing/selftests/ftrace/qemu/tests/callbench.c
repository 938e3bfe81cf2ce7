// SPDX-License-Identifier: GPL-2.0
/*
 * Prints how many ns one getppid() takes, on average of many, in hundredths.
 * With ICOUNT=1 a ns is an instruction, and the figure repeats exactly.
 */
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CALLS 20000

static long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static long long time_calls(void)
{
	long long start = now();
	int i;

	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	return now() - start;
}

int main(void)
{
	/* The first round faults pages in and fills the saved command lines */
	time_calls();
	printf("%lld\n", time_calls() * 100 / CALLS);
	return 0;
}
