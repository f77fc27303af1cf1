"""Right, above a function of its own that Python cannot read: the file is one program.

count_words: 0, raised
"""

from tests.hostile import RIGHT


def files():
    return {"count_words.py": RIGHT + b"\n\ndef spare(:\n    pass\n"}
