"""Machine-made mutants of a solution: one operator, number or condition changed at a time, by cosmic-ray.

A mutant that a suite lets through is either a mistake that no check sees, or the same program written
otherwise; its author says which, in ``equivalents.yml``.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from softmarks.course.regions import inside, without_markers
from softmarks.errors import UsageError


@dataclass(frozen=True)
class Mutant:
    """A changed line of a solution, and the whole program with it."""

    was: str
    now: str
    source: str


def mutants(solution: str) -> list[Mutant]:
    """The mutants of a solution file's regions, each once. Raises UsageError without cosmic-ray."""
    try:
        from cosmic_ray.mutating import MutationVisitor
        from cosmic_ray.operators.provider import OperatorProvider
    except ImportError as error:
        raise UsageError(
            f"mutants need cosmic-ray: {error}", fix="Run pip install 'softmarks[audit]', or use --quick"
        ) from error
    lines = solution.split("\n")
    own = inside(lines)
    found: dict[str, Mutant] = {}
    operators = OperatorProvider()
    for name in operators:
        if operators[name].arguments():  # it needs the name of a variable
            continue
        for changed in _changed(MutationVisitor, operators[name](), solution):
            now = changed.split("\n")
            place = next((i for i, (a, b) in enumerate(zip(lines, now, strict=False)) if a != b), None)
            if place in own and _is_python(changed):
                source = without_markers(changed)
                found.setdefault(source, Mutant(_code(lines[place]), _code(now[place]), source))
    return list(found.values())


def _changed(visitor: type, operator: object, solution: str) -> Iterator[str]:
    """The solution with the operator applied to one place after the other."""
    occurrence = 0
    while True:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            changed = visitor.mutate_code(solution, operator, occurrence)  # type: ignore[attr-defined]
        if changed is None:
            return
        yield changed
        occurrence += 1


def _code(line: str) -> str:
    """A line without what surrounds its code."""
    return line.split("  #")[0].strip()


def _is_python(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<mutant>", "exec")
    except SyntaxError:
        return False
    return True
