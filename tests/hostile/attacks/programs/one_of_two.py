"""Has only one of two functions, which keeps its points.

caesar: 3.33, missing
naive: nothing: it cannot be imported
"""


def encode(text, shift):
    if not isinstance(shift, int):
        raise TypeError
    return "".join(move(letter, shift) for letter in text)


def move(letter, shift):
    for first in "aA":
        if 0 <= ord(letter) - ord(first) < 26:
            return chr(ord(first) + (ord(letter) - ord(first) + shift) % 26)
    return letter
