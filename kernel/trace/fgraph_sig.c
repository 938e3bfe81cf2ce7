// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of function signatures, and how that of a function is found.
 *
 * The kernel has one table: in itself, or in a module that can be loaded for a
 * trace and unloaded after. Each module has one of its own functions.
 *
 * The search is binary. A function is looked up at each of its calls while its
 * arguments are recorded, so its signature is in the hash of fgraph_hash.c then.
 *
 * Readers hold no lock, and may be where RCU is not watching: they disable
 * preemption, and a table goes after RCU tasks rude has seen all of them gone.
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

/* See fgraph_may_be_wide(). No bit goes: those of a module that did cost little. */
unsigned long fgraph_wide_results[BITS_TO_LONGS(FGRAPH_WIDE_BITS)] __read_mostly;
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_wide_results);

/**
 * struct fgraph_table - a sorted array of sites
 * @sites:	the array
 * @nr:		how many there are
 * @shift:	what to add to where a site word leads to
 * @rcu:	to free it
 */
struct fgraph_table {
	const struct fgraph_site *sites;
	u32			nr;
	unsigned long		shift;
	struct rcu_head		rcu;
};

/* That of the kernel, or NULL. It changes under ftrace_lock. */
static struct fgraph_table __rcu *fgraph_kernel_table;

/* What recordmcount took for the place where ftrace hooks the function */
static __always_inline unsigned long
fgraph_recorded_addr(const struct fgraph_site *site)
{
	return (unsigned long)&site->site + site->site;
}

/* The place where it does */
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

/* The first of the sites of @func. Those of one function are side by side. */
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
	/* Not rcu_dereference(): RCU may not be watching, see above */
	return rcu_dereference_raw(fgraph_kernel_table);
}

static __always_inline bool fgraph_is_kernel_text(unsigned long func)
{
	return (func >= (unsigned long)_stext && func < (unsigned long)_etext) ||
		(func >= (unsigned long)_sinittext &&
		 func < (unsigned long)_einittext);
}

#ifdef CONFIG_MODULES
static const struct fgraph_site *
fgraph_search_module(unsigned long func, const struct fgraph_site **end)
{
	struct module *mod;

	/* The list of modules is under RCU, which idle code is not */
	mod = rcu_is_watching() ? __module_address(func) : NULL;
	if (!mod)
		return NULL;

	*end = mod->fgraph_sites + mod->num_fgraph_sites;
	return fgraph_search_sites(mod->fgraph_sites, mod->num_fgraph_sites, 0,
				   func);
}
#else
static const struct fgraph_site *
fgraph_search_module(unsigned long func, const struct fgraph_site **end)
{
	return NULL;
}
#endif

/**
 * fgraph_find_signature - find the signature of a function, to print by it
 * @func:	its address, as in fgraph_call::func
 * @sig:	filled in if there is one
 *
 * Context: any, with preemption disabled, which keeps what is found.
 * Return: whether there is one.
 */
bool fgraph_find_signature(unsigned long func, struct fgraph_sig *sig)
{
	const struct fgraph_table *table = fgraph_read_kernel_table();

	sig->iter = NULL;
	if (!fgraph_is_kernel_text(func)) {
		sig->site = fgraph_search_module(func, &sig->end);
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

static noinline const char *fgraph_search_text(unsigned long func)
{
	struct fgraph_sig sig;

	return fgraph_find_signature(func, &sig) ? sig.text : FGRAPH_NO_SIGNATURE;
}

/**
 * fgraph_find_text - find the signature of a function, when it is called
 * @func:	its address, as in fgraph_call::func
 *
 * Context: any, with preemption disabled, which keeps what is found.
 * Return: the signature, or FGRAPH_NO_SIGNATURE.
 */
const char *fgraph_find_text(unsigned long func)
{
	const char *text;

	fgraph_look_up_func(func, &text);
	return likely(text) ? text : fgraph_search_text(func);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_find_text);

/**
 * fgraph_result_is_wide - whether the result of a function takes two words
 * @func:	its address, as in fgraph_call::func
 *
 * Context: any, with preemption disabled.
 * Return: whether it is known to.
 */
bool fgraph_result_is_wide(unsigned long func)
{
	return fgraph_sig_result_words(fgraph_find_text(func)) == 2;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_result_is_wide);

/* The tables. */

/* Let fgraph_may_be_wide() know of the functions of @nr sorted sites. */
static void fgraph_mark_wide_results(const struct fgraph_site *sites,
				     unsigned int nr, unsigned long shift)
{
	const struct fgraph_site *site;
	unsigned long addr, last = 0;

	for (site = sites; site < sites + nr; site++) {
		addr = fgraph_site_addr(site, shift);
		/* The first entry of a site is the signature */
		if (addr != last &&
		    fgraph_sig_result_words(fgraph_site_string(site)) == 2)
			set_bit(fgraph_wide_bit(addr), fgraph_wide_results);
		last = addr;
	}
}

/* The sites are @nr, and sorted. */
static struct fgraph_table *fgraph_alloc_table(const struct fgraph_site *sites,
					       u32 nr, unsigned long shift)
{
	struct fgraph_table *table = kzalloc(sizeof(*table), GFP_KERNEL);

	if (!table)
		return NULL;

	table->sites = sites;
	table->nr = nr;
	table->shift = shift;
	fgraph_mark_wide_results(sites, nr, shift);
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
 * @mod: the module, of which no function runs yet
 *
 * Context: may sleep; ftrace_lock must be held.
 */
void fgraph_module_comes(const struct module *mod)
{
	fgraph_mark_wide_results(mod->fgraph_sites, mod->num_fgraph_sites, 0);
	fgraph_signatures_changed();
}
#endif

static void fgraph_replace_table(struct fgraph_table *table)
{
	struct fgraph_table *old = fgraph_locked_table();

	rcu_assign_pointer(fgraph_kernel_table, table);
	fgraph_signatures_changed();
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

/* Whether @blob was made of the kernel that runs */
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
	/* With what is there only while it boots */
	return (addr >= (unsigned long)_stext && addr < (unsigned long)_end) ||
		(addr >= (unsigned long)_sinittext &&
		 addr < (unsigned long)_einittext);
}

/* Whether all of @blob is in @mod, and keeps to the format */
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
 * fgraph_add_signatures - use signatures of the kernel from a module
 * @blob: the signatures
 * @mod: the module that they are in
 *
 * Context: may sleep.
 * Return: 0; -ENODATA if there are none in @blob; -EINVAL if it is of another
 * kernel, of another format, or corrupt; -EBUSY if the kernel has signatures;
 * -ENOMEM.
 */
int fgraph_add_signatures(const struct fgraph_sig_blob *blob,
			  const struct module *mod)
{
	/* The words of its sites are as if it lay at _stext */
	unsigned long shift = (unsigned long)_stext - (unsigned long)blob;

	if (!blob->nr_sites) {
		pr_err("fgraph: no signatures in the module: its build was not finished\n");
		return -ENODATA;
	}
	if (blob->version != fgraph_sig_version()) {
		pr_err("fgraph: the signatures are of another format than this kernel's\n");
		return -EINVAL;
	}
	if (!fgraph_blob_is_of_this_kernel(blob)) {
		pr_err("fgraph: the signatures are of another kernel than the one that runs\n");
		return -EINVAL;
	}
	if (!fgraph_blob_is_sound(blob, shift, mod)) {
		pr_err("fgraph: the signatures are corrupt\n");
		return -EINVAL;
	}
	return fgraph_set_kernel_table(blob->sites, blob->nr_sites, shift);
}
EXPORT_SYMBOL_GPL(fgraph_add_signatures);

/**
 * fgraph_remove_signatures - undo fgraph_add_signatures()
 *
 * When this is done, nobody uses the blob any more.
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

/* A site of a module, with addresses instead of offsets, which a sort would break */
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
	/* The order within a site has a meaning */
	return x->nr < y->nr ? -1 : 1;
}

/**
 * fgraph_sort_sites - sort the signatures of a module, while it is loaded
 * @sites:	the array
 * @nr:		how many there are
 *
 * Context: may sleep; @sites must be writable yet.
 * Return: 0 or -ENOMEM.
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

/* An object without signatures has no version either. */
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

	return fgraph_strings_are_good(mod->fgraph_sites, mod->num_fgraph_sites,
				       sections->strings, sections->size);
}

static const char *fgraph_refuse_module(struct module *mod,
					const struct fgraph_mod_sections *sections)
{
	if (!fgraph_module_has_version(sections))
		return "of another format";
	if (fgraph_sort_sites(mod->fgraph_sites, mod->num_fgraph_sites))
		return "too many for the memory";
	if (!fgraph_module_is_sound(mod, sections))
		return "corrupt";
	return NULL;
}

/**
 * fgraph_module_loading - check and sort the signatures of a module
 * @mod:	the module, whose sites are writable yet
 * @sections:	what else there is of signatures
 *
 * A trace can do without them: if they cannot be used, the module has none.
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
	pr_warn("fgraph: %s: its signatures are not used: they are %s\n",
		mod->name, why);
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_module_loading);
#endif /* CONFIG_MODULES */

#if IS_BUILTIN(CONFIG_FGRAPH_SIGNATURES)
static int __init fgraph_init_signatures(void)
{
	u32 nr = __stop_fgraph_sites - __start_fgraph_sites;

	return nr ? fgraph_set_kernel_table(__start_fgraph_sites, nr, 0) : 0;
}
early_initcall(fgraph_init_signatures);
#endif
