"""Right, in Latin-1, with an umlaut in a comment.

count_words: all
"""

from tests.hostile import RIGHT


def files():
    return {"count_words.py": "# Wörter zählen\n".encode("latin-1") + RIGHT}
