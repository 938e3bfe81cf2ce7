// SPDX-License-Identifier: GPL-2.0
/* All that is done with the table of a linked kernel, with a file that may be none */
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
