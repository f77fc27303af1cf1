"""Right in one exercise; in the others everything fails while they are imported.

count_words: all
"""

from tests.hostile import RIGHT


def files():
    return {"caesar.py": b"1 / 0\n", "count_words.py": RIGHT, "running_mean.py": b"import os\nos._exit(0)\n"}
