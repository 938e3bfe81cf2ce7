// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of function signatures, and the lookup of a function in them.
 *
 * The table of the kernel is linked into vmlinux, or it is in a module that can be
 * loaded for a trace and unloaded afterwards. Each module contains a table of its
 * own functions. The format is described in include/linux/fgraph_sig_format.h.
 *
 * A lookup in a table is a binary search. While arguments are recorded, each call
 * needs the signature of its function. So trace_graph_func.c caches the signatures of
 * traced functions.
 *
 * Readers hold no lock, and can run where RCU is not watching. They disable
 * preemption instead, and a table is freed after a grace period of RCU tasks rude.
 */
#include <linux/bitops.h>
#include <linux/buildid.h>
#include <linux/fgraph.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include <asm/sections.h>

#include "fgraph_internal.h"
#include "fgraph_sig.h"
#include "ftrace_internal.h"

/*
 * See fgraph_may_be_odd(). Bits are never cleared, because a stale bit of an unloaded
 * module costs little.
 */
unsigned long fgraph_odd_results[BITS_TO_LONGS(FGRAPH_ODD_BITS)] __read_mostly;
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_odd_results);

/**
 * struct fgraph_table - a sorted array of sites
 * @sites:	the array
 * @nr:		the number of @sites
 * @shift:	the offset to add to the address that a site refers to
 * @rcu:	used to free the table
 */
struct fgraph_table {
	const struct fgraph_site *sites;
	u32			nr;
	unsigned long		shift;
	struct rcu_head		rcu;
};

/* The table of the kernel, or NULL. Protected by ftrace_lock. */
static struct fgraph_table __rcu *fgraph_kernel_table;

/* Return the address of the call site, as recordmcount wrote it. */
static __always_inline unsigned long
fgraph_recorded_addr(const struct fgraph_site *site)
{
	return (unsigned long)&site->site + site->site;
}

/* Return the address where ftrace hooks the function. */
static __always_inline unsigned long
fgraph_site_addr(const struct fgraph_site *site, unsigned long shift)
{
	return ftrace_call_adjust(fgraph_recorded_addr(site) + shift);
}

static __always_inline const char *
fgraph_site_string(const struct fgraph_site *site)
{
	return (const char *)&site->string + site->string;
}

/* Lookup. */

/**
 * fgraph_have_signatures - check whether the signatures of the kernel are loaded
 *
 * Context: any.
 * Return: true if they are loaded. They may be unloaded later.
 */
bool fgraph_have_signatures(void)
{
	return rcu_access_pointer(fgraph_kernel_table);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_have_signatures);

/* Return the first entry of @func. All entries of a function are adjacent. */
static const struct fgraph_site *
fgraph_search_sites(const struct fgraph_site *sites, u32 nr, unsigned long shift,
		    unsigned long func)
{
	u32 low = 0, high = nr;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (fgraph_site_addr(sites + mid, shift) < func)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == nr || fgraph_site_addr(sites + low, shift) != func)
		return NULL;
	return sites + low;
}

static const struct fgraph_table *fgraph_read_kernel_table(void)
{
	/* RCU may not be watching here, so rcu_dereference() would warn. */
	return rcu_dereference_raw(fgraph_kernel_table);
}

static __always_inline bool fgraph_is_kernel_text(unsigned long func)
{
	return (func >= (unsigned long)_stext && func < (unsigned long)_etext) ||
		(func >= (unsigned long)_sinittext &&
		 func < (unsigned long)_einittext);
}

#ifdef CONFIG_MODULES
/* Set the end of the table and the module in @sig. Return the first entry of @func. */
static const struct fgraph_site *
fgraph_search_module(unsigned long func, struct fgraph_sig *sig)
{
	struct module *mod;

	/* RCU protects the list of modules, but does not watch idle code. */
	mod = rcu_is_watching() ? __module_address(func) : NULL;
	if (!mod)
		return NULL;

	sig->mod = mod;
	sig->end = mod->fgraph_sites + mod->num_fgraph_sites;
	return fgraph_search_sites(mod->fgraph_sites, mod->num_fgraph_sites, 0,
				   func);
}
#else
static const struct fgraph_site *
fgraph_search_module(unsigned long func, struct fgraph_sig *sig)
{
	return NULL;
}
#endif

/**
 * fgraph_find_signature - find the signature of a function
 * @func:	the address of the function, as in fgraph_call::func
 * @sig:	filled in if the function has a signature
 *
 * Context: any, with preemption disabled. @sig is valid until preemption is enabled.
 * Return: true if the function has a signature.
 */
bool fgraph_find_signature(unsigned long func, struct fgraph_sig *sig)
{
	const struct fgraph_table *table = fgraph_read_kernel_table();

	sig->mod = NULL;
	if (!fgraph_is_kernel_text(func)) {
		sig->site = fgraph_search_module(func, sig);
	} else if (table) {
		sig->site = fgraph_search_sites(table->sites, table->nr,
						table->shift, func);
		sig->end = table->sites + table->nr;
	} else {
		sig->site = NULL;
	}
	if (!sig->site)
		return false;

	sig->text = fgraph_site_string(sig->site);
	return true;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_find_signature);

/* The tables. */

/* Return true if fgraph_may_be_odd() must be true for a function. */
static bool fgraph_result_is_odd(const char *text)
{
	return fgraph_sig_result_words(text) == 2 || fgraph_sig_result_is_status(text);
}

/* Set the bits of fgraph_may_be_odd() for the functions of @nr sorted sites. */
static void fgraph_mark_odd_results(const struct fgraph_site *sites,
				    unsigned int nr, unsigned long shift)
{
	const struct fgraph_site *site;
	unsigned long addr, last = 0;

	for (site = sites; site < sites + nr; site++) {
		addr = fgraph_site_addr(site, shift);
		/* The first entry of a site refers to the signature. */
		if (addr != last && fgraph_result_is_odd(fgraph_site_string(site)))
			set_bit(fgraph_odd_bit(addr), fgraph_odd_results);
		last = addr;
	}
}

/* Allocate a table for @nr sorted sites. */
static struct fgraph_table *fgraph_alloc_table(const struct fgraph_site *sites,
					       u32 nr, unsigned long shift)
{
	struct fgraph_table *table = kzalloc(sizeof(*table), GFP_KERNEL);

	if (!table)
		return NULL;

	table->sites = sites;
	table->nr = nr;
	table->shift = shift;
	fgraph_mark_odd_results(sites, nr, shift);
	return table;
}

static void fgraph_free_table(struct rcu_head *rcu)
{
	kfree(container_of(rcu, struct fgraph_table, rcu));
}

static struct fgraph_table *fgraph_locked_table(void)
{
	return rcu_dereference_protected(fgraph_kernel_table,
					 lockdep_is_held(&ftrace_lock));
}

#ifdef CONFIG_MODULES
/**
 * fgraph_module_comes - use the signatures of a module
 * @mod: the module, before any of its functions runs
 *
 * Context: may sleep; ftrace_lock must be held.
 */
void fgraph_module_comes(const struct module *mod)
{
	fgraph_mark_odd_results(mod->fgraph_sites, mod->num_fgraph_sites, 0);
	fgraph_info_changed();
}
#endif

static void fgraph_replace_table(struct fgraph_table *table)
{
	struct fgraph_table *old = fgraph_locked_table();

	rcu_assign_pointer(fgraph_kernel_table, table);
	fgraph_info_changed();
	if (old)
		call_rcu_tasks_rude(&old->rcu, fgraph_free_table);
}

static int fgraph_set_kernel_table(const struct fgraph_site *sites, u32 nr,
				   unsigned long shift)
{
	struct fgraph_table *table;
	int ret = -EBUSY;

	mutex_lock(&ftrace_lock);
	if (fgraph_locked_table())
		goto out;

	ret = -ENOMEM;
	table = fgraph_alloc_table(sites, nr, shift);
	if (!table)
		goto out;

	fgraph_replace_table(table);
	ret = 0;
out:
	mutex_unlock(&ftrace_lock);
	return ret;
}

#ifdef CONFIG_MODULES
static bool fgraph_sites_are_sorted(const struct fgraph_site *sites,
				    unsigned int nr)
{
	unsigned int i;

	for (i = 1; i < nr; i++)
		if (fgraph_recorded_addr(sites + i - 1) >
		    fgraph_recorded_addr(sites + i))
			return false;
	return true;
}

/* Return true if @blob describes the running kernel. */
static bool fgraph_blob_is_of_this_kernel(const struct fgraph_sig_blob *blob)
{
	unsigned char build_id[BUILD_ID_SIZE_MAX];

	BUILD_BUG_ON(sizeof(blob->build_id) != sizeof(build_id));

	return !build_id_parse_buf(&__start_notes, build_id,
				   &__stop_notes - &__start_notes) &&
		!memcmp(build_id, blob->build_id, sizeof(build_id));
}

static bool fgraph_is_kernel_code(unsigned long addr)
{
	/* Signatures also describe __init functions, whose memory is freed. */
	return (addr >= (unsigned long)_stext && addr < (unsigned long)_end) ||
		(addr >= (unsigned long)_sinittext &&
		 addr < (unsigned long)_einittext);
}

/* Return true if @mod contains all of @blob, and @blob conforms to the format. */
static bool fgraph_blob_is_sound(const struct fgraph_sig_blob *blob,
				 unsigned long shift, const struct module *mod)
{
	size_t sites = struct_size(blob, sites, blob->nr_sites);
	unsigned long end;
	u32 i;

	if (blob->size <= sites ||
	    check_add_overflow((unsigned long)blob, (unsigned long)blob->size, &end) ||
	    !within_module(end - 1, mod) ||
	    !fgraph_sites_are_sorted(blob->sites, blob->nr_sites))
		return false;

	for (i = 0; i < blob->nr_sites; i++)
		if (!fgraph_is_kernel_code(fgraph_recorded_addr(blob->sites + i) +
					   shift))
			return false;

	return fgraph_strings_are_good(blob->sites, blob->nr_sites,
				       (const char *)blob + sites,
				       blob->size - sites);
}

/**
 * fgraph_add_signatures - use the table of the kernel from a module
 * @blob: the table
 * @mod: the module that contains @blob
 *
 * Context: may sleep.
 * Return: 0 on success. -ENODATA if @blob is empty. -EINVAL if @blob describes another
 * kernel, has another format, or is corrupt. -EBUSY if the kernel already has a table.
 * -ENOMEM if there is no memory.
 */
int fgraph_add_signatures(const struct fgraph_sig_blob *blob,
			  const struct module *mod)
{
	/* The sites are relative to a blob at _stext. */
	unsigned long shift = (unsigned long)_stext - (unsigned long)blob;

	if (!blob->nr_sites) {
		pr_err("fgraph: the module contains no signatures: its build is incomplete, rebuild it\n");
		return -ENODATA;
	}
	if (blob->version != fgraph_sig_version()) {
		pr_err("fgraph: the module contains signatures of another format: load the module that was built with this kernel\n");
		return -EINVAL;
	}
	if (!fgraph_blob_is_of_this_kernel(blob)) {
		pr_err("fgraph: the module contains signatures of another kernel: load the module that was built with this kernel\n");
		return -EINVAL;
	}
	if (!fgraph_blob_is_sound(blob, shift, mod)) {
		pr_err("fgraph: the module contains a corrupt table of signatures: rebuild it\n");
		return -EINVAL;
	}
	return fgraph_set_kernel_table(blob->sites, blob->nr_sites, shift);
}
EXPORT_SYMBOL_GPL(fgraph_add_signatures);

/**
 * fgraph_remove_signatures - undo fgraph_add_signatures()
 *
 * When this returns, no reader uses the blob, so it can be freed.
 *
 * Context: may sleep.
 */
void fgraph_remove_signatures(void)
{
	mutex_lock(&ftrace_lock);
	fgraph_replace_table(NULL);
	mutex_unlock(&ftrace_lock);
	synchronize_rcu_tasks_rude();
}
EXPORT_SYMBOL_GPL(fgraph_remove_signatures);

/*
 * A site of a module with absolute addresses. The offsets in struct fgraph_site are
 * relative to their own place, so sorting would break them.
 */
struct fgraph_site_copy {
	unsigned long		addr;
	unsigned long		string;
	unsigned int		nr;
};

static int fgraph_cmp_sites(const void *a, const void *b)
{
	const struct fgraph_site_copy *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	/* Keep the order of the entries of a site: the signature, then its enums. */
	return x->nr < y->nr ? -1 : 1;
}

/**
 * fgraph_sort_sites - sort the sites of a module that is being loaded
 * @sites:	the array
 * @nr:		the number of @sites
 *
 * Context: may sleep. @sites must still be writable.
 * Return: 0 on success, or -ENOMEM.
 */
int fgraph_sort_sites(struct fgraph_site *sites, unsigned int nr)
{
	struct fgraph_site_copy *copies;
	unsigned int i;

	if (fgraph_sites_are_sorted(sites, nr))
		return 0;

	copies = kvmalloc_array(nr, sizeof(*copies), GFP_KERNEL);
	if (!copies)
		return -ENOMEM;

	for (i = 0; i < nr; i++) {
		copies[i].addr = fgraph_recorded_addr(sites + i);
		copies[i].string = (unsigned long)fgraph_site_string(sites + i);
		copies[i].nr = i;
	}
	sort(copies, nr, sizeof(*copies), fgraph_cmp_sites, NULL);
	for (i = 0; i < nr; i++) {
		sites[i].site = copies[i].addr - (unsigned long)&sites[i].site;
		sites[i].string = copies[i].string - (unsigned long)&sites[i].string;
	}
	kvfree(copies);
	return 0;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_sort_sites);

/*
 * Return true if all objects of the module have the right version. An object without
 * signatures contains no version.
 */
static bool fgraph_module_has_version(const struct fgraph_mod_sections *sections)
{
	unsigned int i;

	for (i = 0; i < sections->nr_versions; i++)
		if (sections->versions[i] != fgraph_sig_version())
			return false;
	return sections->nr_versions;
}

static bool fgraph_module_is_sound(const struct module *mod,
				   const struct fgraph_mod_sections *sections)
{
	unsigned int i;

	for (i = 0; i < mod->num_fgraph_sites; i++)
		if (!within_module(fgraph_recorded_addr(mod->fgraph_sites + i), mod))
			return false;

	/* The parser of members needs terminated strings, too. */
	if (mod->fgraph_members_size && mod->fgraph_members[mod->fgraph_members_size - 1])
		return false;

	return fgraph_strings_are_good(mod->fgraph_sites, mod->num_fgraph_sites,
				       sections->strings, sections->size);
}

static const char *fgraph_refuse_module(struct module *mod,
					const struct fgraph_mod_sections *sections)
{
	if (!fgraph_module_has_version(sections))
		return "of another format";
	if (fgraph_sort_sites(mod->fgraph_sites, mod->num_fgraph_sites))
		return "not sorted, and there is no memory to sort them";
	if (!fgraph_module_is_sound(mod, sections))
		return "corrupt";
	return NULL;
}

/**
 * fgraph_module_loading - check and sort the signatures of a module
 * @mod:	the module, whose sites are still writable
 * @sections:	the other sections with signatures
 *
 * Signatures are optional. If the signatures of @mod cannot be used, warn and ignore them.
 *
 * Context: may sleep.
 */
void fgraph_module_loading(struct module *mod,
			   const struct fgraph_mod_sections *sections)
{
	const char *why;

	if (!mod->num_fgraph_sites)
		return;

	why = fgraph_refuse_module(mod, sections);
	if (!why)
		return;

	mod->num_fgraph_sites = 0;
	pr_warn("fgraph: %s: ignoring the signatures of this module: they are %s\n",
		mod->name, why);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_module_loading);

/* A copy of the signatures of a module */

/**
 * fgraph_site_func - return the address of the function of an entry
 * @site: the entry, in a table of a module
 *
 * Return: the address, as in fgraph_call::func.
 */
unsigned long fgraph_site_func(const struct fgraph_site *site)
{
	return fgraph_site_addr(site, 0);
}

/* Find the strings of a module, which lie in one section. Equal strings are there once. */
static const char *fgraph_find_strings(const struct module *mod, size_t *size)
{
	const char *begin = fgraph_site_string(mod->fgraph_sites), *end = begin, *string;
	unsigned int i;

	for (i = 0; i < mod->num_fgraph_sites; i++) {
		string = fgraph_site_string(mod->fgraph_sites + i);
		begin = min(begin, string);
		end = max(end, string + strlen(string) + 1);
	}
	*size = end - begin;
	return begin;
}

/**
 * fgraph_copy_signatures - copy the signatures of a module
 * @mod:	the module, which has signatures
 * @size:	set to the number of bytes of the copy
 *
 * Context: may sleep. @mod must not be freed meanwhile.
 * Return: the copy, to be freed by kvfree(), or NULL if there is no memory.
 */
struct fgraph_table *fgraph_copy_signatures(const struct module *mod, size_t *size)
{
	unsigned int i, nr = mod->num_fgraph_sites;
	const struct fgraph_site *from = mod->fgraph_sites;
	struct fgraph_site *sites;
	struct fgraph_table *copy;
	size_t strings_size;
	const char *begin;
	char *strings;

	begin = fgraph_find_strings(mod, &strings_size);
	*size = sizeof(*copy) + nr * sizeof(*sites) + strings_size;
	copy = kvzalloc(*size, GFP_KERNEL);
	if (!copy)
		return NULL;

	sites = (struct fgraph_site *)(copy + 1);
	strings = (char *)(sites + nr);
	memcpy(strings, begin, strings_size);
	for (i = 0; i < nr; i++) {
		sites[i].site = from[i].site;
		sites[i].string = strings + (fgraph_site_string(from + i) - begin) -
				  (char *)&sites[i].string;
	}
	copy->sites = sites;
	copy->nr = nr;
	copy->shift = (unsigned long)from - (unsigned long)sites;
	return copy;
}

/**
 * fgraph_find_copied_signature - find the signature of a function in a copy
 * @copy:	the copy
 * @func:	the address of the function, as in fgraph_call::func
 * @sig:	filled in if the function has a signature
 *
 * Context: any. @sig is valid until @copy is freed.
 * Return: true if the function has a signature.
 */
bool fgraph_find_copied_signature(const struct fgraph_table *copy, unsigned long func,
				  struct fgraph_sig *sig)
{
	sig->mod = NULL;
	sig->site = fgraph_search_sites(copy->sites, copy->nr, copy->shift, func);
	sig->end = copy->sites + copy->nr;
	if (!sig->site)
		return false;

	sig->text = fgraph_site_string(sig->site);
	return true;
}
#endif /* CONFIG_MODULES */

#if IS_BUILTIN(CONFIG_FGRAPH_SIGNATURES)
static int __init fgraph_init_signatures(void)
{
	u32 nr = __stop_fgraph_sites - __start_fgraph_sites;

	return nr ? fgraph_set_kernel_table(__start_fgraph_sites, nr, 0) : 0;
}
early_initcall(fgraph_init_signatures);
#endif
