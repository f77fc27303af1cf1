"""Hands in a zip that asks for a password.

count_words: none, ungradable
"""

from tests.hostile import RIGHT
from tests.submission.made import encrypted, zipped


def files():
    return {"work.zip": encrypted(zipped({"count_words.py": RIGHT}))}
