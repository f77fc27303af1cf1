"""Hands in a zip of five thousand files.

count_words: none, ungradable
"""

from tests.hostile import RIGHT
from tests.submission.made import zipped


def files():
    return {
        "work.zip": zipped({**{f"notes{number}.txt": "" for number in range(5000)}, "count_words.py": RIGHT})
    }
