"""Writes one file without end.

count_words: 0, raised
naive: not tried: the disk would suffer
"""


def count_words(text):
    with open("file", "wb", buffering=0) as file:
        for _ in range(200):
            if file.write(bytes(1 << 20)) < 1 << 20:
                raise OSError("no more")
    return {}
