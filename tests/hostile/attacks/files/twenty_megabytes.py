"""Hands in a program of twenty megabytes.

count_words: none, ungradable
"""

from tests.hostile import RIGHT


def files():
    return {"count_words.py": RIGHT + b"# more\n" * 3_000_000}
