"""Right, in a folder whose name is written from right to left, with an umlaut, a blank and a mark that turns its end around.

count_words: all
elsewhere: the whole class stops
student: שלום Zoë gpj
"""

from tests.hostile import RIGHT


def files():
    return {"../שלום Zoe\u0308 \u202egpj./count_words.py": RIGHT}
