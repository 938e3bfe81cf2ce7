// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "options.h"
#include "rank.h"
#include "root.h"
#include "syscall.h"
#include "util.h"

/*
 * A program often tries what fails with one of these, and goes on: it looks for a file in
 * several places, for a terminal, for children, or for a feature of the kernel.
 */
static const char *const expected[] = {
	"ENOENT", "ENOSYS", "ENOTTY", "EAGAIN", "ECHILD", NULL
};

/* The C library tries what an old kernel lacks. A shell waits until no child is left. */
static const struct {
	const char	*syscall;
	const char	*error;
	enum rank	rank;
} ranks[] = {
	{ "arch_prctl", "EINVAL", RANK_USUAL }, { "getrandom", "EAGAIN", RANK_USUAL },
	{ "rseq", "ENOSYS", RANK_USUAL }, { "wait4", "ECHILD", RANK_USUAL },
	{ "waitid", "ECHILD", RANK_USUAL }, { "waitpid", "ECHILD", RANK_USUAL },
	{ "lseek", "ESPIPE", RANK_QUESTION }, { "_llseek", "ESPIPE", RANK_QUESTION },
	{ "readlink", "EINVAL", RANK_QUESTION }, { "readlinkat", "EINVAL", RANK_QUESTION },
	{ "read", "EAGAIN", RANK_QUESTION }, { "readv", "EAGAIN", RANK_QUESTION },
	{ "write", "EAGAIN", RANK_QUESTION }, { "writev", "EAGAIN", RANK_QUESTION },
	{ "recvfrom", "EAGAIN", RANK_QUESTION }, { "recvmsg", "EAGAIN", RANK_QUESTION },
	{ "sendto", "EAGAIN", RANK_QUESTION }, { "sendmsg", "EAGAIN", RANK_QUESTION },
	{ "accept", "EAGAIN", RANK_QUESTION }, { "accept4", "EAGAIN", RANK_QUESTION },
	{ "futex", "EAGAIN", RANK_QUESTION }, { NULL, "ENOSYS", RANK_QUESTION },
	{ NULL, "ENOTTY", RANK_QUESTION },
};

/*
 * Each program looks for libraries to load first, for translated messages, and for the size of
 * the terminal: TIOCGWINSZ.
 */
static const struct {
	const char	*text;
	const char	*error;
} usual_texts[] = {
	{ "/etc/ld.so.preload", "ENOENT" }, { "/locale/", "ENOENT" }, { "cmd=0x5413,", "ENOTTY" },
};

enum rank find_rank(const struct call *root, const char *brief, const char *texts)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(usual_texts); i++)
		if (!strcmp(root->error_name, usual_texts[i].error) &&
		    (strstr(brief, usual_texts[i].text) || strstr(texts, usual_texts[i].text)))
			return RANK_USUAL;
	for (i = 0; i < ARRAY_SIZE(ranks); i++)
		if (!strcmp(root->error_name, ranks[i].error) &&
		    (!ranks[i].syscall || !strcmp(root_name(root), ranks[i].syscall)))
			return ranks[i].rank;
	return RANK_FAILURE;
}

/* A driver often finds no device. */
static const char *const expected_of_drivers[] = { "ENODEV", NULL };

bool is_expected(const struct call *root)
{
	if (options.roots)
		return is_in_list(expected_of_drivers, root->error_name);
	return syscall_name(root) && is_in_list(expected, root->error_name);
}
