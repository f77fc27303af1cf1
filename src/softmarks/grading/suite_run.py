"""Run a suite on one program after the other, with pytest. It is collected once.

pytest is led as its own command leads it, but for the loop: each program is one more round over the same
items, with fixtures made anew. The record of marks comes from pytest-json-report. A suite's module is loaded
once for all programs, so it must keep nothing between its checks.
"""

from __future__ import annotations

import inspect
import io
import os
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_jsonreport.plugin
import pytest_metadata.plugin
from _pytest.config import _prepareconfig

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
    """The pytest plugin of one suite: gives out the program, and notes how every check ends."""

    kinds: dict[str, tuple[str, ...]]  # kind -> kinds that it needs
    rules: dict[str, Rule] = field(default_factory=dict)  # by pytest's node id
    broken: list[str] = field(default_factory=list)  # why parts of the suite were not collected
    recorder: Recorder | None = None  # of the program that is run now
    given: tuple[Session, Names] | None = None
    raw: dict[str, Any] = field(default_factory=dict)

    @property
    def now(self) -> Recorder:
        """The recorder of the program that is run now."""
        assert self.recorder is not None, "no program is run now"
        return self.recorder

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken.append(str(report.longrepr))

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
        self.given = self.now.begin(self.rules[item.nodeid])

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
        ended = self.now.endings.get(rule.key)
        if call.when == "teardown":  # what a suite breaks on leaving counts, unless the check had failed
            wanted = error is not None and (ended is None or ended.outcome is Outcome.PASSED)
        else:
            wanted = call.when == "call" or error is not None
        if wanted:
            self.now.note(rule, error, reached=self.given is not None)
        return (yield)

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_runtest_metadata(self, item: pytest.Item, call: pytest.CallInfo[None]) -> dict[str, Any]:
        rule = self.rules[item.nodeid]
        if call.when != "teardown" or rule.key not in self.now.endings:
            return {}
        return {"key": rule.key, "case": self.now.case(rule)}

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_modifyreport(self, json_report: dict[str, Any]) -> None:
        self.raw = json_report


class CollectedSuite:
    """A suite, collected. `run` runs it on a program; never on two at once.

    Raises GraderError when the suite itself cannot be collected.
    """

    def __init__(self, path: Path, root: Path, course: Course) -> None:
        self.path = path
        self.plugin = _Plugin({name: tuple(kind.needs) for name, kind in course.kinds.items()})
        self.report = pytest_jsonreport.plugin.JSONReport()
        self.words = io.StringIO()
        for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
            os.environ.pop(name, None)
        importers = [*sys.meta_path]
        for name, module in [*sys.modules.items()]:
            if getattr(module, "__file__", None) == str(path):
                del sys.modules[name]  # as it was before its author changed it
        try:
            with redirect_stdout(self.words), redirect_stderr(self.words):
                self._collect(root)
        except (pytest.UsageError, SystemExit) as error:
            raise self._broken(str(error)) from error
        finally:
            sys.meta_path[:] = importers  # what rewrites assertions of a suite has done its work
        if self.plugin.broken or not self.session.items:
            raise self._broken("\n".join(self.plugin.broken) or "it has no checks")

    def _collect(self, root: Path) -> None:
        options = ["-c", str(INI), "--rootdir", str(root), "--confcutdir", str(self.path.parent)]
        options += ["--disable-plugin-autoload", "--import-mode=importlib", "--json-report-file=none"]
        options += ["--json-report-omit", "collectors", "log", "streams", "keywords", "warnings", "traceback"]
        options += ["--capture=no", "-qq", "--tb=line"]
        options += [word for name in UNUSED for word in ("-p", f"no:{name}")]
        plugins = [self.plugin, pytest_jsonreport.plugin, pytest_metadata.plugin, self.report]
        self.config = _prepareconfig([*options, str(self.path)], plugins)
        self.config._do_configure()
        self.config.pluginmanager.unregister(name="terminalreporter")  # nobody reads what it prints
        self.session = pytest.Session.from_config(self.config)
        self.session.exitstatus = pytest.ExitCode.OK  # what a report says of a session that goes on
        self.config.hook.pytest_sessionstart(session=self.session)
        self.config.hook.pytest_collection(session=self.session)

    def run(self, program: Program) -> Record:
        """Run the suite on a program, and close the program. Raises GraderError when the suite stops."""
        recorder = self.plugin.recorder = Recorder(program)
        self.report.__init__(self.config)  # it forgets the program before
        items = self.session.items
        try:
            with redirect_stdout(self.words), redirect_stderr(self.words):
                self.report.pytest_sessionstart(self.session)
                for item, following in zip(items, [*items[1:], None], strict=True):
                    self.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                self.report.pytest_sessionfinish(self.session)
        except (pytest.exit.Exception, pytest.UsageError) as error:
            raise self._broken(str(error)) from error
        finally:
            self.plugin.recorder = self.plugin.given = None
            self.words.seek(0)
            self.words.truncate()
            program.close()
        return Record(_cases(self.plugin.raw), recorder.conversations)

    def close(self) -> None:
        """Let go of what pytest holds."""
        with redirect_stdout(self.words), redirect_stderr(self.words):
            self.config._ensure_unconfigure()

    def _broken(self, words: str) -> GraderError:
        lines = [line.strip() for line in words.splitlines() if line.strip()]
        causes = [line.removeprefix("E ").strip() for line in lines if line.startswith("E ")] or lines
        return GraderError(f"the suite did not run: {causes[-1] if causes else 'no words'}", where=self.path)


def _cases(raw: dict[str, Any]) -> dict[str, Case]:
    """The cases of a raw report of pytest-json-report, by check and number."""
    found = {}
    for test in raw["tests"]:
        noted = test.get("metadata") or {}
        if "case" not in noted:
            raise GraderError(f"{test['nodeid']} left no record")
        found[noted["key"]] = Case.model_validate(noted["case"])
    return found
