// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the kernel's lookup of structs in user space: the structs of a module and of the kernel,
 * and tables of a module that are random parts of the format. The parser must not read beyond
 * the end of any string. The sanitizers detect it if it does.
 *
 *	members_kernel NUMBER	look up NUMBER random tables
 */
#include "members_kernel.h"
#include "fgraph_members.h"
#include "fgraph_sig.h"
#include "trace_graph_member.h"

/* The linker defines the symbols of the table of the kernel. */
static const char kernel_table[] __attribute__((section("fgraph_members"), used)) =
	"\1S4same41a0i\0"	/* struct same { int a; }; */
	"\1S5other41b0i\0"	/* struct other { int b; }; */
	"\1S3two41c0i\0"	/* struct two { int c; }; */
	"\1S3two11c0c\0"	/* struct two { char c; }; */
	"\1S2up81o0PS5other\0"	/* struct up { struct other *o; }; */
	"\1C4kindjA,B\0"	/* enum kind { A, B }; */
	"\1T6name_tS41z0i\0"	/* typedef struct { int z; } name_t; */
	"\1T5alias=S4same\0";	/* typedef struct same alias; */

static const char module_table[] =
	"\1S4mine81d0i1s4PS4same\0"	/* struct mine { int d; struct same *s; }; */
	"\1S5other81x4i\0"		/* struct other { int unknown, x; }; */
	"\1S3out81p0PS5other\0"		/* struct out { struct other *p; }; */
	"\1S3dup41a0i\0"		/* struct dup { int a; }; */
	"\1S3dup81a4i\0"		/* struct dup { int unknown, a; }; */
	"\1S4enum41k0Cj4kind\0"		/* struct enum { enum kind k; }; */
	"\1C4kindjX,Y=7\0"		/* enum kind { X, Y = 7 }; */
	"\1T6mine_tS41q0i";		/* typedef struct { int q; } mine_t; */

static struct notifier_block *notifier;

int register_module_notifier(struct notifier_block *nb)
{
	notifier = nb;
	return 0;
}

bool graph_value_is_signed(const struct fgraph_value *value)
{
	return strchr("aslix", *value->base);
}

/* Prototypes are not printed here. */
void seq_buf_putmem(struct seq_buf *s, const void *mem, unsigned int len) { }
void seq_buf_printf(struct seq_buf *s, const char *fmt, ...) { }

/* Return the error, or the offset in the last struct. The members must be locked. */
static long find(const struct module *mod, const char *type, const char *accessors,
		 struct fgraph_value *value)
{
	struct fgraph_sig sig = { .mod = mod };
	struct fgraph_value root = { .sig = &sig, .type = type };
	struct graph_path_problem problem;
	enum graph_path_error error;
	struct graph_path path;

	root.base = fgraph_base_type(type, &root.form);
	error = graph_find_path(&root, accessors, strlen(accessors), 0, &path, value, &problem);
	return error ? -(long)error : path.steps[path.nr_steps - 1];
}

static bool failed;

static void expect(const struct module *mod, const char *type, const char *accessors, long want,
		   const char *enumerators)
{
	struct fgraph_value value = { };
	long found;

	fgraph_lock_members();
	found = find(mod, type, accessors, &value);
	if (found != want ||
	    (enumerators && strcmp(value.enumerators ?: "", enumerators))) {
		printf("%s: %s%s: %ld %s\n", mod ? mod->name : "kernel", type, accessors, found,
		       value.enumerators ?: "");
		failed = true;
	}
	fgraph_unlock_members();
}

static void expect_of_kernel(const struct module *mod)
{
	expect(mod, "PS4same", "->a", 0, NULL);
	expect(mod, "PT5aliasS0", "->a", 0, NULL);
	expect(mod, "PT6name_tS0", "->z", 0, NULL);
	expect(mod, "PS3two", "->c", -GRAPH_PATH_AMBIGUOUS, NULL);
}

static void expect_without_module(const struct module *mod)
{
	expect_of_kernel(mod);
	expect(mod, "PS4mine", "->d", -GRAPH_PATH_UNKNOWN, NULL);
	expect(mod, "PS5other", "->b", 0, NULL);
	expect(mod, "PS2up", "->o->b", 0, NULL);
	expect(mod, "PCj4kind", "[0]", 0, "A,B");
}

static void expect_of_module(const struct module *mod)
{
	expect_of_kernel(mod);
	expect(mod, "PS4mine", "->d", 0, NULL);
	expect(mod, "PS4mine", "->s", 4, NULL);
	expect(mod, "PS4mine", "->s->a", 0, NULL);
	expect(mod, "PS5other", "->x", 4, NULL);
	expect(mod, "PS5other", "->b", -GRAPH_PATH_NO_MEMBER, NULL);
	expect(mod, "PS3out", "->p->x", 4, NULL);
	expect(mod, "PS3dup", "->a", -GRAPH_PATH_AMBIGUOUS, NULL);
	expect(mod, "PS4enum", "->k", 0, "X,Y=7");
	expect(mod, "PCj4kind", "[0]", 0, "X,Y=7");
	expect(mod, "PT6mine_tS0", "->q", 0, NULL);
	/* A struct of the kernel leads to a name that both have. */
	expect(mod, "PS2up", "->o->x", -GRAPH_PATH_AMBIGUOUS, NULL);
	/* The signature says that it is a union. */
	expect(mod, "PT6mine_tU0", "->q", -GRAPH_PATH_UNKNOWN, NULL);
}

/* The sanitizers know the end of memory from malloc(). */
static struct module load(const char *table, size_t size)
{
	struct module mod = {
		.name = "module", .num_fgraph_sites = 1, .fgraph_members_size = size,
		.fgraph_members = memcpy(malloc(size), table, size),
	};

	return mod;
}

static void check_lookups(void)
{
	struct module mod = load(module_table, sizeof(module_table)), none = { "none" };

	expect_without_module(&mod);
	notifier->notifier_call(notifier, MODULE_STATE_COMING, &none);
	notifier->notifier_call(notifier, MODULE_STATE_COMING, &mod);
	expect_without_module(NULL);
	expect_without_module(&none);
	expect_of_module(&mod);
	notifier->notifier_call(notifier, MODULE_STATE_GOING, &mod);
	notifier->notifier_call(notifier, MODULE_STATE_GOING, &none);
	free((void *)mod.fgraph_members);
	expect_without_module(&mod);
}

/* Random tables */

/* More than the size of any of them */
#define MAX_TABLE	4096

static const char *const parts[] = {
	"S1a", "S1b", "U1c", "T1t", "Cj1e", "=", "S", "U", "(", ")", "0", "1", "8", "P1", "A",
	"A4_", "_", "i", "P", "PS1b", "PT1tS0", "K", "V", "FvE", ":", ":05", ":00", "j", "A,B=3",
	",", "1m", "1n", "1m0", "1n1i", "1m0S1a", "1m0S1b", "0", "00S(81m0i)", "00U(", "1m0A4_S(",
	"\x81", "\xff",
};

static size_t add_part(char *to, unsigned int among)
{
	const char *part = parts[rand() % among];

	return strlen(strcpy(to, part));
}

static size_t make_table(char *table)
{
	unsigned int strings, more;
	size_t size = 0;

	for (strings = 1 + rand() % 12; strings; strings--) {
		table[size++] = FGRAPH_MEMBERS_MARK;
		if (rand() % 8)
			size += add_part(table + size, 5);
		for (more = rand() % 14; more; more--)
			size += add_part(table + size, ARRAY_SIZE(parts));
		if (rand() % 6 == 0)
			table[size++] = 1 + rand() % 255;
		table[size++] = '\0';
	}
	return size;
}

/* The copy of the type must be complete, as graph_get_member() needs it. */
static void copy(struct fgraph_value *value)
{
	size_t len = fgraph_skip_member_type(value->type) - value->type;
	char *type = calloc(1, len + 1);

	graph_copy_type(value, type, len);
	if (fgraph_skip_member_type(type) != type + len ||
	    strlen(value->enumerators ?: "") > MAX_TABLE)
		abort();
	free(type);
}

/* Return the number of paths that lead to a member. */
static unsigned int look_up_all(const struct module *mod)
{
	static const char *const accessors[] = {
		"->m", "->n", "->m->n", "->m.n", "[1]", "[1].m", "->m[3]", "->m[0].m", "->sk_m",
		"[2][3]", "->m->m->m->n",
	};
	static const char *const types[] = {
		"PS1a", "PS1b", "PU1c", "PT1tS0", "PT1tU0", "PT1tCj0", "PCj1e",
	};
	struct fgraph_member member = { };
	unsigned int i, j, nr = 0;
	struct fgraph_value value;
	struct fgraph_struct st;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		for (j = 0; j < ARRAY_SIZE(accessors); j++) {
			if (find(mod, types[i], accessors[j], &value) < 0)
				continue;
			copy(&value);
			nr++;
		}
		if (!fgraph_find_struct(mod, types[i] + 1, &st))
			fgraph_find_similar_member(&st, "m", 1, &member);
	}
	return nr;
}

int main(int argc, char *argv[])
{
	unsigned int tables = argc > 1 ? atoi(argv[1]) : 0, nr = 0, i;
	static char table[MAX_TABLE];
	struct module mod;

	init_members();
	if (fgraph_index_members())
		return 1;
	check_lookups();
	srand(1);
	for (i = 0; i < tables; i++) {
		mod = load(table, make_table(table));
		notifier->notifier_call(notifier, MODULE_STATE_COMING, &mod);
		fgraph_lock_members();
		nr += look_up_all(&mod);
		fgraph_unlock_members();
		notifier->notifier_call(notifier, MODULE_STATE_GOING, &mod);
		free((void *)mod.fgraph_members);
	}
	printf("%u members in %u tables\n", nr, tables);
	return failed || nr < tables / 100;
}
