/* SPDX-License-Identifier: GPL-2.0 */
/* System calls that wait for events, and fail. */
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

FAILS(read_eventfd, EINVAL, "eventfd_read")
{
	char byte;

	return read(eventfd(1, 0), &byte, 1);
}

FAILS(read_signalfd, EINVAL, "signalfd_read")
{
	sigset_t mask;
	char byte;

	sigemptyset(&mask);
	return read(signalfd(-1, &mask, 0), &byte, 1);
}

FAILS(eventfd, EINVAL, "eventfd_write")
{
	unsigned long long count = -1ull;

	return write(eventfd(0, 0), &count, sizeof(count));
}

FAILS(eventfd_flags, EINVAL, "do_eventfd")
{
	return eventfd(0, 4);
}

FAILS(signalfd_flags, EINVAL, "do_signalfd4")
{
	sigset_t mask;

	sigemptyset(&mask);
	return signalfd(-1, &mask, 4);
}

FAILS(signalfd_file, EINVAL, "do_signalfd4")
{
	sigset_t mask;

	sigemptyset(&mask);
	return signalfd(open("/", O_RDONLY), &mask, 0);
}

FAILS(epoll_ctl, EINVAL, "do_epoll_ctl")
{
	struct epoll_event event = { .events = EPOLLIN };
	int fd = epoll_create1(0);

	return epoll_ctl(fd, EPOLL_CTL_ADD, fd, &event);
}

FAILS(epoll_twice, EEXIST, "do_epoll_ctl")
{
	struct epoll_event event = { .events = EPOLLIN };
	int fd = epoll_create1(0), pipe = open_pipe_end(0);

	if (epoll_ctl(fd, EPOLL_CTL_ADD, pipe, &event))
		return 0;
	return epoll_ctl(fd, EPOLL_CTL_ADD, pipe, &event);
}

FAILS(epoll_file, EPERM, "do_epoll_ctl")
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, open("/", O_RDONLY), &event);
}

FAILS(epoll_wait_none, EINVAL, "do_epoll_wait")
{
	struct epoll_event event;

	return epoll_wait(epoll_create1(0), &event, 0, 0);
}

FAILS(epoll_create, EINVAL, "do_epoll_create")
{
	return epoll_create1(4);
}

FAILS(poll_many, EINVAL, "do_sys_poll")
{
	struct pollfd fds[4];

	limit(RLIMIT_NOFILE, 3);
	return poll(fds, 4, 0);
}

FAILS(select_bad_fd, EBADF, "max_select_fd do_select")
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(20, &set);
	close(20);
	return select(21, &set, NULL, NULL, NULL);
}
