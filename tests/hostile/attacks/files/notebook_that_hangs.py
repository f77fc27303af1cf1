"""Right, as a notebook with a cell after it that never ends: the others' work goes on.

count_words: 0, timed-out
"""

from tests.hostile import RIGHT
from tests.submission.made import code, notebook


def files():
    return {"count_words.ipynb": notebook(code(RIGHT.decode()), code("while True:\n    pass"))}
