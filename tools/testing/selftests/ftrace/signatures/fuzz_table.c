// SPDX-License-Identifier: GPL-2.0
/* Sorts, prints and copies the table of a file, which may not be a linked kernel. */
#include "table.h"

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	sort_signatures(argv[1]);
	dump_signatures(argv[1]);
	copy_signatures(argv[1], "/dev/null");
	return 0;
}
