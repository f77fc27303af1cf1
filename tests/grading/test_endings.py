"""From an exception to an outcome and words: few enough to carry no input out."""

import pytest

from softmarks.grading.checks import MAX_NAME, MAX_TOLD, ending
from softmarks.grading.student import MissingName, StudentRaised

LONG = "word " * 400
LONGEST = MAX_TOLD + 2 * MAX_NAME  # with our own words around it


@pytest.mark.parametrize("part", ["type", "message", "text"])
@pytest.mark.parametrize("kind", ["ValueError", "MemoryError", "NotImplementedError"])
def test_whatever_is_raised_is_told_in_few_words(part, kind):
    """A class's name, a message and a line are cut, whichever of them a program uses to carry something."""
    line = "raise NotImplementedError" if kind == "NotImplementedError" else "x = 1"
    raised = {"type": kind, "bases": [kind], "message": "no", "line": 7, "text": line}
    raised[part] = raised[part] + LONG
    end = ending(StudentRaised(raised))
    assert len(end.says) < LONGEST
    assert len(end.line) < LONGEST


def test_names_that_look_like_a_missing_one_are_cut():
    """A program chooses its names: they are told as far as a person reads them."""
    end = ending(MissingName("encode", ("encoded_" + LONG, "encodes"), None))
    assert "encodes" in end.says
    assert len(end.says) < LONGEST


def test_memory_that_ran_out_is_said_with_its_limit():
    """How much there was is told where something limits it, and nowhere else."""
    raised = StudentRaised({"type": "E", "bases": ["MemoryError"], "message": "", "line": 0, "text": ""})
    assert ending(raised, 512).says == "your code ran out of memory (E): it may use 512 MB"
    assert ending(raised).says == "your code ran out of memory (E)"
