"""Right, as a notebook that uses before it defines, and whose first cell fails.

count_words: all
"""

from tests.hostile import RIGHT
from tests.submission.made import code, notebook


def files():
    return {"count_words.ipynb": notebook(code("count_words('a b')"), code(RIGHT.decode()), code("1 / 0"))}
