#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# test.sh: tests the reader of DWARF in scripts/signatures on the host, with objects
# that it compiles for each machine that the reader supports. It also tests the kernel's
# code that reads signatures, in user space: see fuzz_kernel.c. Prints a line for each
# test, "ok" or "not ok", and fails if a test failed. TRY is the name of one test, or a
# pattern of names. Needs the compilers that arch/*.mk of ../qemu name, clang-16, gdb,
# libelf, and the Python modules of oracle.py.
#
# members.expect contains the expected members of the structs in members.c: on all
# machines, or on those with words of this number of bits.
#
# abi.expect contains the expected signatures, which were checked against the documents
# of the ABIs. For arguments in registers, DWARF in the same objects also contains the
# places. If they contradict the ABI, the reader prints "!".

set -eu
cd "$(dirname "$0")"
KERNEL=${KERNEL:-../../../../..}
: "${CC:=gcc}" "${BATCHES:=3}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
tried=

# NAME COMMAND...: run one test. The test ends at the first command that fails.
try() {
	name=$1
	shift
	# shellcheck disable=SC2254 # a pattern
	case $name in
	${TRY:-*}) tried=1 ;;
	*) return 0 ;;
	esac
	# In a condition, the command would ignore "set -e", and continue after a
	# failure.
	set +e
	(set -e; "$@") >"$tmp/log" 2>&1
	status=$?
	set -e
	if [ $status -eq 0 ]; then
		echo "ok host signatures $name"
	else
		echo "not ok host signatures $name"
		sed 's/^/#   /' "$tmp/log" | head -n 30
		failed=1
	fi
}

# The built programs report their own memory errors and leaks.
SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all'
# shellcheck source=/dev/null
. ./build.sh

compiler() { # MACHINE
	case $1 in
	arm) echo arm-linux-gnueabihf-gcc ;;
	*) echo "$1-linux-gnu-gcc" ;;
	esac
}

# The flags of the kernel that change the ABI
flags() { # MACHINE
	case $1 in
	x86_64) echo -mno-sse -mno-80387 ;;
	i686) echo -mregparm=3 -freg-struct-return -mno-sse ;;
	arm) echo -mabi=aapcs-linux -mfloat-abi=soft -mthumb ;;
	aarch64) echo -mgeneral-regs-only ;;
	riscv64) echo -mabi=lp64 -march=rv64imac ;;
	esac
}

compile() { # MACHINE SOURCE OBJECT FLAG...
	machine=$1 source=$2 object=$3
	shift 3
	# shellcheck disable=SC2046 # flags are meant to be split
	"$(compiler "$machine")" -O2 -g -ffreestanding -fno-pie -fno-stack-protector \
		-w -c $(flags "$machine") "$@" -o "$object" "$source"
}

# MACHINE FILE: check that the reader finds the expected signatures.
expected() {
	"$tmp/reader" -l "$2" | sort >"$tmp/found"
	sed -n "s/^$1 //p" abi.expect | sort | diff - "$tmp/found"
}

lists() { # MACHINE FLAG...
	compile "$1" abi.c "$tmp/abi.o" $2 && expected "$1" "$tmp/abi.o"
}

# All forms of debug information contain the same signatures.
for machine in x86_64 i686 arm aarch64 riscv64; do
	for form in -gdwarf-4 -gdwarf-5 '-gdwarf-5 -gdwarf64' '-gdwarf-4 -gz' \
		    '-gdwarf-5 -gz' '-gdwarf-5 -ffunction-sections'; do
		echo "$machine" "$form"
	done
done >"$tmp/forms"
echo 'arm -mbig-endian
aarch64 -mbig-endian
aarch64 -fpatchable-function-entry=2
riscv64 -fpatchable-function-entry=4
arm -marm' >>"$tmp/forms"

build_reader "$tmp/reader"
while read -r machine form; do
	try "$machine $form" lists "$machine" "$form"
done <"$tmp/forms"

# The compiler changed the interface of a function, but the name does not show this. The
# reader must see that a location contradicts the ABI, and must use only locations.
changed_interface() { # MACHINE
	compile "$1" abi.c "$tmp/abi.o"
	prefix=$(compiler "$1")
	"${prefix%gcc}objcopy" --redefine-sym cloned.constprop.0=renamed "$tmp/abi.o"
	"$tmp/reader" -l "$tmp/abi.o" | grep '^renamed ' | tee "$tmp/renamed"
	grep -qxF 'renamed 2!ii1a!i1bi1c' "$tmp/renamed"
}
for machine in x86_64 i686 arm aarch64 riscv64; do
	try "$machine changed interface" changed_interface "$machine"
done

# If GCC does not track variables, the location of a parameter is the register that the
# allocator chose for the whole function. Such a location does not prove that the
# interface was changed. In a clone, it is not the place of the parameter. On i386, only
# skb would be on the stack.
untracked() { # MACHINE
	cat >"$tmp/home.c" <<-END
	void take(void *);
	long home(void *dst, void *sk, char *skb, long mtu, _Bool force)
	{
		long sum = 0;

		if (force)
			take(sk);
		for (long i = 0; i < mtu; i++) {
			take(skb + i);
			sum += (long)dst;
		}
		return sum;
	}
	END
	compile "$1" "$tmp/home.c" "$tmp/home.o"
	"$tmp/reader" -l "$tmp/home.o" >"$tmp/tracked"
	compile "$1" "$tmp/home.c" "$tmp/home.o" -fno-var-tracking
	"$tmp/reader" -l "$tmp/home.o" | diff "$tmp/tracked" -
	compile "$1" abi.c "$tmp/abi.o" -fno-var-tracking
	"$tmp/reader" -l "$tmp/abi.o" | grep '^cloned\.' | tee "$tmp/clone"
	grep -qxF 'cloned.constprop.0 0i?i1a!i1b?i1c' "$tmp/clone"
}
for machine in x86_64 i686 arm aarch64 riscv64; do
	try "$machine untracked variables" untracked "$machine"
done

# All forms of debug information contain the same members.
members_of() { # MACHINE FILE
	word=64
	case $1 in
	i686 | arm) word=32 ;;
	esac
	"$tmp/reader" -m "$2" | sort >"$tmp/found"
	sed -n "s/^\(all\|$word\) //p" members.expect | sort | diff - "$tmp/found"
}
members() { # MACHINE FLAG...
	compile "$1" members.c "$tmp/members.o" $2 && members_of "$1" "$tmp/members.o"
}
for machine in x86_64 i686 arm aarch64 riscv64; do
	echo "$machine -gdwarf-4 -gstrict-dwarf" >>"$tmp/forms"
done
while read -r machine form; do
	try "$machine $form members" members "$machine" "$form"
done <"$tmp/forms"

members_clang() {
	for form in -gdwarf-4 -gdwarf-5; do
		clang-16 --target=x86_64-linux-gnu -O2 -g $form -ffreestanding -w -c \
			-o "$tmp/members.o" members.c
		members_of x86_64 "$tmp/members.o"
	done
}
try 'x86_64 clang members' members_clang

# gdb has its own reader of DWARF.
members_gdb() { # FLAG...
	compile x86_64 members.c "$tmp/members.o" "$@"
	"$tmp/reader" -m "$tmp/members.o" >"$tmp/members"
	MEMBERS="$tmp/members" gdb -batch -nx -x members_truth.py "$tmp/members.o"
}
try 'members agree with gdb' members_gdb
try 'members agree with gdb, DWARF 4' members_gdb -gdwarf-4
try 'members agree with gdb, 32 bits' members_gdb -m32

# The linker merges equal strings, each of which begins with a mark.
members_section() { # MACHINE
	compile "$1" abi.c "$tmp/a.o"
	{
		cat abi.c
		echo 'struct other { int a; } *other(struct other *o) { return o; }'
	} >"$tmp/other.c"
	compile "$1" "$tmp/other.c" "$tmp/b.o"
	"$tmp/reader" -a "$tmp/a.o"
	"$tmp/reader" -a "$tmp/b.o"
	prefix=$(compiler "$1")
	prefix=${prefix%gcc}
	"${prefix}readelf" -SW "$tmp/a.o" | grep ' [.]fgraph_members .* 01 AMS  0   0  1$'
	"${prefix}ld" -z muldefs --build-id=sha1 -e nothing -T linked.lds \
		-o "$tmp/linked" "$tmp/a.o" "$tmp/b.o"
	"${prefix}objcopy" -O binary --only-section .fgraph_members "$tmp/linked" "$tmp/section"
	tr '\0' '\n' <"$tmp/section" >"$tmp/lines"
	! LC_ALL=C grep -av "^$(printf '\1')" "$tmp/lines" || return
	tr -d '\1' <"$tmp/lines" | sort >"$tmp/found"
	"$tmp/reader" -m "$tmp/b.o" | sort | diff - "$tmp/found"
	"$tmp/reader" -m "$tmp/linked" | sort | diff - "$tmp/found"
}
for machine in x86_64 i686 arm aarch64 riscv64; do
	try "$machine section of members" members_section "$machine"
done

# A module keeps only the strings that vmlinux does not have, each once. If a name is
# ambiguous in the module, all of its strings stay.
module_object() { # NAME SOURCE
	echo "$2" >"$tmp/$1.c"
	compile x86_64 "$tmp/$1.c" "$tmp/$1.o"
	"$tmp/reader" -a "$tmp/$1.o"
}
module_has() { # OBJECT KERNEL LINE...: write the strings of an object, and compare them
	object=$tmp/$1 kernel=$2
	shift 2
	"$tmp/reader" -M "$tmp/own" $kernel "$object"
	tr '\0' '\n' <"$tmp/own" | tr -d '\1' >"$tmp/found"
	printf '%s\n' "$@" | sed '/^$/d' | LC_ALL=C sort | diff - "$tmp/found"
}
module_members() {
	same='struct same { int a; };' other='struct other { int b; };'
	module_object kernel "$same $other struct two { int c; };
		int k(struct same *p, struct other *q, struct two *r)
		{ return p->a + q->b + r->c; }"
	module_object kernel2 'struct two { char c; }; int k2(struct two *r) { return r->c; }'
	module_object m1 "$same struct other { long b; }; struct mine { int d; };
		int m1(struct same *p, struct other *q, struct mine *r)
		{ return p->a + q->b + r->d; }"
	module_object m2 "$same $other int m2(struct same *p, struct other *q)
		{ return p->a + q->b; }"
	module_object m3 'struct two { int c; }; int m3(struct two *r) { return r->c; }'
	x86_64-linux-gnu-ld --build-id=sha1 -e nothing -T linked.lds -o "$tmp/vmlinux" \
		"$tmp/kernel.o" "$tmp/kernel2.o"
	x86_64-linux-gnu-ld -r -o "$tmp/m12.o" "$tmp/m1.o" "$tmp/m2.o"

	module_has m1.o "$tmp/vmlinux" 'S4mine41d0i' 'S5other81b0l'
	module_has m2.o "$tmp/vmlinux" ''
	module_has m12.o "$tmp/vmlinux" 'S4mine41d0i' 'S5other41b0i' 'S5other81b0l'
	module_has m12.o '' 'S4mine41d0i' 'S4same41a0i' 'S5other41b0i' 'S5other81b0l'
	module_has m12.o "$tmp/m12.o" ''
	: "The name is ambiguous only in vmlinux, so the string of the module counts"
	module_has m3.o "$tmp/vmlinux" 'S3two41c0i'
	: "A file without the section"
	x86_64-linux-gnu-objcopy --remove-section .fgraph_members "$tmp/m3.o"
	module_has m3.o "$tmp/vmlinux" ''
	module_has m2.o "$tmp/m3.o" 'S4same41a0i' 'S5other41b0i'

	: "A string without a key, and one without an end"
	for bad in '\1S' '\1S9short' 'S1a0' '\1S1a0'; do
		end='\0'
		[ "$bad" != '\1S1a0' ] || end=
		# shellcheck disable=SC2059 # escapes
		printf "$bad$end" >"$tmp/section"
		x86_64-linux-gnu-objcopy --update-section .fgraph_members="$tmp/section" \
			"$tmp/m2.o" "$tmp/bad.o"
		! "$tmp/reader" -M "$tmp/own" "$tmp/bad.o" || return
	done
	! "$tmp/reader" -M "$tmp/own" || return
}
try 'members of a module' module_members

# places.py accepts valid places, and finds invalid places.
places() {
	good='10 good 2iPv1ai1bd1f
	10 good A,B
	20 clone.isra.0 1i!i1ai1b
	30 large 1+2v@1#16_S1s1s@0i1a'
	echo "$good" | tr -d '\t' >"$tmp/good"
	./places.py "$tmp/good"
	for bad in '2i!i1ai1b' '1ii1a@0i1b' '2i@1i1ai1b' '3vi1a@2i1b'; do
		echo "40 bad $bad" | cat "$tmp/good" - >"$tmp/bad"
		! ./places.py "$tmp/bad" || return
	done
	! ./places.py /dev/null || return
}
try 'places of a whole kernel' places

# DWARF does not describe the bit-field that aligns the union, so the places are the
# locations in DWARF. The address of the struct is on the stack. Later, a register
# contains it, and DWARF describes only this register.
late_address() {
	echo 'struct big { long a, b, c, d; } out;
	union odd { struct { long x, y; } s; __int128 : 0; } __attribute__((packed));
	void far(long a, long b, long c, long d, long e, long f, long g, long h,
		 struct big big, union odd odd) { out = big; out.a = odd.s.x; }' \
		>"$tmp/late.c"
	compile aarch64 "$tmp/late.c" "$tmp/late.o"
	"$tmp/reader" -l "$tmp/late.o" | tee "$tmp/late"
	grep -qF '?S3big3big@9#16_U3odd3odd' "$tmp/late"
}
try 'aarch64 address that is loaded later' late_address

# If an unnamed bit-field is unaligned, GCC returns the struct in memory. Arguments
# prove this, if there are any. The other struct has no room for such a bit-field.
hidden_bitfield() {
	echo 'struct hidden { unsigned long long a[0]; char b;
		union { unsigned short c; unsigned long long : 36; } d; } hidden;
	struct full { char b; union { unsigned short c; unsigned d; } e; } full;
	void more(void);
	int a; long b;
	struct hidden proven(int x, long y) { more(); a = x; b = y; return hidden; }
	struct hidden open(void) { more(); return hidden; }
	struct full known(int x, long y) { more(); a = x; b = y; return full; }' \
		>"$tmp/hidden.c"
	compile x86_64 "$tmp/hidden.c" "$tmp/hidden.o"
	"$tmp/reader" -l "$tmp/hidden.o" | diff - "$tmp/hidden.expect"
}
cat >"$tmp/hidden.expect" <<END
proven 3&S6hidden@1i1xl1y
open 0+0?S6hidden
known 2#8_S4fulli1xl1y
END
try 'x86_64 bitfield without a name' hidden_bitfield

# GCC treats a bit-field that fills an aligned integer as this integer, unless it is
# packed. DWARF does not show whether it is packed. The bit-field may be unnamed. GCC
# ignores an array without a bound.
integer_bitfields() {
	cat >"$tmp/integer.c" <<-'END'
	struct whole { int a : 16; }; struct part { int a : 16; } __attribute__((packed));
	struct whole1 { char a; struct whole b; } __attribute__((packed));
	struct part1 { char a; struct part b; } __attribute__((packed));
	struct hidden { char a; struct { char b, c; int : 16; } d; };
	struct full { char a; struct { char b, c, d[2]; } e; };
	struct flexible { char a; short b[]; } __attribute__((packed));
	void more(void); int a; long b;
	#define RETURN(s) struct s s; \
		struct s open_##s(void) { more(); return s; } \
		struct s proven_##s(int x, long y) { more(); a = x; b = y; return s; }
	RETURN(whole1) RETURN(part1) RETURN(hidden) RETURN(full) RETURN(flexible)
	END
	compile x86_64 "$tmp/integer.c" "$tmp/integer.o" -Wno-psabi
	"$tmp/reader" -l "$tmp/integer.o" | diff "$tmp/integer.expect" -
}
cat >"$tmp/integer.expect" <<END
open_whole1 0+0?S6whole1
proven_whole1 3&S6whole1@1i1xl1y
open_part1 0+0?S5part1
proven_part1 2#3_S5part1i1xl1y
open_hidden 0+0?S6hidden
proven_hidden 3&S6hidden@1i1xl1y
open_full 0+0#5_S4full
proven_full 2#5_S4fulli1xl1y
open_flexible 0+0?S8flexible
proven_flexible 2#1_S8flexiblei1xl1y
END
try 'x86_64 bitfields that are integers' integer_bitfields

# GCC passes a struct of only unnamed bit-fields in registers, or not at all.
nothing_but_hidden() {
	echo 'struct one { int : 3; }; struct large { long : 64; int : 3; };
	struct many { struct large large[2]; long none[0]; };
	long out;
	struct many result(int x) { struct many many; out = x; return many; }
	void in_register(struct one one, long x) { out = x; }
	void nowhere(__int128 a, __int128 b, long c, struct large d, long e, struct one f,
		     int x, struct many g, int y) { out = e + y + x; }' >"$tmp/nothing.c"
	compile x86_64 "$tmp/nothing.c" "$tmp/nothing.o" -fno-var-tracking
	"$tmp/reader" -l "$tmp/nothing.o" | diff "$tmp/nothing.expect" -
}
cat >"$tmp/nothing.expect" <<END
result 1#0_S4manyi1x
in_register 2v#1_S3one3onel1x
nowhere 6+2vn1an1bl1c#0_S5large1dl1e#0_S3one1fi1x#0_S4many1gi1y
END
try 'x86_64 bitfields without a name alone' nothing_but_hidden

# Only the words beyond the limit are unknown. No type takes a long time.
limits() {
	echo '#define M(t) { t a, b, c, d, e, f, g, h, i, j, k, l; };
	union u1 M(int) union u2 M(union u1) union u3 M(union u2) union u4 M(union u3)
	union u5 M(union u4) union u6 M(union u5) union u7 M(union u6)
	struct words { long a[57]; }; struct more { long a[60]; };
	int sink;
	void deep(union u7 u, int v) { sink = v; }
	int words(struct words s, int a, int b, int c, int d, int e, int f, int g)
	{ return sink = g; }
	int more(struct more s, int a, int b, int c, int d, int e, int f)
	{ return sink = f; }' >"$tmp/limits.c"
	compile x86_64 "$tmp/limits.c" "$tmp/limits.o"
	timeout 2 "$tmp/reader" -l "$tmp/limits.o" >"$tmp/found"
	diff - "$tmp/found" <<-END
	deep 2v#4_U2u71ui1v
	words 6+ii@6#456_S5words1s@0i1ai1bi1ci1di1ei1f?i1g
	more 6i?S4more1si1ai1bi1ci1di1ei1f
	END
}
try 'limits of words and of types' limits

# The sanitizers would double the time of the oracle, and its objects are valid.
(SANITIZE=-O2 && build_reader "$tmp/plain")

# Test random prototypes with a fixed seed: all values are in the places of their
# signatures. More BATCHES take longer, and fuzz.sh does this with other seeds.
for machine in x86_64 i386 arm arm64 riscv x86_64-clang arm64-clang riscv-clang; do
	try "$machine oracle" ./oracle.py -b "$BATCHES" -n $((BATCHES * 160)) -s fixed \
		"$tmp/plain" "$machine"
done
# Members of random structs are where compiled code stores them.
for machine in x86_64 i386 arm arm64 riscv x86_64-clang; do
	try "$machine members oracle" ./members_oracle.py -b "$BATCHES" -s fixed \
		"$tmp/plain" "$machine"
done

# Repeat a batch in which values were once wrong, by its seed and number.
again() { # MACHINE SEED OPTION...
	machine=$1
	shift
	try "$machine oracle $*" ./oracle.py -n 300 -s "$@" "$tmp/plain" "$machine"
}

# Members that only GCC or only LLVM treats as aligned, because of a typedef or in an
# array, and arguments after an integer that LLVM splits
again x86_64-clang 629a3a47 -f 0
again x86_64-clang 629a3a47 -f 2
again x86_64-clang 0a06c945 -f 79
again x86_64-clang 95dedb10 -f 68
again x86_64-clang 95c56b8d -f 36
again x86_64-clang 95c56b8d -f 90

# A parameter without a size, for which GCC aligns the stack
again arm 9b403f66 -f 6

# A struct that GCC aligns on the stack, because a member has an aligned type
again i386 1f6bb9be -f 5

# A scalar that a typedef aligns
again riscv 0a7981d2 -f 1

# Arrays without elements, as members inside a word
again x86_64 9b403f66 -f 6 -b 2
again x86_64 3534ec85 -f 9

# An array of one element, whose padding is as large as a register
again x86_64 cd50327c -f 1

# Structs of only unnamed bit-fields
again x86_64 9b403f66 -f 1
again riscv-clang 5aacfdba -f 7

# Unnamed bit-fields of __int128, which align the type that contains them
again arm64-clang 9b403f66 -f 1 -w
again arm64-clang 3534ec85 -f 14 -w

# Only results that are not errors have a mark.
marks() {
	for function in cmp_name sort_cmp my_strncmp compare_ids task_prio \
			nft_cmp_init icmp_init kcmp xcmp; do
		echo "int $function(int a) { return -a; }"
	done >"$tmp/marks.c"
	compile x86_64 "$tmp/marks.c" "$tmp/marks.o"
	"$tmp/reader" -l "$tmp/marks.o" | tee "$tmp/marks"
	[ "$(grep -c ' 1-ii1a$' "$tmp/marks")" = 5 ]
	[ "$(grep -c '^\(nft_cmp_init\|icmp_init\|kcmp\|xcmp\) 1ii1a$' "$tmp/marks")" = 4 ]
}
try 'marks of results' marks

# The kernel has each function in the table of results, so none of them is misspelled.
results_exist() {
	sed -n 's/^\t{ "\(.*\)",.*/\1/p' "$KERNEL/scripts/signatures/result.c" >"$tmp/results"
	test -s "$tmp/results"
	sed 's/.*/[ *]&(/' "$tmp/results" >"$tmp/definitions"
	find "$KERNEL/kernel" "$KERNEL/mm" "$KERNEL/lib" "$KERNEL/drivers/acpi" -name '*.c' \
		-exec grep -h '^[a-z]' {} + | grep -of "$tmp/definitions" |
		sed 's/^.\(.*\)($/\1/' | sort -u >"$tmp/found"
	sort "$tmp/results" | comm -23 - "$tmp/found" >"$tmp/missing"
	cat "$tmp/missing"
	! test -s "$tmp/missing"
}
try 'functions of the table of results' results_exist

# Record signatures, link the objects, then sort and copy the table. The table must be
# sorted by address, and must contain the signatures of the debug information in the
# linked file.
round_trip() { # MACHINE
	compile "$1" abi.c "$tmp/a.o" -ffunction-sections
	compile "$1" abi.c "$tmp/b.o" -gdwarf-4
	# No signature is shorter than these two.
	echo 'enum e { A } last(enum e e) { return e; } int first(void) { return 1; }' \
		>"$tmp/c.c"
	compile "$1" "$tmp/c.c" "$tmp/c.o"
	for object in a b c; do
		"$tmp/reader" -a "$tmp/$object.o" || exit
	done
	! "$tmp/reader" -a "$tmp/a.o" || exit
	prefix=$(compiler "$1")
	link() { # OUTPUT OBJECT...
		"${prefix%gcc}ld" -z muldefs --build-id=sha1 -e nothing \
			-T linked.lds -o "$@"
	}
	link "$tmp/linked" "$tmp/b.o" "$tmp/c.o" "$tmp/a.o"
	link "$tmp/linked2" "$tmp/a.o" "$tmp/b.o" "$tmp/c.o"
	"$tmp/reader" -d "$tmp/linked" | cut -d' ' -f2- >"$tmp/unsorted"
	"$tmp/reader" -t "$tmp/linked"
	"$tmp/reader" -d "$tmp/linked" | cut -d' ' -f2- >"$tmp/sorted"
	! cmp -s "$tmp/unsorted" "$tmp/sorted" || exit
	"${prefix%gcc}objdump" -d "$tmp/linked" |
		sed -n 's/^[0-9a-f]* <\(.*\)>:$/\1/p' >"$tmp/order"
	cut -d' ' -f1 "$tmp/sorted" | uniq | diff "$tmp/order" -
	"$tmp/reader" -l "$tmp/linked" | sort -u >"$tmp/listed"
	sort -u "$tmp/sorted" | diff "$tmp/listed" -
	# Another order of the objects changes only the addresses.
	"$tmp/reader" -t "$tmp/linked2"
	"$tmp/reader" -d "$tmp/linked2" | cut -d' ' -f2- | sort >"$tmp/other-order"
	sort "$tmp/sorted" | diff "$tmp/other-order" -
	# The signature of a function is first, followed by its enums in their order.
	"$tmp/reader" -l "$tmp/b.o" | grep '^enums ' >"$tmp/enums"
	grep -m "$(wc -l <"$tmp/enums")" '^enums ' "$tmp/sorted" | diff "$tmp/enums" -
	"$tmp/reader" -c "$tmp/copy" "$tmp/linked" && [ -s "$tmp/copy" ]
}
for machine in x86_64 i686 arm aarch64 riscv64; do
	try "$machine table of a linked file" round_trip "$machine"
done

# recordmcount can leave a hole before the section headers. If the new data fills this
# hole exactly, the section headers keep their offset. The result must be the same as
# without a hole.
table_stays() {
	compile x86_64 abi.c "$tmp/plain.o"
	cp "$tmp/plain.o" "$tmp/hole.o"
	cp "$tmp/plain.o" "$tmp/with.o"
	"$tmp/reader" -a "$tmp/with.o"
	table_at() { # OBJECT
		od -An -td8 -j40 -N8 "$1" | tr -d ' '
	}
	from=$(table_at "$tmp/plain.o") to=$(table_at "$tmp/with.o")
	dd if="$tmp/plain.o" of="$tmp/hole.o" bs=1 skip="$from" seek="$to" \
		conv=notrunc status=none
	dd if="$tmp/with.o" of="$tmp/hole.o" bs=1 skip=40 seek=40 count=8 \
		conv=notrunc status=none
	"$tmp/reader" -a "$tmp/hole.o"
	cmp "$tmp/with.o" "$tmp/hole.o"
}
try 'table of sections stays where it is' table_stays

# If objtool lists the call sites later, the sites are the calls of __fentry__, after an
# ENDBR instruction. The site of a weak function must not lead to the function that
# overrides it. A function that is not traced has no site.
calls_are_sites() { # FLAG...
	echo '__attribute__((weak)) int weak(int a) { return a; }
	int other(char b) { return b; }
	__attribute__((no_instrument_function)) int untraced(long c) { return c; }' \
		>"$tmp/calls.c"
	echo 'int weak(long strong) { return strong; }' >"$tmp/strong.c"
	for unit in calls strong; do
		compile x86_64 "$tmp/$unit.c" "$tmp/$unit.o" -pg -mfentry "$@"
		"$tmp/reader" -f "$tmp/$unit.o"
	done
	x86_64-linux-gnu-ld -r -o "$tmp/both.o" "$tmp/calls.o" "$tmp/strong.o"
	x86_64-linux-gnu-ld -e 0 --defsym __fentry__=0 --build-id=sha1 -T linked.lds \
		-o "$tmp/linked" "$tmp/both.o"
	x86_64-linux-gnu-objdump -d --no-show-raw-insn "$tmp/linked" |
		sed -n 's/^ *\([0-9a-f]*\):\tcall .*/\1/p' >"$tmp/calls"
	[ "$(wc -l <"$tmp/calls")" -eq 3 ]
	"$tmp/reader" -t "$tmp/linked"
	"$tmp/reader" -d "$tmp/linked" | tee "$tmp/found"
	cut -d' ' -f1 "$tmp/found" | sed 's/^0*//' | diff "$tmp/calls" -
	sed 's/.* //' "$tmp/found" >"$tmp/signatures"
	printf '%s\n' 1ii1a 1ic1b 1il6strong | diff - "$tmp/signatures"
}
calls_without_list() {
	calls_are_sites
	calls_are_sites -fcf-protection=branch
}
try 'call sites that are not listed' calls_without_list

# An enum whose list of enumerators is too long gets an empty list.
long_enum() {
	{
		echo 'enum many {'
		seq 4000 | sed 's/.*/enumerator_with_a_long_name_&,/'
		echo '}; int f(enum many e, int a) { return a; }'
	} >"$tmp/long.c"
	compile x86_64 "$tmp/long.c" "$tmp/long.o"
	"$tmp/reader" -l "$tmp/long.o" | tee "$tmp/found"
	printf 'f %s\n' '2iCj4many1ei1a' ',,,,' | diff - "$tmp/found"
}
try 'enum with a long list' long_enum

# A broken file causes a message with the name of the file, and remains unchanged.
refuses() { # FILE
	cp "$1" "$1.before"
	status=0
	message=$("$tmp/reader" -a "$1" 2>&1 >/dev/null) || status=$?
	[ $status -eq 1 ] && cmp "$1" "$1.before"
	[ ! -e "${1%/*}/.${1##*/}.tmp" ]
	case $message in
	*"$1: "*) ;;
	*) echo "no message: $message"; return 1 ;;
	esac
}
break_section() { # NAME OFFSET: break this section of broken.o
	compile x86_64 abi.c "$tmp/broken.o" -gdwarf-5
	x86_64-linux-gnu-objcopy --dump-section "$1=$tmp/section" "$tmp/broken.o"
	printf '\377\377\377\377\377\377\377\377' |
		dd of="$tmp/section" bs=1 seek="$2" conv=notrunc status=none
	x86_64-linux-gnu-objcopy --update-section "$1=$tmp/section" "$tmp/broken.o"
	refuses "$tmp/broken.o"
}
truncated() { # BYTES
	compile x86_64 abi.c "$tmp/whole.o" -gdwarf-5
	head -c "$1" "$tmp/whole.o" >"$tmp/broken.o"
	refuses "$tmp/broken.o"
}
try 'header of a unit is broken' break_section .debug_info 0
try 'version of a unit is broken' break_section .debug_info 4
try 'abbreviations are broken' break_section .debug_abbrev 8
try 'file has 3 bytes' truncated 3
try 'file has 100 bytes' truncated 100
try 'file ends in its sections' truncated 5000
for broken in regressions/*; do
	case $broken in
	*.sig) continue ;;
	esac
	cp "$broken" "$tmp/broken.o"
	try "$broken" refuses "$tmp/broken.o"
done

# A corrupt table of a linked file is refused, and remains unchanged.
linked() { # OUTPUT
	compile x86_64 abi.c "$tmp/a.o"
	"$tmp/reader" -a "$tmp/a.o"
	x86_64-linux-gnu-ld --build-id=sha1 -e nothing -T linked.lds -o "$1" "$tmp/a.o"
}
# SECTION OFFSET MESSAGE: break a table at this offset, and check the message.
refuses_table() {
	[ -x "$tmp/table" ] || build_table "$tmp/table"
	linked "$tmp/linked"
	x86_64-linux-gnu-objcopy --dump-section "$1=$tmp/section" "$tmp/linked"
	printf '\377\377\377\177' |
		dd of="$tmp/section" bs=1 seek="$2" conv=notrunc status=none
	x86_64-linux-gnu-objcopy --update-section "$1=$tmp/section" "$tmp/linked"
	cp "$tmp/linked" "$tmp/before"
	! "$tmp/table" "$tmp/linked" 2>"$tmp/message" || return 1
	cat "$tmp/message"
	cmp "$tmp/linked" "$tmp/before"
	grep -q "^recordmcount: $tmp/linked: $3" "$tmp/message"
}
try 'table of another format' refuses_table .fgraph_version 0 \
	'.fgraph_version+0x0: signatures of another format'
try 'table with a string elsewhere' refuses_table .fgraph_sites 12 \
	'.fgraph_strings+.*: beyond'

# The kernel's code reads nothing outside of a table, even if the table is broken.
kernel_reads() { # TABLE
	[ -x "$tmp/kernel" ] || build_kernel "$tmp/kernel"
	"$tmp/kernel" "$1" "$1"
}
for table in seeds/*.sig regressions/*.sig; do
	try "kernel, $table" kernel_reads "$table"
done

# The kernel finds the structs of a module, and reads nothing outside of its table.
kernel_members() {
	build_members_kernel "$tmp/members_kernel"
	"$tmp/members_kernel" 50000
}
try 'kernel, members of modules' kernel_members

# A change of the format needs a new number. The version includes the definitions below
# the comment in the header. This test detects changes of the comment itself.
format_has_number() {
	header=$KERNEL/include/linux/fgraph_sig_format.h
	text=$(sed -n '/The format of function signatures/,/\*\//p' "$header" | cksum)
	found="$(sed -n 's/^#define FGRAPH_FORMAT[ \t]*//p' "$header") ${text%% *}"
	echo "FGRAPH_FORMAT and the checksum of its description are $found."
	echo "If the format has changed, increment the first, and write both into"
	echo "format.expect."
	grep -qx "$found" format.expect
}
try 'format has a number' format_has_number

# Each function has its own sections. This takes a second, or minutes if the reader
# searches all sections for each function. The timeout is long enough for any other
# delay. GNU as would take 20 seconds to assemble them.
many_sections() {
	awk -v N=24000 -f many.awk </dev/null >"$tmp/many.s"
	clang-16 --target=x86_64-linux-gnu -c -o "$tmp/many.o" "$tmp/many.s"
	timeout 20 "$tmp/plain" -l "$tmp/many.o" >"$tmp/found"
	[ "$(wc -l <"$tmp/found")" -eq 24000 ]
	grep -qx 'f23999 1ii6a23999' "$tmp/found"
	timeout 20 "$tmp/plain" -s "$tmp/many.o"
	x86_64-linux-gnu-readelf -SW "$tmp/many.o" | grep -q '\.rela\.fgraph_sites'
}
try '72,000 sections' many_sections

# Test the commands of scripts/Makefile.build.
# shellcheck source=/dev/null
. ./kbuild.sh

[ "$tried" ] || { echo "error: TRY=$TRY: no test has a matching name" >&2; exit 1; }
exit $failed
