"""Verdicts on work that was not run."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from softmarks.course.course import Exercise
from softmarks.verdict import ExerciseVerdict


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
