"""A table for all letters at once."""

from building_blocks import ALPHABET


def encode(text, shift):
    moved = ALPHABET[shift % 26 :] + ALPHABET[: shift % 26]
    return text.translate(str.maketrans(ALPHABET + ALPHABET.upper(), moved + moved.upper()))


def decode(text, shift):
    return encode(text, -shift)
