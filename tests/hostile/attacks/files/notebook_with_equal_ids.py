"""Right, as a notebook whose cells have one id, and one of them stands twice.

count_words: all
"""

from tests.hostile import RIGHT
from tests.submission.made import code, notebook


def files():
    cells = [code(RIGHT.decode(), id="a"), code(RIGHT.decode(), id="a"), code("x = 1", id="a")]
    return {"count_words.ipynb": notebook(*cells)}
