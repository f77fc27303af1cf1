"""Run a suite by calling its functions in this process: no pytest, no wall. For authored programs alone.

What a check says does not depend on who calls it. So misconceptions are played here, which costs a
fraction of a host and of pytest.
"""

from __future__ import annotations

import importlib.util
import inspect
import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from softmarks.errors import GraderError
from softmarks.grading.program import Program
from softmarks.grading.record import Case, Found, Record, Recorder, Rule, rules

Test = Callable[..., object]


def play(
    suite: Path,
    kinds: Mapping[str, Sequence[str]],
    program: Program,
    only: Collection[str] | None = None,
) -> Record:
    """The record of a program in a suite, as pytest gives it; closes the program.

    ``kinds`` maps a kind of checks to those that it needs; ``only`` names the cases to run, if not all.
    Raises GraderError for a suite that asks pytest for more than the program.
    """
    recorder = Recorder(program)
    found = _found(suite, kinds)
    listed = rules([case for case, _, _ in found], kinds)
    wanted = [
        (rule, case) for rule, case in zip(listed, found, strict=True) if only is None or rule.key in only
    ]
    try:
        for rule, (_, test, arguments) in wanted:
            _run(recorder, rule, test, arguments)
    finally:
        program.close()
    cases = {rule.key: Case.model_validate(recorder.case(rule)) for rule, _ in wanted}
    return Record(cases, recorder.conversations)


def _run(recorder: Recorder, rule: Rule, test: Test, arguments: Mapping[str, Any]) -> None:
    reached = False
    try:
        session, names = recorder.begin(rule)
        reached = True
        with session.current():
            test(student=names, **arguments)
    except Exception as error:
        recorder.note(rule, error, reached=reached)
    else:
        recorder.note(rule, None, reached=True)


def _found(suite: Path, kinds: Mapping[str, Sequence[str]]) -> list[tuple[Found, Test, dict[str, Any]]]:
    """Every case of a suite with its function and arguments, in pytest's order."""
    found = []
    for name, test in tests(suite).items():
        marks = getattr(test, "pytestmark", [])
        kind = next((mark.name for mark in marks if mark.name in kinds), "")
        if not kind:
            raise GraderError(f"{name} has no kind", where=suite)
        needs = next((tuple(mark.args) for mark in marks if mark.name == "needs"), None)
        case = Found(name, kind, inspect.getdoc(test) or name, needs)
        found += [(case, test, arguments) for arguments in _cases(marks)]
    return found


def tests(suite: Path) -> dict[str, Test]:
    """The test functions of a suite, in their order. It is imported once."""
    return _tests(suite, suite.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _tests(suite: Path, _written: int) -> dict[str, Test]:
    spec = importlib.util.spec_from_file_location(f"suite_{suite.parent.name}", suite)
    if spec is None or spec.loader is None:
        raise GraderError("the suite cannot be imported", where=suite)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tests = {name: value for name, value in vars(module).items() if name.startswith("test")}
    return {name: test for name, test in tests.items() if isinstance(test, FunctionType)}


def _cases(marks: Sequence[pytest.Mark]) -> Iterator[dict[str, Any]]:
    """The arguments of each case; the decorator next to a function varies slowest."""
    axes: list[list[dict[str, Any]]] = []
    for mark in marks:
        if mark.name != "parametrize":
            continue
        names, values = mark.args[:2]
        names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
        axes.append([dict(zip(names, _values(value, len(names)), strict=True)) for value in values])
    for chosen in itertools.product(*axes):
        yield {name: value for part in chosen for name, value in part.items()}


def _values(value: Any, count: int) -> tuple[Any, ...]:
    if isinstance(value, type(pytest.param())):
        return tuple(value.values)
    return (value,) if count == 1 else tuple(value)
