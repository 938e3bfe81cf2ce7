/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The structs whose pointers have names. Define FGN(type) before each time that this file
 * is included.
 */
FGN(filename)
FGN(qstr)
FGN(dentry)
FGN(file)
FGN(path)
FGN(inode)
FGN(super_block)
FGN(task_struct)
FGN(net_device)
FGN(device)
FGN(kobject)
FGN(kmem_cache)
FGN(block_device)
FGN(file_system_type)
FGN(fs_parameter)
FGN(fs_context)
#ifdef CONFIG_MODULES
FGN(module)
#endif
#ifdef CONFIG_CGROUPS
FGN(cgroup)
#endif
#undef FGN
