# SPDX-License-Identifier: GPL-2.0
#
# Generates random prototypes, and C code that calls them with known bytes, for oracle.py.
#
# An argument is the data at some offset of src[], and so is a result. If functions are in
# the same unit as their callers, some arguments are constants, some results are unused, and
# some functions have a second caller. The compiler changes the interfaces of such
# functions. For each type T, the variables m_T_0, m_T_1, ... are masks: only bits that
# belong to members are set. There are several masks, because only one member of a union can
# have a value.

import random

MASKS = 3
# A member that would make a type larger than this is replaced by a char
MOST_BYTES = 1000
SRC_BYTES = 1 << 16

# A type, and its letters with words of 4 and of 8 bytes
SCALARS = [
    ('char', 'cc'), ('signed char', 'aa'), ('unsigned char', 'hh'),
    ('short', 'ss'), ('unsigned short', 'tt'), ('int', 'ii'), ('unsigned int', 'jj'),
    ('long', 'll'), ('unsigned long', 'mm'), ('long long', 'xx'),
    ('unsigned long long', 'yy'), ('_Bool', 'bb'),
    ('void *', 'PP'), ('const char *', 'PP'), ('function', 'PP'),
    ('enum plain', 'CC'), ('enum minus', 'CC'), ('enum tiny', 'CC'), ('enum huge', 'CC'),
]
WIDE = [('__int128', 'nn'), ('unsigned __int128', 'oo')]
FIELDS = ['_Bool', 'unsigned char', 'char', 'short', 'unsigned short', 'int', 'unsigned int',
          'long', 'long long', 'unsigned long long', 'enum plain']
FIELD_BITS = {'_Bool': 1, 'unsigned char': 8, 'char': 8, 'short': 16, 'unsigned short': 16,
              'int': 32, 'unsigned int': 32, 'long': 32, 'long long': 64,
              'unsigned long long': 64, 'enum plain': 32, '__int128': 128}

PROLOGUE = '''
typedef int (*function)(int, long);
enum plain { A, B, C = 77 };
enum minus { D = -1, E };
enum tiny { F, G } __attribute__((packed));
enum huge { H = 1ULL << 40, I };
extern unsigned char src[];
extern unsigned char out[];
'''

# Functions that the compiler calls for large structs
RUNTIME = '''
unsigned char src[%d] __attribute__((aligned(4096))) = { 1 };
unsigned char out[%d] __attribute__((aligned(4096))) = { 1 };
void *memcpy(void *to, const void *from, unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}
void *memmove(void *to, const void *from, unsigned long n)
{
	return memcpy(to, from, n);
}
void *memset(void *to, int c, unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		((volatile char *)to)[i] = c;
	return to;
}
''' % (SRC_BYTES, SRC_BYTES)


class Type:
    """A type with its C name and @letter. @init(variant) is an initializer that sets all
    bits. The type has @at_most this many bytes. @element: an array of it is valid."""

    def __init__(self, name, letter, init, at_most=16, element=True):
        self.name, self.letter, self.init = name, letter, init
        self.at_most, self.element = at_most, element
        self.aligned = not element


class Batch:
    """Types, and prototypes that use them. @together: the functions are static, in the same
    unit as their callers. @wide_holes: some types have unnamed bit-fields of __int128."""

    def __init__(self, seed, word, count, stack_calls, together=False, wide_holes=False):
        self.together, self.wide_holes = together, wide_holes
        self.random = random.Random(seed)
        self.word = word
        self.definitions = []
        self.members = 0
        self.scalars = [self.scalar(*s) for s in SCALARS + (WIDE if word == 8 else [])]
        self.types = []
        for i in range(count // 2):
            self.types.append(self.make_type(i))
        self.stack_calls = stack_calls
        self.prototypes = [Prototype(self, i) for i in range(count)]

    def scalar(self, name, letters):
        cast = f'({name})-1L' if name != '_Bool' else '1'
        return Type(name, letters[self.word == 8], lambda v: cast)

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def any_type(self, percent):
        if self.types and self.chance(percent):
            return self.random.choice(self.types)
        return self.random.choice(self.scalars)

    def make_type(self, i):
        if self.chance(12):
            return self.make_typedef(i)
        return self.make_aggregate(i)

    def make_typedef(self, i):
        """The alignment of a typedef can also be smaller than the alignment of its type."""
        target = self.any_type(40)
        attribute = ''
        if self.chance(70):
            attribute = f' __attribute__((aligned({self.random.choice([1, 2, 4, 8, 16])})))'
        self.definitions.append(f'typedef {target.name} T{i}{attribute};')
        # The alignment of an array's element cannot be larger than its size.
        made = Type(f'T{i}', target.letter, target.init, target.at_most, not attribute)
        made.aligned = bool(attribute) or target.aligned
        return made

    def make_aggregate(self, i):
        kind = 'union' if self.chance(20) else 'struct'
        attributes = []
        if self.chance(25):
            attributes.append('packed')
        if self.chance(10):
            attributes.append(f'aligned({self.random.choice([2, 4, 8, 16, 16, 32])})')
        self.bytes = 32
        body, inits = self.make_members(kind, 2)
        attribute = f' __attribute__(({", ".join(attributes)}))' if attributes else ''
        self.definitions.append(f'{kind} s{i} {{ {body}}}{attribute};')
        return Type(f'{kind} s{i}', 'S' if kind == 'struct' else 'U',
                    self.braces(kind, inits), self.bytes)

    def braces(self, kind, inits):
        def init(variant):
            chosen = inits
            if kind == 'union' and inits:
                chosen = [inits[variant % len(inits)]]
            return '{ ' + ', '.join(i(variant) for i in chosen) + ' }'
        return init

    def make_members(self, kind, depth):
        count = self.random.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 6])
        if not count and self.chance(80):
            count = 1
        body, inits = '', []
        for _ in range(count):
            text, more = self.make_member(depth)
            body += text + ' '
            inits += more
        return body, inits

    def make_member(self, depth):
        self.members += 1
        name = f'f{self.members}'
        if self.chance(20):
            return self.make_bitfield(name)
        if depth and self.chance(7):
            return self.make_anonymous(depth)
        member = self.any_type(30)
        if self.bytes + member.at_most > MOST_BYTES:
            member = self.scalars[0]
        dimension, init = '', member.init
        if member.element and self.chance(25) and not member.aligned:
            length = self.random.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 16])
            if self.chance(4):
                length = self.random.randrange(17, 60)
            if self.bytes + length * member.at_most > MOST_BYTES:
                length = 1
            dimension = f'[{length}]'
            init = (lambda v: f'{{ [0 ... {length - 1}] = {member.init(v)} }}') \
                if length else None
        self.bytes += 16 + member.at_most * (length if dimension else 1)
        attribute = ''
        if self.chance(6):
            attribute = f' __attribute__((aligned({self.random.choice([1, 2, 4, 8, 16])})))'
        elif self.chance(4):
            attribute = ' __attribute__((packed))'
        inits = [lambda v: f'.{name} = {init(v)}'] if init else []
        return f'{member.name} {name}{dimension}{attribute};', inits

    def make_bitfield(self, name):
        self.bytes += 16
        kinds = FIELDS + (['__int128'] if self.word == 8 and self.chance(10) else [])
        kind = self.random.choice(kinds)
        bits = self.random.randint(1, FIELD_BITS[kind])
        if self.chance(8):
            if kind == '__int128' and not self.wide_holes:
                kind, bits = 'long long', min(bits, 64)
            return f'{kind} : {0 if self.chance(30) else bits};', []
        value = '1' if kind == '_Bool' else f'({kind})-1L'
        return f'{kind} {name} : {bits};', [lambda v: f'.{name} = {value}']

    def make_anonymous(self, depth):
        kind = self.random.choice(['struct', 'union'])
        body, inits = self.make_members(kind, depth - 1)
        attribute = ' __attribute__((packed))' if self.chance(15) else ''
        if kind == 'union' and inits:
            # Initialize only one member, because two members of a union exclude each other.
            return f'union {{ {body}}}{attribute};', \
                [lambda v: inits[v % len(inits)](v)]
        return f'{kind} {{ {body}}}{attribute};', inits

    def offset(self):
        """Returns an offset that is aligned for any type, with enough room after it."""
        return self.random.randrange(0, SRC_BYTES - 8192, 64)

    def masks(self):
        """Returns definitions of the masks of all types that the prototypes use."""
        used = {t.name: t for p in self.prototypes for t in p.types() if t}
        text = ''
        for name, kind in used.items():
            for variant in range(MASKS if kind.letter in 'SU' else 1):
                # The mask of _Bool is its value 1, because a _Bool has no other bits set.
                text += f'const {name} m_{symbol(name)}_{variant} = {kind.init(variant)};\n'
        return text

    def header(self):
        return PROLOGUE + '\n'.join(self.definitions) + '\n'

    def callees(self):
        return self.header() + ''.join(p.definition() for p in self.prototypes)

    def callers(self):
        return self.header() + self.masks() + RUNTIME + \
            ''.join(p.declaration() + p.caller() for p in self.prototypes)

    def unit(self, hook):
        """Returns static functions, which the compiler may change, and their callers."""
        text = self.header() + self.masks() + RUNTIME + hook
        for prototype in self.prototypes:
            text += prototype.definition('static __attribute__((noinline)) ')
        return text + ''.join(p.caller() + p.other_caller() for p in self.prototypes)


def symbol(name):
    return name.replace(' ', '_').replace('*', 'p')


class Prototype:
    """Function f<number>, which call<number>() calls, and sometimes other<number>()"""

    def __init__(self, batch, number):
        chance, pick = batch.chance, batch.random
        self.number, self.batch = number, batch
        count = pick.choice([0, 1, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9])
        if chance(6):
            count = pick.randrange(10, 40)
        aggregates = 10 if chance(40) else 60
        self.params = [batch.any_type(aggregates) for _ in range(count)]
        self.offsets = [batch.offset() for _ in self.params]
        # In some static functions, the compiler finds nothing to change.
        self.changes = batch.together and chance(60)
        self.uses = [chance(50) or batch.together > self.changes for _ in self.params]
        self.result = None if chance(20) else batch.any_type(60)
        self.result_offset = batch.offset()
        self.variadic = bool(count) and chance(7)
        self.attribute = '__attribute__((regparm(0))) ' if \
            batch.stack_calls and chance(8) else ''
        self.constants = {i: pick.randrange(1, 100) for i, kind in enumerate(self.params)
                          if self.changes and kind.letter not in 'SU' and chance(25)}
        self.result_is_used = not self.changes or chance(60)
        self.other_offsets = []
        if batch.together and chance(40):
            self.other_offsets = [batch.offset() for _ in self.params]

    def types(self):
        return [self.result] + self.params

    def prototype(self):
        params = [f'{t.name} a{i}' for i, t in enumerate(self.params)] or ['void']
        if self.variadic:
            params.append('...')
        result = self.result.name if self.result else 'void'
        return f'{self.attribute}{result} f{self.number}({", ".join(params)})'

    def declaration(self):
        return self.prototype() + ';\n'

    def definition(self, prefix=''):
        body = ''
        for i, (used, kind) in enumerate(zip(self.uses, self.params)):
            if used:
                body += f'\t*({kind.name} *)(out + {self.offsets[i]}) = a{i};\n'
        if self.result:
            body += f'\treturn *({self.result.name} *)(src + {self.result_offset});\n'
        return f'{prefix}{self.prototype()}\n{{\n{body}}}\n'

    def passed(self, i, src, size):
        """Returns the bytes of an argument."""
        if i in self.constants:
            number = 1 if self.params[i].letter == 'b' else self.constants[i]
            return number.to_bytes(size, 'little')
        return src[self.offsets[i]:self.offsets[i] + size]

    def argument(self, i, offset):
        kind = self.params[i]
        if i in self.constants:
            return f'({kind.name}){self.constants[i]}'
        if kind.letter == 'b':
            return f'src[{offset}] & 1'
        return f'*({kind.name} *)(src + {offset})'

    def call(self, offsets):
        args = [self.argument(i, offset) for i, offset in enumerate(offsets)]
        if self.variadic:
            args += ['1', '2L', '3LL']
        return f'f{self.number}({", ".join(args)})'

    def caller(self):
        call = self.call(self.offsets)
        if self.result and self.result_is_used:
            call = f'*({self.result.name} *)out = {call}'
        return f'void call{self.number}(void)\n{{\n\t{call};\n}}\n'

    def other_caller(self):
        """Returns a second caller, with the same constants, which does not use the result."""
        if not self.other_offsets:
            return ''
        return f'void other{self.number}(void)\n{{\n\t{self.call(self.other_offsets)};\n}}\n'
