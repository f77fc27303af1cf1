"""Right, in a notebook whose program stands in a cell of text.

count_words: all
"""

from tests.hostile import RIGHT
from tests.submission.made import code, notebook, prose


def files():
    return {"count_words.ipynb": notebook(prose(RIGHT.decode()), code("x = 1"))}
