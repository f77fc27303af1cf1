"""Hands in a hidden suite, a solution, a course and a verdict of its own.

count_words: 0, wrong-value
naive: nothing: it runs its own suite
"""

from tests.hostile import RIGHT, WRONG


def files():
    suite = b"def test_nothing():\n    pass\n"
    return {
        "count_words.py": WRONG,
        "test_hidden.py": suite,
        "test_count_words.py": suite,
        "course.yml": b"id: mine\n",
        "graders/1_text/count_words/test_hidden.py": suite,
        "solutions/1_text/count_words_right.py": RIGHT,
        "verdicts/suite_of_its_own.json": b'{"points": 5}',
    }
