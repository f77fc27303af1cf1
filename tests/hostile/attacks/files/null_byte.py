"""Right, but for a null byte at the end.

count_words: all
elsewhere: zero points
"""

from tests.hostile import RIGHT


def files():
    return {"count_words.py": RIGHT + b"\0"}
