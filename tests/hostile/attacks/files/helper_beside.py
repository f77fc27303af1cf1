"""Right, but for the import of a helper of its own beside it, which is not handed on.

count_words: 0, raised
"""

from tests.hostile import RIGHT


def files():
    return {"count_words.py": b"from .helper import *\n" + RIGHT, "helper.py": b"x = 1\n"}
