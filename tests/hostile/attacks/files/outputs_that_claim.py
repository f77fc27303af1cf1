"""Hands in a notebook whose outputs say that all checks have passed, and whose metadata names its points.

count_words: 0, wrong-value
"""

from tests.hostile import WRONG
from tests.submission.made import code, notebook


def files():
    output = {
        "output_type": "execute_result",
        "data": {"text/plain": "5.0"},
        "metadata": {},
        "execution_count": 1,
    }
    points = {"nbgrader": {"grade": True, "points": 500, "grade_id": "a", "locked": False, "solution": True}}
    cell = {**code(WRONG.decode()), "outputs": [output], "metadata": points}
    return {"count_words.ipynb": notebook(cell, metadata=points)}
