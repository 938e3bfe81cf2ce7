#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Host test: runs the commands that the pages of the series show, in the order of the pages
# and in one shell of an x86_64 guest, and compares what they print with the pages.
# Prints "ok NAME" or "not ok NAME" for each block of commands.  Part of make test.
#
# A block of commands is a literal block that begins with the prompt "# ".  Addresses,
# times, and numbers vary: a pattern stands for them on both sides.  How many system calls
# failed does not vary.  A line
# "..." stands for any number of lines.

import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KERNEL = os.environ.get('KERNEL', f'{TOP}/build/linux')
PAGES = {
    'fgraph.rst': 'Documentation/trace/fgraph.rst',
    'kprobetrace.rst': 'Documentation/trace/kprobetrace.rst',
    'fgraph-why(1)': 'Documentation/tools/fgraph/fgraph-why.rst',
    'fgraph-slow(1)': 'Documentation/tools/fgraph/fgraph-slow.rst',
    'fgraph-top(1)': 'Documentation/tools/fgraph/fgraph-top.rst',
    'fgraph-record(1)': 'Documentation/tools/fgraph/fgraph-record.rst',
    'fgraph-report(1)': 'Documentation/tools/fgraph/fgraph-report.rst',
    'fgraph-diff(1)': 'Documentation/tools/fgraph/fgraph-diff.rst',
}
# The first line of function_tracers begins like one, with a number, and so does the head of a
# trace.
PROMPT = re.compile(r'  # (?!\d|tracer| )')
UNDERLINE = re.compile(r'([=-])\1+$')
MARK = '@command'


class Block:
    """One block: its page and heading, and pairs of a command and the lines it prints."""
    def __init__(self, page, heading):
        self.heading = f'{page}, {heading}'
        self.commands = []


def read_blocks(page):
    with open(os.path.join(KERNEL, PAGES[page]), encoding='utf-8') as file:
        lines = file.read().splitlines()
    blocks = []
    block = None
    heading = before = ''
    for line in lines:
        if UNDERLINE.match(line) and before.strip():
            heading = before.strip()
        if PROMPT.match(line):
            if not block:
                block = Block(page, heading)
                blocks.append(block)
            block.commands.append((PROMPT.sub('', line), []))
        elif block and line.startswith('  '):
            block.commands[-1][1].append(line[2:])
        elif line.strip():
            block = None
        before = line
    return blocks


def write_script(blocks, script):
    # Before the random pool is ready, more system calls fail than on a machine in use.
    script.write('cd /\nhead -c 1 /dev/random >/dev/null\n')
    # The pages show answers without source lines, but for an example that says so.
    script.write('rm -r /lib/modules/*/lines\n')
    for i, block in enumerate(blocks):
        for j, (command, _) in enumerate(block.commands):
            script.write(f'echo "{MARK} {i} {j}"\n{{\n{command}\n}} 2>&1\n')
    script.flush()


def run(script):
    """What each command printed, by the numbers of its block and of itself."""
    # The clock counts instructions, so that what a page shows does not depend on the host.
    boot = ['make', '-s', '-C', TOP, 'boot', 'ICOUNT=1', 'ARCH=x86_64', f'SCRIPT={script}',
            'MODULES=1']
    env = {name: value for name, value in os.environ.items()
           if name in ('PATH', 'HOME', 'BUILD', 'LINUX')}
    guest = subprocess.run(boot, env=env, stdin=subprocess.DEVNULL, check=False,
                           stdout=subprocess.PIPE, errors='replace')
    printed = {}
    lines = []
    for line in guest.stdout.splitlines():
        if line.startswith(MARK):
            lines = printed.setdefault(tuple(map(int, line.split()[1:])), [])
        elif line.strip():
            lines.append(line)
    return printed


def mask(line):
    """The line without what varies. The indentation of a call stays."""
    line = re.sub(r'0x[0-9a-f]{3,}|(?<=\[)[0-9a-f]{16}(?=\])', 'ADDRESS', line)
    line = re.sub(r'(?<![\w=.(-])\d+(\.\d+)?(?![\d.]| system call)', 'N', line)
    line = re.sub(r'N (m?s)\b', 'N us', line)
    column, bar, call = line.partition('|')
    column = re.sub(r'[ +!#*@$]*N us', ' N us', column) if bar else column
    return ' '.join(column.split()) + bar + call


def matches(expected, printed):
    """Whether the lines are the same; "..." is any number of lines."""
    if not expected:
        return not printed
    if expected[0] == '...':
        return any(matches(expected[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and mask(expected[0]) == mask(printed[0]) and \
        matches(expected[1:], printed[1:])


def check(block, printed):
    """Prints what differs. Returns whether nothing does."""
    same = True
    for j, (command, expected) in enumerate(block.commands):
        got = printed.get(j)
        if got is not None and matches(expected, got):
            continue
        same = False
        print(f'#     # {command}')
        print('\n'.join('# page  ' + line for line in expected))
        print('\n'.join('# guest ' + line for line in got or ['did not get there']))
    return same


def main():
    blocks = [block for page in PAGES for block in read_blocks(page)]
    with tempfile.NamedTemporaryFile('w', suffix='.sh') as script:
        write_script(blocks, script)
        printed = run(script.name)
    if not blocks:
        sys.exit('error: the pages have no block of commands')

    for i, block in enumerate(blocks):
        mine = {j: lines for (n, j), lines in printed.items() if n == i}
        number = sum(other.heading == block.heading for other in blocks[:i + 1])
        status = 'ok' if check(block, mine) else 'not ok'
        print(f'{status} x86_64 page {block.heading}, block {number}')


main()
