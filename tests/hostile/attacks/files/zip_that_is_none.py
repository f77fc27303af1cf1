"""Hands in a zip that is cut off in the middle.

count_words: none, ungradable
"""

from tests.hostile import RIGHT
from tests.submission.made import zipped


def files():
    return {"work.zip": zipped({"count_words.py": RIGHT * 50})[:120]}
