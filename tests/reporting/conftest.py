"""The class of five that the layout tests share."""

from __future__ import annotations

import pytest

from softmarks.verdict import Verdict

from .made import all_right, make_exercise, make_verdict, without_mark


@pytest.fixture
def verdict() -> Verdict:
    """One student with a full mark, a partial one and an exercise that cannot be graded."""
    return make_verdict(repairs=("read as UTF-16",), unplaced=("notes.txt",))


@pytest.fixture
def class_verdicts() -> list[Verdict]:
    """Five students, one of them all right and one with nothing handed in."""
    right = (all_right(), make_exercise(points="10.00", messages=(), mistakes=()), all_right("split_heads"))
    nothing = tuple(
        without_mark(name, "missing", note="nothing handed in")
        for name in ("causal_mask", "causal_attention", "split_heads")
    )
    return [
        make_verdict("Ada Lovelace"),
        make_verdict("Grace Hopper", *right),
        make_verdict("Noether, Emmy", all_right(points="2.00"), make_exercise(), all_right("split_heads")),
        make_verdict("Σοφία Kowalewskaja", *nothing),
        make_verdict("Жанна", all_right(), without_mark("causal_attention", "grader-error"), without_mark()),
    ]
