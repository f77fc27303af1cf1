"""Right, with the line ends of an old Mac.

count_words: all
"""

from tests.hostile import RIGHT


def files():
    return {"count_words.py": RIGHT.replace(b"\n", b"\r")}
