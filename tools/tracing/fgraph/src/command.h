/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command that fgraph runs.
 */
#ifndef FGRAPH_COMMAND_H
#define FGRAPH_COMMAND_H

#include <sys/types.h>

/**
 * prepare_cmd - create the process of a command
 * @cmd:	the command and its arguments
 * @user:	name of the user who runs it, or NULL for the caller
 *
 * The process waits for start_cmd(). Ends the program if the command is not found.
 * Return: its ID.
 */
pid_t prepare_cmd(char **cmd, const char *user);

/* Let the process execute the command. Return 0 or why it could not. */
int start_cmd(void);

#endif
