#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# Breaks what the list "mutants" says, one at a time, and runs the test that must fail then:
# alone, and once before on what is not broken. $ONLY contains names of mutants or patterns
# of names. Prints a table; fails unless each test turned red. All is done in copies of
# $KERNEL and $OUT in $BUILD/mutants, where the logs stay. Called by the Makefile.

import fcntl
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LIST = f'{HERE}/mutants'
TEST = r'(kunit \S+ \S+|ftracetest \S+|host .+)'
SECONDS = '300'
ROW = '{:27} {:37} {:66} {:8} {:>4}'

build, kernel, out, guest = (os.environ[name] for name in ('BUILD', 'KERNEL', 'OUT', 'GUEST'))
top = f'{build}/mutants'
tree, copy = f'{top}/linux', f'{top}/{os.path.basename(out)}'


def fail(why):
    sys.exit(f'error: {why}')


def run(*command, **kwargs):
    return subprocess.run(command, check=True, **kwargs)


def read_list(only):
    """Name, path, test, text of the file before and after, of each mutant."""
    with open(LIST, encoding='utf-8') as file:
        text = re.sub(r'^#.*\n', '', file.read(), flags=re.M)
    names = set()
    for block in filter(str.strip, re.split(r'\n\n+', text)):
        head, test, *lines = block.strip('\n').split('\n') + ['', '']
        lines = [line for line in lines if line]
        if not re.fullmatch(r'\S+ \S+', head) or not re.fullmatch(TEST, test) or \
           not all(line[:2] in ('- ', '+ ') for line in lines):
            fail(f'{LIST}: "{head}": not a name and a file, a test, and lines of "- " and "+ "')
        name, path = head.split()
        if name in names:
            fail(f'{LIST}: {name} is there twice')
        names.add(name)
        old, new = ('\n'.join(line[2:] for line in lines if line[0] == c) for c in '-+')
        if not os.path.exists(f'{tree}/{path}'):
            fail(f'{LIST}: {name}: there is no {path}')
        with open(f'{tree}/{path}', encoding='utf-8') as file:
            before = file.read()
        if not old or before.count(old) != 1:
            fail(f'{LIST}: {name}: {path} has its old text {before.count(old)} times, not once')
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in only.split()):
            yield name, path, test, before, before.replace(old, new)


def copy_build():
    """The commands of the copied build have absolute names."""
    if os.path.exists(copy):
        return
    run('make', '-f', f'{HERE}/Makefile', 'build', 'MODULES=1', stdout=sys.stderr)
    run('flock', '-s', f'{out}/.lock', 'cp', '-a', out, f'{copy}.part')
    run('cp', '-a', '--parents', os.path.relpath(guest, build), top, cwd=build)
    run('find', f'{copy}.part', '-name', '.*.cmd', '-exec', 'sed', '-i',
        f's,{kernel}/,{tree}/,g; s,{out}/,{copy}/,g', '{}', '+')
    os.rename(f'{copy}.part', copy)


def try_test(test, log):
    """passed, red if the test says so, or broken if it says nothing or was skipped."""
    kind, *args = test.split(' ')
    make = ['make', '--no-print-directory', '-f', f'{HERE}/Makefile', kind, 'SMP=2',
            'MODULES=1', f'KERNEL={tree}', f'BUILD={top}']
    env = dict(os.environ, PATIENCE=SECONDS)
    if kind == 'host':
        name = 'host signatures ' + ' '.join(args)
        env.update(KERNEL=tree, TRY=' '.join(args))
        command = ['timeout', SECONDS,
                   f'{tree}/tools/testing/selftests/ftrace/signatures/test.sh']
    elif kind == 'kunit':
        name = args[1]
        command = make + [f'SUITE={args[0]}', f'CASE={name}']
    else:
        name = '(fgraph - |Kprobe |Kretprobe ).*'
        command = make + [f'TESTS={args[0]}']
    if kind != 'host':
        copy_build()
    with open(log, 'w', encoding='utf-8') as file:
        status = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=file,
                                stderr=file, check=False).returncode
    with open(log, encoding='utf-8', errors='replace') as file:
        text = file.read()
    if re.search(rf'^(not ok|.*\[FAILED\]) {name}$', text, re.M):
        return 'red'
    passed = status == 0 and re.search(rf'^(ok|.*\[PASSED\]) {name}$', text, re.M)
    return 'passed' if passed else 'broken'


def put(path, text):
    """make compiles what is newer, so each text is a new file."""
    path = f'{tree}/{path}'
    with open(f'{path}.new', 'w', encoding='utf-8') as file:
        file.write(text)
    shutil.copymode(path, f'{path}.new')
    os.rename(f'{path}.new', path)


def try_mutants(only):
    """Print a row for each mutant, and return how many there are, and are not red."""
    mutants = list(read_list(only))
    if not mutants:
        fail(f'ONLY={only}: {LIST} has no such mutant')
    unbroken, survived = {}, 0
    print(ROW.format('mutant', 'file', 'test', 'result', 'seconds'))
    for name, path, test, before, after in mutants:
        start = time.time()
        if test not in unbroken:
            unbroken[test] = try_test(test, f'{top}/{name}.unbroken.log')
        verdict = f'{unbroken[test]} before'
        if unbroken[test] == 'passed':
            put(path, after)
            verdict = try_test(test, f'{top}/{name}.log')
            put(path, before)
        survived += verdict != 'red'
        print(ROW.format(name, path, test, verdict, round(time.time() - start)), flush=True)
    return len(mutants), survived


os.makedirs(top, exist_ok=True)
with open(f'{top}/.lock', 'w', encoding='utf-8') as lock:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        fail(f'another make mutants works in {top}')
    run('find', top, '-mindepth', '1', '-not', '-path', f'{top}/.lock', '-delete')
    # Links are enough: what is changed is another file then.
    run('cp', '-al', kernel, tree)
    try:
        total, survived = try_mutants(os.environ['ONLY'])
    finally:
        run('rm', '-rf', tree, copy, f'{top}/guest')
print(f'{total - survived} red, {survived} not')
sys.exit(survived > 0)
