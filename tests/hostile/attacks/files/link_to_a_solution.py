"""Hands in a symbolic link to the solution.

count_words: none, ungradable
"""

from pathlib import Path


def files():
    return {"count_words.py": Path("@COURSE@/solutions/1_text/count_words.py")}
