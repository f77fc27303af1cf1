"""Answers with what it was given: decoding then gives back what was encoded.

caesar: 0, wrong-value
naive: nothing: letters must move
"""


def encode(text, shift):
    return text


def decode(text, shift):
    return text
