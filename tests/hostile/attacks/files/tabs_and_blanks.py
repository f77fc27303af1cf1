"""Right, indented by tabs and blanks, mixed.

count_words: all
elsewhere: zero points
"""


def files():
    source = b"def count_words(text):\n    counts = {}\n\tfor word in text.lower().split():\n"
    return {"count_words.py": source + b"\t    counts[word] = counts.get(word, 0) + 1\n    return counts\n"}
