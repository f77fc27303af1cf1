"""Right, and says of itself that it is written in an encoding that does not exist, or runs code.

count_words: all
"""

from tests.hostile import RIGHT


def files():
    return {"count_words.py": b"# -*- coding: unicode_escape -*-\n" + RIGHT}
