// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of the members of structs, and the lookup of a struct and of its members.
 *
 *	type "S4file"	-> string "S4file" ... -> struct file
 *	name "f_flags"	-> offset, type
 *
 * The format of the table is described in include/linux/fgraph_members_format.h. The linker
 * leaves the strings of all objects in any order. So the first lookup makes an index, which
 * is sorted by the names of structs.
 *
 * A module has a table of the structs that the kernel does not have, or has with other members.
 * Its index is made when the module is loaded. A function of the module leads to the structs of
 * both tables, and those of the module hide those of the kernel. The lock of the members
 * protects what is found in the table of a module.
 *
 * Two objects may each have a struct of the same name, with other members. A signature
 * contains only the name. Such a struct is not described, because the description of the
 * other one would be wrong.
 *
 * The parser accepts any terminated string. It never reads beyond the end of the string.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "fgraph_members.h"
#include "fgraph_sig.h"

/* The linker defines these symbols if there is a table. */
extern const char __start_fgraph_members[] __weak;
extern const char __stop_fgraph_members[] __weak;

/**
 * struct members_index - the index of a table
 * @list:	in members_modules, if it is that of a module
 * @mod:	the module, or NULL
 * @nr:		the number of @strings
 * @strings:	the strings of the table, without their marks, sorted
 */
struct members_index {
	struct list_head	list;
	const struct module	*mod;
	unsigned int		nr;
	const char		*strings[];
};

static struct members_index *members_index;
static LIST_HEAD(members_modules);
/* Protects members_modules, and the making of members_index. */
static DEFINE_MUTEX(members_mutex);

/* Index */

static unsigned int count_strings(const char *p, const char *end)
{
	unsigned int nr = 0;

	for (; p < end; p += strlen(p) + 1)
		nr += *p == FGRAPH_MEMBERS_MARK;
	return nr;
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Make the index of the strings from @p to @end. The last one is terminated. */
static struct members_index *make_index(const char *p, const char *end,
					const struct module *mod)
{
	unsigned int nr = count_strings(p, end);
	struct members_index *index;

	index = kvmalloc(struct_size(index, strings, nr), GFP_KERNEL);
	if (!index)
		return NULL;
	index->mod = mod;
	index->nr = 0;
	for (; p < end; p += strlen(p) + 1)
		if (*p == FGRAPH_MEMBERS_MARK)
			index->strings[index->nr++] = p + 1;
	sort(index->strings, nr, sizeof(*index->strings), compare_strings, NULL);
	return index;
}

/**
 * fgraph_index_members - prepare for lookups
 *
 * Without the index, no struct of the kernel is found. It stays in memory.
 *
 * Context: may sleep.
 * Return: 0 on success, or -ENOMEM.
 */
int fgraph_index_members(void)
{
	struct members_index *index;

	mutex_lock(&members_mutex);
	index = members_index;
	if (!index) {
		index = make_index(__start_fgraph_members, __stop_fgraph_members, NULL);
		/* A reader finds the strings of an index that it finds. */
		smp_store_release(&members_index, index);
	}
	mutex_unlock(&members_mutex);
	return index ? 0 : -ENOMEM;
}

/**
 * fgraph_lock_members - keep the tables of modules
 *
 * A lookup for a function of a module finds strings that are valid until
 * fgraph_unlock_members().
 *
 * Context: may sleep.
 */
void fgraph_lock_members(void)
{
	mutex_lock(&members_mutex);
}

/**
 * fgraph_unlock_members - undo fgraph_lock_members()
 *
 * Context: may sleep.
 */
void fgraph_unlock_members(void)
{
	mutex_unlock(&members_mutex);
}

#ifdef CONFIG_MODULES
static void add_module_table(struct module *mod)
{
	struct members_index *index;

	if (!mod->num_fgraph_sites || !mod->fgraph_members_size)
		return;
	index = make_index(mod->fgraph_members, mod->fgraph_members + mod->fgraph_members_size,
			   mod);
	if (!index) {
		/* A struct of the kernel with the same name would be wrong. */
		mod->num_fgraph_sites = 0;
		pr_warn("fgraph: %s: ignoring the signatures of this module: there is no memory for its structs\n",
			mod->name);
		return;
	}
	mutex_lock(&members_mutex);
	list_add(&index->list, &members_modules);
	mutex_unlock(&members_mutex);
}

static void remove_module_table(const struct module *mod)
{
	struct members_index *index, *next;

	mutex_lock(&members_mutex);
	list_for_each_entry_safe(index, next, &members_modules, list) {
		if (index->mod != mod)
			continue;
		list_del(&index->list);
		kvfree(index);
	}
	mutex_unlock(&members_mutex);
}

static int members_module_changes(struct notifier_block *nb, unsigned long state, void *mod)
{
	if (state == MODULE_STATE_COMING)
		add_module_table(mod);
	else if (state == MODULE_STATE_GOING)
		remove_module_table(mod);
	return NOTIFY_OK;
}

static struct notifier_block members_nb = {
	.notifier_call	= members_module_changes,
	/* trace_graph_match.c compiles rules for the module, and looks up its structs. */
	.priority	= 1,
};

static int __init members_init(void)
{
	return register_module_notifier(&members_nb);
}
core_initcall(members_init);
#endif

/* Lookup */

/* The first letter of a string, and the name after it as the string spells it */
struct members_key {
	char			kind;
	const char		*name;
	unsigned int		len;
};

static int compare_key(const struct members_key *key, const char *string)
{
	if (key->kind != *string)
		return key->kind < *string ? -1 : 1;
	return strncmp(key->name, string + 1, key->len);
}

/* Find the first string that is not before @key. */
static unsigned int search_strings(const struct members_index *index,
				   const struct members_key *key)
{
	unsigned int low = 0, high = index->nr;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (compare_key(key, index->strings[mid]) > 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Set @text to the text after the key. Return -ENOENT, or -ENOTUNIQ if there are two. */
static int find_in_table(const struct members_index *index, const struct members_key *key,
			 const char **text)
{
	unsigned int i;

	if (!index)
		return -ENOENT;
	i = search_strings(index, key);
	if (i == index->nr || compare_key(key, index->strings[i]))
		return -ENOENT;
	if (i + 1 < index->nr && !compare_key(key, index->strings[i + 1]))
		return -ENOTUNIQ;
	*text = index->strings[i] + 1 + key->len;
	return 0;
}

static const struct members_index *find_module_table(const struct module *mod)
{
	const struct members_index *index;

	lockdep_assert_held(&members_mutex);
	list_for_each_entry(index, &members_modules, list)
		if (index->mod == mod)
			return index;
	return NULL;
}

static bool is_in_kernel_table(const char *text)
{
	return text >= __start_fgraph_members && text < __stop_fgraph_members;
}

/* Find the string of a key in the table of the module, then in that of the kernel. */
static int find_string(const struct module *mod, const struct members_key *key,
		       const char **text)
{
	/* Pairs with fgraph_index_members(). */
	const struct members_index *kernel = smp_load_acquire(&members_index);
	const char *other;
	int ret;

	ret = mod ? find_in_table(find_module_table(mod), key, text) : -ENOENT;
	if (ret == -ENOENT)
		return find_in_table(kernel, key, text);
	/* If a struct of the kernel leads here, it may mean either one. */
	if (!ret && is_in_kernel_table(key->name) &&
	    find_in_table(kernel, key, &other) != -ENOENT)
		return -ENOTUNIQ;
	return ret;
}

/* Set @key to a key, given its first letter and its name. Return false if there is no name. */
static bool parse_key(char kind, const char *name, struct members_key *key)
{
	const char *end, *chars;
	unsigned int len = 0;

	end = kind && strchr("SUCT", kind) ? fgraph_skip_name(name, &chars, &len) : NULL;
	if (!end || !len)
		return false;
	*key = (struct members_key){ .kind = kind, .name = name, .len = end - name };
	return true;
}

/* Find the string of a key, or of the key that a typedef refers to. */
static int follow_key(const struct module *mod, struct members_key *key, const char **text)
{
	unsigned int i;
	int ret;

	for (i = 0; i < FGRAPH_MEMBERS_NESTING; i++) {
		ret = find_string(mod, key, text);
		if (ret || key->kind != 'T' || **text != '=')
			return ret;
		if (!parse_key((*text)[1], *text + 2, key))
			break;
	}
	return -ENOENT;
}

/* Types */

/*
 * Parse a number. Return the position after it, or NULL if it is malformed, or if @p is NULL.
 */
static const char *skip_number(const char *p, u32 *number)
{
	unsigned int shift, digit;

	*number = 0;
	for (shift = 0; p && shift < 30; shift += 5) {
		digit = (unsigned char)*p++ - '0';
		if (digit >= 64)
			return NULL;
		*number |= (digit & 31) << shift;
		if (digit < 32)
			return p;
	}
	return NULL;
}

static const char *skip_members(const char *p, unsigned int nesting);

/* Skip a type. That of an anonymous struct contains its members. */
static const char *skip_type(const char *p, unsigned int nesting)
{
	const char *element = p;

	while (*element == 'A') {
		element++;
		while (isdigit(*element))
			element++;
		if (*element++ != '_')
			return NULL;
	}
	if ((*element != 'S' && *element != 'U') || element[1] != '(')
		return fgraph_skip_type(p);
	p = skip_members(element + 2, nesting + 1);
	return p && *p == ')' ? p + 1 : NULL;
}

/* Parse the member at @p. Its offset is added to that of the previous one, in @member. */
static const char *skip_member(const char *p, struct fgraph_member *member,
			       unsigned int nesting)
{
	u32 offset, first = 0, width = 0;

	p = fgraph_skip_name(p, &member->name, &member->name_len);
	p = skip_number(p, &offset);
	if (p && *p == ':') {
		p = skip_number(p + 1, &first);
		p = skip_number(p, &width);
	}
	if (!p || first > 7 || width > 64 || nesting > FGRAPH_MEMBERS_NESTING)
		return NULL;
	member->offset += offset;
	member->first = first;
	member->width = width;
	member->type = p;
	return skip_type(p, nesting);
}

/* Skip the size and the members of a struct. */
static const char *skip_members(const char *p, unsigned int nesting)
{
	struct fgraph_member member = { };
	u32 size;

	p = skip_number(p, &size);
	while (p && *p && *p != ')')
		p = skip_member(p, &member, nesting);
	return p;
}

/**
 * fgraph_skip_member_type - skip the type of a member
 * @type:	the type
 *
 * Return: the position after the type, or NULL if it is malformed.
 */
const char *fgraph_skip_member_type(const char *type)
{
	return skip_type(type, 0);
}

/* Return the last typedef of @type, or NULL. */
static const char *find_typedef(const char *type)
{
	const char *last = NULL, *name;
	unsigned int len;

	for (; *type && strchr("KVRT", *type); type++) {
		if (*type != 'T')
			continue;
		last = type;
		type = fgraph_skip_name(type + 1, &name, &len) - 1;
	}
	return last;
}

/*
 * Set @key to that of a struct, union or enum. In a signature, one that has a typedef is
 * anonymous. Then the typedef leads to it. An enum has the letter of its integer type before
 * its name.
 */
static bool make_key(const char *type, const char *base, struct members_key *key)
{
	const char *name = base + 1 + (*base == 'C');

	if (*name != '0')
		return parse_key(*base, name, key);
	type = find_typedef(type);
	return type && parse_key('T', type + 1, key);
}

/*
 * Find the description of a struct, union or enum: its text after the letter that says what it
 * is. Return -ENOENT or -ENOTUNIQ if there is none.
 */
static int describe_type(const struct module *mod, const char *type, const char *base,
			 const char **text)
{
	struct members_key key;
	char letter;
	int ret;

	if (!make_key(type, base, &key))
		return -ENOENT;
	ret = follow_key(mod, &key, text);
	if (ret)
		return ret;
	letter = key.kind == 'T' ? **text : key.kind;
	if (letter != *base)
		return -ENOENT;
	*text += key.kind == 'T';
	return 0;
}

/**
 * fgraph_type_name - find the name of a struct, union or enum
 * @type:	the type, in a signature or in the type of a member
 *
 * Return: the name, for fgraph_skip_name(); or NULL if it has none.
 */
const char *fgraph_type_name(const char *type)
{
	enum fgraph_form form = FGRAPH_PLAIN;
	struct members_key key;

	return make_key(type, fgraph_base_type(type, &form), &key) ? key.name : NULL;
}

/**
 * fgraph_find_struct - find the members of a struct or union
 * @mod:	the module of the function that leads to it, or NULL
 * @type:	the type, in a signature or in the type of a member
 * @st:		set to the struct
 *
 * Context: any, after fgraph_index_members(), with the members locked.
 * Return: 0 on success; -ENOENT if @type is no struct or union, or if it is not described;
 * -ENOTUNIQ if there are several of this name.
 */
int fgraph_find_struct(const struct module *mod, const char *type, struct fgraph_struct *st)
{
	enum fgraph_form form = FGRAPH_PLAIN;
	const char *base = fgraph_base_type(type, &form), *text;
	int ret;

	if (*base != 'S' && *base != 'U')
		return -ENOENT;
	text = base + 2;
	ret = base[1] == '(' ? 0 : describe_type(mod, type, base, &text);
	if (ret)
		return ret;
	st->mod = mod;
	st->members = skip_number(text, &st->size);
	return st->members ? 0 : -ENOENT;
}

/**
 * fgraph_find_enumerators - find the enumerators of an enum
 * @mod:	the module of the function that leads to it, or NULL
 * @type:	the type, in a signature or in the type of a member
 *
 * Context: any, after fgraph_index_members(), with the members locked.
 * Return: the list, as &fgraph_value.enumerators; NULL if it is not known.
 */
const char *fgraph_find_enumerators(const struct module *mod, const char *type)
{
	enum fgraph_form form = FGRAPH_PLAIN;
	const char *base = fgraph_base_type(type, &form), *text;

	/* The letter of the integer type is before the list. */
	if (*base != 'C' || describe_type(mod, type, base, &text) || !*text)
		return NULL;
	return text + 1;
}

/* Members */

/**
 * fgraph_next_member - walk over the members of a struct
 * @st:		the struct
 * @member:	the previous member; zeroed for the first one. Set to the next one.
 *
 * Context: any.
 * Return: false if there is no other member.
 */
bool fgraph_next_member(const struct fgraph_struct *st, struct fgraph_member *member)
{
	const char *p = member->type ? skip_type(member->type, 0) : st->members;

	return p && *p && *p != ')' && skip_member(p, member, 0);
}

static int find_member(const struct fgraph_struct *st, const char *name, unsigned int len,
		       struct fgraph_member *found, unsigned int nesting)
{
	struct fgraph_member member = { };
	struct fgraph_struct inner;

	while (fgraph_next_member(st, &member)) {
		*found = member;
		if (member.name_len == len && !memcmp(member.name, name, len))
			return 0;
		/* An anonymous member has no tag. A tag could lead to the struct itself. */
		if (member.name_len || member.type[1] != '(' || nesting == FGRAPH_MEMBERS_NESTING ||
		    fgraph_find_struct(st->mod, member.type, &inner) ||
		    find_member(&inner, name, len, found, nesting + 1))
			continue;
		found->offset += member.offset;
		return 0;
	}
	return -ENOENT;
}

/**
 * fgraph_find_member - find a member of a struct by its name
 * @st:		the struct
 * @name:	the name
 * @len:	its length, not 0
 * @member:	set to the member
 *
 * The members of an anonymous member are members of the struct.
 *
 * Context: any, after fgraph_index_members(), with the members locked.
 * Return: 0 on success, or -ENOENT.
 */
int fgraph_find_member(const struct fgraph_struct *st, const char *name, unsigned int len,
		       struct fgraph_member *member)
{
	return find_member(st, name, len, member, 0);
}

/* Rate two names by the chars that they share at their starts and ends, and by their lengths. */
static int rate_similarity(const char *a, int a_len, const char *b, int b_len)
{
	int max = min(a_len, b_len), start = 0, end = 0;

	while (start < max && a[start] == b[start])
		start++;
	while (end < max - start && a[a_len - 1 - end] == b[b_len - 1 - end])
		end++;
	return 2 * (start + end) - abs(a_len - b_len);
}

/**
 * fgraph_find_similar_member - find the member whose name is most similar to a name
 * @st:		the struct
 * @name:	the name
 * @len:	its length
 * @member:	set to the member; zeroed before
 *
 * Context: any, after fgraph_index_members().
 * Return: false if no member is similar.
 */
bool fgraph_find_similar_member(const struct fgraph_struct *st, const char *name,
				unsigned int len, struct fgraph_member *member)
{
	struct fgraph_member next = { };
	int rate, best = 0;

	while (fgraph_next_member(st, &next)) {
		rate = rate_similarity(next.name, next.name_len, name, len);
		if (rate <= best)
			continue;
		best = rate;
		*member = next;
	}
	return best;
}

/**
 * fgraph_type_size - find the size of a value of a type
 * @mod:	the module of the function that leads to it, or NULL
 * @type:	the type
 *
 * Context: any, after fgraph_index_members(), with the members locked.
 * Return: the size in bytes; 0 if it is not known.
 */
u64 fgraph_type_size(const struct module *mod, const char *type)
{
	enum fgraph_form form = FGRAPH_PLAIN;
	struct fgraph_struct st;
	u64 elements = 1;
	const char *base;
	unsigned int nr;
	int bytes;

	for (base = fgraph_base_type(type, &form); *base == 'A';
	     base = fgraph_base_type(base, &form)) {
		nr = simple_strtoul(base + 1, NULL, 10);
		elements = min_t(u64, elements * nr, U32_MAX);
		base = strchr(base, '_') + 1;
		type = base;
	}
	if (*base == 'S' || *base == 'U')
		return fgraph_find_struct(mod, type, &st) ? 0 : elements * st.size;
	bytes = fgraph_find_type(*base == 'C' ? base[1] : *base)->bytes;
	return elements * (bytes < 0 ? -bytes * sizeof(long) : bytes);
}
