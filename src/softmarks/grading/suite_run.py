"""Run one suite on one program with pytest. One call of `run` is one `pytest.main`.

The record of marks comes from pytest-json-report.
"""

from __future__ import annotations

import inspect
import io
import os
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_jsonreport.plugin
import pytest_metadata.plugin

from softmarks.course.course import Course
from softmarks.course.suites import MARKS
from softmarks.errors import GraderError
from softmarks.grading.program import Program
from softmarks.grading.record import Case, Found, Record, Recorder, Rule, rules
from softmarks.grading.student import Names, Session
from softmarks.verdict import Outcome

INI = Path(__file__).parent / "suite.ini"
# pytest's own plugins that a suite has no use for: a run of twenty checks spends a third of its time on them
UNUSED = (
    *("cacheprovider", "debugging", "doctest", "faulthandler", "freeze_support", "junitxml"),
    *("logging", "monkeypatch", "pastebin", "recwarn", "setuponly", "setupplan", "stepwise", "subtests"),
    *("threadexception", "tmpdir", "unittest", "unraisableexception"),
)


@dataclass
class _Plugin:
    """The pytest plugin of one run: gives out the program, and notes how every check ends."""

    recorder: Recorder
    kinds: dict[str, tuple[str, ...]]  # kind -> kinds that it needs
    rules: dict[str, Rule] = field(default_factory=dict)  # by pytest's node id
    given: tuple[Session, Names] | None = None
    raw: dict[str, Any] = field(default_factory=dict)

    def pytest_configure(self, config: pytest.Config) -> None:
        for kind in self.kinds:
            config.addinivalue_line("markers", f"{kind}: a kind of check")
        for mark in MARKS:
            config.addinivalue_line("markers", mark)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        found = []
        for item in items:
            kinds = {mark.name for mark in item.iter_markers() if mark.name in self.kinds}
            if len(kinds) != 1:
                raise pytest.UsageError(f"{item.nodeid}: one kind is needed, found {kinds or 'none'}")
            needs = item.get_closest_marker("needs")
            name = getattr(item, "originalname", item.name)
            says = inspect.getdoc(getattr(item, "obj", None)) or name
            found.append(Found(name, kinds.pop(), says, tuple(needs.args) if needs else None))
        nodes = [item.nodeid for item in items]
        self.rules = dict(zip(nodes, rules(found, self.kinds), strict=True))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.given = None
        self.given = self.recorder.begin(self.rules[item.nodeid])

    @pytest.fixture
    def student(self) -> Iterator[Names]:
        """The student's program."""
        if self.given is None:
            raise GraderError("a suite asked for the student's program outside of a check")
        session, names = self.given
        with session.current():
            yield names

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        error = call.excinfo.value if call.excinfo else None
        rule = self.rules[item.nodeid]
        ended = self.recorder.endings.get(rule.key)
        if call.when == "teardown":  # what a suite breaks on leaving counts, unless the check had failed
            wanted = error is not None and (ended is None or ended.outcome is Outcome.PASSED)
        else:
            wanted = call.when == "call" or error is not None
        if wanted:
            self.recorder.note(rule, error, reached=self.given is not None)
        return (yield)

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_runtest_metadata(self, item: pytest.Item, call: pytest.CallInfo[None]) -> dict[str, Any]:
        rule = self.rules[item.nodeid]
        if call.when != "teardown" or rule.key not in self.recorder.endings:
            return {}
        return {"key": rule.key, "case": self.recorder.case(rule)}

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_modifyreport(self, json_report: dict[str, Any]) -> None:
        self.raw = json_report


def run(suite: Path, root: Path, course: Course, program: Program) -> Record:
    """Run ``suite`` on ``program`` and close the program.

    Raises GraderError when the suite itself does not run.
    """
    kinds = {name: tuple(kind.needs) for name, kind in course.kinds.items()}
    recorder = Recorder(program)
    plugin = _Plugin(recorder, kinds)
    plugins = [plugin, pytest_jsonreport.plugin, pytest_metadata.plugin]
    options = ["-c", str(INI), "--rootdir", str(root), "--confcutdir", str(suite.parent)]
    options += [
        "--disable-plugin-autoload",
        "--import-mode=importlib",
        "--json-report",
        "--json-report-file=none",
    ]
    options += ["--json-report-omit", "collectors", "log", "streams", "keywords", "warnings", "traceback"]
    options += ["--capture=no", "-qq", "--tb=line"]
    options += [word for name in UNUSED for word in ("-p", f"no:{name}")]
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(name, None)
    words = io.StringIO()
    try:
        with redirect_stdout(words), redirect_stderr(words):
            status = pytest.main([*options, str(suite)], plugins=plugins)
    finally:
        program.close()
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or not plugin.raw.get("tests"):
        lines = [line.strip() for line in words.getvalue().splitlines() if line.strip()]
        causes = [line.removeprefix("E ").strip() for line in lines if line.startswith("E ")] or lines
        cause = causes[-1] if causes else "it has no checks"
        raise GraderError(f"the suite did not run: {cause}", where=suite)
    return Record(_cases(plugin.raw), recorder.conversations)


def _cases(raw: dict[str, Any]) -> dict[str, Case]:
    """The cases of a raw report of pytest-json-report, by check and number."""
    found = {}
    for test in raw["tests"]:
        noted = test.get("metadata") or {}
        if "case" not in noted:
            raise GraderError(f"{test['nodeid']} left no record")
        found[noted["key"]] = Case.model_validate(noted["case"])
    return found
