"""From the record of a suite to checks with points: a pure function, without torch or a process."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from softmarks.errors import GraderError
from softmarks.grading.record import Case
from softmarks.verdict import Check, Outcome, blocked, deal

NOTHING = Decimal("0.00")


def checks(
    cases: Mapping[str, Case], points: Decimal | None, shares: Mapping[str, Fraction]
) -> tuple[Check, ...]:
    """The checks of an exercise with their points; a suite without ``points`` is worth nothing.

    A check is a test function with all its cases; it passes when all do, and the first case that does not
    is the one that is told. It counts only when the checks that it needs pass.
    """
    first: dict[str, Case] = {}
    for case in cases.values():
        if case.check not in first or (
            first[case.check].outcome is Outcome.PASSED and case.outcome is not Outcome.PASSED
        ):
            first[case.check] = case
    worth = dict.fromkeys(first, NOTHING)
    try:
        if points is not None:
            worth = deal(points, {name: case.kind for name, case in first.items()}, shares)
    except ValueError as error:
        raise GraderError(str(error)) from error
    outcomes = {name: case.outcome for name, case in first.items()}
    needs = {name: case.needs for name, case in first.items()}
    for name, parents in needs.items():
        for parent in parents:
            if parent not in first:
                raise GraderError(f"{name} needs {parent}, which is not in its suite")
    unreached = blocked(outcomes, needs)
    return tuple(
        Check(
            name=name,
            kind=case.kind,
            says=case.says,
            outcome=Outcome.NOT_REACHED if name in unreached else case.outcome,
            points=worth[name] if case.outcome is Outcome.PASSED and name not in unreached else NOTHING,
            max_points=worth[name],
            message="" if name in unreached and case.outcome is not Outcome.NOT_REACHED else case.message,
        )
        for name, case in first.items()
    )
