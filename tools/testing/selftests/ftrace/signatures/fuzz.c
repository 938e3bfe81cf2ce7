// SPDX-License-Identifier: GPL-2.0
/* A few functions with all kinds of types and parameters. Small files fuzz faster. */
typedef struct { int a; } anonymous_t;
struct pair { long a, b; };
enum kind { LIST };
typedef const struct list {
	struct list *next;
	union { int a : 3; struct { char b[2]; short c; }; };
	enum kind kind : 4;
} list_t;
enum flags { ONE = 1, TWO };
typedef int (*callback_t)(const char *, ...);

static __attribute__((noinline)) int clone(int a, int b)
{
	for (int i = 0; i < b; i++)
		a *= a + i;
	return a;
}

long one(struct pair p, anonymous_t *t, enum flags f)
{
	return p.a + t->a + f + clone(p.b, 3);
}

int three(list_t *l) { return l->c; }

callback_t two(callback_t c, char (*array)[4], unsigned long long l, ...)
{
	c("%d", array[0][1] + clone(l, 3));
	return c;
}
