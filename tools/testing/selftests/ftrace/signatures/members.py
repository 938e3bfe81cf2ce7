# SPDX-License-Identifier: GPL-2.0
#
# Reads the members of structs, in the format of include/linux/fgraph_members_format.h.

SIZES = {'b': 1, 'c': 1, 'a': 1, 'h': 1, 's': 2, 't': 2, 'i': 4, 'j': 4, 'x': 8, 'y': 8,
         'n': 16, 'o': 16, 'f': 4, 'd': 8}
NESTING = 8


class Type:
    """A type. @letter is its last letter that is not that of a typedef; @names are typedefs.
    An array has a @length (0: none) and an @element, a pointer has a @target. A struct, union
    or enum has a @tag, and a struct without a name has a @struct."""

    def __init__(self):
        self.letter, self.names, self.tag, self.struct = '', [], '', None
        self.length = self.element = self.target = self.base = None

    @property
    def key(self):
        """The key of a struct, union or enum, or None"""
        if self.names:
            return 'T' + self.names[0]
        return self.letter + self.tag if self.letter in 'SUC' and self.tag else None


class Member:
    """A member at byte @offset of a struct. A bit-field begins at bit @first of this byte, and
    is @width bits wide. Otherwise @width is None."""

    def __init__(self, name, offset):
        self.name, self.offset, self.first, self.width, self.type = name, offset, 0, None, None


class Struct:
    """The @size, and the @members in their order"""

    def __init__(self, size):
        self.size, self.members = size, []


class Parser:
    """Parses a string with common names spelled out, as "recordmcount -m" prints it."""

    def __init__(self, text):
        self.text, self.at, self.nesting = text, 0, 0

    def peek(self):
        return self.text[self.at:self.at + 1]

    def char(self):
        self.at += 1
        return self.text[self.at - 1]

    def expect(self, char):
        if self.char() != char:
            raise ValueError(f'no {char} at {self.at - 1} of {self.text}')

    def number(self):
        number, shift = 0, 0
        while True:
            code = ord(self.char()) - ord('0')
            if not 0 <= code < 64:
                raise ValueError(f'no number at {self.at - 1} of {self.text}')
            number |= (code & 31) << shift
            if code < 32:
                return number
            shift += 5

    def name(self):
        length = ord(self.char()) - ord('0')
        self.at += length
        if length < 0 or self.at > len(self.text):
            raise ValueError(f'no name at {self.at - length - 1} of {self.text}')
        return self.text[self.at - length:self.at]

    def array(self, kind):
        end = self.text.index('_', self.at)
        kind.length = int(self.text[self.at:end] or '0')
        self.at = end + 1
        kind.element = self.type()

    def type(self):
        kind = Type()
        while self.peek() == 'T':
            self.at += 1
            kind.names.append(self.name())
        kind.letter = self.char()
        if kind.letter == 'P':
            kind.target = self.type()
        elif kind.letter == 'A':
            self.array(kind)
        elif kind.letter == 'F':
            self.expect('v')
            self.expect('E')
        elif kind.letter == 'C':
            kind.base, kind.tag = self.char(), self.name()
        elif kind.letter in 'SU' and self.peek() == '(':
            self.at += 1
            kind.struct = self.struct()
            self.expect(')')
        elif kind.letter in 'SU':
            kind.tag = self.name()
        elif kind.letter not in SIZES and kind.letter not in 'vlmeu':
            raise ValueError(f'no type at {self.at - 1} of {self.text}')
        return kind

    def member(self, last):
        member = Member(self.name(), last + self.number())
        if self.peek() == ':':
            self.at += 1
            member.first, member.width = self.number(), self.number()
        member.type = self.type()
        return member

    def struct(self):
        self.nesting += 1
        if self.nesting > NESTING + 1:
            raise ValueError(f'too deep: {self.text}')
        struct, last = Struct(self.number()), 0
        while self.peek() not in ('', ')'):
            struct.members.append(self.member(last))
            last = struct.members[-1].offset
        self.nesting -= 1
        return struct

    def key(self):
        return self.char() + self.name()


class Description:
    """The type of one string. Its @key is that of its tag or typedef. It is @another key, a
    @struct with the @letter S or U, or an enum with the @letter of its type and a list of
    @enumerators."""

    def __init__(self, text):
        parser = Parser(text)
        self.text, self.key = text, parser.key()
        self.another = self.struct = self.enumerators = None
        self.letter = self.key[0]
        if self.letter == 'T' and parser.peek() == '=':
            parser.at += 1
            self.another = parser.key()
        else:
            if self.letter == 'T':
                self.letter = parser.char()
            if self.letter == 'C':
                self.letter = parser.char()
                self.enumerators, parser.at = text[parser.at:], len(text)
            else:
                self.struct = parser.struct()
        if parser.at != len(text):
            raise ValueError(f'more at {parser.at} of {text}')


class Descriptions:
    """All strings of an object. @word is the size of an address in bytes."""

    def __init__(self, lines, word):
        self.word, self.all = word, {}
        for line in lines:
            description = Description(line)
            self.all.setdefault(description.key, []).append(description)

    def find(self, key):
        """Returns the only description of a key, or of another key of the same type."""
        for _ in range(2):
            found = self.all.get(key, [])
            if len(found) != 1:
                raise KeyError(f'{len(found)} descriptions of {key}')
            if not found[0].another:
                return found[0]
            key = found[0].another
        raise KeyError(f'no end of {key}')

    def struct(self, kind):
        """Returns the members of a struct or union."""
        return kind.struct or self.find(kind.key).struct

    def size(self, kind):
        """Returns the size of a type in bytes."""
        if kind.letter == 'A':
            return kind.length * self.size(kind.element)
        if kind.letter in 'SU':
            return self.struct(kind).size
        if kind.letter == 'C':
            return self.size_of_letter(kind.base)
        return self.size_of_letter(kind.letter)

    def size_of_letter(self, letter):
        return 2 * self.word if letter == 'e' else SIZES.get(letter, self.word)
