"""Right, with the line ends of an old Mac.

count_words: all
elsewhere: zero points
"""

from tests.hostile import RIGHT


def files():
    return {"count_words.py": RIGHT.replace(b"\n", b"\r")}
