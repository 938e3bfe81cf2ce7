#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# places.py [-w WORD] DUMP: whether the signatures of a kernel that GCC compiled have
# each parameter where the ABI has it. WORD is the size of an address in bytes; DUMP
# is what "recordmcount -d vmlinux" prints, or "-" for standard input.
#
# GCC renames each function whose interface it changes. So in one without a suffix, no
# parameter is gone, unless it is floating point, and no two are in one word. Where
# each takes one word, and the result is in registers, they are in the order in which
# they were declared. Prints each that is not, and how many there are.

import argparse
import re
import sys

from signature import Signature

CLONE = re.compile(r'\.(isra|constprop|part|cold|localalias)\b')
FLOATING = 'fde'
# Types whose values can be in memory, in several words, or in none
AGGREGATES = 'SUA'


def faults(signature, word):
    """What is wrong with the places of the parameters"""
    taken, plain = {}, signature.result.letter not in AGGREGATES + FLOATING
    for i, param in enumerate(signature.params):
        if param.letter in FLOATING:
            plain = False
            continue
        plain = plain and param.letter not in AGGREGATES and param.size <= word
        if param.gone:
            yield f'{param.name} is gone'
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
        # The first string of a site is the signature; those of enums follow.
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
    print(f'places: {functions} functions, {wrong} with a parameter that is not where the ABI '
          f'has it, {unknown} parameters of unknown place; {clones} clones')
    return 0 if functions and not wrong else 1


if __name__ == '__main__':
    sys.exit(main())
