"""Verdicts on work that was not run."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from softmarks.course.course import Exercise
from softmarks.submission.reading import Source
from softmarks.verdict import ExerciseVerdict


def unreadable(exercise: Exercise, source: Source) -> ExerciseVerdict:
    """The verdict on a program that cannot be read: no mark, and why."""
    return without_marks(exercise, "ungradable", None, source.unreadable, source.repairs)


def without_marks(
    exercise: Exercise, status: str, points: Decimal | None, note: str, repairs: Iterable[str] = ()
) -> ExerciseVerdict:
    """A verdict on work that was not run."""
    return ExerciseVerdict.model_validate(
        {
            "exercise": exercise.name,
            "assignment": exercise.assignment,
            "title": exercise.title,
            "max_points": exercise.points,
            "status": status,
            "points": points,
            "note": note,
            "repairs": tuple(repairs),
        }
    )
