"""Reckoned on code points, without a given alphabet."""


def encode(text, shift):
    return "".join(move(letter, shift) for letter in text)


def decode(text, shift):
    return "".join(move(letter, 26 - shift) for letter in text)


def move(letter, shift):
    for first in "aA":
        if 0 <= ord(letter) - ord(first) < 26:
            return chr(ord(first) + (ord(letter) - ord(first) + shift) % 26)
    return letter
