"""Right, but for a null byte at the end.

count_words: all
"""

from tests.hostile import RIGHT


def files():
    return {"count_words.py": RIGHT + b"\0"}
