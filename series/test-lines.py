#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Host test: fgraph-lines and fgraph where, which need no kernel. A program with inlined
# functions is compiled for each machine, with GCC and clang, DWARF 4 and 5. For each of its
# instructions, the places must be those that addr2line of binutils prints; also if the
# objects keep a section of lines in place of their debug information, as in Kbuild.
# Both programs are compiled with sanitizers, and get files that are cut off or damaged.
# Prints "ok NAME" or "not ok NAME". Part of make test.

import glob
import os
import random
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KERNEL = os.environ.get('KERNEL', f'{TOP}/build/linux')
SANITIZE = '-O1 -g -fsanitize=address,undefined -fno-sanitize-recover'
MACHINES = {'x86_64': '', 'i386': 'i686-linux-gnu-', 'arm': 'arm-linux-gnueabihf-',
            'arm64': 'aarch64-linux-gnu-', 'riscv': 'riscv64-linux-gnu-'}

HEADER = '''
#define CHECK(what) do { if (what) return -22; } while (0)
static inline __attribute__((always_inline)) int check(int value)
{
	CHECK(value == 3);
	return value;
}
'''

SOURCE = '''
#include "include/linux/check.h"
extern volatile int state;
extern __attribute__((cold)) void warn(int value);
static inline __attribute__((always_inline)) int twice(int value)
{
	int result = check(value);

	if (result < 0)
		return result;
	return check(value + state);
}
__attribute__((noinline)) int other(int value)
{
	return twice(value) ^ state;
}
__attribute__((noinline)) int outer(int value)
{
	int i, result = 0;

	for (i = 0; i < value; i++)
		result += twice(i);
	if (__builtin_expect(result > 1000, 0)) {
		warn(result);
		warn(twice(result));
	}
	return result ? result * 2 : 7;
}
__attribute__((section(".init.text"), noinline)) int start(int value)
{
	return outer(value) + other(value) + twice(state);
}
'''

REST = '''
volatile int state;
int start(int value);
__attribute__((noinline)) void warn(int value) { state = value; }
int main(void) { return start(state); }
'''


def run(*command, check=True, **options):
    return subprocess.run(command, check=check, capture_output=True, text=True, **options)


class Programs:
    def __init__(self, directory):
        self.directory = directory
        run('make', '-s', '-C', f'{KERNEL}/tools/tracing/fgraph', 'all', 'lines',
            f'OUTPUT={directory}/', 'CC=gcc', f'CFLAGS={SANITIZE}')
        self.lines, self.fgraph = f'{directory}/fgraph-lines', f'{directory}/fgraph'
        self.recordmcount = f'{directory}/recordmcount'
        scripts = f'{KERNEL}/scripts'
        sources = glob.glob(f'{scripts}/signatures/*.c') + glob.glob(f'{scripts}/lines/*.c')
        sources.remove(f'{scripts}/lines/main.c')
        run('gcc', '-w', *SANITIZE.split(), '-DFGRAPH_SIGNATURES', '-o', self.recordmcount,
            f'{scripts}/recordmcount.c', *sources, '-lelf')

    def make_table(self, file):
        table = f'{file}.lines'
        run(self.lines, '-o', table, file)
        return table

    def find(self, table, addresses):
        """The line of each address, without the address"""
        result = run(self.fgraph, 'where', '-t', table, *addresses, check=False)
        if result.returncode not in (0, 1):
            raise AssertionError(result.stderr)
        return [line.split(':', 1)[1].strip() for line in result.stdout.splitlines()]


def write_sources(directory):
    os.makedirs(f'{directory}/include/linux')
    for name, text in (('include/linux/check.h', HEADER), ('code.c', SOURCE), ('rest.c', REST)):
        with open(f'{directory}/{name}', 'w', encoding='utf-8') as file:
            file.write(text)


def compile_program(directory, compiler, prefix, flags):
    """A program, and an object that has its sections as a module does"""
    objects = []
    for name in ('code', 'rest'):
        objects.append(f'{directory}/{name}.o')
        run(*compiler, '-O2', *flags, '-c', '-o', objects[-1], f'{directory}/{name}.c')
    return link_program(f'{directory}/program', f'{directory}/module.ko', prefix, objects)


def link_program(program, module, prefix, objects):
    # Kbuild also links the kernel of riscv in this way.
    options = ['-Wl,--no-relax'] if prefix.startswith('riscv') else []
    # The C library of another machine may be missing.
    run(f'{prefix}gcc', '-nostdlib', '-static', '-no-pie', '-Wl,-e,main',
        '-Wl,--defsym=_text=__executable_start', *options, '-o', program, *objects)
    run(f'{prefix}ld', '-r', '-o', module, *objects)
    return program, module


def use_sections(programs, directory, prefix):
    """Link the objects again, with sections of lines in place of debug information."""
    objects = [f'{directory}/{name}.o' for name in ('code', 'rest')]
    for file in objects:
        run(programs.recordmcount, '-p', 'lines', '-s', file)
        run(f'{prefix}objcopy', '--strip-debug', '--keep-section=.debug_fgraph_lines', file)
    return link_program(f'{directory}/bare', f'{directory}/bare.ko', prefix, objects)


def code_ranges(prefix, file):
    """The code of each function of code.c and rest.c, without the padding after it"""
    ranges = {}
    for line in run(f'{prefix}nm', '-S', file).stdout.splitlines():
        fields = line.split()
        if len(fields) == 4 and re.match(r'(outer|other|start|warn|main)\b', fields[3]):
            begin = int(fields[0], 16)
            ranges[fields[3]] = range(begin, begin + int(fields[1], 16))
    return ranges


def addresses_of_code(prefix, file):
    """The sections and the addresses of the instructions. Sections of an object overlap."""
    section, function, found, ranges = '', '', [], code_ranges(prefix, file)
    for line in run(f'{prefix}objdump', '-d', '--no-show-raw-insn', file).stdout.splitlines():
        if match := re.match(r'Disassembly of section (.*):', line):
            section = match[1]
        elif match := re.match(r'[0-9a-f]+ <([^.>][^>]*)>:', line):
            function = match[1]
        elif match := re.match(r' *([0-9a-f]+):\t', line):
            address = int(match[1], 16)
            if address in ranges.get(function, ()):
                found.append((section, address))
    return found


def symbol(prefix, file, name):
    for line in run(f'{prefix}nm', file).stdout.splitlines():
        if line.endswith(f' {name}'):
            return int(line.split()[0], 16)
    raise AssertionError(f'no symbol {name}')


def describe(chain):
    """The form of fgraph where. Between functions, addr2line prints a function, but no line."""
    if not any(place for _, place in chain):
        return 'not known'
    return ' → '.join(f'{f"{name} [inlined]" if i else "code"} {place}'.strip()
                      for i, (name, place) in enumerate(chain))


def expected(tool, file, directory, section, addresses):
    """What addr2line prints of addresses, in the form of fgraph where"""
    places, address = {}, None
    lines = run(*tool, '-a', '-i', '-f', '-e', file, *(['-j', section] if section else []),
                input=''.join(f'0x{a:x}\n' for a in addresses)).stdout.splitlines()
    while lines:
        if lines[0].startswith('0x'):
            address = int(lines.pop(0), 16)
            places[address] = []
            continue
        function, place = lines.pop(0), lines.pop(0)
        file_name, line = place.split(' ')[0].rsplit(':', 1)
        file_name = os.path.normpath(file_name).removeprefix(f'{directory}/')
        places[address].insert(0, (function, f'{file_name}:{line}' if line.isdigit() and
                                   line != '0' else ''))
    return {address: describe(chain) for address, chain in places.items()}


def compare(programs, prefix, tool, file, directory, is_module, source=None):
    """
    Compare the places of the table of @source with those of @file, which has the same code.
    Return the number of instructions, and of those in inlined functions.
    """
    table = programs.make_table(source or file)
    base = 0 if is_module else symbol(prefix, file, '_text')
    by_section, count, inlined = {}, 0, 0
    for section, address in addresses_of_code(prefix, file):
        by_section.setdefault(section if is_module else '', []).append(address)
    for section, addresses in by_section.items():
        wanted = expected(tool, file, directory, section, addresses)
        found = programs.find(table, [f'{section}+0x{a - base:x}' for a in addresses])
        for address, text in zip(addresses, found):
            if text != wanted[address]:
                raise AssertionError(f'{file} {section} 0x{address:x}:\n{text}\n'
                                     f'addr2line: {wanted[address]}')
            count += 1
            inlined += '[inlined]' in text
    return count, inlined


# binutils 2.40 does not find all functions that clang inlined, with DWARF 5.
LLVM = ['llvm-symbolizer-16', '--output-style=GNU']


def test_machine(programs, name, compiler, prefix, flags):
    directory = f'{programs.directory}/{name.replace(" ", "-")}'
    write_sources(directory)
    program, module = compile_program(directory, compiler, prefix, flags)
    tool = LLVM if 'clang' in name else [f'{prefix}addr2line']
    # LLVM names no section.
    for file, is_module in ((program, False), (module, True))[:1 if tool == LLVM else 2]:
        count, inlined = compare(programs, prefix, tool, file, directory, is_module)
        if count < 40 or inlined < 5:
            raise AssertionError(f'{file}: only {count} instructions, {inlined} inlined')
    if 'gcc' in name:
        for file, source, is_module in zip((program, module),
                                           use_sections(programs, directory, prefix),
                                           (False, True)):
            again, _ = compare(programs, prefix, tool, file, directory, is_module, source)
            if again < 40:
                raise AssertionError(f'{source}: only {again} instructions')


def test_entries(programs, name, prefix):
    """A function begins with instructions that -fpatchable-function-entry adds."""
    directory = f'{programs.directory}/{name.replace(" ", "-")}'
    write_sources(directory)
    program, _ = compile_program(directory, [f'{prefix}gcc'], prefix,
                                 ['-g', '-fpatchable-function-entry=4'])
    bare, _ = use_sections(programs, directory, prefix)
    for function in ('outer', 'other', 'start'):
        line = next(number for number, text in enumerate(SOURCE.split('\n'), 1)
                    if f'int {function}(' in text)
        for file in (program, bare):
            begin = symbol(prefix, program, function) - symbol(prefix, program, '_text')
            for offset in (0, 2, 4):
                [found] = programs.find(programs.make_table(file), [f'0x{begin + offset:x}'])
                if found != f'code code.c:{line}':
                    raise AssertionError(f'{file} {function}+{offset}: {found}, not {line}')


def damage(content, seed):
    """Cut content off, or change some of its bytes."""
    chance = random.Random(seed)
    if seed % 3 == 0:
        return content[:chance.randrange(len(content))]
    changed = bytearray(content)
    for _ in range(chance.randrange(1, 20)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def test_damaged(programs, file, count, command):
    """The program must end with a status, and not because of a sanitizer."""
    with open(file, 'rb') as stream:
        content = stream.read()
    refused = 0
    for seed in range(count):
        with open(f'{file}.damaged', 'wb') as stream:
            stream.write(damage(content, seed))
        result = run(*command, check=False, errors='replace')
        if result.returncode not in (0, 1, 125) or 'anitizer' in result.stderr or \
           'runtime error' in result.stderr:
            raise AssertionError(f'damage {seed}: {result.returncode}\n{result.stderr}')
        refused += result.returncode != 0
    if refused < count / 10:
        raise AssertionError(f'only {refused} of {count} were refused')


def test_damaged_table(programs):
    table = f'{programs.directory}/x86_64-gcc-DWARF-4/program.lines'
    test_damaged(programs, table, 300,
                 [programs.fgraph, 'where', '-t', f'{table}.damaged',
                  *[f'0x{offset:x}' for offset in range(0, 0x1800, 0x20)]])


def test_damaged_object(programs):
    module = f'{programs.directory}/x86_64-gcc-DWARF-5/module.ko'
    test_damaged(programs, module, 300,
                 [programs.lines, '-o', f'{module}.lines', f'{module}.damaged'])


def test_messages(programs):
    directory = f'{programs.directory}/messages'
    write_sources(directory)
    _, module = compile_program(directory, ['gcc'], '', [])
    for command, message in (
            ([programs.lines, '-o', '/dev/null', module], 'has no debug information'),
            ([programs.lines, '-o', '/dev/null', f'{directory}/none'], 'No such file'),
            ([programs.lines], 'usage: '),
            ([programs.fgraph, 'where', '-t', module, '0x1'], 'not a table of source lines'),
            ([programs.fgraph, 'where', '-t', '/none', '0x1'], 'cannot be read'),
            ([programs.fgraph, 'where', '-t', module], 'an address is needed')):
        result = run(*command, check=False)
        if not result.returncode or message not in result.stderr:
            raise AssertionError(f'{command}: {result.returncode} {result.stderr}')


def main():
    failed = False
    with tempfile.TemporaryDirectory() as directory:
        programs = Programs(directory)
        tests = []
        for machine, prefix in MACHINES.items():
            for version in (4, 5):
                tests.append((f'{machine} gcc DWARF {version}', test_machine,
                              f'{machine} gcc DWARF {version}', [f'{prefix}gcc'], prefix,
                              [f'-gdwarf-{version}']))
        for machine in ('arm64', 'riscv'):
            tests.append((f'{machine} entries', test_entries, f'{machine} entries',
                          MACHINES[machine]))
        for version in (4, 5):
            tests.append((f'x86_64 clang DWARF {version}', test_machine,
                          f'x86_64 clang DWARF {version}', ['clang-16'], '',
                          [f'-gdwarf-{version}']))
        tests.append(('x86_64 compressed', test_machine, 'x86_64 compressed', ['gcc'], '',
                      ['-g', '-gz']))
        tests += [('damaged tables', test_damaged_table), ('damaged objects', test_damaged_object),
                  ('messages', test_messages)]
        for name, test, *args in tests:
            try:
                test(programs, *args)
                print(f'ok host lines {name}')
            except (AssertionError, subprocess.CalledProcessError) as error:
                failed = True
                for line in f'{error}\n{getattr(error, "stderr", "") or ""}'.splitlines()[:20]:
                    print(f'# {line}')
                print(f'not ok host lines {name}')
    sys.exit(failed)


main()
