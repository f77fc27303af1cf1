"""Run the public checks of an exercise in this very process, so that a debugger stops in one's own code."""

from __future__ import annotations

import inspect
from bdb import BdbQuit
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from softmarks.course.course import Course
from softmarks.course.faults import near
from softmarks.course.rooms import room
from softmarks.course.suites import MARKS, read_suite
from softmarks.errors import UsageError
from softmarks.grading import plugin
from softmarks.grading.own_work import own_file
from softmarks.grading.student import Names
from softmarks.grading.suite_run import INI


@dataclass(frozen=True)
class _Debugged:
    """The pytest plugin of one run."""

    own: Path
    kinds: tuple[str, ...]

    def pytest_configure(self, config: pytest.Config) -> None:
        for mark in (*MARKS, *self.kinds):
            config.addinivalue_line("markers", mark)

    @pytest.fixture
    def student(self, request: pytest.FixtureRequest) -> Iterator[Names]:
        """The learner's program; says first which check asks for it."""
        print(f"\n{request.node.name}: {inspect.getdoc(request.function)}")
        yield from plugin.in_this_process(request, self.own)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        if call.excinfo is not None and isinstance(call.excinfo.value, BdbQuit):
            pytest.exit("the debugger was left", returncode=1)
        return (yield from plugin.pytest_runtest_makereport(item, call))


def debug(course: Course, root: Path, here: Path, name: str, check: str | None) -> int:
    """Run the public checks of an exercise, or one of them, on one's own file; pytest's exit status.

    Raises UsageError when there is nothing that a debugger could stop in.
    """
    place, own = room(course, root, name), own_file(course.exercise(name), root, here)
    if own.suffix != ".py":
        raise UsageError(
            "a notebook is debugged where it runs", where=own, fix="Run %debug in a cell after the error"
        )
    if place.is_sheet:
        raise UsageError(
            f"{name} is a question sheet, and no program", fix=f"softmarks check {name} explains it"
        )
    checks = [one.name for one in read_suite(place.public).checks]
    if check is not None and check not in checks:
        raise UsageError(f'there is no check "{check}" in {name}', fix=near(check, checks))
    suite = f"{place.public}::{check}" if check else str(place.public)
    options = ["-c", str(INI), "--rootdir", str(root), "--confcutdir", str(place.public.parent)]
    options += ["--disable-plugin-autoload", "--import-mode=importlib", "--capture=no", "--tb=short"]
    options += ["--no-header", "-rN", "-q", "-p", "no:cacheprovider", "-p", "no:debugging"]
    return int(pytest.main([*options, suite], plugins=[_Debugged(own, tuple(course.kinds))]))
