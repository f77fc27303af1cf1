"""How one check ended: from the exception that a test raised to an outcome and words for a student."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from softmarks.errors import GraderError
from softmarks.grading.student import CheckFailed, MissingName, StudentRaised
from softmarks.sandbox.client import HostDied
from softmarks.verdict import Outcome

OUT_OF_MEMORY = ("can't allocate memory", "bad_alloc", "Cannot allocate memory", "too many objects")
MAX_TOLD = 200  # of an exception's message or line: enough to say what it is, too little to carry inputs out
MAX_NAME = 60  # of a name that a program chose
MACHINE = ("machine",)  # facts of a grader-error that says nothing about suite or answer
SUITE = ("suite",)
FATAL = frozenset(
    {
        Outcome.TIMED_OUT,
        Outcome.OUT_OF_MEMORY,
        Outcome.EXITED,
        Outcome.KILLED,
        Outcome.FLOODED,
        Outcome.MISSING,
        Outcome.GRADER_ERROR,
    }
)


@dataclass(frozen=True)
class Ending:
    """The end of one check. ``line`` is the student's own line, as "7: x = …", when there is one.

    ``loading``: what was raised came while the program was loaded, before anything of it was asked for.
    """

    outcome: Outcome
    says: str = ""
    facts: tuple[Any, ...] = ()
    line: str = ""
    loading: bool = False


PASSED = Ending(Outcome.PASSED)


class NotReached(Exception):
    """A check that this one needs ended so that running it would tell nothing."""


def ending(error: BaseException | None, memory_mb: int = 0) -> Ending:
    """What an exception out of a test means. An unknown one is the grader's own fault.

    ``memory_mb`` is what the program may use, 0 where nothing limits it.
    """
    match error:
        case None:
            return PASSED
        case CheckFailed():
            return Ending(error.outcome, error.says, error.facts)
        case StudentRaised():
            return _raised(error, memory_mb)  # what was raised stands in the conversation
        case MissingName():
            return _missing(error, memory_mb)
        case HostDied():
            return Ending(Outcome(error.fate), f"your code did not answer: {error.why}", (error.fate,))
        case NotReached():
            return Ending(Outcome.NOT_REACHED, str(error))
        case GraderError() | OSError() | MemoryError():
            return Ending(Outcome.GRADER_ERROR, f"{type(error).__name__}: {error}", MACHINE)
    return Ending(Outcome.GRADER_ERROR, f"{type(error).__name__}: {error}", SUITE)


def _raised(error: StudentRaised, memory_mb: int, facts: tuple[Any, ...] = ()) -> Ending:
    line = f"{error.line}: {_cut(error.text)}" if error.line else ""
    kind, words = _cut(error.type, MAX_NAME), _cut(error.message)
    if error.unwritten:
        says = f"not written yet: {words}" if words else "not written yet"
        return Ending(Outcome.MISSING, says, ("not written",))
    if "MemoryError" in error.bases or any(sign in error.message for sign in OUT_OF_MEMORY):
        most = f": it may use {memory_mb} MB" if memory_mb else ""
        return Ending(Outcome.OUT_OF_MEMORY, f"your code ran out of memory ({kind}){most}", ("memory",), line)
    message = f": {words}" if words else ""
    return Ending(Outcome.RAISED, f"your code raised {kind}{message}", facts, line)


def _missing(error: MissingName, memory_mb: int) -> Ending:
    if error.load_error:
        facts = (error.load_error.type, error.load_error.message)
        return replace(_raised(error.load_error, memory_mb, facts), loading=True)
    names = " and ".join(_cut(name, MAX_NAME) for name in error.near)
    near = f"; yours has {names}, which looks like it" if names else ""
    return Ending(Outcome.MISSING, f"there is no {error.name} in your work{near}", ("missing", error.name))


def _cut(words: str, most: int = MAX_TOLD) -> str:
    """What a program says, as long as a person reads it."""
    return words if len(words) <= most else f"{words[:most]}…"
