# SPDX-License-Identifier: GPL-2.0
#
# Generates random structs, and a C function for each scalar in them that sets this scalar,
# for members_oracle.py.

import random

# A scalar type, its bits with words of 4 and of 8 bytes, and its letters. The letter of an
# enum is that of its integer type.
SCALARS = {
    'char': (8, 8, 'cc'), 'signed char': (8, 8, 'aa'), 'unsigned char': (8, 8, 'hh'),
    'short': (16, 16, 'ss'), 'unsigned short': (16, 16, 'tt'),
    'int': (32, 32, 'ii'), 'unsigned int': (32, 32, 'jj'),
    'long': (32, 64, 'll'), 'unsigned long': (32, 64, 'mm'),
    'long long': (64, 64, 'xx'), 'unsigned long long': (64, 64, 'yy'), '_Bool': (1, 1, 'bb'),
    'enum plain': (32, 32, 'jj'), 'enum minus': (32, 32, 'ii'), 'enum tiny': (8, 8, 'hh'),
    'named': (16, 16, 'tt'), 'umode_t': (16, 16, 'tt'), 'other_mode': (16, 16, 'tt'),
    'my_enum': (32, 32, 'jj'), 'also_plain': (32, 32, 'jj'),
    'volatile const_int': (32, 32, 'ii'),
}
POINTERS = ['void *', 'const char *', 'function', 'struct undefined *', 'struct undefined **',
            'int (*)[3]', 'pointer']
WIDE = {'__int128': (128, 128, 'nn'), 'unsigned __int128': (128, 128, 'oo')}
FIELDS = [name for name in SCALARS if name != 'volatile const_int']

PROLOGUE = '''
typedef int (*function)(int, long);
enum plain { A, B, C = 77 };
enum minus { D = -1, E };
enum tiny { F, G } __attribute__((packed));
typedef unsigned short named, umode_t;
typedef umode_t other_mode;
typedef int const_int;
typedef enum { H, I = 5 } my_enum;
typedef enum plain also_plain;
struct undefined;
typedef struct undefined *pointer;
unsigned char src[1 << 16] __attribute__((aligned(4096))) = { 1 };
'''


class Scalar:
    """A scalar in an object: its C expression, the names and indexes that lead to it, its
    letter and its bits. A bit-field has a width."""

    def __init__(self, path, letter, bits, field):
        self.path, self.letter, self.bits, self.field = path, letter, bits, field

    def expression(self):
        text = ''
        for step in self.path:
            if isinstance(step, int):
                text += f'[{step}]'
            elif step:
                text += f'.{step}'
        return text


class Member:
    """A member: its declaration, and the scalars in it, without its own name"""

    def __init__(self, name, text, scalars):
        self.name, self.text, self.scalars = name, text, scalars


class Generator:
    """Generates structs for machines whose words have this number of bytes."""

    def __init__(self, seed, word):
        self.random, self.word = random.Random(seed), word
        self.number, self.texts, self.known = 0, [PROLOGUE], []

    def unique(self, prefix):
        self.number += 1
        return f'{prefix}{self.number}'

    def chance(self, probability):
        return self.random.random() < probability

    def properties(self, name):
        bits = {**SCALARS, **WIDE}[name]
        return bits[self.word == 8], bits[2][self.word == 8]

    def scalar(self, name):
        kinds = list(SCALARS) + (list(WIDE) if self.word == 8 else [])
        kind = self.random.choice(kinds)
        bits, letter = self.properties(kind)
        return Member(name, f'{kind} {name}', [Scalar([], letter, bits, None)])

    def pointer(self, name):
        kind = self.random.choice(POINTERS)
        text = f'int (*{name})[3]' if '(*)' in kind else f'{kind} {name}'
        return Member(name, text, [Scalar([], 'P', 8 * self.word, None)])

    def field(self, name):
        kinds = FIELDS + (list(WIDE) if self.word == 8 and self.chance(0.2) else [])
        kind = self.random.choice(kinds)
        bits, letter = self.properties(kind)
        # The format cannot describe more than 64 bits.
        width = self.random.randint(1, min(bits, 64))
        if self.chance(0.1):
            return Member(None, f'{kind} : {self.random.choice([0, width])}', [])
        packed = ' __attribute__((packed))' if self.chance(0.1) else ''
        return Member(name, f'{kind} {name} : {width}{packed}',
                      [Scalar([], letter, width, width)])

    def array(self, name, depth):
        member = self.plain(name, depth + 1)
        lengths = [self.random.randint(0, 3) for _ in range(self.random.randint(1, 2))]
        suffix = ''.join(f'[{n}]' for n in lengths)
        if f'(*{name})' in member.text:
            text = member.text.replace(f'(*{name})', f'(*{name}{suffix})')
        else:
            text = member.text + suffix
        places = [[]]
        for length in lengths:
            places = [p + [self.random.randrange(length)] for p in places if length]
        scalars = [Scalar(place + s.path, s.letter, s.bits, s.field)
                   for place in places for s in member.scalars]
        return Member(name, text, scalars)

    def nameless(self, name, depth):
        """A struct or union without a tag or typedef. The name may be absent, too."""
        if depth < 3 and self.chance(0.5):
            name = ''
        body, scalars = self.body(depth + 1)
        return Member(name, f'{body} {name}', scalars)

    def plain(self, name, depth):
        kind = self.random.random()
        if kind < 0.15 and self.known:
            text, scalars = self.random.choice(self.known)
            return Member(name, f'{text} {name}', scalars)
        if kind < 0.3 and depth < 4:
            return self.nameless(name, depth)
        return self.pointer(name) if kind < 0.45 else self.scalar(name)

    def member(self, depth):
        name, kind = self.unique('m'), self.random.random()
        if kind < 0.3:
            return self.field(name)
        if kind < 0.4 and depth < 4:
            member = self.array(name, 4)
        else:
            member = self.plain(name, depth)
        if member.name and self.chance(0.08):
            attribute = self.random.choice(['packed', 'aligned(1)', 'aligned(2)', 'aligned(8)',
                                            'aligned(16)', 'packed, aligned(2)'])
            member.text += f' __attribute__(({attribute}))'
        return member

    def body(self, depth):
        """Returns the text of a struct or union without a name, and its scalars."""
        union = self.chance(0.25)
        members = [self.member(depth) for _ in range(self.random.randint(1, 7 - min(depth, 4)))]
        scalars = [Scalar([m.name] + s.path, s.letter, s.bits, s.field)
                   for m in members for s in m.scalars]
        texts = ''.join(f'{m.text}; ' for m in members)
        if not union and depth == 0 and members[-1].name and self.chance(0.1):
            texts += f'int {self.unique("m")}[]; '
        attribute = ''
        if self.chance(0.3):
            attribute = self.random.choice(['packed', 'aligned(2)', 'aligned(8)', 'aligned(32)',
                                            'packed, aligned(2)'])
            attribute = f'__attribute__(({attribute})) '
        return f'{"union" if union else "struct"} {attribute}{{ {texts}}}', scalars

    def struct(self):
        """Defines a struct with a tag or a typedef. Returns its C name, its key and its
        scalars."""
        body, scalars = self.body(0)
        name = self.unique('s')
        letter, kind = ('U', 'union') if body.startswith('union') else ('S', 'struct')
        way = self.random.random()
        if way < 0.3:
            self.texts.append(f'typedef {body} {name};\n')
            text, key = name, f'T{name}'
        else:
            head = body.split(' ', 1)[1]
            # Attributes precede the tag.
            before, members = head.split('{', 1)
            self.texts.append(f'{kind} {before}{name} {{{members};\n')
            text, key = f'{kind} {name}', f'{letter}{name}'
            if way < 0.5:
                self.texts.append(f'typedef const {text} {name}_t; typedef {name}_t {name}_u;\n')
                key = f'T{name}_u'
        # A struct with a flexible array is no member of another one.
        if '[];' not in body:
            self.known.append((text, scalars[:6]))
        return text, key, scalars


class Batch:
    """A unit with @count structs. @structs: the C name, the key and the scalars of each.
    @setters: for each scalar, the C name and the key of the struct, the scalar and its
    value."""

    def __init__(self, seed, word, count):
        generator = Generator(seed, word)
        self.structs = [generator.struct() for _ in range(count)]
        self.setters = []
        for text, key, scalars in self.structs:
            for scalar in scalars:
                self.setters.append((text, key, scalar, generator.random.getrandbits(scalar.bits)))
        self.types = ''.join(generator.texts)

    def source(self):
        lines = [self.types]
        for number, (text, key, _) in enumerate(self.structs):
            user = key[1:] if key[0] == 'T' else text
            lines.append(f'void user{number}(const {user} *p) {{ src[0] = !!p; }}\n'
                         f'unsigned long size{number} = sizeof({text});\n')
        for number, (text, _, scalar, value) in enumerate(self.setters):
            cast = '(void *)' if scalar.letter == 'P' else ''
            constant = f'{value & (1 << 64) - 1:#x}ULL'
            if value >> 64:
                constant = f'((unsigned __int128){value >> 64:#x}ULL << 64 | {constant})'
            elif cast:
                constant = f'(unsigned long){constant}'
            expression = scalar.expression()
            lines.append(f'void set{number}({text} *p) '
                         f'{{ (*p){expression} = {cast}{constant}; }}\n')
        return ''.join(lines)
