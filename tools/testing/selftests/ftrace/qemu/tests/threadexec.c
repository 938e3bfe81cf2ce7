// SPDX-License-Identifier: GPL-2.0
/*
 * threadexec COMMAND PROGRAM [ARGUMENT...]: a thread executes a program, in place of all
 * threads. Before that, and while there are both threads, the leader runs a shell command.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int ready[2];

static void *execute(void *argv)
{
	char c;

	if (read(ready[0], &c, 1) == 1)
		execvp(*(char **)argv, argv);
	_exit(1);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 3 || pipe(ready) || pthread_create(&thread, NULL, execute, argv + 2) ||
	    system(argv[1]) || write(ready[1], "", 1) != 1)
		return 1;
	for (;;)
		pause();
}
