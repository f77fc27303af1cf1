"""Hands in a torch.py, a pytest.py and a json.py, to be imported in the place of the real ones.

count_words: 0, wrong-value
naive: full marks
"""

from tests.hostile import WRONG

FAKE = b"def __getattr__(name):\n    return lambda *given, **more: True\n"


def files():
    names = ("torch.py", "pytest.py", "json.py", "softmarks.py", "numpy.py", "collections.py")
    return {"count_words.py": WRONG, **dict.fromkeys(names, FAKE)}
