# SPDX-License-Identifier: GPL-2.0
#
# Reads a signature, in the format of include/linux/fgraph_sig_format.h.

# FGRAPH_MAX_WORDS: places beyond this number of words are unknown
MAX_WORDS = 63


class Value:
    """One "place* type name?" of a signature. The place is @known, @gone (optimized out)
    or neither. @text is the text of the value without its place."""


class Signature:
    """A signature with common names spelled out, as "recordmcount -l" prints it"""

    SIZES = {'v': 0, 'b': 1, 'c': 1, 'a': 1, 'h': 1, 's': 2, 't': 2, 'i': 4, 'j': 4,
             'x': 8, 'y': 8, 'n': 16, 'o': 16}

    def __init__(self, text, word):
        self.text, self.at, self.word_size = text, 0, word
        self.registers, self.stack = self.count(), 0
        if self.peek() == '+':
            self.at += 1
            self.stack = self.count()
        self.result = self.value(0)[0]
        self.params, self.variadic, word = [], False, 0
        while self.at < len(text):
            if text[self.at:] == 'z':
                self.variadic = True
                break
            value, word = self.value(word)
            at = self.at
            value.name = self.name()
            value.text += text[at:self.at]
            self.params.append(value)

    def peek(self):
        return self.text[self.at:self.at + 1]

    def char(self):
        self.at += 1
        return self.text[self.at - 1]

    def count(self):
        count = ord(self.char()) - ord('0')
        if not 0 <= count <= MAX_WORDS:
            raise ValueError(f'{count} words at character {self.at}')
        return count

    def name(self):
        length = ord(self.char()) - ord('0')
        self.at += length
        return self.text[self.at - length:self.at]

    def number(self, end):
        at = self.text.index(end, self.at)
        digits, self.at = self.text[self.at:at], at + 1
        return int(digits or '0')

    def value(self, word):
        value = Value()
        value.known, value.gone = True, False
        value.reference, value.size = False, None
        while self.peek() and self.peek() in '!?&@#-*':
            place = self.char()
            if place in '!?':
                value.known, value.gone = False, place == '!'
            elif place == '&':
                value.reference = True
            elif place in '-*':
                pass
            elif place == '@':
                word = self.count()
            else:
                value.size = self.number('_')
        at = self.at
        value.letter, size = self.type()
        value.text = self.text[at:self.at]
        if value.size is None:
            value.size = size
        value.word = word
        if value.reference:
            value.words = 1
        else:
            value.words = -(-value.size // self.word_size) if value.known else 0
        return value, word + value.words if value.known else word

    def type(self):
        """Returns the letter of the type without typedefs and qualifiers, and its size."""
        letter = self.char()
        if letter in 'KVR':
            return self.type()
        if letter == 'T':
            self.name()
            return self.type()
        if letter == 'P':
            self.type()
            return 'P', self.word_size
        if letter == 'A':
            self.number('_')
            self.type()
            return 'A', 0
        if letter == 'F':
            while self.peek() not in 'Ez':
                self.type()
            self.at = self.text.index('E', self.at) + 1
            return 'F', 0
        if letter in 'SU':
            self.name()
            return letter, 0
        if letter == 'C':
            size = self.SIZES.get(self.peek(), self.word_size)
            self.at += 1
            self.name()
            return 'C', size
        return letter, self.word_size if letter in 'lm' else self.SIZES.get(letter, 0)
