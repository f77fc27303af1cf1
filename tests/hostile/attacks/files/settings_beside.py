"""Hands in settings of pytest that leave all tests out but count that as success.

count_words: 0, wrong-value
naive: full marks
"""

from tests.hostile import WRONG


def files():
    settings = b"[pytest]\naddopts = --collect-only\n"
    return {"count_words.py": WRONG, "pytest.ini": settings, "tox.ini": settings}
