"""Feedback pages as a zip that a learning platform takes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from softmarks.course.packing import zipped
from softmarks.errors import UsageError
from softmarks.reporting.exports import LONGEST
from softmarks.reporting.recorded import pages_of
from softmarks.submission.names import printable
from softmarks.submission.roster import Student
from softmarks.verdict import Verdict


def feedback_zip(
    handed: Sequence[tuple[Student, Verdict]],
    named: Callable[[Student, Verdict], str | None],
    results: Path,
    missing: str,
) -> tuple[bytes, list[str]]:
    """The zip of the pages in a results folder, each as ``named`` says, and lines about who is not in it.

    Raises UsageError, with ``missing`` as advice, when nobody would be in it, and when a page is not there.
    """
    files, without = {}, []
    for student, verdict in handed:
        if place := named(student, verdict):
            files[place] = _page(results, verdict)
        else:
            without.append(f"no feedback: {printable(verdict.student, LONGEST)}")
    if not files:
        raise UsageError(
            "the numbers that feedback needs are not in these results", where=results, fix=missing
        )
    return zipped(files), without


def _page(results: Path, verdict: Verdict) -> bytes:
    path = results / "feedback" / f"{pages_of(results).stem(verdict.student)}.html"
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError("the feedback page cannot be read", where=path, fix="Grade again") from error
