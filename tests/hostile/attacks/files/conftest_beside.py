"""Hands in a conftest.py that makes pytest call no test function.

count_words: 0, wrong-value
naive: full marks
elsewhere: full marks
"""

from tests.hostile import WRONG


def files():
    hook = "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"
    return {"count_words.py": WRONG, "conftest.py": hook.encode()}
