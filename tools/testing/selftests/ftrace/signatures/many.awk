# SPDX-License-Identifier: GPL-2.0
#
# Prints N functions with one parameter, each in its own sections, and their DWARF. The
# result is similar to the output of GCC with -ffunction-sections and
# -fpatchable-function-entry. Assembling it takes a second, while compiling would take a
# minute. The debug sections are at the end of the file.
BEGIN {
	for (i = 0; i < N; i++) {
		printf ".section .text.f%d,\"ax\",%%progbits\n", i
		printf ".globl f%d; .type f%d, %%function\n", i, i
		printf "f%d: .Lp%d: nop; nop\n.Lb%d: ret\n.Le%d: .size f%d, . - f%d\n",
			i, i, i, i, i, i
		printf ".section __patchable_function_entries,\"awo\",%%progbits,f%d\n", i
		printf ".quad .Lp%d\n", i
	}
	print ".section .debug_abbrev,\"\",%progbits"
	print ".Labbrev:"
	print ".uleb128 1,0x11,1, 0,0"
	print ".uleb128 2,0x24; .byte 0; .uleb128 0x3,0x8, 0xb,0xb, 0x3e,0xb, 0,0"
	print ".uleb128 3,0x2e; .byte 1; .uleb128 0x3,0xe, 0x11,0x1, 0x12,0x6, 0x49,0x13, 0,0"
	print ".uleb128 4,0x5; .byte 0; .uleb128 0x3,0xe, 0x2,0x17, 0x49,0x13, 0,0"
	print ".byte 0"
	print ".section .debug_info,\"\",%progbits"
	print ".Lunit: .long .Lend - .Lversion"
	print ".Lversion: .short 4; .long .Labbrev; .byte 8"
	print ".uleb128 1"
	print ".Lint: .uleb128 2; .string \"int\"; .byte 4, 5"
	for (i = 0; i < N; i++) {
		print ".section .debug_str,\"MS\",%progbits,1"
		printf ".Ln%d: .string \"f%d\"\n.La%d: .string \"a%d\"\n", i, i, i, i
		print ".section .debug_loc,\"\",%progbits"
		printf ".Ll%d: .quad .Lp%d, .Le%d; .short 1; .byte 0x55; .quad 0, 0\n", i, i, i
		print ".section .debug_info,\"\",%progbits"
		printf ".uleb128 3; .long .Ln%d; .quad .Lb%d; .long .Le%d - .Lb%d\n", i, i, i, i
		print ".long .Lint - .Lunit"
		printf ".uleb128 4; .long .La%d; .long .Ll%d; .long .Lint - .Lunit\n", i, i
		print ".byte 0"
	}
	print ".byte 0"
	print ".Lend:"
}
