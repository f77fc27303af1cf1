"""Right, in a folder whose name runs from right to left, with an umlaut and a mark that turns its end around.

count_words: all
student: שלום Zoë gpj
"""

from tests.hostile import RIGHT


def files():
    return {"../שלום Zoe\u0308 \u202egpj./count_words.py": RIGHT}
