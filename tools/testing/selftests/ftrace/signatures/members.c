// SPDX-License-Identifier: GPL-2.0
/*
 * Structs with all that the format of members can describe, and with what it cannot.
 * test.sh compares their members with members.expect.
 */
typedef unsigned char u8;
typedef unsigned short u16;
typedef int s32;
typedef unsigned int u32;
typedef unsigned short umode_t;
typedef umode_t other_mode;
typedef u32 size_t;
typedef size_t my_size;
typedef u32 uid_t;
typedef _Bool bool;
typedef struct { uid_t val; } kuid_t;
typedef int (*callback)(const char *, ...);
typedef callback callbacks[2];

/* Names: an anonymous struct by its typedef, a tag, other names of both */
typedef struct { s32 counter; } anonymous, *anonymous_pointer;
typedef const anonymous const_anonymous;
typedef const_anonymous third_name;
struct tagged { s32 a; };
typedef struct tagged tagged_t;
typedef volatile tagged_t tagged_u;
typedef union { s32 a; u8 b[4]; } either;
struct names {
	anonymous a;
	third_name b;
	struct tagged c;
	tagged_u d;
	const tagged_t e[2];
	either f;
	anonymous_pointer g;
	kuid_t h;
	s32 size, flags;
	s32 a_name_of_more_than_78_chars_a_name_of_more_than_78_chars_a_name_of_more_than_78_chars;
};

/* Typedefs: only those that affect how a value is printed are left. */
struct typedefs {
	umode_t a;
	other_mode b;
	my_size c;
	u32 d;
	bool e;
	const volatile u8 f;
	callback g;
	callbacks h;
	s32 (*i)(s32 a);
	s32 (**j)(s32 a);
};

/* Nothing is behind these pointers, or it has no name. */
struct declared;
struct pointers {
	void *a;
	const char *const b;
	struct declared *c;
	struct { s32 a; } *d;
	union { s32 a; } **e;
	s32 (*f)[3];
	enum behind { BEHIND } *g;
	int ********h;
	struct pointers *i;
	void (*j[2])(void);
};

struct scalars {
	char a;
	signed char b;
	unsigned char c;
	short d;
	unsigned short e;
	int f;
	unsigned int g;
	float h;
	/* No letter: absent */
	_Complex float i;
	_Atomic int j;
};

/* An offset has two or three chars. */
struct numbers {
	u8 a[31];
	u8 b[1000];
	u8 c[100000];
	u8 d;
	u32 e[];
};
struct arrays {
	u8 a[2][3];
	u32 b[0];
	u8 c[0][4];
	struct { u8 a; } d[2];
	struct { u8 a; u16 b; } e[];
};
struct empty { };

enum unsigned_enum { UA, UB = 7, UC, UD = 1 };
enum signed_enum { SA = -2, SB };
enum small_enum { TA } __attribute__((packed));
typedef enum { NA, NB } named_enum;
typedef enum signed_enum signed_enum_t;
enum array_enum { AA, AB, AC };
struct enums {
	enum unsigned_enum a;
	enum signed_enum b;
	enum small_enum c;
	named_enum d;
	signed_enum_t e;
	enum { NO_NAME } f;
	enum array_enum g[2];
	enum unsigned_enum h : 4;
};

struct fields {
	s32 a : 3;
	u32 b : 29;
	u8 c : 1;
	bool d : 1;
	u16:5;
	u16 e : 7;
	u32:0;
	u16 f : 16;
};
struct packed_fields {
	u8 a : 3;
	u32 b : 32;
	unsigned long long c : 64;
	umode_t d : 9;
} __attribute__((packed));
#ifdef __SIZEOF_INT128__
struct wide_fields {
	unsigned __int128 a : 64;
	unsigned __int128 b : 65;
	s32 c;
};
#endif
union union_fields { u8 a : 3; u32 b : 20; };

struct nameless {
	s32 a;
	struct {
		s32 b;
		union { s32 c; u8 d; };
		struct { s32 f; struct tagged g; } e;
		u8 h : 2;
	};
	union { s32 j; } i;
};
struct deepest { struct { struct { struct { struct { struct { struct { struct { struct {
	s32 a; }; }; }; }; }; }; }; }; };
struct too_deep { struct { struct { struct { struct { struct { struct { struct { struct {
	struct { s32 a; }; }; }; }; }; }; }; }; }; };

/* One step leads to step1, and two steps lead to step2. Embedded structs need no step. */
struct step3 { s32 a; };
struct in_step2 { struct step3 *a; };
struct step2 { struct in_step2 a[1]; };
struct step1 { struct step2 *a; };
struct step0 { struct step1 ***a; };

/* The same tag in two functions */
struct local { s32 a; };

s32 names(struct names *p) { return p->a.counter; }
s32 typedefs(const struct typedefs *p) { return p->d; }
s32 pointers(struct pointers **p) { return !p; }
s32 scalars(struct scalars *p) { return p->f; }
s32 numbers(struct numbers *p) { return p->d; }
s32 arrays(struct arrays *p, struct empty *q) { return !p + !q; }
s32 enums(struct enums *p, enum unsigned_enum q) { return !p + q; }
s32 fields(struct fields *p, struct packed_fields *q, union union_fields r)
{
	return p->a + q->a + r.a;
}
#ifdef __SIZEOF_INT128__
s32 wide_fields(struct wide_fields *p) { return p->c; }
#endif
s32 nameless(struct nameless *p, struct deepest *q, struct too_deep *r)
{
	return p->a + q->a + r->a;
}
struct step0 *steps(void) { return 0; }
s32 one_local(struct local *p) { return p->a; }
s32 other_local(struct local { s32 b, c; } *p) { return p->c; }
s32 declared(struct declared *p) { return !p; }
#ifndef __clang__
s32 variable(s32 n, struct variable { s32 a; u8 b[n]; s32 c; } *p) { return p->a; }
#endif
