"""A verdict, dealt out to the check cells of a notebook. Pure; knows neither nbgrader nor a process."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal

from softmarks.course.course import Kind
from softmarks.course.sheets import KIND
from softmarks.notebook.stages import ANSWERS, stage
from softmarks.verdict import Check, ExerciseVerdict, Outcome


def cell_verdicts(
    verdict: ExerciseVerdict, cells: Sequence[str], kinds: Mapping[str, Kind], by_person: Collection[str]
) -> dict[str, ExerciseVerdict]:
    """The part of each check cell in a verdict. The cells are called ``EXERCISE-STAGE``.

    A check belongs to the cell of its stage, else to the first one; not at all when it is one that a person
    judges. A message stands with the first check that it explains, and what concerns the whole exercise in
    the first cell. The points are None where no mark was given.
    """
    stages = {cell.partition("-")[2]: cell for cell in cells}
    home = {
        check.name: stages.get(_stage(check, kinds), cells[0])
        for check in verdict.checks
        if check.name not in by_person
    }
    return {
        cell: _part(verdict, cell == cells[0], {n for n, at in home.items() if at == cell}) for cell in cells
    }


def written_marks(
    verdict: ExerciseVerdict, cells: Collection[str], judged: Collection[str] = ()
) -> dict[str, Decimal | None]:
    """The marks of cells with an answer in words, called ``EXERCISE-QUESTION``; None waits for a person.

    ``judged`` are the checks that a person has given points. A cell of no question of the course has none:
    somebody added it by hand.
    """
    if verdict.status == "ungradable":
        return dict.fromkeys(cells)
    return {
        f"{verdict.exercise}-{check.name}": None
        if check.outcome is Outcome.NEEDS_A_PERSON and check.name not in judged
        else check.points
        for check in verdict.checks
        if f"{verdict.exercise}-{check.name}" in cells
    }


def _part(verdict: ExerciseVerdict, first: bool, names: Collection[str]) -> ExerciseVerdict:
    checks = tuple(check for check in verdict.checks if check.name in names)
    return verdict.model_copy(
        update={
            "checks": checks,
            "messages": tuple(message for message in verdict.messages if message.checks[0] in names),
            "points": sum((check.points for check in checks), Decimal(0)) if checks else None,
            "max_points": sum((check.max_points for check in checks), Decimal(0)),
            "repairs": verdict.repairs if first else (),
            "note": verdict.note if first else "",
        }
    )


def _stage(check: Check, kinds: Mapping[str, Kind]) -> str:
    return ANSWERS if check.kind == KIND else stage(check.kind, kinds)
