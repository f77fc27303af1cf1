"""Wrong, in a notebook whose own cells end in a bare number.

count_words: 0, wrong-value
"""

from tests.hostile import WRONG
from tests.submission.made import code, notebook


def files():
    return {"count_words.ipynb": notebook(code(WRONG.decode() + "\n500"), code("5.0"))}
