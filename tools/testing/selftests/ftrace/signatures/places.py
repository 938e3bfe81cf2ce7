#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# places.py [-w WORD] DUMP: checks that the signatures of a kernel compiled by GCC contain
# the places of the ABI. WORD is the size of an address in bytes. DUMP is a file with the
# output of "recordmcount -d vmlinux", or "-" for standard input.
#
# GCC renames each function whose interface it changes. So in a function without a suffix,
# only floating-point parameters can be missing, and no two parameters are in the same word.
# If each parameter takes one word, and the result is in registers, the parameters are in
# the order of their declaration. Prints each violation and the number of functions with
# violations.

import argparse
import re
import sys

from signature import Signature

CLONE = re.compile(r'\.(isra|constprop|part|cold|localalias)\b')
FLOATING = 'fde'
# Types whose values can be in memory, in several words, or in no word
AGGREGATES = 'SUA'


def faults(signature, word):
    """Yields a description of each wrong place of a parameter."""
    taken, plain = {}, signature.result.letter not in AGGREGATES + FLOATING
    for i, param in enumerate(signature.params):
        if param.letter in FLOATING:
            plain = False
            continue
        plain = plain and param.letter not in AGGREGATES and param.size <= word
        if param.gone:
            yield f'{param.name} is optimized out'
        if not param.known:
            continue
        for at in range(param.word, param.word + param.words):
            if at in taken:
                yield f'{param.name} is in word {at}, and {taken[at]} as well'
            taken[at] = param.name
        if plain and param.word != i:
            yield f'{param.name} is in word {param.word}, not {i}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('dump', type=argparse.FileType('r', errors='surrogateescape'))
    parser.add_argument('-w', '--word', type=int, choices=[4, 8], default=8)
    options = parser.parse_args()
    functions = clones = unknown = wrong = 0
    last = None
    for line in options.dump:
        address, name, text = line.rstrip('\n').split(' ', 2)
        # The first string of a site is the signature. The strings of its enums follow.
        if address == last:
            continue
        last = address
        if CLONE.search(name):
            clones += 1
            continue
        signature = Signature(text, options.word)
        functions += 1
        unknown += sum(not p.known and not p.gone for p in signature.params)
        found = list(faults(signature, options.word))
        wrong += bool(found)
        for fault in found:
            print(f'{name}: {fault}: {text}')
    print(f'places: {functions} functions, {wrong} with a parameter that is not in its place '
          f'of the ABI, {unknown} parameters of unknown place; {clones} clones')
    return 0 if functions and not wrong else 1


if __name__ == '__main__':
    sys.exit(main())
