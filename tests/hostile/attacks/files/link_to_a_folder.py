"""Hands in a symbolic link to the folder of solutions.

count_words: none, ungradable
"""

from pathlib import Path


def files():
    return {"1_text": Path("@COURSE@/solutions/1_text")}
