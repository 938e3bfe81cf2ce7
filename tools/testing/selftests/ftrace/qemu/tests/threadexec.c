// SPDX-License-Identifier: GPL-2.0
/* threadexec PROGRAM ARGUMENT...: a thread executes a program, in place of all threads. */
#include <pthread.h>
#include <unistd.h>

static void *execute(void *argv)
{
	execvp(*(char **)argv, argv);
	_exit(1);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 2 || pthread_create(&thread, NULL, execute, argv + 1))
		return 1;
	for (;;)
		pause();
}
