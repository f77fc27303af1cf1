"""Hands in a notebook that is cut off in the middle.

count_words: none, ungradable
"""

from tests.hostile import RIGHT
from tests.submission.made import code, notebook


def files():
    return {"count_words.ipynb": notebook(code(RIGHT.decode()))[:-40]}
