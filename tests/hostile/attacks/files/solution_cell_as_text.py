"""Hands in a notebook whose only program stands in a cell of text.

count_words: 0, missing
"""

from tests.hostile import RIGHT
from tests.submission.made import code, notebook, prose


def files():
    return {"count_words.ipynb": notebook(prose(RIGHT.decode()), code("x = 1"))}
