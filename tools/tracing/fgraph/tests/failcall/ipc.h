/* SPDX-License-Identifier: GPL-2.0 */
/* System calls of System V IPC that fail. */
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

FAILS(shmget, EINVAL, "newseg")
{
	return shmget(IPC_PRIVATE, 0, IPC_CREAT | 0600);
}

FAILS(shmget_twice, EEXIST, "ipcget_public ipcget")
{
	if (shmget(100, 4096, IPC_CREAT | 0600) < 0)
		return 0;
	return shmget(100, 4096, IPC_CREAT | IPC_EXCL | 0600);
}

FAILS(shmat_odd, EINVAL, "do_shmat")
{
	return (long)shmat(shmget(IPC_PRIVATE, 4096, 0600), (void *)1, 0);
}

FAILS(shmat_none, EINVAL, "ipc_obtain_object_idr? ipc_obtain_object_check")
{
	return (long)shmat(12345, NULL, 0);
}

FAILS_AS_NOBODY(shmat_other, EACCES, "do_shmat")
{
	int id = shmget(IPC_PRIVATE, 4096, 0);

	return (long)shmat(id, NULL, 0);
}

FAILS(shmctl_command, EINVAL, "ksys_shmctl")
{
	return syscall(SYS_shmctl, 0, 1000, NULL);
}

FAILS(msgsnd_type, EINVAL, "do_msgsnd ksys_msgsnd -")
{
	struct { long type; char text[1]; } message = { .type = 0 };

	return msgsnd(msgget(IPC_PRIVATE, 0600), &message, 1, 0);
}

FAILS(msgsnd_none, EINVAL, "ipc_obtain_object_idr? ipc_obtain_object_check")
{
	struct { long type; char text[1]; } message = { .type = 1 };

	return msgsnd(12345, &message, 1, 0);
}

FAILS(msgrcv_none, ENOMSG, "do_msgrcv")
{
	struct { long type; char text[1]; } message;

	return msgrcv(msgget(IPC_PRIVATE, 0600), &message, 1, 0, IPC_NOWAIT);
}

FAILS(msgrcv_long, E2BIG, "do_msgrcv")
{
	struct { long type; char text[10]; } message = { .type = 1 };
	int id = msgget(IPC_PRIVATE, 0600);

	if (msgsnd(id, &message, 10, 0))
		return 0;
	return msgrcv(id, &message, 1, 0, IPC_NOWAIT);
}

FAILS(semget_many, EINVAL, "ksys_semget? -")
{
	return semget(IPC_PRIVATE, 1 << 20, 0600);
}

FAILS(semop_number, EFBIG, "__do_semtimedop")
{
	struct sembuf op = { .sem_num = 5 };

	return semop(semget(IPC_PRIVATE, 1, 0600), &op, 1);
}

FAILS(semop_wait, EAGAIN, "perform_atomic_semop")
{
	struct sembuf op = { .sem_op = -1, .sem_flg = IPC_NOWAIT };

	return semop(semget(IPC_PRIVATE, 1, 0600), &op, 1);
}

FAILS(semctl_value, ERANGE, "semctl_setval ksys_semctl -")
{
	return semctl(semget(IPC_PRIVATE, 1, 0600), 0, SETVAL, 1 << 20);
}
