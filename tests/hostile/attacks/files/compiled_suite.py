"""Hands in compiled files under the names that Python would look for first.

count_words: 0, wrong-value
naive: nothing: Python sees that they are of another source
"""

from tests.hostile import WRONG


def files():
    names = (
        "__pycache__/count_words.cpython-311.pyc",
        "__pycache__/test_hidden.cpython-311.pyc",
        "test_hidden.pyc",
    )
    return {"count_words.py": WRONG, **dict.fromkeys(names, b"\xa7\r\r\n" + bytes(100))}
