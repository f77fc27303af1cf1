"""Right, below an import of the solutions: it ends the program before the answer is there.

count_words: 0, raised
"""

from tests.hostile import RIGHT


def files():
    return {"count_words.py": b"from solutions.count_words import count_words\n" + RIGHT}
