# SPDX-License-Identifier: GPL-2.0
#
# Runs in gdb, with a vmlinux that contains debug information. Compares the signature of
# each function with the prototype in gdb, which has its own reader of DWARF.
#
#   gdb -batch -x truth.py vmlinux
#
# The environment variable DUMP names a file with the output of "recordmcount -d vmlinux".
# Prints each difference and the number of differences.

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from signature import Signature  # pylint: disable=wrong-import-position

DEPTH = 8

INTEGERS = {
    'char': 'c', 'signed char': 'a', 'unsigned char': 'h',
    'short': 's', 'unsigned short': 't', 'int': 'i', 'unsigned int': 'j',
    'long': 'l', 'unsigned long': 'm',
    'long long': 'x', 'unsigned long long': 'y',
    '__int128': 'n', '__int128 unsigned': 'o', '_Bool': 'b',
    'short int': 's', 'short unsigned int': 't', 'long int': 'l',
    'long unsigned int': 'm', 'long long int': 'x', 'long long unsigned int': 'y',
    'float': 'f', 'double': 'd',
}

DECIMAL = ('size_t', 'ssize_t', 'loff_t', 'sector_t')


def name(text):
    text = (text or '')[:78]
    return chr(ord('0') + len(text)) + text


def qualifiers(kind):
    """Returns the letters of the qualifiers, and the type without qualifiers."""
    if kind.code in (gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_ARRAY):
        return '', kind
    text = str(kind)
    if kind.code == gdb.TYPE_CODE_PTR:
        # The qualifiers of the pointer itself follow the "*", as in "char *const" and
        # "int (*const)(void)".
        if kind.target().unqualified().code in (gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_ARRAY):
            text = text.partition('(*')[2].partition(')')[0]
        else:
            text = text.rpartition('*')[2]
    words = text.split()
    letters = [letter for letter, word in (('K', 'const'), ('V', 'volatile'),
                                           ('R', 'restrict')) if word in words]
    return ''.join(letters), kind.unqualified()


def enum_letter(kind):
    signed = any(f.enumval < 0 for f in kind.fields())
    return {1: 'ha', 2: 'ts', 4: 'ji', 8: 'ml' if WORD == 8 else 'yx'}[kind.sizeof][signed]


def decimal_name(kind):
    """Returns the text of the decimal typedef that another typedef refers to."""
    if kind.name in DECIMAL:
        return ''
    while kind.code == gdb.TYPE_CODE_TYPEDEF:
        kind = kind.target().unqualified()
        if kind.code == gdb.TYPE_CODE_TYPEDEF and kind.name in DECIMAL:
            return 'T' + name(kind.name)
    return ''


def target_of_typedef(kind):
    kind = kind.strip_typedefs().unqualified()
    if kind.code == gdb.TYPE_CODE_PTR:
        to = kind.target().strip_typedefs().unqualified()
        if to.code == gdb.TYPE_CODE_FUNC:
            return 'PFvE'
        return 'Pc' if to.name == 'char' else 'Pv'
    if kind.code == gdb.TYPE_CODE_FUNC:
        return 'FvE'
    if kind.code == gdb.TYPE_CODE_ARRAY:
        return 'A_u'
    if kind.code == gdb.TYPE_CODE_STRUCT:
        return 'S0'
    if kind.code == gdb.TYPE_CODE_UNION:
        return 'U0'
    if kind.code == gdb.TYPE_CODE_ENUM:
        return f'C{enum_letter(kind)}0'
    return encode_plain(kind, 0)


def encode_array(kind, depth):
    low, high = kind.range()
    length = high - low + 1
    return f'A{length if length > 0 else ""}_' + encode(kind.target(), depth + 1)


def encode_function(kind, depth):
    text = 'F' + encode(kind.target(), depth + 1)
    for field in kind.fields():
        text += encode(field.type, depth + 1)
    return text + ('z' if '...' in str(kind) else '') + 'E'


def encode_plain(kind, depth):
    code = kind.code
    if code == gdb.TYPE_CODE_TYPEDEF:
        if kind.name == 'bool' and kind.strip_typedefs().code == gdb.TYPE_CODE_BOOL:
            return 'b'
        return 'T' + name(kind.name) + decimal_name(kind) + target_of_typedef(kind)
    if code == gdb.TYPE_CODE_PTR:
        return 'P' + encode(kind.target(), depth + 1)
    if code == gdb.TYPE_CODE_STRUCT:
        return 'S' + name(kind.tag)
    if code == gdb.TYPE_CODE_UNION:
        return 'U' + name(kind.tag)
    if code == gdb.TYPE_CODE_ENUM:
        return 'C' + enum_letter(kind) + name(kind.tag)
    if code == gdb.TYPE_CODE_ARRAY:
        return encode_array(kind, depth)
    if code == gdb.TYPE_CODE_FUNC:
        return encode_function(kind, depth)
    if code == gdb.TYPE_CODE_VOID:
        return 'v'
    return INTEGERS.get(kind.name, 'u')


def encode(kind, depth):
    if depth >= DEPTH:
        return 'u'
    letters, plain = qualifiers(kind)
    if letters and depth + len(letters) >= DEPTH:
        return 'u'
    return letters + encode_plain(plain, depth + len(letters))


def enumerators(kind):
    text, following = [], 0
    for field in kind.fields():
        text.append(field.name + (f'={field.enumval}' if field.enumval != following else ''))
        following = field.enumval + 1
    return ','.join(text)


def function_at(address):
    block = gdb.block_for_pc(address)
    while block and (not block.function or block.superblock.function):
        block = block.superblock
    return block


def expected(block):
    """Returns the result, the parameters, and the strings of their enums in gdb."""
    kind = block.function.type
    args = [s for s in block if s.is_argument]
    kinds = [kind.target()] + [arg.type for arg in args]
    params = [encode(arg.type, 0) + name(arg.name) for arg in args]
    if '...' in str(kind).rsplit('(', 1)[1]:
        params.append('z')
    plain = [k.strip_typedefs().unqualified() for k in kinds]
    enums = [enumerators(k) for k in plain if k.code == gdb.TYPE_CODE_ENUM]
    return encode(kind.target(), 0), params, enums


def read_dump():
    sites = {}
    with open(os.environ['DUMP']) as dump:
        for line in dump:
            address, function, text = line.rstrip('\n').split(' ', 2)
            sites.setdefault(int(address, 16), (function, []))[1].append(text)
    return sites


def same(function, have, want):
    """Returns true if signature and gdb agree. In a clone, gdb lists parameters that are
    optimized out after the others, or twice. The signature lists them as declared."""
    if any(kind in function for kind in ('.isra.', '.constprop.', '.part.')):
        have, want = [(r, sorted(set(p)), sorted(e)) for r, p, e in (have, want)]
    return have == want


def main():
    equal, different, copies = 0, 0, 0
    for address, (function, strings) in sorted(read_dump().items()):
        signature = Signature(strings[0], WORD)
        params = [value.text for value in signature.params] + ['z'] * signature.variadic
        have = (signature.result.text, params, strings[1:])
        block = function_at(address)
        if not block:
            # GCC merged this function with another function of the same code. Debug
            # information contains its prototype, but no address, so gdb does not find it.
            copies += 1
            continue
        want = expected(block)
        if same(function, have, want):
            equal += 1
            continue
        different += 1
        print(f'{function}:\n  have {have}\n  gdb  {want}')
    print(f'{equal} signatures agree with gdb, {different} do not; '
          f'gdb has no address of {copies} merged functions')
    if different or not equal:
        gdb.execute('quit 1')


WORD = gdb.lookup_type('long').sizeof
main()
