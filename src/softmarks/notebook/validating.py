"""What the locked cells of a notebook call: the public checks of one stage, for nbgrader's Validate.

Nothing goes to standard error when all is well: nbgrader would count it as a failure.
"""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Iterator

from softmarks.errors import SoftmarksError
from softmarks.notebook.kernel_work import KernelWork, kernel_work
from softmarks.notebook.stages import ANSWERS
from softmarks.notebook.stages import stage as stage_of
from softmarks.reporting.wording import OUTCOME_WORDS, counted
from softmarks.verdict import Check, ExerciseVerdict, Outcome

WIDTH = 79  # nbgrader cuts longer lines


class NotPassed(AssertionError):
    """Some checks did not pass. A notebook shows its words alone, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return str(self).split("\n")


def assert_checked(exercise: str, stage: str) -> None:
    """Run the public checks of an exercise's stage on what is defined so far, and say how many passed.

    Raises AssertionError, which says what is wrong, when one did not. The checks run once for all stages.
    """
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if shell is None:
        raise NotPassed("assert_checked works in a notebook: elsewhere, use softmarks check")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checks, verdict = _checks(kernel_work(shell), exercise, stage)
    failed = [check for check in checks if check.outcome is not Outcome.PASSED]
    if failed:
        raise NotPassed("\n".join(_words(exercise, failed, len(checks), verdict)))
    if checks:
        print(f"{counted(len(checks), 'check')} passed")
    else:
        print("no public check of this stage: graded when you hand in")


def _checks(work: KernelWork, exercise: str, stage: str) -> tuple[list[Check], ExerciseVerdict]:
    """The public checks of a stage, with the verdict that they are of."""
    try:
        verdict = work.stage_checks(work.room(exercise))
        kinds = work.course.kinds
    except SoftmarksError as error:
        raise NotPassed(f"softmarks: {error}") from None
    if verdict.status != "graded":
        raise NotPassed(f"not checked: {verdict.note}")
    every = stage == ANSWERS
    checks = [check for check in verdict.checks if every or stage_of(check.kind, kinds) == stage]
    return checks, verdict


def _words(exercise: str, failed: list[Check], number: int, verdict: ExerciseVerdict) -> Iterator[str]:
    yield f"{len(failed)} of {counted(number, 'check')} did not pass."
    names = {check.name for check in failed}
    told: set[str] = set()
    for message in verdict.messages:
        if names & set(message.checks):
            told |= set(message.checks)
            yield from _line("asked", message.asked)
            yield from _line("seen", message.difference)
            yield from _line("means", message.says)
    for check in failed:
        if check.name not in told:
            yield from _line(OUTCOME_WORDS[check.outcome], check.says or check.name)
            yield from _line("seen", check.message)
    yield f"%check {exercise} in a cell of your own tells more."


def _line(label: str, text: str) -> Iterator[str]:
    if text:
        start = f"  {label}: "
        yield textwrap.fill(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start))
