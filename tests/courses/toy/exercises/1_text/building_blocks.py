"""Given to students: the alphabet, and what may be asked of it."""

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def place(letter):
    """The place of a lower-case letter in the alphabet, from 0."""
    return ALPHABET.index(letter)
