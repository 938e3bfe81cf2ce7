// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <linux/capability.h>

#include "capability.h"
#include "util.h"

#define CAP(name)	{ name, #name }

static const struct {
	unsigned long	number;
	const char	*name;
} capabilities[] = {
	CAP(CAP_CHOWN), CAP(CAP_DAC_OVERRIDE), CAP(CAP_DAC_READ_SEARCH), CAP(CAP_FOWNER),
	CAP(CAP_FSETID), CAP(CAP_KILL), CAP(CAP_SETGID), CAP(CAP_SETUID), CAP(CAP_SETPCAP),
	CAP(CAP_LINUX_IMMUTABLE), CAP(CAP_NET_BIND_SERVICE), CAP(CAP_NET_BROADCAST),
	CAP(CAP_NET_ADMIN), CAP(CAP_NET_RAW), CAP(CAP_IPC_LOCK), CAP(CAP_IPC_OWNER),
	CAP(CAP_SYS_MODULE), CAP(CAP_SYS_RAWIO), CAP(CAP_SYS_CHROOT), CAP(CAP_SYS_PTRACE),
	CAP(CAP_SYS_PACCT), CAP(CAP_SYS_ADMIN), CAP(CAP_SYS_BOOT), CAP(CAP_SYS_NICE),
	CAP(CAP_SYS_RESOURCE), CAP(CAP_SYS_TIME), CAP(CAP_SYS_TTY_CONFIG), CAP(CAP_MKNOD),
	CAP(CAP_LEASE), CAP(CAP_AUDIT_WRITE), CAP(CAP_AUDIT_CONTROL), CAP(CAP_SETFCAP),
	CAP(CAP_MAC_OVERRIDE), CAP(CAP_MAC_ADMIN), CAP(CAP_SYSLOG), CAP(CAP_WAKE_ALARM),
	CAP(CAP_BLOCK_SUSPEND), CAP(CAP_AUDIT_READ), CAP(CAP_PERFMON), CAP(CAP_BPF),
	CAP(CAP_CHECKPOINT_RESTORE),
};

const char *capability_name(const char *number)
{
	unsigned long cap;
	char *end;
	size_t i;

	cap = strtoul(number, &end, 10);
	for (i = 0; !*end && i < ARRAY_SIZE(capabilities); i++)
		if (capabilities[i].number == cap)
			return capabilities[i].name;
	return NULL;
}
