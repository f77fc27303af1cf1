"""Right, with tabs in one function and blanks in another.

count_words: all
"""


def files():
    tabs = (
        b"def count_words(text):\n\tcounts = {}\n\tfor one in text.lower().split():\n\t\tadd(counts, one)\n"
    )
    blanks = b"    counts[word] = counts.get(word, 0) + 1\n"
    return {"count_words.py": tabs + b"\treturn counts\n\ndef add(counts, word):\n" + blanks}
