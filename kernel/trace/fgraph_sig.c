// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of function signatures, and how that of a function is found.
 *
 * The kernel has one table: in itself, or in a module that can be loaded for a
 * trace and unloaded after. Each module has one of its own functions.
 *
 * A function is looked up at each of its calls while its arguments are recorded,
 * so the table of the kernel gets an index meanwhile: where in the table each 256
 * bytes of code begin. Without, the search is binary.
 *
 * Readers hold no lock, and may be where RCU is not watching: they disable
 * preemption, and a table goes after RCU tasks rude has seen all of them gone.
 */
#include <linux/buildid.h>
#include <linux/fgraph.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include <asm/sections.h>

#include "fgraph_sig.h"

/*
 * What ftrace calls the address of a function may be some bytes after the call
 * site that recordmcount found: ftrace_call_adjust() skips what comes before the
 * instruction that is patched. No function is shorter than that.
 */
#define FGRAPH_MAX_ADJUST	16

/* The bytes of code that share a bucket of the index */
#define FGRAPH_BUCKET_SHIFT	8

/* In a bucket: the result of one of its functions takes two words */
#define FGRAPH_BUCKET_WIDE	BIT(31)

/**
 * struct fgraph_table - a sorted array of sites, and an index of it
 * @sites:	the array
 * @nr:		how many there are
 * @shift:	what to add to where a site word leads to
 * @base:	the address where the first bucket begins
 * @nr_buckets:	how many buckets there are; 0 if there is no index
 * @rcu:	to free it
 * @buckets:	for each, the first site that is not before it
 */
struct fgraph_table {
	const struct fgraph_site *sites;
	u32			nr;
	unsigned long		shift;
	unsigned long		base;
	unsigned long		nr_buckets;
	struct rcu_head		rcu;
	u32			buckets[];
};

/* That of the kernel, or NULL */
static struct fgraph_table __rcu *fgraph_kernel_table;

/* Everything that changes it, and how many want an index */
static DEFINE_MUTEX(fgraph_table_lock);
static unsigned int fgraph_index_wanted;

static __always_inline unsigned long
fgraph_site_addr(const struct fgraph_site *site, unsigned long shift)
{
	return (unsigned long)&site->site + site->site + shift;
}

static __always_inline const char *
fgraph_site_string(const struct fgraph_site *site)
{
	return (const char *)&site->string + site->string;
}

/* Lookup. */

/*
 * The first of the sites that are the last not after @func, if they are close
 * enough. None before the one at index @i is.
 */
static __always_inline const struct fgraph_site *
fgraph_scan(const struct fgraph_table *table, u32 i, unsigned long func)
{
	const struct fgraph_site *end = table->sites + table->nr;
	const struct fgraph_site *site, *found = NULL;
	unsigned long addr, last = 0;

	for (site = table->sites + i; site < end; site++) {
		addr = fgraph_site_addr(site, table->shift);
		if (addr == func)
			return site;
		if (addr > func)
			break;
		if (addr != last && func - addr < FGRAPH_MAX_ADJUST) {
			found = site;
			last = addr;
		}
	}
	return found;
}

/* The index of the first site that is not before @addr */
static u32 fgraph_bisect(const struct fgraph_table *table, unsigned long addr)
{
	u32 low = 0, high = table->nr;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (fgraph_site_addr(table->sites + mid, table->shift) < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static const struct fgraph_site *
fgraph_bisect_table(const struct fgraph_table *table, unsigned long func)
{
	return fgraph_scan(table, fgraph_bisect(table, func - FGRAPH_MAX_ADJUST + 1),
			   func);
}

static __always_inline const struct fgraph_site *
fgraph_search_table(const struct fgraph_table *table, unsigned long func)
{
	unsigned long bucket = (func - FGRAPH_MAX_ADJUST + 1 - table->base) >>
			       FGRAPH_BUCKET_SHIFT;

	if (likely(bucket < table->nr_buckets))
		return fgraph_scan(table,
				   table->buckets[bucket] & ~FGRAPH_BUCKET_WIDE,
				   func);
	return table->nr_buckets ? NULL : fgraph_bisect_table(table, func);
}

static const struct fgraph_table *fgraph_read_kernel_table(void)
{
	/* Not rcu_dereference(): RCU may not be watching, see above */
	return rcu_dereference_raw(fgraph_kernel_table);
}

static noinline const struct fgraph_site *
fgraph_search_module(unsigned long func, struct fgraph_table *table)
{
	struct module *mod;

	/* The list of modules is under RCU, which idle code is not */
	mod = rcu_is_watching() ? __module_address(func) : NULL;
	if (!mod)
		return NULL;

	table->sites = mod->fgraph_sites;
	table->nr = mod->num_fgraph_sites;
	return fgraph_bisect_table(table, func);
}

static __always_inline bool fgraph_is_kernel_text(unsigned long func)
{
	return (func >= (unsigned long)_stext && func < (unsigned long)_etext) ||
		(func >= (unsigned long)_sinittext &&
		 func < (unsigned long)_einittext);
}

static noinline const char *fgraph_find_module_text(unsigned long func)
{
	struct fgraph_table table = { };
	const struct fgraph_site *site = fgraph_search_module(func, &table);

	return site ? fgraph_site_string(site) : NULL;
}

/**
 * fgraph_find_text - find the signature of a function, when it is called
 * @func:	its address, as in fgraph_call::func
 *
 * Context: any, with preemption disabled, which keeps what is found.
 * Return: the signature, or NULL if there is none.
 */
const char *fgraph_find_text(unsigned long func)
{
	const struct fgraph_table *table = fgraph_read_kernel_table();
	const struct fgraph_site *site;

	if (unlikely(!fgraph_is_kernel_text(func)))
		return fgraph_find_module_text(func);
	if (unlikely(!table))
		return NULL;

	site = fgraph_search_table(table, func);
	return likely(site) ? fgraph_site_string(site) : NULL;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_find_text);

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
	struct fgraph_table module_table = { };

	if (fgraph_is_kernel_text(func)) {
		sig->site = table ? fgraph_search_table(table, func) : NULL;
	} else {
		sig->site = fgraph_search_module(func, &module_table);
		table = &module_table;
	}
	if (!sig->site)
		return false;

	sig->text = fgraph_site_string(sig->site);
	sig->end = table->sites + table->nr;
	return true;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_find_signature);

/**
 * fgraph_result_is_wide - whether the result of a function takes two words
 * @func:	its address, as in fgraph_call::func
 *
 * Few do. What has an index tells most others without a search.
 *
 * Context: any, with preemption disabled.
 * Return: whether it is known to.
 */
bool fgraph_result_is_wide(unsigned long func)
{
	const struct fgraph_table *table = fgraph_read_kernel_table();
	unsigned long bucket;
	const char *text;

	if (table) {
		bucket = (func - table->base) >> FGRAPH_BUCKET_SHIFT;
		if (bucket < table->nr_buckets &&
		    !(table->buckets[bucket] & FGRAPH_BUCKET_WIDE))
			return false;
	}

	text = fgraph_find_text(func);
	return text && fgraph_sig_result_words(text) == 2;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_result_is_wide);

/* The index. */

static bool fgraph_site_is_wide(const struct fgraph_table *table, u32 i)
{
	return fgraph_sig_result_words(fgraph_site_string(table->sites + i)) == 2;
}

static void fgraph_mark_wide(struct fgraph_table *table, unsigned long offset)
{
	unsigned long bucket = offset >> FGRAPH_BUCKET_SHIFT;

	if (bucket < table->nr_buckets)
		table->buckets[bucket] |= FGRAPH_BUCKET_WIDE;
}

static void fgraph_fill_index(struct fgraph_table *table)
{
	unsigned long offset, last = ULONG_MAX;
	unsigned long bucket = 0;
	u32 i;

	for (i = 0; i < table->nr; i++) {
		offset = fgraph_site_addr(table->sites + i, table->shift) -
			 table->base;
		while (bucket <= offset >> FGRAPH_BUCKET_SHIFT)
			table->buckets[bucket++] |= i;

		/* The first entry of a site is the signature */
		if (offset != last && fgraph_site_is_wide(table, i)) {
			fgraph_mark_wide(table, offset);
			fgraph_mark_wide(table, offset + FGRAPH_MAX_ADJUST - 1);
		}
		last = offset;
	}
}

/* The sites are @nr, at least one, and sorted. */
static struct fgraph_table *fgraph_alloc_table(const struct fgraph_site *sites,
					       u32 nr, unsigned long shift,
					       bool index)
{
	unsigned long first = fgraph_site_addr(sites, shift);
	unsigned long last = fgraph_site_addr(sites + nr - 1, shift);
	struct fgraph_table *table;
	unsigned long base, buckets = 0;

	/* The lookup starts before the function, which must be in a bucket, too */
	base = round_down(first - FGRAPH_MAX_ADJUST, BIT(FGRAPH_BUCKET_SHIFT));
	if (index)
		buckets = ((last - base) >> FGRAPH_BUCKET_SHIFT) + 1;

	table = kvzalloc(struct_size(table, buckets, buckets), GFP_KERNEL);
	if (!table)
		return NULL;

	table->sites = sites;
	table->nr = nr;
	table->shift = shift;
	table->base = base;
	table->nr_buckets = buckets;
	if (index)
		fgraph_fill_index(table);
	return table;
}

static void fgraph_free_table(struct rcu_head *rcu)
{
	kvfree(container_of(rcu, struct fgraph_table, rcu));
}

static struct fgraph_table *fgraph_locked_table(void)
{
	return rcu_dereference_protected(fgraph_kernel_table,
					 lockdep_is_held(&fgraph_table_lock));
}

static void fgraph_replace_table(struct fgraph_table *table)
{
	struct fgraph_table *old = fgraph_locked_table();

	rcu_assign_pointer(fgraph_kernel_table, table);
	if (old)
		call_rcu_tasks_rude(&old->rcu, fgraph_free_table);
}

/* Give the table an index, or take it, as is wanted. It works without, too. */
static void fgraph_update_index(void)
{
	struct fgraph_table *table = fgraph_locked_table();

	if (!table || !table->nr_buckets == !fgraph_index_wanted)
		return;

	table = fgraph_alloc_table(table->sites, table->nr, table->shift,
				   fgraph_index_wanted);
	if (table)
		fgraph_replace_table(table);
}

/**
 * fgraph_signatures_get - many lookups are to come
 *
 * Makes them fast, until fgraph_signatures_put() is called as often.
 *
 * Context: may sleep.
 */
void fgraph_signatures_get(void)
{
	mutex_lock(&fgraph_table_lock);
	fgraph_index_wanted++;
	fgraph_update_index();
	mutex_unlock(&fgraph_table_lock);
}

/**
 * fgraph_signatures_put - undo fgraph_signatures_get()
 *
 * Context: may sleep.
 */
void fgraph_signatures_put(void)
{
	mutex_lock(&fgraph_table_lock);
	fgraph_index_wanted--;
	fgraph_update_index();
	mutex_unlock(&fgraph_table_lock);
}

/* The tables. */

static int fgraph_set_kernel_table(const struct fgraph_site *sites, u32 nr,
				   unsigned long shift)
{
	struct fgraph_table *table;
	int ret = -EBUSY;

	mutex_lock(&fgraph_table_lock);
	if (fgraph_locked_table())
		goto out;

	ret = -ENOMEM;
	table = fgraph_alloc_table(sites, nr, shift, fgraph_index_wanted);
	if (!table)
		goto out;

	fgraph_replace_table(table);
	ret = 0;
out:
	mutex_unlock(&fgraph_table_lock);
	return ret;
}

/* Whether @blob was made of the kernel that runs */
static bool fgraph_blob_fits(const struct fgraph_sig_blob *blob)
{
	unsigned char build_id[BUILD_ID_SIZE_MAX];

	BUILD_BUG_ON(sizeof(blob->build_id) != sizeof(build_id));

	return !build_id_parse_buf(&__start_notes, build_id,
				   &__stop_notes - &__start_notes) &&
		!memcmp(build_id, blob->build_id, sizeof(build_id));
}

/**
 * fgraph_add_signatures - use signatures of the kernel from a module
 * @blob: the signatures
 *
 * Context: may sleep.
 * Return: 0; -ENODATA if there are none in @blob; -EINVAL if it is of another
 * kernel; -EBUSY if the kernel has signatures; -ENOMEM.
 */
int fgraph_add_signatures(const struct fgraph_sig_blob *blob)
{
	if (!blob->nr_sites) {
		pr_err("fgraph: no signatures in the module: its build was not finished\n");
		return -ENODATA;
	}
	if (!fgraph_blob_fits(blob)) {
		pr_err("fgraph: the signatures are of another kernel than the one that runs\n");
		return -EINVAL;
	}
	if (blob->size < struct_size(blob, sites, blob->nr_sites)) {
		pr_err("fgraph: the signatures are truncated\n");
		return -EINVAL;
	}
	/* The words of its sites are as if it lay at _stext */
	return fgraph_set_kernel_table(blob->sites, blob->nr_sites,
				       (unsigned long)_stext - (unsigned long)blob);
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
	mutex_lock(&fgraph_table_lock);
	fgraph_replace_table(NULL);
	mutex_unlock(&fgraph_table_lock);
	synchronize_rcu_tasks_rude();
}
EXPORT_SYMBOL_GPL(fgraph_remove_signatures);

/* Those of a module, as they are while they are sorted */
struct fgraph_loose_site {
	unsigned long		addr;
	unsigned long		string;
	unsigned int		nr;
};

static int fgraph_cmp_sites(const void *a, const void *b)
{
	const struct fgraph_loose_site *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	/* The order within a site has a meaning */
	return x->nr < y->nr ? -1 : 1;
}

static bool fgraph_sites_are_sorted(const struct fgraph_site *sites,
				    unsigned int nr)
{
	unsigned int i;

	for (i = 1; i < nr; i++)
		if (fgraph_site_addr(sites + i - 1, 0) > fgraph_site_addr(sites + i, 0))
			return false;
	return true;
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
	struct fgraph_loose_site *loose;
	unsigned int i;

	if (fgraph_sites_are_sorted(sites, nr))
		return 0;

	loose = kvmalloc_array(nr, sizeof(*loose), GFP_KERNEL);
	if (!loose)
		return -ENOMEM;

	for (i = 0; i < nr; i++) {
		loose[i].addr = fgraph_site_addr(sites + i, 0);
		loose[i].string = (unsigned long)fgraph_site_string(sites + i);
		loose[i].nr = i;
	}
	sort(loose, nr, sizeof(*loose), fgraph_cmp_sites, NULL);
	for (i = 0; i < nr; i++) {
		sites[i].site = loose[i].addr - (unsigned long)&sites[i].site;
		sites[i].string = loose[i].string - (unsigned long)&sites[i].string;
	}
	kvfree(loose);
	return 0;
}
EXPORT_SYMBOL_FGRAPH_KUNIT(fgraph_sort_sites);

#if IS_BUILTIN(CONFIG_FGRAPH_SIGNATURES)
static int __init fgraph_init_signatures(void)
{
	u32 nr = __stop_fgraph_sites - __start_fgraph_sites;

	return nr ? fgraph_set_kernel_table(__start_fgraph_sites, nr, 0) : 0;
}
early_initcall(fgraph_init_signatures);
#endif
