/* SPDX-License-Identifier: GPL-2.0 */
/* System calls of memory that fail. */

#define PAGE	4096

static void *map(int prot, int flags, int fd)
{
	return mmap(NULL, PAGE, prot, flags, fd, 0);
}

/* An address where nothing is mapped */
static void *make_hole(void)
{
	void *hole = map(PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	munmap(hole, PAGE);
	return hole;
}

FAILS(mmap, EINVAL, "do_mmap")
{
	return (long)mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

FAILS(mmap_write_only, EACCES, "do_mmap")
{
	return (long)map(PROT_READ, MAP_PRIVATE, open(DIR "full/file", O_WRONLY));
}

FAILS(mmap_pipe, ENODEV, "do_mmap")
{
	return (long)map(PROT_READ, MAP_PRIVATE, open_pipe_end(0));
}

FAILS(mmap_taken, EEXIST, "do_mmap")
{
	return (long)mmap(map(PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1), PAGE, PROT_READ,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

FAILS(mmap_large, ENOMEM, "get_unmapped_area")
{
	return (long)mmap(NULL, -2ul * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* On arm, no mapping may begin there: the address is not valid. */
#ifndef __arm__
FAILS_AS_NOBODY(mmap_null, EPERM, "cap_capable? cap_mmap_addr")
{
	return (long)mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			  -1, 0);
}
#endif

FAILS(mmap_sealed, EPERM, "shmem_mmap")
{
	int fd = memfd_create("sealed", MFD_ALLOW_SEALING);

	if (fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE))
		return 0;
	return (long)map(PROT_WRITE, MAP_SHARED, fd);
}

FAILS(munmap_odd, EINVAL, "do_mas_munmap")
{
	return munmap((void *)1, PAGE);
}

FAILS(mprotect, EINVAL, "do_mprotect_pkey")
{
	return mprotect((void *)1, PAGE, PROT_READ);
}

FAILS(mprotect_hole, ENOMEM, "do_mprotect_pkey")
{
	return mprotect(make_hole(), PAGE, PROT_READ);
}

FAILS(mprotect_file, EACCES, "do_mprotect_pkey")
{
	return mprotect(map(PROT_READ, MAP_SHARED, open(DIR "full/file", O_RDONLY)), PAGE,
			PROT_WRITE);
}

FAILS(mremap_beyond, EFAULT, "vma_to_resize")
{
	return (long)mremap(map(PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1), 4 << 20,
			    8 << 20, MREMAP_MAYMOVE);
}

FAILS(mlock_hole, ENOMEM, "apply_vma_lock_flags")
{
	return mlock(make_hole(), PAGE);
}

FAILS_AS_NOBODY(mlock_limit, EPERM, "cap_capable do_mlock")
{
	limit(RLIMIT_MEMLOCK, 0);
	return mlock(map(PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1), PAGE);
}

FAILS(mincore_hole, ENOMEM, "do_mincore -")
{
	unsigned char page;

	return mincore(make_hole(), PAGE, &page);
}
