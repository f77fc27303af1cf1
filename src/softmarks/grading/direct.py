"""Run a suite by calling its functions in this process: no pytest, no wall. For authored programs alone.

What a check says does not depend on who calls it. So misconceptions are played here, which costs a
fraction of a host and of pytest.
"""

from __future__ import annotations

import importlib.util
import inspect
import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from softmarks.errors import GraderError
from softmarks.grading.program import Program
from softmarks.grading.record import Case, Found, Record, Recorder, Rule, rules

Function = Callable[..., object]
Test = Callable[[dict[str, Any]], object]  # takes all arguments that there are


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
            test({"student": names, **arguments})
    except Exception as error:
        recorder.note(rule, error, reached=reached)
    else:
        recorder.note(rule, None, reached=True)


def _found(suite: Path, kinds: Mapping[str, Sequence[str]]) -> list[tuple[Found, Test, dict[str, Any]]]:
    """Every case of a suite with its function and arguments, in pytest's order."""
    found: list[tuple[Found, Test, dict[str, Any]]] = []
    fixtures = _fixtures(suite)
    for name, test in tests(suite).items():
        marks = getattr(test, "pytestmark", [])
        kind = next((mark.name for mark in marks if mark.name in kinds), "")
        if not kind:
            raise GraderError(f"{name} has no kind", where=suite)
        needs = next((tuple(mark.args) for mark in marks if mark.name == "needs"), None)
        case = Found(name, kind, inspect.getdoc(test) or name, needs)
        for arguments in _cases(marks):
            _refuse_more(test, {"student", *arguments}, fixtures, suite)
            found.append((case, partial(_call, test, fixtures), arguments))
    return found


def _call(function: Function, fixtures: Mapping[str, Function], known: dict[str, Any]) -> object:
    """Call a test or a fixture of a suite; what it asks for is made before, once a test."""
    for name in inspect.signature(function).parameters:
        if name not in known:
            known[name] = _call(fixtures[name], fixtures, known)
    return function(**{name: known[name] for name in inspect.signature(function).parameters})


def _refuse_more(
    function: Function, known: Collection[str], fixtures: Mapping[str, Function], suite: Path
) -> None:
    """Raise GraderError for a test that asks for what is here neither given nor a plain fixture."""
    for name in inspect.signature(function).parameters:
        if name in known:
            continue
        if name not in fixtures or inspect.isgeneratorfunction(fixtures[name]):
            what = f"{function.__name__} asks for {name}: `student` and plain fixtures of the file are there"
            raise GraderError(what, where=suite)
        _refuse_more(fixtures[name], known, fixtures, suite)


def tests(suite: Path) -> dict[str, Function]:
    """The test functions of a suite, in their order. It is imported once."""
    names = _names(suite, suite.stat().st_mtime_ns)
    return {
        name: value
        for name, value in names.items()
        if name.startswith("test") and isinstance(value, FunctionType)
    }


def _fixtures(suite: Path) -> dict[str, Function]:
    """The functions of its fixtures, by their names."""
    names = _names(suite, suite.stat().st_mtime_ns)
    marked = {name: value for name, value in names.items() if hasattr(value, "_fixture_function_marker")}
    return {name: value.__wrapped__ for name, value in marked.items()}


@lru_cache(maxsize=4)
def _names(suite: Path, _written: int) -> dict[str, Any]:
    spec = importlib.util.spec_from_file_location(f"suite_{suite.parent.name}", suite)
    if spec is None or spec.loader is None:
        raise GraderError("the suite cannot be imported", where=suite)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


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
