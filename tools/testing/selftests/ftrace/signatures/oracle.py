#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# oracle.py [-m MINUTES] [-b BATCHES] [-n PROTOTYPES] [-s SEED] [-w] READER [MACHINE...]:
# checks by execution that arguments and results are in the places of their signatures. It
# runs for at least MINUTES and at least BATCHES.
#
# GCC and clang compile functions with random prototypes, with the flags of the kernel.
# Global functions are in another unit than their callers. Static functions are in the same
# unit, so that the compiler changes their interfaces. An emulator runs each call. At the
# entry and at the return, the oracle assembles each value from the words that the signature
# names, and compares it with the bytes that the caller passed. "READER -l object" lists the
# signatures.
#
# A value with an unknown place is not wrong. But too many of them are a failure, see
# MOST_UNKNOWN. Global functions, functions without location lists, static functions and
# clones are counted separately. Unknown values are not counted if no recorded word can
# contain them: results in memory on some ABIs, and functions with more words of arguments
# than a signature can describe.
#
# Without -w, no type contains an unnamed bit-field of __int128. On arm64, such a bit-field
# aligns the type, but DWARF does not describe it. If nothing else in the type shows the
# alignment, the reader places the value wrongly. The kernel contains no such bit-field.
#
# A message contains the machine, the seed and the number of the batch. To repeat this
# batch, run "-s SEED -f NUMBER MACHINE".

import argparse
import copy
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from concurrent import futures

import unicorn
from elftools.elf.elffile import ELFFile
from unicorn import arm64_const, arm_const, riscv_const, x86_const

from prototypes import MASKS, SRC_BYTES, Batch, symbol
from signature import MAX_WORDS, Signature

# The number of prototypes of a batch
COUNT = 400
STACK, STACK_BYTES = 0x60000000, 1 << 20
STOP = 0x70000000
# The maximal percentage of values with an unknown place, by the kind of the functions. On
# arm, and with clang on x86_64, the places of more structs depend on whether they are
# packed. Clones lose many arguments. Clones of clang count as static functions, because
# they keep their names.
MOST_UNKNOWN = {
    'global': {'x86_64': 0.4, 'i386': 0.2, 'arm': 1.5, 'arm64': 0.3, 'riscv': 0.3,
               'x86_64-clang': 6, 'arm64-clang': 1.2, 'riscv-clang': 1.2},
    'untracked': {'x86_64': 1.6, 'i386': 3.5, 'arm': 3.5, 'arm64': 0.5, 'riscv': 0.4},
    'static': {'x86_64': 0.7, 'i386': 0.6, 'arm': 1.8, 'arm64': 0.6, 'riscv': 0.4,
               'x86_64-clang': 47, 'arm64-clang': 42, 'riscv-clang': 44},
    'clone': {'x86_64': 53, 'i386': 42, 'arm': 48, 'arm64': 55, 'riscv': 59},
}


class Machine:
    """The commands of the compiler, and the registers of the emulator that ftrace records"""

    def __init__(self, name, compiler, flags, hook, word, emulator, args, results, sp, link,
                 variants=((),)):
        self.name, self.compiler, self.flags = name, compiler, flags.split()
        self.word, self.emulator, self.variants = word, emulator, variants
        self.args, self.results, self.sp, self.link = args, results, sp, link
        self.hook, self.clang, self.levels = hook.split(), False, ('-O2', '-Os', '-O3')
        # If a result has more bytes, the function does not return its address.
        self.largest_result = {'arm64': 16, 'riscv': 16}.get(name, 1 << 30)

    def with_clang(self, flags):
        """Returns the same machine with clang."""
        machine = copy.copy(self)
        machine.name, machine.clang = f'{self.name}-clang', True
        # At -O3, LLVM replaces a pointer argument by the value that it points to, without
        # any mark. No machine here compiles the kernel with -O3.
        machine.levels = ('-O2', '-Os')
        machine.flags = [f for f in self.flags if f not in GCC_ONLY] + flags.split()
        return machine

    def command(self):
        if self.clang:
            return [CLANG, f'--target={self.compiler.rstrip("-")}']
        return [f'{self.compiler}gcc', '-fno-tree-loop-distribute-patterns', '-Wno-psabi']


X, A, A64, R = x86_const, arm_const, arm64_const, riscv_const

MACHINES = [
    Machine('x86_64', 'x86_64-linux-gnu-',
            '-mno-sse -mno-mmx -mno-avx -mno-80387 -mno-red-zone '
            '-mpreferred-stack-boundary=3', '-pg -mfentry',
            8, (unicorn.UC_ARCH_X86, unicorn.UC_MODE_64),
            [X.UC_X86_REG_RDI, X.UC_X86_REG_RSI, X.UC_X86_REG_RDX, X.UC_X86_REG_RCX,
             X.UC_X86_REG_R8, X.UC_X86_REG_R9],
            [X.UC_X86_REG_RAX, X.UC_X86_REG_RDX], X.UC_X86_REG_RSP, None),
    Machine('i386', 'i686-linux-gnu-',
            '-msoft-float -mregparm=3 -freg-struct-return -mno-sse -mno-mmx -mno-avx '
            '-mno-80387 -mpreferred-stack-boundary=2', '-pg -mfentry',
            4, (unicorn.UC_ARCH_X86, unicorn.UC_MODE_32),
            [X.UC_X86_REG_EAX, X.UC_X86_REG_EDX, X.UC_X86_REG_ECX],
            [X.UC_X86_REG_EAX, X.UC_X86_REG_EDX], X.UC_X86_REG_ESP, None),
    Machine('arm', 'arm-linux-gnueabihf-',
            '-mabi=aapcs-linux -mfloat-abi=soft -mno-unaligned-access -march=armv7-a', '',
            4, (unicorn.UC_ARCH_ARM, unicorn.UC_MODE_ARM),
            [A.UC_ARM_REG_R0, A.UC_ARM_REG_R1, A.UC_ARM_REG_R2, A.UC_ARM_REG_R3],
            [A.UC_ARM_REG_R0, A.UC_ARM_REG_R1], A.UC_ARM_REG_SP, A.UC_ARM_REG_LR,
            (('-marm',), ('-mthumb',))),
    Machine('arm64', 'aarch64-linux-gnu-', '-mgeneral-regs-only',
            '-fpatchable-function-entry=2',
            8, (unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM),
            [A64.UC_ARM64_REG_X0, A64.UC_ARM64_REG_X1, A64.UC_ARM64_REG_X2,
             A64.UC_ARM64_REG_X3, A64.UC_ARM64_REG_X4, A64.UC_ARM64_REG_X5,
             A64.UC_ARM64_REG_X6, A64.UC_ARM64_REG_X7],
            [A64.UC_ARM64_REG_X0, A64.UC_ARM64_REG_X1], A64.UC_ARM64_REG_SP,
            A64.UC_ARM64_REG_LR),
    Machine('riscv', 'riscv64-linux-gnu-', '-mabi=lp64 -march=rv64imac -mno-relax',
            '-fpatchable-function-entry=4',
            8, (unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV64),
            [R.UC_RISCV_REG_A0, R.UC_RISCV_REG_A1, R.UC_RISCV_REG_A2, R.UC_RISCV_REG_A3,
             R.UC_RISCV_REG_A4, R.UC_RISCV_REG_A5, R.UC_RISCV_REG_A6, R.UC_RISCV_REG_A7],
            [R.UC_RISCV_REG_A0, R.UC_RISCV_REG_A1], R.UC_RISCV_REG_SP, R.UC_RISCV_REG_RA),
]

# Machines for which Kconfig allows clang
CLANG = 'clang-16'
GCC_ONLY = ('-mpreferred-stack-boundary=3',)
WITH_CLANG = {'x86_64': '-mstack-alignment=8', 'arm64': '', 'riscv': ''}
MACHINES += [m.with_clang(WITH_CLANG[m.name]) for m in MACHINES if m.name in WITH_CLANG]

# On x86, each function begins with a call of this function. Like the __fentry__ of ftrace,
# it changes no register.
FENTRY = '__asm__(".globl __fentry__\\n__fentry__: ret");\n'


# Compiling and loading


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode:
        raise RuntimeError(f'{" ".join(command)}:\n{done.stderr[:2000]}')
    return done.stdout


class Program:
    """A linked batch, loaded into an emulator"""

    def __init__(self, machine, path, seed, together):
        self.machine, self.together = machine, together
        with open(path, 'rb') as file:
            elf = ELFFile(file)
            self.segments = [(s['p_vaddr'], s.data(), s['p_memsz'])
                             for s in elf.iter_segments() if s['p_type'] == 'PT_LOAD']
            self.symbols = {s.name: (s['st_value'], s['st_size'])
                            for s in elf.get_section_by_name('.symtab').iter_symbols()}
        self.emulator = unicorn.Uc(*machine.emulator)
        self.load(seed)
        self.masks = {}

    def load(self, seed):
        emulator = self.emulator
        low = min(s[0] for s in self.segments) & ~0xfff
        high = max(s[0] + s[2] for s in self.segments) + 0xfff & ~0xfff
        emulator.mem_map(low, high - low)
        for address, data, _ in self.segments:
            emulator.mem_write(address, data)
        emulator.mem_map(STACK, STACK_BYTES)
        emulator.mem_map(STOP, 0x1000)
        self.src = random.Random(seed).randbytes(SRC_BYTES)
        emulator.mem_write(self.symbols['src'][0], self.src)

    def mask(self, kind):
        """Returns an integer with the bits of all members set, and the size of the type."""
        if kind.name not in self.masks:
            bits, size = 0, 0
            for variant in range(MASKS if kind.letter in 'SU' else 1):
                address, size = self.symbols[f'm_{symbol(kind.name)}_{variant}']
                bits |= int.from_bytes(self.emulator.mem_read(address, size), 'little')
            self.masks[kind.name] = bits, size
        return self.masks[kind.name]

    def instruction(self, address):
        """Returns the address of the code. On arm, bit 0 selects the Thumb instruction set."""
        return address & ~1 if self.machine.name == 'arm' else address

    def go(self, start, end):
        self.emulator.emu_start(start, self.instruction(end), timeout=10 * 1000000)

    def registers(self, numbers):
        return [self.emulator.reg_read(r) for r in numbers]

    def words_at(self, address, count):
        size = self.machine.word
        data = self.emulator.mem_read(address, count * size)
        return [int.from_bytes(data[i:i + size], 'little')
                for i in range(0, count * size, size)]

    def go_to_one_of(self, start, entries):
        """Runs up to one of these addresses. Returns a list of the reached one, or []."""
        reached = []

        def stop(emulator, address, *_):
            reached.append(address)
            emulator.emu_stop()

        hooks = [self.emulator.hook_add(unicorn.UC_HOOK_CODE, stop, begin=at, end=at)
                 for at in map(self.instruction, entries)]
        self.go(start, STOP)
        for hook in hooks:
            self.emulator.hook_del(hook)
        return [e for e in entries if reached and self.instruction(e) == reached[0]]

    def enter(self, caller, callees):
        """Runs up to the entry of one of the callees. Returns the callee or None, its return
        address, and the address of its stack arguments."""
        machine, emulator = self.machine, self.emulator
        sp = STACK + STACK_BYTES // 2
        if machine.link:
            emulator.reg_write(machine.link, STOP)
        else:
            sp -= machine.word
            emulator.mem_write(sp, STOP.to_bytes(machine.word, 'little'))
        emulator.reg_write(machine.sp, sp)
        callee = callees[:1]
        if len(callees) > 1 or self.together:
            callee = self.go_to_one_of(caller, callees)
        else:
            self.go(caller, callees[0])
        sp = emulator.reg_read(machine.sp)
        if not callee:
            return None, 0, sp
        if machine.link:
            return callee[0], emulator.reg_read(machine.link), sp
        return callee[0], self.words_at(sp, 1)[0], sp + machine.word


class Counts:
    """Numbers of one kind of functions: calls, values, unknown places, wrong values"""

    def __init__(self):
        self.calls = self.values = self.unknown = self.wrong = 0

    def add(self, other):
        self.calls += other.calls
        self.values += other.values
        self.unknown += other.unknown
        self.wrong += other.wrong


class Checker:
    """Compares the values of a batch with the bytes that were passed."""

    def __init__(self, machine, program, signatures, report):
        self.machine, self.program = machine, program
        self.signatures, self.report = signatures, report
        self.kinds = {}
        self.entries = {}
        for name, (address, _) in program.symbols.items():
            # Callers do not call .part and .cold functions directly.
            if re.fullmatch(r'f\d+(\..*)?', name) and not re.search(r'\.(part|cold)\b', name):
                self.entries.setdefault(name.split('.')[0], {})[address] = name

    def bytes_of(self, value, words):
        if value.reference:
            return self.program.emulator.mem_read(words[value.word], value.size)
        data = b''.join(w.to_bytes(self.machine.word, 'little')
                        for w in words[value.word:value.word + value.words])
        return data[:value.size]

    def excused(self, where):
        """Returns true if no recorded word can contain the value."""
        word = self.machine.word
        if where == 'result':
            size = self.program.mask(self.prototype.result)[1]
            return size > self.machine.largest_result
        sizes = [self.program.mask(t)[1] for t in self.prototype.params]
        return sum(s // word + 2 for s in sizes) + len(self.machine.args) > MAX_WORDS

    def compare(self, where, value, kind, passed, words):
        self.counts.values += 1
        if not value.known:
            self.counts.unknown += not self.excused(where)
            return
        if value.letter != kind.letter:
            self.report(f'{where}: its type is {value.letter}, not {kind.letter}')
            return
        bits, size = self.program.mask(kind)
        if value.reference:
            value.size = size
        elif value.word + value.words > len(words):
            self.report(f'{where}: more words than there are')
            return
        if value.letter not in 'SU' and value.size != size:
            self.report(f'{where}: its size is {value.size}, not {size}')
            return
        try:
            have = int.from_bytes(self.bytes_of(value, words), 'little')
        except unicorn.UcError:
            self.report(f'{where}: its address is wrong')
            return
        want = int.from_bytes(passed(size), 'little')
        if value.letter == 'b':
            bits &= 1
        if have & bits != want & bits:
            self.report(f'{where}: {have & bits:#x}, not {want & bits:#x}')

    def check(self, prototype, signature, callee, back, stack):
        program, machine = self.program, self.machine
        words = program.registers(machine.args[:signature.registers])
        words += program.words_at(stack, signature.stack)
        if signature.variadic != prototype.variadic or \
           [p.name for p in signature.params] != \
           [f'a{i}' for i in range(len(prototype.params))]:
            self.report('not this prototype')
            return
        for i, value in enumerate(signature.params):
            self.compare(f'a{i}', value, prototype.params[i],
                         lambda size, i=i: prototype.passed(i, program.src, size), words)
        program.go(callee, back)
        at = prototype.result_offset
        if prototype.result:
            self.compare('result', signature.result, prototype.result,
                         lambda size: program.src[at:at + size],
                         program.registers(machine.results))
        elif signature.result.letter != 'v':
            self.report('not void')

    def check_prototype(self, prototype, kind):
        """Checks one call, unless the compiler removed it because the result is unused."""
        self.prototype = prototype
        entries = self.entries.get(f'f{prototype.number}')
        caller = self.program.symbols[f'call{prototype.number}'][0]
        callee, back, stack = self.program.enter(caller, sorted(entries or [STOP]))
        if not callee or not entries:
            return
        name = entries[callee]
        text = self.signatures.get(name, '')
        self.counts = self.kinds.setdefault('clone' if '.' in name else kind, Counts())
        self.report.at = f'{name} {prototype.prototype()} {text}'
        self.counts.calls += 1
        before = len(self.report.lines)
        try:
            signature = Signature(text, self.machine.word)
        except (ValueError, IndexError) as error:
            self.report(f'not a signature: {error}')
        else:
            self.check(prototype, signature, callee, back, stack)
        self.counts.wrong += len(self.report.lines) - before

    def check_all(self, batch, kind):
        for prototype in batch.prototypes:
            self.check_prototype(prototype, kind)


class Report:
    """Collects error messages."""

    def __init__(self, title):
        self.title, self.at, self.lines = title, '', []

    def __call__(self, text):
        self.lines.append(f'{self.title}: {self.at}\n  {text}')


class Job:
    """Compiles, links, runs and checks one batch for one machine. @together: the functions
    are static, in the same unit as their callers."""

    def __init__(self, machine, options, seed, number, together):
        self.machine, self.options, self.together = machine, options, together
        self.seed, self.number = f'{machine.name} {seed} {number}', number
        self.flags = [*machine.variants[number // 2 % len(machine.variants)],
                      f'-gdwarf-{4 + number % 2}']
        self.kind = 'static' if together else 'global'
        self.flags.append(machine.levels[number % len(machine.levels)] if together else '-O2')
        if together:
            self.seed += ' together'
            self.flags += machine.hook
        if machine.clang:
            return
        # The kernel is compiled with this flag if it contains no debug information itself.
        if number % 4 == 0:
            self.flags.append('-fno-var-tracking-assignments')
        # GCC compiles a function without tracking if tracking fails.
        elif number % 4 == 1 and not together:
            self.flags.append('-fno-var-tracking')
            self.kind = 'untracked'

    def compile(self, source, name):
        path = os.path.join(self.directory, name)
        with open(path + '.c', 'w', encoding='ascii') as file:
            file.write(source)
        run(*self.machine.command(), '-g', '-w', '-ffreestanding', '-fno-pie',
            '-fno-stack-protector', '-fno-common', '-fno-strict-aliasing',
            '-fno-asynchronous-unwind-tables', *self.machine.flags, *self.flags,
            *(['-g0'] if name == 'caller' else []), '-c', '-o', path + '.o', path + '.c')
        return path + '.o'

    def list_signatures(self, path):
        signatures = {}
        for line in run(self.options.reader, '-l', path).splitlines():
            # The strings of enums follow, with the same name.
            name, text = line.split(' ', 1)
            signatures.setdefault(name, text)
        return signatures

    def link(self, *objects):
        path = os.path.join(self.directory, 'linked')
        run(self.machine.compiler + 'ld', '-static', '-S', '-e', '0', '-Ttext=0x100000',
            '--no-warn-rwx-segments', '-z', 'muldefs', '-o', path, *objects)
        return path

    def compile_all(self, batch):
        if not self.together:
            return [self.compile(batch.callees(), 'callee'),
                    self.compile(batch.callers(), 'caller')]
        hook = FENTRY if '-mfentry' in self.machine.hook else ''
        return [self.compile(batch.unit(hook), 'unit')]

    def __call__(self):
        machine = self.machine
        # Without location lists, an argument that by chance is in the register of the ABI
        # looks as if it was passed there. The kernel has functions that take all arguments
        # on the stack, but all of them are tracked.
        stack_calls = machine.name == 'i386' and self.kind != 'untracked'
        batch = Batch(self.seed, machine.word, COUNT, stack_calls, self.together,
                      self.options.wide_holes)
        report = Report(f'{self.seed} {" ".join(self.flags)}')
        with tempfile.TemporaryDirectory() as self.directory:
            objects = self.compile_all(batch)
            program = Program(machine, self.link(*objects), self.seed, self.together)
            signatures = self.list_signatures(objects[0])
        checker = Checker(machine, program, signatures, report)
        checker.check_all(batch, self.kind)
        return machine.name, checker.kinds, report.lines


class Totals:
    """The results of one machine"""

    def __init__(self, machine):
        self.machine, self.kinds, self.wrong = machine, {}, 0

    def add(self, kinds, lines):
        for kind, counts in kinds.items():
            self.kinds.setdefault(kind, Counts()).add(counts)
        # The first errors are enough.
        if lines and self.wrong < 100:
            print('\n'.join(lines[:10]), flush=True)
        self.wrong += len(lines)

    def is_good(self, kind, slack):
        """Prints the results of one kind of functions. Returns true if they are good."""
        counts, most = self.kinds[kind], MOST_UNKNOWN[kind][self.machine.name] * slack
        percent = 100 * counts.unknown / max(counts.values, 1)
        print(f'oracle {self.machine.name} {kind}: {counts.calls} functions, '
              f'{counts.wrong} wrong of {counts.values} values, {counts.unknown} unknown: '
              f'{percent:.2f}%, expected at most {most:.1f}%')
        return not counts.wrong and percent <= most

    def summary(self, least, slack):
        """Prints all results. Returns true if all are good, and there are enough of them."""
        good = all([self.is_good(kind, slack) for kind in sorted(self.kinds)])
        apart = sum(c.calls for k, c in self.kinds.items() if k in ('global', 'untracked'))
        together = sum(c.calls for k, c in self.kinds.items() if k in ('static', 'clone'))
        return good and not self.wrong and min(apart, together) >= max(least, 1)


def run_job(job):
    try:
        return job()
    except unicorn.UcError as error:
        # An error of this type cannot be passed to another process.
        raise RuntimeError(f'{job.seed}: {error}') from None


def make_jobs(machines, options, seed):
    """Yields batches of each machine in turn, until enough are made and time is over."""
    end = time.monotonic() + 60 * options.minutes
    for number in itertools.count(options.first):
        if number >= options.first + options.batches and time.monotonic() >= end:
            return
        for machine, together in itertools.product(machines, (False, True)):
            yield Job(machine, options, seed, number, together)


def run_jobs(jobs):
    """Yields the results of the jobs. Takes the next job only when few are left, so that
    make_jobs() can check the time."""
    with futures.ProcessPoolExecutor() as pool:
        running = set()
        for job in jobs:
            running.add(pool.submit(run_job, job))
            if len(running) > os.cpu_count():
                done, running = futures.wait(running, return_when=futures.FIRST_COMPLETED)
                yield from (job.result() for job in done)
        yield from (job.result() for job in running)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('reader')
    parser.add_argument('-m', '--minutes', type=float, default=0)
    parser.add_argument('-b', '--batches', type=int, default=1)
    parser.add_argument('-f', '--first', type=int, default=0, help='number of a batch')
    parser.add_argument('-s', '--seed', default='')
    parser.add_argument('-w', '--wide-holes', action='store_true',
                        help='with unnamed bit-fields of __int128')
    parser.add_argument('-n', '--least', type=int, default=1,
                        help='the least number of global functions, and of static functions')
    parser.add_argument('machines', nargs='*')
    options = parser.parse_intermixed_args()
    machines = [m for m in MACHINES if not options.machines or m.name in options.machines]
    totals = {m.name: Totals(m) for m in machines}
    seed = options.seed or os.urandom(4).hex()
    for name, *result in run_jobs(make_jobs(machines, options, seed)):
        totals[name].add(*result)
    # The limits are those of the seed "fixed". Other prototypes may exceed them, because
    # many prototypes of a batch may use the same type with an unknown place.
    slack = 1 if options.seed == 'fixed' else 2
    good = [t.summary(options.least, slack) for t in totals.values()]
    return 0 if good and all(good) else 1


if __name__ == '__main__':
    sys.exit(main())
