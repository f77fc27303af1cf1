"""Mixes tabs and blanks in one function, so that Python refuses it: it is told so.

count_words: 0, raised
"""


def files():
    source = b"def count_words(text):\n    counts = {}\n\tfor one in text.lower().split():\n"
    return {"count_words.py": source + b"\t    counts[one] = counts.get(one, 0) + 1\n    return counts\n"}
