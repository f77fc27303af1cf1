"""Hands in its own copy of what is given to students, where the alphabet is another one.

caesar: all
"""

from tests.hostile import RIGHT_CAESAR


def files():
    blocks = b"ALPHABET = 'abc'\n\n\ndef place(letter):\n    return 0\n"
    return {"caesar.py": RIGHT_CAESAR, "building_blocks.py": blocks}
