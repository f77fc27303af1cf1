"""Takes memory until there is none.

count_words: 0, out-of-memory
naive: not tried: the machine would suffer
"""


def count_words(text):
    held = []
    while True:
        held.append(bytearray(1 << 24))
