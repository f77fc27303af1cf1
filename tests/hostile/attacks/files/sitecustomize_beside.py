"""Hands in a sitecustomize.py, a usercustomize.py and a .pth file, which Python runs when it starts.

count_words: 0, wrong-value
naive: nothing: its folder comes too late on sys.path
"""

from tests.hostile import WRONG

RUNS = b"import os; open('@OUTSIDE@/started', 'w')\n"


def files():
    names = ("sitecustomize.py", "usercustomize.py", "start.pth", "__init__.py", "__main__.py", "setup.py")
    return {"count_words.py": WRONG, **dict.fromkeys(names, RUNS)}
