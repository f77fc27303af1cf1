"""Right in the second of two attempts.

count_words: all
"""

from tests.hostile import RIGHT, WRONG


def files():
    return {"count_words (1).py": WRONG, "count_words (2).py": RIGHT}
