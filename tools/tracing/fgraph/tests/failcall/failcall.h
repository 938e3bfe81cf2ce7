/* SPDX-License-Identifier: GPL-2.0 */
/* A system call that fails, and the function that follows and makes it fail */
#ifndef FAILCALL_H
#define FAILCALL_H

#include <stdbool.h>
#include <stddef.h>

#define attribute(name)	__attribute__((name))

/* The directory of the test, see fgraph.sh */
#define DIR	"/tmp/failcall/"
#define NO_PID	4194303

/**
 * struct failing_call - a system call that fails
 * @name:	its name in this program
 * @fail:	makes it fail
 * @error:	the error
 * @text:	its name, and the functions of which one finds it
 * @needs:	a file that there is if the kernel can do this
 * @is_nobody:	a user without capabilities makes it fail
 */
struct failing_call {
	const char	*name;
	long		(*fail)(void);
	int		error;
	const char	*text;
	const char	*needs;
	bool		is_nobody;
};

/* The function that follows makes a system call fail. */
#define FAILS_IF(name, error, text, needs, is_nobody)					\
	static long fail_##name(void);							\
	static const struct failing_call call_##name					\
	attribute(used) attribute(section("calls")) attribute(aligned(8)) = {		\
		#name, fail_##name, error, text, needs, is_nobody			\
	};										\
	static long fail_##name(void)

#define FAILS(name, error, functions)							\
	FAILS_IF(name, error, #error " " functions, "/", false)
#define FAILS_AS_NOBODY(name, error, functions)						\
	FAILS_IF(name, error, #error " " functions, "/", true)
/* A small kernel has no sockets. */
#define SOCKET_FAILS(name, error, functions)						\
	FAILS_IF(name, error, #error " " functions, "/proc/net", false)
/* Others have no performance counters. */
#define PERF_FAILS(name, error, functions)						\
	FAILS_IF(name, error, #error " " functions, "/proc/sys/kernel/perf_event_paranoid", false)

extern const struct failing_call __start_calls[], __stop_calls[];

#endif
