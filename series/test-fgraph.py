#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Host test: fgraph report, which needs no kernel. It prints traces that are written here,
# and one that an x86_64 guest records, in all forms. Parsers of Python read JSON and HTML.
# It is compiled with sanitizers, and gets files that are cut off or damaged.
# Prints "ok NAME" or "not ok NAME". Part of make test.

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEAD = '# fgraph trace, version 1\n'
END = '# lost: 0\n# end\n'
SCRIPT = 'fgraph record -o /tmp/trace ls -R /proc/self >/dev/null; cat /tmp/trace\n'
FORMS = ('', '--folded', '--json', '--html')


def compile_program(directory):
    """The program, with what finds mistakes in the use of memory."""
    subprocess.run(['make', '-s', '-C', f'{TOP}/tools/tracing/fgraph',
                    f'OUTPUT={directory}/', 'CC=gcc',
                    'CFLAGS=-O1 -g -fsanitize=address,undefined -fno-sanitize-recover'],
                   check=True, stdout=subprocess.DEVNULL)
    return f'{directory}/fgraph'


class Report:
    """Runs fgraph report on the text of a trace."""
    def __init__(self, program, directory):
        self.program = program
        self.file = f'{directory}/trace'

    def run(self, trace, form=''):
        with open(self.file, 'wb') as file:
            file.write(trace if isinstance(trace, bytes) else trace.encode())
        command = [self.program, 'report', *form.split(), self.file]
        env = dict(os.environ, ASAN_OPTIONS='detect_leaks=0')
        return subprocess.run(command, env=env, capture_output=True, check=False)

    def folded(self, lines):
        """The stacks of some lines, and their times in ns."""
        done = self.run(HEAD + '\n'.join(lines) + '\n' + END, '--folded')
        assert done.returncode == 0, done.stderr
        pairs = (line.rsplit(' ', 1) for line in done.stdout.decode().splitlines())
        return {stack: int(ns) for stack, ns in pairs}


def entry(depth, call, task='cat-57', us=''):
    us = f'{us} us' if us else ''
    return f'    1.000000 |   {task:11} | {us:12} |  ' + '  ' * depth + call


def check_lines(report):
    """Lines of a form that is hard to read"""
    nested = [entry(0, 'a(x=1, y=0x1 ("b\\x29; c\\x2c")) {'), entry(1, 'b [mod](); /* ret=-5 (EIO) */', us='3.000'),
              entry(0, '} /* a ret=0 slept=1.000us */', us='10.500')]
    assert report.folded(nested) == {'cat;a': 7500, 'cat;a;b [mod]': 3000}
    # The name of a task may look like columns.
    for name in ('a-1', 'a | b', '1-5||  ', '-', '12-34 |'):
        lines = [line.replace('cat-57', f'{name}-57') for line in nested]
        assert report.folded(lines) == {f'{name.lstrip()};a': 7500,
                                        f'{name.lstrip()};a;b [mod]': 3000}, name
    # Two tasks, one of which goes on after the other
    lines = [nested[0], entry(0, 'z();', 'sh-58', '2.000'), *nested[1:]]
    assert report.folded(lines) == {'sh;z': 2000, 'cat;a': 7500, 'cat;a;b [mod]': 3000}
    # An entry that is repeated is the same call.
    again = entry(0, 'a(x=1, y=0x1 ("b\\x29; c\\x2c")) { /* repeated */')
    assert report.folded([nested[0], nested[1], again, nested[2]])['cat;a'] == 7500
    # The kernel shows the old name of a task for a while after it executed a program.
    lines = [entry(0, '/* sched_process_exec: filename=/bin/mount pid=57 old_pid=57 */', 'sh-57'),
             *(line.replace('cat-57', 'sh-57 ') for line in nested)]
    assert report.folded(lines) == {'mount;a': 7500, 'mount;a;b [mod]': 3000}
    # A call of an interrupt is deeper, because the functions before it are not recorded.
    lines = [nested[0], entry(2, 'irq(); /* ret=-5 (EIO) */', us='4.000'), *nested[1:]]
    assert report.folded(lines) == {'cat;irq': 4000, 'cat;a': 7500, 'cat;a;b [mod]': 3000}
    # After events were lost, it is not.
    lines = [nested[0], nested[1], 'CPU:0 [LOST 7 EVENTS]', again, nested[2]]
    assert report.folded(lines) == {'cat;a': 10500}
    # The entry was lost, or the return.
    assert report.folded(nested[1:2] + nested) == {'cat;b [mod]': 3000, 'cat;a': 7500,
                                                   'cat;a;b [mod]': 3000}
    assert report.folded([nested[0], *nested]) == {'cat;a': 7500, 'cat;a;b [mod]': 3000}


def read_trees(trace):
    """The calls of one task: the times in ns of those that no call encloses, and how many
    there are in all. A call without a return does not count, nor does what it encloses.
    A call that is too deep is in an interrupt."""
    roots, count, stack = [], 0, []
    for line in trace.splitlines():
        found = re.search(r'\| +(?:([0-9.]+) us +)?\|  ( *)([^ /].*)$', line)
        if ' [LOST ' in line:
            stack = []
        if not found:
            continue
        depth, ns = len(found[2]) // 2, float(found[1] or 0) * 1000
        ends = found[3].startswith('}')
        while stack and stack[-1][0] >= depth + ends:
            stack.pop()
        if ends and not (stack and stack[-1][0] == depth):
            continue
        if not ends and not found[1]:
            stack.append((depth, 0))
            continue
        inner = stack.pop()[1] + 1 if ends else 1
        if stack and stack[-1][0] == depth - 1:
            stack[-1] = (stack[-1][0], stack[-1][1] + inner)
        else:
            roots.append(ns)
            count += inner
    return roots, count


def check_folded(report, trace):
    text = report.run(trace, '--folded').stdout.decode()
    total = sum(int(line.rsplit(' ', 1)[1]) for line in text.splitlines())
    expected = sum(read_trees(trace)[0])
    # Large times have fewer digits in the trace, and an interrupt takes time of a call.
    assert 0.99 < total / expected < 1.01, (total, expected)


def check_json(report, trace):
    events = json.loads(report.run(trace, '--json').stdout)['traceEvents']
    events = [event for event in events if event['ph'] == 'X']
    assert len(events) == read_trees(trace)[1], (len(events), read_trees(trace)[1])
    assert {'name', 'ph', 'ts', 'dur', 'pid', 'tid', 'args'} == set(events[0])
    assert any('error' in event['args'] for event in events)
    check_nesting([event for event in events if event['tid'] < 4194304])


def check_nesting(events):
    """Each call is in the one that encloses it, and behind the one before it."""
    ends = [(-1, float('inf'))]
    behind = 0
    for event in events:
        depth, end = event['args']['depth'], event['ts'] + event['dur']
        while ends[-1][0] >= depth:
            behind = ends.pop()[1]
        assert event['ts'] >= behind - 0.001 and end <= ends[-1][1] + 0.001, event
        behind = event['ts']
        ends.append((depth, end))


def check_html(report, trace):
    page = report.run(trace, '--html').stdout.decode()
    tree = xml.etree.ElementTree.fromstring(page)
    calls = [e for e in tree.iter() if e.get('class') == 'call']
    assert len(calls) == read_trees(trace)[1]
    # It refers to no other file. An argument of a function may have the name src.
    assert not any(e.get('src') or e.get('href') for e in tree.iter())


def check_damaged(report, trace):
    """Files that are cut off, and files with wrong bytes"""
    data = trace.encode()
    for size in random.Random(1).sample(range(len(HEAD), len(data) - 10), 40):
        for form in FORMS:
            done = report.run(data[:size], form)
            assert done.returncode == 0, done.stderr
            assert b'the end is missing' in done.stderr
    for seed in range(100):
        rand = random.Random(seed)
        wrong = bytearray(data[:100000])
        for _ in range(rand.randrange(1, 300)):
            wrong[rand.randrange(len(HEAD), len(wrong))] = rand.randrange(256)
        for form in FORMS:
            assert report.run(bytes(wrong), form).returncode == 0, seed
    done = report.run(b'something\n')
    assert done.returncode == 125 and b'not a file of fgraph record' in done.stderr


def record():
    """The trace that a guest records"""
    with tempfile.NamedTemporaryFile('w', suffix='.sh') as script:
        script.write(SCRIPT)
        script.flush()
        boot = ['make', '-s', '-C', TOP, 'boot', 'ARCH=x86_64', f'SCRIPT={script.name}']
        env = {name: value for name, value in os.environ.items()
               if name in ('PATH', 'HOME', 'BUILD', 'LINUX')}
        guest = subprocess.run(boot, env=env, stdin=subprocess.DEVNULL, check=False,
                               stdout=subprocess.PIPE)
    text = guest.stdout.decode(errors='replace')
    return text[text.index(HEAD):]


def main():
    with tempfile.TemporaryDirectory() as directory:
        report = Report(compile_program(directory), directory)
        trace = record()
        for name, check in (('reads each kind of line', lambda: check_lines(report)),
                            ('prints stacks whose times add up',
                             lambda: check_folded(report, trace)),
                            ('prints JSON', lambda: check_json(report, trace)),
                            ('prints HTML', lambda: check_html(report, trace)),
                            ('reads damaged files', lambda: check_damaged(report, trace))):
            try:
                check()
                print(f'ok x86_64 fgraph report {name}')
            except (AssertionError, ValueError, KeyError, xml.etree.ElementTree.ParseError) as e:
                print(f'# {e!r}'[:2000])
                print(f'not ok x86_64 fgraph report {name}')
        if len(sys.argv) > 1:
            with open(sys.argv[1], 'w', encoding='utf-8') as file:
                file.write(trace)


main()
