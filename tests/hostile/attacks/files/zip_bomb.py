"""Hands in a zip of a hundred kilobytes that holds a hundred megabytes.

count_words: none, ungradable
"""

from tests.submission.made import zipped


def files():
    return {"work.zip": zipped({"count_words.py": b"#" * 100_000_000})}
