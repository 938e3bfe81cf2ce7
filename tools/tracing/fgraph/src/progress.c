// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdio.h>

#include "progress.h"

static bool shown;

void show_progress(const char *text)
{
	clear_progress();
	fputs(text, stderr);
	shown = true;
}

void clear_progress(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	shown = false;
}
