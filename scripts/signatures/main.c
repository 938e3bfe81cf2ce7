// SPDX-License-Identifier: GPL-2.0
/* The options of recordmcount for signatures. main.h lists all files. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "main.h"
#include "module.h"
#include "object.h"
#include "table.h"
#include "../lines/write.h"

/* Prints the rest of recordmcount's usage text. */
void print_signature_usage(void)
{
	fputs("       recordmcount -s file.o	add the signatures of functions with a call site\n"
	      "       recordmcount -f file.o	the same, or of functions that call __fentry__ if no call sites are listed\n"
	      "       recordmcount -p part -s|-f file.o	the same, and add this part:\n"
	      "		lines	the source lines of all functions\n"
	      "		members	the members of structs that parameters and results lead to\n"
	      "       recordmcount -L table vmlinux	write a table of source lines\n"
	      "       recordmcount -l file	list the signatures of all functions\n"
	      "       recordmcount -m file	list the members of structs that all functions lead to\n"
	      "       recordmcount -M members [vmlinux] module	write the members that vmlinux does not have\n"
	      "       recordmcount -d vmlinux	list the table of a linked kernel\n"
	      "       recordmcount -t vmlinux	sort the table of a linked kernel\n"
	      "       recordmcount -c copy vmlinux	write a copy of that table\n",
	      stderr);
}

/* Adds a part to the set. Return: false if there is no such part. */
static bool add_part(const char *name, unsigned int *parts)
{
	if (!strcmp(name, "lines"))
		*parts |= PART_LINES;
	else if (!strcmp(name, "members"))
		*parts |= PART_MEMBERS;
	else
		return false;
	return true;
}

/* Runs one option. main() calls this for the first option that it does not handle. */
int do_signatures(int option, int argc, char *argv[])
{
	unsigned int parts = 0;

	while (option == 'p' && add_part(optarg, &parts))
		option = getopt(argc, argv, SIGNATURE_OPTIONS);
	switch (option) {
	case 's':
		return record_signatures(optarg, LISTED_SITES, parts);
	case 'f':
		return record_signatures(optarg, CALLING_SITES, parts);
	case 'l':
		return list_signatures(optarg);
	case 'm':
		return list_members(optarg);
	case 'd':
		return dump_signatures(optarg);
	case 't':
		return sort_signatures(optarg);
	case 'M':
		if (optind >= argc)
			break;
		if (optind + 1 == argc)
			return write_module_members(optarg, argv[optind], NULL);
		return write_module_members(optarg, argv[optind + 1], argv[optind]);
	case 'L':
		if (optind >= argc)
			break;
		write_lines(optarg, argv[optind], false);
		return 0;
	case 'c':
		if (optind < argc)
			return copy_signatures(argv[optind], optarg);
	}
	print_signature_usage();
	return 1;
}
