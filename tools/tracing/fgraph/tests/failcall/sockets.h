/* SPDX-License-Identifier: GPL-2.0 */
/* System calls of sockets that fail. */
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <sys/un.h>

static const struct sockaddr_un path_addr = { AF_UNIX, DIR "socket" };

static int bind_to(int fd, const struct sockaddr_un *addr)
{
	return bind(fd, (const struct sockaddr *)addr, sizeof(*addr));
}

static int connect_to(int fd, const struct sockaddr_un *addr)
{
	return connect(fd, (const struct sockaddr *)addr, sizeof(*addr));
}

/* A pair of sockets of which one is closed */
static int open_lone_socket(int type)
{
	int fds[2];

	if (socketpair(AF_UNIX, type, 0, fds))
		return -1;
	close(fds[0]);
	return fds[1];
}

SOCKET_FAILS(socket, EPROTONOSUPPORT, "unix_create")
{
	return socket(AF_UNIX, SOCK_STREAM, 4000);
}

SOCKET_FAILS(socket_type, ESOCKTNOSUPPORT, "unix_create")
{
	return socket(AF_UNIX, SOCK_RDM, 0);
}

SOCKET_FAILS(socket_family, EAFNOSUPPORT, "__sock_create")
{
	return socket(AF_X25, SOCK_STREAM, 0);
}

SOCKET_FAILS(socket_netlink, EPROTONOSUPPORT, "netlink_create")
{
	return socket(AF_NETLINK, SOCK_RAW, 100);
}

/* The type of a socket can only be read. */
SOCKET_FAILS(setsockopt, ENOPROTOOPT, "sk_setsockopt")
{
	int type = SOCK_DGRAM;

	return setsockopt(socket(AF_UNIX, SOCK_DGRAM, 0), SOL_SOCKET, SO_TYPE, &type,
			  sizeof(type));
}

SOCKET_FAILS(setsockopt_time, EDOM, "sock_set_timeout")
{
	struct timeval timeout = { 0, -1 };

	return setsockopt(socket(AF_UNIX, SOCK_DGRAM, 0), SOL_SOCKET, SO_RCVTIMEO,
			  &timeout, sizeof(timeout));
}

SOCKET_FAILS(getsockopt, ENOPROTOOPT, "sk_getsockopt")
{
	socklen_t size = 4;
	int value;

	return getsockopt(socket(AF_UNIX, SOCK_DGRAM, 0), SOL_SOCKET, 1000, &value, &size);
}

/* The address is of another family. */
SOCKET_FAILS(bind, EINVAL, "unix_validate_addr unix_bind")
{
	struct sockaddr_un addr = { .sun_family = AF_INET, .sun_path = "/tmp/socket" };

	return bind_to(socket(AF_UNIX, SOCK_DGRAM, 0), &addr);
}

SOCKET_FAILS(bind_used, EADDRINUSE, "unix_bind_bsd unix_bind")
{
	struct sockaddr_un addr = { AF_UNIX, DIR "full/file" };

	return bind_to(socket(AF_UNIX, SOCK_DGRAM, 0), &addr);
}

SOCKET_FAILS(bind_file, ENOTSOCK, "__sys_bind")
{
	return bind_to(open("/", O_RDONLY), &path_addr);
}

SOCKET_FAILS(listen_datagram, EOPNOTSUPP, "sock_no_listen")
{
	return listen(socket(AF_UNIX, SOCK_DGRAM, 0), 1);
}

SOCKET_FAILS(listen_unbound, EINVAL, "unix_listen")
{
	return listen(socket(AF_UNIX, SOCK_STREAM, 0), 1);
}

SOCKET_FAILS(accept_deaf, EINVAL, "unix_accept")
{
	return accept(socket(AF_UNIX, SOCK_STREAM, 0), NULL, NULL);
}

SOCKET_FAILS(accept_datagram, EOPNOTSUPP, "sock_no_accept")
{
	return accept(socket(AF_UNIX, SOCK_DGRAM, 0), NULL, NULL);
}

SOCKET_FAILS(connect_file, ECONNREFUSED, "unix_find_bsd unix_find_other")
{
	struct sockaddr_un addr = { AF_UNIX, DIR "full/file" };

	return connect_to(socket(AF_UNIX, SOCK_STREAM, 0), &addr);
}

SOCKET_FAILS(connect_type, EPROTOTYPE, "unix_find_bsd unix_find_other")
{
	if (bind_to(socket(AF_UNIX, SOCK_DGRAM, 0), &path_addr))
		return 0;
	return connect_to(socket(AF_UNIX, SOCK_STREAM, 0), &path_addr);
}

SOCKET_FAILS(connect_abstract, ECONNREFUSED, "unix_find_abstract unix_find_other")
{
	struct sockaddr_un addr = { AF_UNIX, "\0none" };

	return connect_to(socket(AF_UNIX, SOCK_DGRAM, 0), &addr);
}

SOCKET_FAILS(send_unconnected, ENOTCONN, "unix_dgram_sendmsg")
{
	return send(socket(AF_UNIX, SOCK_DGRAM, 0), "a", 1, 0);
}

SOCKET_FAILS(send_stream, ENOTCONN, "unix_stream_sendmsg")
{
	return send(socket(AF_UNIX, SOCK_STREAM, 0), "a", 1, 0);
}

SOCKET_FAILS(send_closed, EPIPE, "unix_stream_sendmsg")
{
	return send(open_lone_socket(SOCK_STREAM), "a", 1, MSG_NOSIGNAL);
}

SOCKET_FAILS(send_long, EMSGSIZE, "unix_dgram_sendmsg")
{
	static char text[1 << 20];
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fds))
		return 0;
	return send(fds[0], text, sizeof(text), 0);
}

SOCKET_FAILS(send_oob, EOPNOTSUPP, "unix_dgram_sendmsg")
{
	return send(socket(AF_UNIX, SOCK_DGRAM, 0), "a", 1, MSG_OOB);
}

SOCKET_FAILS(recv_empty, EAGAIN, "unix_stream_read_generic")
{
	int fds[2];
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
		return 0;
	return recv(fds[0], &byte, 1, MSG_DONTWAIT);
}

SOCKET_FAILS(recv_unconnected, EINVAL, "unix_stream_read_generic")
{
	char byte;

	return recv(socket(AF_UNIX, SOCK_STREAM, 0), &byte, 1, 0);
}

SOCKET_FAILS(getpeername, ENOTCONN, "unix_getname")
{
	struct sockaddr_un addr;
	socklen_t size = sizeof(addr);

	return getpeername(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&addr, &size);
}

SOCKET_FAILS(shutdown_how, EINVAL, "unix_shutdown")
{
	return shutdown(open_lone_socket(SOCK_STREAM), 100);
}

/* The error is in the answer. */
SOCKET_FAILS(netlink_link, ENODEV, "rtnl_setlink")
{
	struct {
		struct nlmsghdr header;
		struct ifinfomsg link;
	} request = {
		.header = {
			.nlmsg_len = sizeof(request),
			.nlmsg_type = RTM_SETLINK,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
		.link.ifi_index = 9999,
	};
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
	} answer = { };
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);

	if (send(fd, &request, sizeof(request), 0) < 0 || recv(fd, &answer, sizeof(answer), 0) < 0)
		return 0;
	errno = -answer.error.error;
	return errno ? -1 : 0;
}
