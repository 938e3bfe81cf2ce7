#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# oracle.py [-m MINUTES] [-b BATCHES] [-n PROTOTYPES] [-s SEED] READER [MACHINE...]:
# whether signatures tell where arguments and results are, by execution. It goes on
# for so many minutes, and for so many batches at least.
#
# Random prototypes are compiled by GCC as the kernel is, their callers apart from
# them. An emulator runs each call; at the entry and at the return, each value is
# put together from the words that the signature names, and compared with what the
# caller passed. READER makes the signatures: "READER -l object" lists them.
#
# A value whose place the signature does not know is not wrong. But if there are
# more of them than DWARF leaves undecided, that is a failure, too; it is no matter
# where no word is recorded: of results in memory, as some ABIs have them, and of
# functions with more words of arguments than a signature counts.
#
# A message tells the machine, the seed and the number of the batch: with "-s SEED
# -f NUMBER MACHINE", it comes again.

import argparse
import itertools
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import threading
import time

import unicorn
from elftools.elf.elffile import ELFFile
from unicorn import arm64_const, arm_const, riscv_const, x86_const

from prototypes import MASKS, SRC_BYTES, Batch, symbol
from signature import MAX_WORDS, Signature

# Prototypes of a batch
COUNT = 400
STACK, STACK_BYTES = 0x60000000, 1 << 20
STOP = 0x70000000
# How many percent of the values may have no known place: on arm, it matters for more
# structs whether they are packed.
MOST_UNKNOWN, MOST_UNKNOWN_ARM = 0.4, 1.5


class Machine:
    """How the compiler is called, and where the emulator has what ftrace records"""

    def __init__(self, name, compiler, flags, word, emulator, args, results, sp, link,
                 variants=((),)):
        self.name, self.compiler, self.flags = name, compiler, flags.split()
        self.word, self.emulator, self.variants = word, emulator, variants
        self.args, self.results, self.sp, self.link = args, results, sp, link
        # Above so many bytes, the caller is not told again where a result is.
        self.largest_result = {'arm': 4, 'arm64': 16, 'riscv': 16}.get(name, 1 << 30)


X, A, A64, R = x86_const, arm_const, arm64_const, riscv_const

MACHINES = [
    Machine('x86_64', 'x86_64-linux-gnu-',
            '-mno-sse -mno-mmx -mno-avx -mno-80387 -mno-red-zone '
            '-mpreferred-stack-boundary=3',
            8, (unicorn.UC_ARCH_X86, unicorn.UC_MODE_64),
            [X.UC_X86_REG_RDI, X.UC_X86_REG_RSI, X.UC_X86_REG_RDX, X.UC_X86_REG_RCX,
             X.UC_X86_REG_R8, X.UC_X86_REG_R9],
            [X.UC_X86_REG_RAX, X.UC_X86_REG_RDX], X.UC_X86_REG_RSP, None),
    Machine('i386', 'i686-linux-gnu-',
            '-msoft-float -mregparm=3 -freg-struct-return -mno-sse -mno-mmx -mno-avx '
            '-mno-80387 -mpreferred-stack-boundary=2',
            4, (unicorn.UC_ARCH_X86, unicorn.UC_MODE_32),
            [X.UC_X86_REG_EAX, X.UC_X86_REG_EDX, X.UC_X86_REG_ECX],
            [X.UC_X86_REG_EAX, X.UC_X86_REG_EDX], X.UC_X86_REG_ESP, None),
    Machine('arm', 'arm-linux-gnueabihf-',
            '-mabi=aapcs-linux -mfloat-abi=soft -mno-unaligned-access -march=armv7-a',
            4, (unicorn.UC_ARCH_ARM, unicorn.UC_MODE_ARM),
            [A.UC_ARM_REG_R0, A.UC_ARM_REG_R1, A.UC_ARM_REG_R2, A.UC_ARM_REG_R3],
            [A.UC_ARM_REG_R0, A.UC_ARM_REG_R1], A.UC_ARM_REG_SP, A.UC_ARM_REG_LR,
            (('-marm',), ('-mthumb',))),
    Machine('arm64', 'aarch64-linux-gnu-', '-mgeneral-regs-only',
            8, (unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM),
            [A64.UC_ARM64_REG_X0, A64.UC_ARM64_REG_X1, A64.UC_ARM64_REG_X2,
             A64.UC_ARM64_REG_X3, A64.UC_ARM64_REG_X4, A64.UC_ARM64_REG_X5,
             A64.UC_ARM64_REG_X6, A64.UC_ARM64_REG_X7],
            [A64.UC_ARM64_REG_X0, A64.UC_ARM64_REG_X1], A64.UC_ARM64_REG_SP,
            A64.UC_ARM64_REG_LR),
    Machine('riscv', 'riscv64-linux-gnu-', '-mabi=lp64 -march=rv64imac -mno-relax',
            8, (unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV64),
            [R.UC_RISCV_REG_A0, R.UC_RISCV_REG_A1, R.UC_RISCV_REG_A2, R.UC_RISCV_REG_A3,
             R.UC_RISCV_REG_A4, R.UC_RISCV_REG_A5, R.UC_RISCV_REG_A6, R.UC_RISCV_REG_A7],
            [R.UC_RISCV_REG_A0, R.UC_RISCV_REG_A1], R.UC_RISCV_REG_SP, R.UC_RISCV_REG_RA),
]


# What the compiler makes


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode:
        sys.exit(f'{" ".join(command)}:\n{done.stderr[:2000]}')
    return done.stdout


class Program:
    """A linked batch, loaded into an emulator"""

    def __init__(self, machine, path, seed):
        self.machine = machine
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
        """All bits that are of a member, as bytes"""
        if kind.name not in self.masks:
            bits, size = 0, 0
            for variant in range(MASKS if kind.letter in 'SU' else 1):
                address, size = self.symbols[f'm_{symbol(kind.name)}_{variant}']
                bits |= int.from_bytes(self.emulator.mem_read(address, size), 'little')
            self.masks[kind.name] = bits, size
        return self.masks[kind.name]

    def go(self, start, end):
        thumb = start & 1
        self.emulator.emu_start(start, end & ~1 if thumb else end, timeout=10 * 1000000)

    def registers(self, numbers):
        return [self.emulator.reg_read(r) for r in numbers]

    def words_at(self, address, count):
        size = self.machine.word
        data = self.emulator.mem_read(address, count * size)
        return [int.from_bytes(data[i:i + size], 'little')
                for i in range(0, count * size, size)]

    def enter(self, caller, callee):
        """Runs up to the entry of the callee: what it will return to, its stack"""
        machine, emulator = self.machine, self.emulator
        sp = STACK + STACK_BYTES // 2
        if machine.link:
            emulator.reg_write(machine.link, STOP)
        else:
            sp -= machine.word
            emulator.mem_write(sp, STOP.to_bytes(machine.word, 'little'))
        emulator.reg_write(machine.sp, sp)
        self.go(caller, callee)
        sp = emulator.reg_read(machine.sp)
        if machine.link:
            return emulator.reg_read(machine.link), sp
        return self.words_at(sp, 1)[0], sp + machine.word


class Checker:
    """Compares the values of a batch with what was passed"""

    def __init__(self, machine, program, signatures, report):
        self.machine, self.program = machine, program
        self.signatures, self.report = signatures, report
        self.values = self.unknown = self.calls = 0

    def bytes_of(self, value, words):
        if value.reference:
            return self.program.emulator.mem_read(words[value.word], value.size)
        data = b''.join(w.to_bytes(self.machine.word, 'little')
                        for w in words[value.word:value.word + value.words])
        return data[:value.size]

    def excused(self, where):
        """Whether no ABI could tell a place that is recorded"""
        word = self.machine.word
        if where == 'result':
            size = self.program.mask(self.prototype.result)[1]
            return size > self.machine.largest_result
        sizes = [self.program.mask(t)[1] for t in self.prototype.params]
        return sum(s // word + 2 for s in sizes) + len(self.machine.args) > MAX_WORDS

    def compare(self, where, value, kind, offset, words):
        self.values += 1
        if not value.known:
            self.unknown += not self.excused(where)
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
        want = int.from_bytes(self.program.src[offset:offset + size], 'little')
        if value.letter == 'b':
            bits &= 1
        if have & bits != want & bits:
            self.report(f'{where}: {have & bits:#x}, not {want & bits:#x}')

    def check(self, prototype, name, signature):
        program, machine = self.program, self.machine
        self.prototype = prototype
        callee = program.symbols[name][0]
        back, stack = program.enter(program.symbols[f'call{prototype.number}'][0], callee)
        words = program.registers(machine.args[:signature.registers])
        words += program.words_at(stack, signature.stack)
        self.calls += 1
        if signature.variadic != prototype.variadic or \
           [p.name for p in signature.params] != \
           [f'a{i}' for i in range(len(prototype.params))]:
            self.report('not this prototype')
            return
        for i, value in enumerate(signature.params):
            self.compare(f'a{i}', value, prototype.params[i], prototype.offsets[i], words)
        program.go(callee, back)
        if prototype.result:
            self.compare('result', signature.result, prototype.result,
                         prototype.result_offset, program.registers(machine.results))
        elif signature.result.letter != 'v':
            self.report('not void')

    def check_text(self, prototype, name, text):
        try:
            signature = Signature(text, self.machine.word)
        except (ValueError, IndexError) as error:
            self.report(f'not a signature: {error}')
            return
        self.check(prototype, name, signature)

    def check_all(self, batch):
        for prototype in batch.prototypes:
            name = f'f{prototype.number}'
            text = self.signatures.get(name, '')
            self.report.at = f'{prototype.prototype()} {text}'
            self.check_text(prototype, name, text)


class Report:
    """Collects what is wrong"""

    def __init__(self, title):
        self.title, self.at, self.lines = title, '', []

    def __call__(self, text):
        self.lines.append(f'{self.title}: {self.at}\n  {text}')


class Job:
    """One batch of one machine: compiled, linked, run and checked"""

    def __init__(self, machine, options, seed, number):
        self.machine, self.options = machine, options
        self.seed, self.number = f'{machine.name} {seed} {number}', number
        self.flags = [*machine.variants[number // 2 % len(machine.variants)],
                      f'-gdwarf-{4 + number % 2}']
        # As kernels are compiled that have no debug information themselves
        if number % 4 == 0:
            self.flags.append('-fno-var-tracking-assignments')

    def compile(self, source, name):
        path = os.path.join(self.directory, name)
        with open(path + '.c', 'w', encoding='ascii') as file:
            file.write(source)
        run(self.machine.compiler + 'gcc', '-O2', '-g', '-w', '-Wno-psabi',
            '-ffreestanding', '-fno-pie', '-fno-stack-protector', '-fno-common',
            '-fno-strict-aliasing', '-fno-asynchronous-unwind-tables',
            '-fno-tree-loop-distribute-patterns', *self.machine.flags, *self.flags,
            *(['-g0'] if name == 'caller' else []), '-c', '-o', path + '.o', path + '.c')
        return path + '.o'

    def list_signatures(self, path):
        signatures = {}
        for line in run(self.options.reader, '-l', path).splitlines():
            # Those of enums follow: they are of the same name.
            name, text = line.split(' ', 1)
            signatures.setdefault(name, text)
        return signatures

    def link(self, *objects):
        path = os.path.join(self.directory, 'linked')
        run(self.machine.compiler + 'ld', '-static', '-S', '-e', '0', '-Ttext=0x100000',
            '--no-warn-rwx-segments', '-z', 'muldefs', '-o', path, *objects)
        return path

    def __call__(self):
        machine = self.machine
        batch = Batch(self.seed, machine.word, COUNT, machine.name == 'i386')
        report = Report(f'{self.seed} {" ".join(self.flags)}')
        with tempfile.TemporaryDirectory() as self.directory:
            objects = [self.compile(batch.callees(), 'callee'),
                       self.compile(batch.callers(), 'caller')]
            program = Program(machine, self.link(*objects), self.seed)
            signatures = self.list_signatures(objects[0])
        checker = Checker(machine, program, signatures, report)
        checker.check_all(batch)
        return machine.name, checker.calls, checker.values, checker.unknown, report.lines


class Totals:
    """The results of a machine"""

    def __init__(self, machine):
        self.machine = machine
        self.calls = self.values = self.unknown = self.wrong = 0

    def add(self, calls, values, unknown, lines):
        self.calls += calls
        self.values += values
        self.unknown += unknown
        self.wrong += len(lines)
        # The first ones tell enough.
        if lines and self.wrong < 100:
            print('\n'.join(lines[:10]), flush=True)

    def summary(self, least):
        """Prints a line; whether it is good"""
        percent = 100 * self.unknown / max(self.values, 1)
        print(f'oracle {self.machine.name}: {self.calls} prototypes, '
              f'{self.wrong} wrong places, {percent:.2f}% of {self.values} unknown')
        most = MOST_UNKNOWN_ARM if self.machine.name == 'arm' else MOST_UNKNOWN
        return not self.wrong and percent <= most and self.calls >= max(least, 1)


def run_job(job):
    return job()


def make_jobs(machines, options, seed):
    """A batch of each machine in turn, until there are enough and time is over"""
    end = time.monotonic() + 60 * options.minutes
    for number in itertools.count(options.first):
        if number >= options.first + options.batches and time.monotonic() >= end:
            return
        for machine in machines:
            yield Job(machine, options, seed, number)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('reader')
    parser.add_argument('-m', '--minutes', type=float, default=0)
    parser.add_argument('-b', '--batches', type=int, default=1)
    parser.add_argument('-f', '--first', type=int, default=0, help='number of a batch')
    parser.add_argument('-s', '--seed', default='')
    parser.add_argument('-n', '--least', type=int, default=1, help='prototypes')
    parser.add_argument('machines', nargs='*')
    options = parser.parse_intermixed_args()
    machines = [m for m in MACHINES if not options.machines or m.name in options.machines]
    totals = {m.name: Totals(m) for m in machines}
    seed = options.seed or os.urandom(4).hex()
    # Jobs are made as processes get free, for time to be looked at.
    with multiprocessing.Pool() as pool:
        slots = threading.Semaphore(2 * os.cpu_count())

        def paced():
            for job in make_jobs(machines, options, seed):
                slots.acquire()
                yield job

        for name, *result in pool.imap_unordered(run_job, paced()):
            slots.release()
            totals[name].add(*result)
    good = [t.summary(options.least) for t in totals.values()]
    return 0 if good and all(good) else 1


if __name__ == '__main__':
    sys.exit(main())
