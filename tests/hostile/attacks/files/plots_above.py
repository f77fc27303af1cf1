"""Right, below an import of a package that is not the course's: it ends before the answer is there.

count_words: 0, raised
"""

from tests.hostile import RIGHT


def files():
    return {"count_words.py": b"import matplotlib.pyplot as plt\nplt.figure()\n" + RIGHT}
