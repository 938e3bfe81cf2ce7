// SPDX-License-Identifier: GPL-2.0
/*
 * Functions whose arguments and results have different places in different ABIs.
 * test.sh compares their signatures with abi.expect.
 */
typedef unsigned char u8;
typedef long long s64;
typedef unsigned long long u64;

struct one { char a[1]; };
struct three { char a[3]; };
struct four { int a; };
struct eight { int a, b; };
struct twelve { int a, b, c; };
struct sixteen { long long a, b; };
struct twenty { int a[5]; };
struct forty { long a[5]; };
struct packed { char a; long b; } __attribute__((packed));
struct empty { };
struct odd { long a; char b; } __attribute__((packed));
struct odd_array { struct odd_element { char a; int b; } __attribute__((packed)) a[2]; };
struct field { u64 a : 23; };
struct packed_u64 { u64 a; } __attribute__((packed));
struct aligned_member { int a __attribute__((aligned(8))); };
struct aligned_struct { int a; } __attribute__((aligned(8)));
struct bytes { char a; char b[3]; };
union either { int a; char b[4]; };

enum small { ZERO, ONE, THREE = 3, FOUR };
enum negative { MINUS = -1, PLUS = 1 };
enum large { LARGE = 1ULL << 40, LARGER };

typedef int (*compare_t)(const void *, const void *);

/*
 * Values of size_t, ssize_t, loff_t and sector_t print in decimal. So do values of
 * typedefs of these types.
 */
typedef unsigned long kernel_size_t;
typedef kernel_size_t size_t;
typedef long ssize_t;
typedef s64 loff_t;
typedef u64 sector_t;
typedef const size_t const_size_t;
typedef const_size_t my_size_t;
typedef loff_t my_offset_t;

/* A use forces the compiler to read an argument from its place, so DWARF contains it. */
volatile u64 sink;
#define use(x)	(sink += (u64)(x))

/* The object must contain only the original of each function, without clones. */
#define traced	__attribute__((noinline, noclone))

/*
 * A call of this function makes the caller move its own arguments, so DWARF contains
 * location lists.
 */
traced __attribute__((noipa)) void nothing(void) { sink++; }
traced int one_int(int a) { use(a); return a; }
traced long six(char a, short b, int c, long d, s64 e, u8 f)
{
	use(a); use(b); use(c); use(d); use(e); use(f);
	return a;
}
traced int twelve_ints(int a, int b, int c, int d, int e, int f, int g, int h,
		       int i, int j, int k, int l)
{
	use(a); use(b); use(c); use(d); use(e); use(f);
	use(g); use(h); use(i); use(j); use(k); use(l);
	return l;
}
traced u64 odd_pair(int a, u64 b, int c) { use(a); use(b); use(c); return b; }
traced u64 split_pair(int a, int b, int c, u64 d, int e)
{
	use(a); use(b); use(c); use(d); use(e);
	return d;
}
traced void struct_one(struct one a, int b) { use(a.a[0]); use(b); }
traced void struct_three(struct three a, int b) { use(a.a[2]); use(b); }
traced struct four struct_four(struct four a, int b) { use(a.a); use(b); return a; }
traced struct eight struct_eight(int b, struct eight a) { use(a.a); use(a.b); use(b); return a; }
traced struct twelve struct_twelve(struct twelve a, int b) { use(a.c); use(b); return a; }
traced struct sixteen struct_sixteen(int b, struct sixteen a) { use(a.a); use(b); return a; }
traced struct twenty struct_twenty(struct twenty a, int b) { use(a.a[4]); use(b); return a; }
traced struct forty struct_forty(int b, struct forty a, int c)
{
	use(a.a[4]); use(b); use(c);
	return a;
}
traced int struct_late(long a, long b, long c, long d, long e, struct sixteen s, long f)
{
	use(a); use(b); use(c); use(d); use(e); use(s.b); use(f);
	return 0;
}
traced int struct_packed(struct packed a, int b) { use(a.b); use(b); return b; }
traced int struct_empty(int a, struct empty b, int c)
{
	nothing(); use(a); use(c);
	return c;
}

traced int struct_odd(int a, struct odd b, int c)
{
	nothing(); use(b.b); use(c);
	return a;
}
traced int struct_odd_array(struct odd_array a, int b) { use(a.a[1].b); return b; }
traced int struct_field(int a, struct field b, int c) { use(b.a); use(c); return a; }
traced int struct_packed_u64(int a, struct packed_u64 b, int c)
{
	nothing(); use(b.a); use(c);
	return a;
}
traced int aligned_member(int a, struct aligned_member b, int c) { use(b.a); use(c); return a; }
traced int aligned_struct(int a, struct aligned_struct b, int c)
{
	nothing(); use(b.a); use(c);
	return a;
}
traced struct bytes struct_bytes(int a, struct bytes b) { use(a); return b; }
traced union either union_either(union either a) { use(a.a); return a; }
traced enum small enums(enum small a, enum negative b, enum large c)
{
	use(a); use(b); use(c);
	return a;
}
traced _Bool pointers(const char *a, void **b, compare_t c, int (*d)(int, ...), int (*e)[4])
{
	use((unsigned long)a); use((unsigned long)b); use((unsigned long)c);
	use((unsigned long)d); use((unsigned long)e);
	return 0;
}
traced my_offset_t decimals(size_t a, const sector_t b, my_size_t c, my_size_t *d)
{
	use(a); use(b); use(c); use((unsigned long)d);
	return a;
}
traced int variadic(const char *fmt, int a, ...) { use((unsigned long)fmt); use(a); return a; }
#ifdef __SIZEOF_INT128__
traced unsigned __int128 int128(int a, __int128 b, int c) { use(a); use(b); use(c); return b; }
#endif
#ifdef __i386__
__attribute__((regparm(0))) traced int by_stack(int a, u64 b) { use(a); use(b); return a; }
#endif

/* All callers pass the same b, so GCC can make a clone without b */
static __attribute__((noinline)) int cloned(int a, int b, int c)
{
	nothing();
	for (int i = 0; i < b; i++)
		use(a * c + i);
	return c;
}
int clones(int a, int c) { return cloned(a, 7, c) + cloned(c, 7, a); }
