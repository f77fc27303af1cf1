"""Right, in UTF-16, as Notepad writes it.

count_words: all
"""

from tests.hostile import RIGHT


def files():
    return {"count_words.py": RIGHT.decode().encode("utf-16")}
