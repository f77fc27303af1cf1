"""Puts what it is given into names that look like a missing one, because the nearest names are shown.

caesar: 0, missing
naive: nothing: it shows no nearest names
"""


def encode(text, shift):
    globals()["decode_" + text] = encode
    globals()["decod" + str(shift)] = encode
    return ""