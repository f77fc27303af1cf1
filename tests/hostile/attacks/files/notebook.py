"""Right, as a notebook.

count_words: all
"""

from tests.hostile import RIGHT
from tests.submission.made import code, notebook, prose


def files():
    return {"count_words.ipynb": notebook(prose("# Words"), code(RIGHT.decode()), code("count_words('a')"))}
