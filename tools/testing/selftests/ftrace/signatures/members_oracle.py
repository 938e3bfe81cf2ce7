#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# members_oracle.py [-b BATCHES] [-s SEED] [-f NUMBER] READER [MACHINE...]: checks by
# execution that members of structs are at the described places.
#
# GCC and clang compile random structs, and a function for each scalar in them that sets it.
# An emulator runs each function, once with an object of zeros and once with an object of
# ones. "READER -m object" lists the members. All bits of the described place must have the
# value, and no other bit may change. No member may be missing.
#
# A message contains the machine, the seed and the number of the batch. To repeat this
# batch, run "-s SEED -f NUMBER MACHINE".

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent import futures

import unicorn

from members import Descriptions
from oracle import MACHINES, STACK, STACK_BYTES, STOP, Program, run
from structs import Batch

COUNT = 60
NAMES = ('x86_64', 'i386', 'arm', 'arm64', 'riscv', 'x86_64-clang')
# The forms of debug information. In strict DWARF 4, GCC describes bit-fields in an older way.
FORMS = (('-gdwarf-4',), ('-gdwarf-5',), ('-gdwarf-4', '-gstrict-dwarf'))


def find_member(descriptions, struct, name, at):
    """Finds a member, also in members without a name. Returns it and the offset of the struct
    that contains it."""
    for member in struct.members:
        if member.name == name:
            return member, at
        if not member.name:
            found = find_member(descriptions, descriptions.struct(member.type), name,
                                at + member.offset)
            if found:
                return found
    return None


def find_place(descriptions, key, path):
    """Returns the first bit of a scalar, its width or None, and its type."""
    struct, at, kind, width, first = descriptions.find(key).struct, 0, None, None, 0
    for step in path:
        if isinstance(step, int):
            if step >= kind.length:
                raise KeyError(f'{step} of {kind.length} elements')
            kind = kind.element
            at += step * descriptions.size(kind)
            continue
        if kind:
            struct = descriptions.struct(kind)
        # A member without a name, whose members are looked up by their own name
        if not step:
            continue
        found = find_member(descriptions, struct, step, at)
        if not found:
            raise KeyError(f'no member {step}')
        member, at = found
        at, kind = at + member.offset, member.type
        width, first = member.width, member.first
    return 8 * at + first, width, kind


class Checker:
    """Compares the objects of a batch with the descriptions of its members."""

    def __init__(self, batch, program, descriptions):
        self.batch, self.program, self.descriptions = batch, program, descriptions
        self.wrong, self.scalars = [], 0

    def run(self, number, before):
        """Runs a setter. Returns the object, and as many bytes after it."""
        program, machine = self.program, self.program.machine
        sp, (src, _) = STACK + STACK_BYTES // 2, program.symbols['src']
        program.emulator.mem_write(src, before)
        if machine.link:
            program.emulator.reg_write(machine.link, STOP)
        else:
            sp -= machine.word
            program.emulator.mem_write(sp, STOP.to_bytes(machine.word, 'little'))
        program.emulator.reg_write(machine.sp, sp)
        program.emulator.reg_write(machine.args[0], src)
        program.go(program.symbols[f'set{number}'][0], STOP)
        return program.emulator.mem_read(src, len(before))

    def check(self, number):
        _, key, scalar, value = self.batch.setters[number]
        first, width, kind = find_place(self.descriptions, key, scalar.path)
        letter = kind.base if kind.letter == 'C' else kind.letter
        if letter != scalar.letter:
            return f'its type is {letter}, not {scalar.letter}'
        if width != scalar.field:
            return f'its width is {width}, not {scalar.field}'
        bits = width or 8 * self.descriptions.size(kind)
        mask = (1 << bits) - 1 << first
        for fill in (b'\0', b'\377'):
            before = fill * 4096
            have = int.from_bytes(self.run(number, before), 'little')
            want = int.from_bytes(before, 'little') & ~mask | value << first
            if have != want:
                return (f'at bit {first}, {bits} bits: {(have & mask) >> first:#x}, not '
                        f'{value:#x}; other bits: {(have ^ want) & ~mask:#x}')
        return None

    def check_size(self, number):
        text, key, _ = self.batch.structs[number]
        want = self.program.words_at(self.program.symbols[f'size{number}'][0], 1)[0]
        try:
            have = self.descriptions.find(key).struct.size
        except KeyError as error:
            have = str(error)
        if have != want:
            self.wrong.append(f'{text}: its size is {have}, not {want}')

    def check_all(self):
        for number in range(len(self.batch.structs)):
            self.check_size(number)
        for number, (text, _, scalar, _) in enumerate(self.batch.setters):
            self.scalars += 1
            try:
                wrong = self.check(number)
            except (KeyError, ValueError) as error:
                wrong = str(error)
            if wrong:
                self.wrong.append(f'{text} {scalar.expression()}: {wrong}')


class Job:
    """Compiles, links, runs and checks one batch for one machine."""

    def __init__(self, machine, reader, seed, number, form):
        self.machine, self.reader, self.form = machine, reader, form
        self.seed, self.number = seed, number

    def compile(self, source, directory):
        path = os.path.join(directory, 'structs')
        with open(path + '.c', 'w', encoding='ascii') as file:
            file.write(source)
        run(*self.machine.command(), '-g', *self.form, '-O1', '-w', '-ffreestanding',
            '-fno-pie', '-fno-stack-protector', '-fno-strict-aliasing',
            '-fno-asynchronous-unwind-tables', *self.machine.flags, '-c', '-o', path + '.o',
            path + '.c')
        run(self.machine.compiler + 'ld', '-static', '-S', '-e', '0', '-Ttext=0x100000',
            '--no-warn-rwx-segments', '-o', path, path + '.o')
        return path

    def __call__(self):
        title = f'{self.machine.name} {self.seed} {self.number} {" ".join(self.form)}'
        seed = f'{self.machine.name} {self.seed} {self.number}'
        batch = Batch(seed, self.machine.word, COUNT)
        with tempfile.TemporaryDirectory() as directory:
            path = self.compile(batch.source(), directory)
            program = Program(self.machine, path, seed, False)
            lines = run(self.reader, '-m', path + '.o').splitlines()
        checker = Checker(batch, program, Descriptions(lines, self.machine.word))
        checker.check_all()
        return (self.machine.name, checker.scalars,
                [f'{title}: {text}' for text in checker.wrong])


def run_job(job):
    try:
        return job()
    except (unicorn.UcError, subprocess.SubprocessError) as error:
        # An error of this type cannot be passed to another process.
        raise RuntimeError(f'{job.machine.name} {job.seed} {job.number}: {error}') from None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('reader')
    parser.add_argument('-b', '--batches', type=int, default=1)
    parser.add_argument('-f', '--first', type=int, default=0, help='number of a batch')
    parser.add_argument('-s', '--seed', default='')
    parser.add_argument('machines', nargs='*')
    options = parser.parse_intermixed_args()
    names, seed = options.machines or NAMES, options.seed or os.urandom(4).hex()
    jobs = [Job(machine, options.reader, seed, number, form)
            for machine in MACHINES if machine.name in names
            for number in range(options.first, options.first + options.batches)
            for form in FORMS]
    counts, wrong = {}, {}
    with futures.ProcessPoolExecutor() as pool:
        for name, scalars, lines in pool.map(run_job, jobs):
            counts[name] = counts.get(name, 0) + scalars
            wrong.setdefault(name, []).extend(lines)
    for name in counts:
        print('\n'.join(wrong[name][:10] + [f'members oracle {name}: {len(wrong[name])} wrong '
                                            f'of {counts[name]} scalars']))
    return 1 if not counts or any(wrong.values()) or not all(counts.values()) else 0


if __name__ == '__main__':
    sys.exit(main())
