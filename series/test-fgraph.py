#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Host test: fgraph report, which needs no kernel. It prints traces that are written here,
# and one that an x86_64 guest records, in all forms. Parsers of Python read JSON and HTML, with
# the data in it; test-report.py opens the page.
# It is compiled with sanitizers, and gets files that are cut off or damaged.
# Prints "ok NAME" or "not ok NAME". Part of make test.

import collections
import html.parser
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

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


class Page(html.parser.HTMLParser):
    """The elements of a page, and the text of the one that contains the data"""
    def __init__(self, text):
        super().__init__()
        self.elements, self.data, self.in_data = [], '', False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.in_data = dict(attrs).get('id') == 'data'

    def handle_endtag(self, tag):
        self.in_data = False

    def handle_data(self, data):
        self.data += data if self.in_data else ''


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

    def json(self, trace):
        return json.loads(self.run(trace, '--json').stdout)

    def page(self, trace):
        """The page, and the data in it"""
        done = self.run(trace, '--html')
        assert done.returncode == 0, done.stderr
        page = Page(done.stdout.decode())
        return page, json.loads(page.data)

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
    nested = [entry(0, 'a(x=1, y=0x1 ("b\\x29; c\\x2c")) {'),
              entry(1, 'b [mod](); /* ret=-5 (EIO) */', us='3.000'),
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
    # Without a name in its lines, record may know it.
    lines = [line.replace('cat-57', '<...>-57') for line in nested]
    assert report.folded(lines) == {'<...>;a': 7500, '<...>;a;b [mod]': 3000}
    assert report.folded(['# name: 57 cat x', *lines]) == {'cat x;a': 7500,
                                                           'cat x;a;b [mod]': 3000}
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


# The head of a file, and what the forms say of it
TOLD = {'kernel': 'Linux 6.1.0 x86_64', 'host': 'build"7', 'date': '2024-03-01T14:05:09+01:00',
        'command': 'ls </script><b> & "a\\b"'}


def check_head(report):
    """What is known about the trace, in each form. Older files say less."""
    head = ''.join(f'# {name}: {value}\n' for name, value in TOLD.items())
    # The first call takes 10.5 us, and another one begins 1 s later.
    lines = [entry(0, 'a() {'), entry(1, 'b(); /* ret=-5 (EIO) */', us='3.000'),
             entry(0, '} /* a ret=-5 (EIO) */', us='10.500').replace('1.000000', '1.000011'),
             'CPU:0 [LOST 7 EVENTS]', entry(0, 'c();', us='2.000').replace('1.0', '2.0')]
    trace = HEAD + head + '\n'.join(lines) + '\n# lost: 7\n# unknown: 1\n# end\n'
    assert report.run(trace).stdout.decode() == head + '\n'.join(lines) + '\n'
    expected = dict(TOLD, duration_ns=1000001500, calls=3, errors=1, lost=7,
                    complete=True)
    assert report.json(trace)['otherData'] == expected, report.json(trace)['otherData']
    shown = report.page(trace)[1]['head']
    assert shown == dict(expected, left_out=0), shown
    old = report.page(HEAD + END)[1]
    assert set(old['head']) == {'duration_ns', 'calls', 'errors', 'lost', 'complete', 'left_out'}
    assert old['calls'] == [] and not report.run(HEAD + END).stdout


def check_json(report, trace):
    events = report.json(trace)['traceEvents']
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


# The fields of a call in a page. A root, which no call encloses, has those from PID on.
DEPTH, BEGIN, NS, NAME, TEXT, RECORDED, NOTE, ERROR, CHAIN, PID, TASK, SYSCALL = range(12)


def read_calls(trace):
    """Each call that returned: its function and its error"""
    for line in trace.splitlines():
        found = re.search(r'\| +[0-9.]+ us +\|  *(?:} /\* )?(([^ (/}]+).*)$', line)
        if found:
            error = re.search(r' ret=(?:-|0xf)[0-9a-f]+ \((E[A-Z0-9]+)\)[^()]*$', found[1])
            yield found[2], error[1] if error else 0


def check_html(report, trace):
    page, data = report.page(trace)
    calls = data['calls']
    roots = [call for call in calls if not call[DEPTH]]
    assert len(calls) == data['head']['calls'] == read_trees(trace)[1]
    assert len(roots) == len(read_trees(trace)[0])
    assert all(len(call) == (9 if call[DEPTH] else 12) for call in calls)
    # It refers to no other file, and no text of the trace is an element.
    assert not any('src' in attrs or 'href' in attrs for _, attrs in page.elements)
    assert page.elements == report.page(HEAD + END)[0].elements
    failed = [call for call in roots if call[ERROR]]
    assert len(failed) == data['head']['errors']
    assert all(call[CHAIN] for call in failed)
    check_recorded(trace, calls)


def check_recorded(trace, calls):
    """The functions and their errors are in the trace. System calls have other names."""
    recorded = collections.Counter(read_calls(trace))
    shown = collections.Counter()
    for call in calls:
        syscall = not call[DEPTH] and call[SYSCALL]
        func = call[RECORDED if syscall else NAME]
        shown[re.match(r'[^ (]+', func)[0], call[ERROR]] += 1
    # A call whose entry was lost is in the trace alone.
    assert shown and not shown - recorded, shown - recorded


FIELDS = '\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;' + ''.join(
    f' \tfield:{field};\toffset:{16 + 8 * i};\tsize:8;\tsigned:0;' for i, field in enumerate((
        'int dfd', 'const char * filename', 'int flags', 'umode_t mode')))
OPENAT = f'# syscall: __x64_sys_openat {FIELDS} \n'


def check_syscalls(report):
    """System calls in words, interrupts, the chain of an error"""
    registers = 'regs=0xffff888000b57f58 (0xffffff9c 0x7ffd1234 0x80000 0x0)'
    lines = [entry(0, f'__x64_sys_openat({registers}) {{'),
             entry(1, 'do_filp_open(dfd=-100, pathname=0xffff888000b57f00 ("/no")) {'),
             entry(2, 'ok(); /* ret=0 slept=1.500us */', us='3.000'),
             entry(4, 'irq_enter_rcu(); /* ret=-5 (EIO) */', us='1.000'),
             entry(2, 'walk(name=0xffff888000b57f00 ("/no")); /* ret=-2 (ENOENT) */', us='3.000'),
             entry(1, '} /* do_filp_open ret=-2 (ENOENT) */', us='8.000'),
             entry(0, '} /* __x64_sys_openat ret=-2 (ENOENT) missed */', us='10.500')]
    data = report.page(HEAD + OPENAT + '\n'.join(lines) + '\n' + END)[1]
    interrupt, root, *inner = data['calls']
    assert interrupt[NAME] == 'irq_enter_rcu' and interrupt[PID:] == [57, 'cat', 0]
    assert root[NAME] == 'openat' and root[PID:] == [57, 'cat', 1]
    assert root[TEXT] == ('(dfd=AT_FDCWD, filename="/no", flags=O_RDONLY|O_CLOEXEC, mode=0) = '
                          '-2 (ENOENT)'), root
    assert root[RECORDED] == f'__x64_sys_openat({registers}) = -2 (ENOENT)'
    assert root[NOTE] == 'its calls were not recorded'
    assert [call[CHAIN] for call in (root, *inner)] == [1, 2, 0, 2]
    assert inner[0][TEXT] == '(dfd=-100, pathname="/no") = -2 (ENOENT)'
    assert inner[1][RECORDED:ERROR] == [0, 'asleep 1.5 us']
    assert data['head']['errors'] == 2 and data['head']['calls'] == 5


def check_names(report):
    """Names that would end the script, the text or the line, in each place"""
    empty = report.page(HEAD + END)[0]
    for name in (b'</script><b>', b'<!--<script>', b'"\\"', b"'&amp;`${1}", b'\xff\xfe',
                 b'\xe2\x80', b'\xed\xa0\x80', b'\x1b[31m', b'\x01', b'\xe2\x80\xae',
                 '…ü\U0001f600'.encode(), b'@CALLS@', b'%s%n'):
        lines = [entry(0, 'a(x=0x1 ("NAME"), y=1) {'),
                 entry(1, 'b(); /* ret="NAME" */', us='3.000'),
                 entry(0, '} /* a ret=-5 (EIO) */', us='10.500')]
        trace = HEAD + '# command: NAME\n# host: NAME\n# kernel: NAME\n# date: NAME\n'
        trace += '\n'.join(lines).replace('cat-57', 'NAME-57') + '\n' + END
        page, data = report.page(trace.encode().replace(b'NAME', name))
        assert page.elements == empty.elements, name
        shown = data['head']['host']
        # Control characters, and bytes that are not UTF-8, become "?".
        text = name.decode(errors='ignore')
        clean = ''.join(c for c in text if c >= ' ' and c != '\u202e')
        assert shown.replace('?', '') == clean and ('?' in shown) == (clean.encode() != name), data
        assert {data['head'][key] for key in ('kernel', 'date', 'command')} == {shown}, data
        root, inner = data['calls']
        assert root[TEXT] == f'(x=0x1 ("{shown}"), y=1) = -5 (EIO)', data
        assert inner[TEXT] == f'() = "{shown}"' and root[ERROR] == 'EIO', data
        assert root[TASK] == shown.encode()[:15].decode(errors='ignore'), data


def check_limit(report):
    """A page has at most so many calls. The summary counts all."""
    tree = [entry(0, 'a() {'), *[entry(1, 'b();', us='1.000')] * 999,
            entry(0, '} /* a */', us='2000')]
    trace = HEAD + '\n'.join(tree * 202) + '\n' + END
    data = report.page(trace)[1]
    assert len(data['calls']) == 200000 and data['head']['left_out'] == 2, data['head']
    assert data['head']['calls'] == 202000
    assert b'2 system calls are left out' in report.run(trace, '--html').stderr


def check_damaged(report, trace):
    """Files that are cut off, and files with wrong bytes"""
    data = trace.encode()
    for size in random.Random(1).sample(range(len(HEAD), len(data) - 10), 20):
        for form in FORMS:
            done = report.run(data[:size], form)
            assert done.returncode == 0, done.stderr
            assert b'the end is missing' in done.stderr
    for seed in range(30):
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


def trace_of(calls, pid=57, name='cat'):
    """The lines of calls: each is its text, its result, and the calls in it."""
    lines = []

    def add(depth, text, ret, inner):
        line = f'    1.000000 |   {f"{name}-{pid}":11} | '
        func = text.split('(')[0]
        if inner:
            lines.append(f'{line}{"":12} |  {"  " * depth}{text} {{')
            for call in inner:
                add(depth + 1, *call)
            lines.append(f'{line}{"1.000 us":12} |  {"  " * depth}}} /* {func} ret={ret} */')
        else:
            lines.append(f'{line}{"1.000 us":12} |  {"  " * depth}{text}; /* ret={ret} */')

    for call in calls:
        add(0, *call)
    return '\n'.join(lines) + '\n'


def compare(report, good, bad, *options):
    """What diff prints of two sides, of which each is one trace or several"""
    sides = []
    for side, traces in (('good', good), ('bad', bad)):
        names = []
        for trace in [traces] if isinstance(traces, str) else traces:
            names.append(f'{report.file}.{side}.{len(names)}')
            with open(names[-1], 'w', encoding='utf-8') as file:
                file.write(HEAD + trace + END)
        sides.append(','.join(names))
    env = dict(os.environ, ASAN_OPTIONS='detect_leaks=0')
    done = subprocess.run([report.program, 'diff', *options, *sides], env=env,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def parts(report, good, bad):
    """The weight of each difference, and the function where the runs part"""
    answer = json.loads(compare(report, good, bad, '--json'))
    return [(difference['weight'], difference['part']['function'])
            for difference in answer['differences']]


def check_part(report):
    """The deepest call that both runs have, and that had another result"""
    def run(*inner, ret=0, before=()):
        return trace_of([*before, ('open(name=0xffff888001234567 ("x"))', ret, inner)])

    read = ('read(fd=3)', 5, ())
    ok, error = ('check(mode=4)', 0, ()), ('check(mode=4)', '-13 (EACCES)', ())
    assert parts(report, run(ok), run(ok)) == []
    # Other addresses, long numbers and the ID of the thread are no differences.
    bad = run(ok).replace('ffff888001234567', 'ffff888007654321')
    assert parts(report, run(ok), bad) == []
    times = [trace_of([(f'getpid(ns={ns}, pid={pid})', pid, ())], pid)
             for ns, pid in ((1234567890, 57), (2234567890, 61))]
    assert parts(report, *times) == []
    # Other numbers are, also if they are those of the thread.
    for first, second in ((57, 61), (16777216, 33554432), ('0x1000000', '0x2000000')):
        traces = [trace_of([(f'read(count={size})', 0, ())], pid)
                  for size, pid in ((first, 57), (second, 61))]
        assert parts(report, *traces) == [('minor', 'read')], first
    lost = [trace_of([('open()', '-22 (EINVAL)', ())], pid) for pid in (22, 61)]
    assert parts(report, *lost) == []
    # The same function has other names in other kernels.
    names = [run((f'look.part.{nr}(a=1)', ret, ()), ret=ret)
             for nr, ret in ((0, 0), (1, '-5 (EIO)'))]
    assert parts(report, *names) == [('fails', 'look.part.0')]
    # The error is followed over the last call that returned it.
    bad = run(('look(at=1)', '-13 (EACCES)', ()), ('look(at=1)', '-13 (EACCES)', (error,)),
              ret='-13 (EACCES)')
    good = run(('look(at=1)', '-13 (EACCES)', ()), ('look(at=1)', 0, (ok,)), ret=3)
    assert parts(report, good, bad) == [('fails', 'check')]
    # If none returned it, the first call that had another outcome decides.
    for good_ret, bad_ret in (('true', 'false'), (1, 0), ('0x0', '0xffff888001234567')):
        good = run(('size()', 7, ()), ('is_it()', good_ret, ()), ret=3)
        bad = run(('size()', 8, ()), ('is_it()', bad_ret, ()), ret='-1 (EPERM)')
        assert parts(report, good, bad) == [('fails', 'is_it')], (good_ret, bad_ret)
    # A call that only the bad run makes returned the error: the runs part before it.
    good = run(('trylock()', 1, ()), ok, ret=3)
    bad = run(('trylock()', 0, ()), ok, ('deny()', '-13 (EACCES)', ()), ret='-13 (EACCES)')
    assert parts(report, good, bad) == [('fails', 'open')]
    assert '+   deny() = -13 (EACCES)' in compare(report, good, bad)
    # An error that was passed on says more.
    good = run(('is_it()', 'true', ()), ok, ('is_it()', 'true', ()), ret=3)
    bad = run(('is_it()', 'false', ()), error, ('is_it()', 'false', ()), ret='-13 (EACCES)')
    assert parts(report, good, bad) == [('fails', 'check')]
    # Long lists
    calls = [(f'step(nr={nr})', 0, ()) for nr in range(3000)]
    good = trace_of([('begin()', 1, ()), *calls, ('end()', 1, ())])
    calls[1500] = ('step(nr=1500)', '-5 (EIO)', ())
    more = [(f'more(nr={nr})', 0, ()) for nr in range(200)]
    answer = json.loads(compare(report, good, trace_of([*more, *calls, more[0]]), '--json'))
    assert (answer['equal'], answer['differences'][0]['part']['function'],
            len(answer['differences'])) == (2999, 'step', 204), answer['equal']
    # Calls in one run alone do not hide it, however many there are.
    for nr in (1, 300, 5000):
        more = [(f'extra(nr={i})', 0, ()) for i in range(nr)]
        bad = run(error, ret='-13 (EACCES)', before=[*more, read])
        assert parts(report, run(ok, ret=3, before=[read]), bad)[0] == ('fails', 'check')
        assert f'… and {nr - 10} more' in compare(report, run(ok, ret=3, before=[read]), bad) or \
            nr == 1
    # A system call that the good run lacks
    bad = trace_of([read, ('close(fd=3)', '-9 (EBADF)', ())])
    assert parts(report, trace_of([read]), bad) == [('fails alone', 'close')]


def check_chance(report):
    """What differs between runs of one side is left out, but not an error."""
    def run(size, ret, number=1):
        return trace_of([('size(of=1)', size, ()), (f'number(n={number})', 0, ()),
                         ('new()', ret, ())])

    good, bad = run(7, 61), run(8, '-11 (EAGAIN)', 2)
    assert parts(report, good, bad) == [('fails', 'new'), ('minor', 'size'), ('minor', 'number')]
    assert parts(report, [good, run(9, 62, 3)], bad) == [('fails', 'new')]
    assert parts(report, good, [bad, run(9, '-11 (EAGAIN)', 3)]) == [('fails', 'new')]
    # Another error is not chance.
    for other in ('', run(7, '-5 (EIO)')):
        good_runs = [trace_of([('new()', 61, ())]), other or trace_of([('old()', 0, ())])]
        assert parts(report, good_runs, trace_of([('new()', '-11 (EAGAIN)', ())])) == \
            [('fails', 'new')]
    # The call also fails in a good run: it is not the reason.
    assert parts(report, [good, run(7, '-11 (EAGAIN)')], bad) == [('minor', 'size'),
                                                                  ('minor', 'number')]


def check_threads(report):
    """Threads are paired by their names and first system calls."""
    ok, error = ('look(at=1)', 0, ()), ('look(at=1)', '-2 (ENOENT)', ())
    parent, child = [('first()', 0, ()), ok], [('second()', 0, ())]
    good = trace_of(parent, 57, 'sh') + trace_of(child, 58, 'sh')
    bad = trace_of(child, 61, 'sh') + trace_of([parent[0], error], 60, 'sh')
    assert ('fails', 'look') in parts(report, good, bad)
    # A thread that only the bad run has
    bad = trace_of(parent, 57, 'sh') + trace_of([error], 58, 'helper')
    assert parts(report, trace_of(parent, 57, 'sh'), bad) == [('fails alone', 'look')]
    bad = trace_of([parent[0], error], 60, 'true')
    assert parts(report, trace_of(parent, 57, 'sh'), bad) == [('fails', 'look')]


def check_diff_forms(report, trace):
    """The forms of a difference, and damaged files"""
    good = trace_of([('open(name="<a>")', 3, (('check(x=1)', 0, ()),))])
    bad = trace_of([('open(name="<b>")', '-13 (EACCES)', (('check(x=1)', '-13 (EACCES)', ()),))])
    text = compare(report, good, bad)
    assert text.endswith('- open(name="<a>")\n+ open(name="<b>")\n-   check(x=1) = 0\n'
                         '+   check(x=1) = -13 (EACCES)\n'), text
    page = Page(compare(report, good, bad, '--html'))
    assert ('tr', {'class': 'part'}) in page.elements
    assert not any(tag in ('a', 'b', 'script') for tag, _ in page.elements), page.elements
    partial = report.run(HEAD + '# code: vmlinux +0x1 a+0x0/0x1\n' + good + END)
    assert partial.returncode == 0
    done = subprocess.run([report.program, 'diff', report.file, report.file], check=False,
                          capture_output=True, text=True)
    assert done.returncode == 125 and 'record -k left calls out' in done.stderr, done.stderr
    body = trace[len(HEAD):]
    for seed in range(30):
        chance = random.Random(seed)
        damaged = bytearray(body[:200000].encode())
        for _ in range(chance.randrange(1, 200)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        for form in ([], ['--json'], ['--html'], ['-v']):
            compare(report, body[:200000], damaged.decode(errors='replace').replace('\0', '?'),
                    *form)


def ask(report, name, *options):
    """The answer of why about one of the seeds."""
    env = dict(os.environ, ASAN_OPTIONS='detect_leaks=0')
    done = subprocess.run(
        [report.program, 'why', '-i', f'{TOP}/tools/tracing/fgraph/tests/seeds/traces/{name}',
         *options], env=env, capture_output=True, text=True, check=True)
    assert 'damaged' not in done.stderr, done.stderr
    return done.stdout


def check_only(report):
    """A path that the trace has cut or escaped is still found by its name."""
    for path, selected in (('/home/builder/projects/linux/tools/tracing/fgraph/Makefile', 1),
                           ('/home/builder/projects/windows/*', 0), ('/tmp/a(b)', 1),
                           ('/tmp/*', 2), ('/*', 3), ('EACCES', 3), ('13', 3), ('13x', 0),
                           ('-2147483648', 0), ('open*', 3), ('open*,/tmp/*,ENOENT', 0)):
        answer = ask(report, 'paths.trace', f'--only={path}')
        assert f', {selected} of them selected' in answer, (path, answer)


def check_reuse(report):
    """A thread that has the ID of one that ended is another one."""
    answer = ask(report, 'stale.trace')
    assert 'good[60]' in answer and 'bad[60]' not in answer, answer
    processes = re.findall(r'^(\w+\[\d+\])$', ask(report, 'reuse.trace', '--by-process'),
                           re.MULTILINE)
    assert processes == ['java[57]', 'cat[58]'], processes


def check_boot(report):
    """A trace that the kernel printed: drivers, whose errors really_probe() negates."""
    answer = ask(report, 'boot.trace', '--boot')
    for line in (r'fgraph: 5 calls failed', r'really_probe\(.*\) = 22 \(EINVAL\) .*\n.* → '
                 r'devm_platform_ioremap_resource\(.*\) = -22 \(EINVAL\)\n  kernel: .*resource',
                 r'really_probe\(.*\) = -517 \(EPROBE_DEFER\) .* \(2 times, the last:\)\n'
                 r'  device_links_check_suppliers', r'really_probe\(dev="fgraph_driver", '
                 r'drv="fgraph_driver"\) = 6 \(ENXIO\)', r'.* there is no device:\n'
                 r'  do_one_initcall\(fn=hpet_late_init\) = -19 \(ENODEV\)$'):
        assert re.search(f'^{line}', answer, re.MULTILINE), (line, answer)
    # It succeeded, although functions in it failed.
    assert 'virtio' not in answer, answer
    # The kernel recorded the calls around it, too.
    answer = ask(report, 'boot.trace', '--boot', '-r', 'devm_platform_ioremap_resource')
    assert re.search(r'^devm_platform_ioremap_resource\(.*\) = -22 \(EINVAL\)', answer,
                     re.MULTILINE), answer


def check_work(report):
    """A worker that was there before the trace, and tasks that are not traced, queue work, too."""
    answer = ask(report, 'work.trace')
    shown = re.findall(r'^work (\w+)\(\), -5 \(EIO\) ended in it .*\n.*\n  (.*)$', answer,
                       re.MULTILINE)
    expected = [(name, 'in work queued by sh[57]') for name in ('of_the_command', 'of_its_work')]
    assert shown == expected, answer
    assert 'fgraph: 2 calls failed' in answer, answer


def check_handlers(report):
    """Handlers of timers and interrupts return no error. A function that succeeds handled it."""
    answer = ask(report, 'timer.trace', '-r', 'on_*')
    shown = re.findall(r'^(\w+)\(\) = \d \(\w+\), -\d \((\w+)\) ended in it ', answer,
                       re.MULTILINE)
    assert shown == [('on_timer', 'EIO'), ('on_interrupt', 'ENXIO')], answer
    assert 'on_call' not in answer, answer
    assert '  handled: find_it() = -7 (E2BIG)' in ask(report, 'timer.trace', '-v', '-r', 'on_*')


def check_schema(report, trace):
    """An independent program reads the answers of why, by the schema in its manual page."""
    tests = f'{TOP}/tools/tracing/fgraph/tests'
    traces = glob.glob(f'{tests}/seeds/traces/*')
    with open(report.file, 'w', encoding='utf-8') as file:
        file.write(trace)
    answers = []
    env = dict(os.environ, ASAN_OPTIONS='detect_leaks=0')
    for name in [*traces, report.file]:
        for verbose in ([], ['-v']):
            answers.append(f'{report.file}-{len(answers)}')
            subprocess.run([report.program, 'why', '--json', *verbose, '-i', name, '-o',
                            answers[-1]], env=env, check=True, stderr=subprocess.DEVNULL)
    checked = subprocess.run(
        ['/usr/bin/python3', f'{tests}/check-json.py',
         f'{TOP}/Documentation/tools/fgraph/fgraph-why.rst', *answers],
        capture_output=True, text=True, check=False)
    assert traces and checked.returncode == 0, checked.stderr
    assert any('"chain":[{' in open(answer, encoding='utf-8').read() for answer in answers)


def main():
    with tempfile.TemporaryDirectory() as directory:
        report = Report(compile_program(directory), directory)
        trace = record()
        for name, check in (('reads each kind of line', lambda: check_lines(report)),
                            ('prints stacks whose times add up',
                             lambda: check_folded(report, trace)),
                            ('says what is known about the trace', lambda: check_head(report)),
                            ('prints JSON', lambda: check_json(report, trace)),
                            ('prints HTML', lambda: check_html(report, trace)),
                            ('prints system calls in words', lambda: check_syscalls(report)),
                            ('lets no name harm a page', lambda: check_names(report)),
                            ('limits a page', lambda: check_limit(report)),
                            ('reads damaged files', lambda: check_damaged(report, trace)),
                            ('selects paths by their names', lambda: check_only(report)),
                            ('keeps threads apart', lambda: check_reuse(report)),
                            ('explains a boot', lambda: check_boot(report)),
                            ('knows who queued work', lambda: check_work(report)),
                            ('explains handlers', lambda: check_handlers(report)),
                            ('answers in JSON as its page says',
                             lambda: check_schema(report, trace)),
                            ('finds where runs part', lambda: check_part(report)),
                            ('leaves out what differs by chance', lambda: check_chance(report)),
                            ('pairs threads', lambda: check_threads(report)),
                            ('prints a difference in each form',
                             lambda: check_diff_forms(report, trace))):
            try:
                check()
                print(f'ok x86_64 fgraph report {name}')
            except (AssertionError, ValueError, KeyError, IndexError) as e:
                print(f'# {e!r}'[:2000])
                print(f'not ok x86_64 fgraph report {name}')
        if len(sys.argv) > 1:
            with open(sys.argv[1], 'w', encoding='utf-8') as file:
                file.write(trace)


main()
