# SPDX-License-Identifier: GPL-2.0
#
# Runs in gdb, with an object that contains debug information. Compares the members of each
# struct with those in gdb, which has its own reader of DWARF.
#
#   gdb -batch -x members_truth.py file.o
#
# The environment variable MEMBERS names a file with the output of "recordmcount -m file.o".
# Prints each difference and the number of differences.

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from members import Descriptions  # pylint: disable=wrong-import-position

CODES = {'S': gdb.TYPE_CODE_STRUCT, 'U': gdb.TYPE_CODE_UNION, 'C': gdb.TYPE_CODE_ENUM,
         'P': gdb.TYPE_CODE_PTR, 'A': gdb.TYPE_CODE_ARRAY, 'F': gdb.TYPE_CODE_FUNC,
         'v': gdb.TYPE_CODE_VOID, 'b': gdb.TYPE_CODE_BOOL, 'f': gdb.TYPE_CODE_FLT,
         'd': gdb.TYPE_CODE_FLT, 'e': gdb.TYPE_CODE_FLT}
KEYWORDS = {'S': 'struct', 'U': 'union', 'C': 'enum'}


class Mismatch(Exception):
    """A difference between a description and gdb"""


def require(same, what, have, want):
    if not same:
        raise Mismatch(f'{what}: {have}, gdb has {want}')


def without_qualifiers(kind):
    return kind.strip_typedefs().unqualified()


def typedefs(kind):
    """Returns the names of the typedefs that lead to a type."""
    names = []
    kind = kind.unqualified()
    while kind.code == gdb.TYPE_CODE_TYPEDEF:
        names.append(kind.name)
        kind = kind.target().unqualified()
    return names


def array_length(kind):
    """Returns the number of elements. In gdb, the range of [] is that of [1]."""
    low, high = kind.range()
    if kind.target().sizeof and not kind.sizeof:
        return 0
    return max(high - low + 1, 0)


def signed(kind):
    """Returns true if an integer of this type can be negative."""
    if kind.code == gdb.TYPE_CODE_ENUM:
        return any(field.enumval < 0 for field in kind.fields())
    return 'unsigned' not in kind.name and kind.name != 'char'


def is_describable(field):
    """Returns false for a member that the format cannot describe."""
    kind = without_qualifiers(field.type)
    while kind.code == gdb.TYPE_CODE_ARRAY:
        kind = without_qualifiers(kind.target())
    return field.bitsize <= 64 and kind.code != gdb.TYPE_CODE_COMPLEX


class Comparison:
    """Compares the types of a description with those of gdb."""

    def __init__(self, descriptions):
        self.descriptions, self.members = descriptions, 0

    def compare_integer(self, what, letter, kind):
        require(self.descriptions.size_of_letter(letter) == kind.sizeof, f'{what}: size', letter,
                kind.sizeof)
        if letter in 'bc':
            return
        require((letter in 'asilxn') == signed(kind), f'{what}: sign', letter, kind)

    def compare_pointer(self, what, have, kind):
        to, letter = without_qualifiers(kind.target()), have.target.letter
        if letter == 'u':
            return
        nameless = to.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION) and not to.tag and \
            not typedefs(kind.target())
        if nameless:
            require(letter == 'v', f'{what}: pointer to no name', letter, to)
        else:
            self.compare_type(f'{what}*', have.target, kind.target(), True)

    def compare_type(self, what, have, kind, pointer=False):
        names, kind = typedefs(kind), without_qualifiers(kind)
        for name in have.names:
            require(name in [n[:78] for n in names], f'{what}: typedef', name, names)
        tagged = kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_ENUM)
        if tagged:
            require(have.names[:1] == names[:1], f'{what}: first typedef', have.names, names)
        letter = have.letter
        if letter == 'v' and pointer:
            require(kind.code == gdb.TYPE_CODE_VOID, f'{what}: void', letter, kind)
            return
        code = CODES.get(letter, gdb.TYPE_CODE_INT)
        if letter == 'c' and kind.code == gdb.TYPE_CODE_CHAR:
            code = kind.code
        require(code == kind.code, f'{what}: kind', letter, f'{kind} {kind.code}')
        if letter == 'A':
            require(have.length == array_length(kind), f'{what}: length', have.length,
                    array_length(kind))
            self.compare_type(f'{what}[]', have.element, kind.target(), pointer)
        elif letter == 'P' and not have.names:
            self.compare_pointer(what, have, kind)
        elif letter == 'C':
            self.compare_integer(what, have.base, kind)
        elif code == gdb.TYPE_CODE_INT and letter != 'u':
            self.compare_integer(what, letter, kind)
        if tagged and not have.names:
            require(have.tag == (kind.tag or '')[:78], f'{what}: tag', have.tag, kind.tag)
        if have.struct:
            self.compare_struct(what, have.struct, kind)

    def compare_member(self, what, have, field):
        what = f'{what}.{have.name}'
        require(have.name == (field.name or '')[:78], f'{what}: name', have.name, field.name)
        require(8 * have.offset + have.first == field.bitpos, f'{what}: bit',
                8 * have.offset + have.first, field.bitpos)
        require((have.width or 0) == field.bitsize, f'{what}: width', have.width, field.bitsize)
        self.compare_type(what, have.type, field.type)
        self.members += 1

    def compare_struct(self, what, have, kind):
        require(have.size == kind.sizeof, f'{what}: size', have.size, kind.sizeof)
        fields = [field for field in kind.fields() if is_describable(field)]
        require(len(have.members) == len(fields), f'{what}: members',
                [m.name for m in have.members], [f.name for f in fields])
        for member, field in zip(have.members, fields):
            self.compare_member(what, member, field)

    def compare_enum(self, have, kind):
        self.compare_integer(have.key, have.letter, kind)
        texts, following = [], 0
        for field in kind.fields():
            texts.append(field.name + (f'={field.enumval}' if field.enumval != following else ''))
            following = field.enumval + 1
        require(have.enumerators.rstrip(',') in ('', ','.join(texts)), have.key,
                have.enumerators, texts)

    def compare(self, have):
        letter, name = have.key[0], have.key[1:]
        kind = gdb.lookup_type(name if letter == 'T' else f'{KEYWORDS[letter]} {name}')
        kind = without_qualifiers(kind)
        if have.another:
            other = have.another[1:]
            require(other in [kind.tag, *typedefs(gdb.lookup_type(name))], have.key, other, kind)
        elif have.enumerators is None:
            self.compare_struct(have.key, have.struct, kind)
        else:
            self.compare_enum(have, kind)


def main():
    word = gdb.lookup_type('long').sizeof
    with open(os.environ['MEMBERS'], encoding='ascii', errors='surrogateescape') as file:
        descriptions = Descriptions(file.read().splitlines(), word)
    comparison = Comparison(descriptions)
    equal, different, several = 0, 0, 0
    for same in descriptions.all.values():
        # gdb finds only one of several types with this name.
        several += len(same) > 1
        for have in same if len(same) == 1 else []:
            try:
                comparison.compare(have)
                equal += 1
            except (Mismatch, gdb.error) as error:
                different += 1
                print(f'{have.key}: {error}')
    print(f'{equal} strings with {comparison.members} members agree with gdb, {different} do '
          f'not; {several} names with several types')
    if different or not equal:
        gdb.execute('quit 1')


main()
