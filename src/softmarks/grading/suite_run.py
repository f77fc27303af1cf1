"""Run one suite on one program with pytest, and keep what it said: a record, and its conversations.

The record is plain data (from pytest-json-report) and marks are a pure function of it. The
conversations, which hold tensors, are for diagnosis. One call of `run` is one `pytest.main`.
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
from pydantic import BaseModel, ConfigDict, TypeAdapter

from softmarks.course.course import Course
from softmarks.errors import GraderError
from softmarks.grading.checks import FATAL, Ending, NotReached, ending
from softmarks.grading.program import Program
from softmarks.grading.student import Conversation, Names
from softmarks.verdict import Outcome

INI = Path(__file__).parent / "suite.ini"


class Case(BaseModel):
    """One case of one check, as it is kept in the record."""

    model_config = ConfigDict(frozen=True)

    check: str
    kind: str
    says: str
    needs: tuple[str, ...]
    outcome: Outcome
    message: str = ""
    asked: str = ""
    line: str = ""
    printed: str = ""


@dataclass
class Record:
    """What a run of a suite left behind: its cases by pytest's node id, in order, and their conversations."""

    cases: dict[str, Case]
    conversations: dict[str, Conversation]


@dataclass
class _Plugin:
    """The pytest plugin of one run: gives out the program, and notes how every check ends."""

    program: Program
    kinds: dict[str, tuple[str, ...]]  # kind -> kinds that it needs
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    endings: dict[str, Ending] = field(default_factory=dict)
    conversations: dict[str, Conversation] = field(default_factory=dict)
    dead: set[str] = field(default_factory=set)  # checks after which running what needs them tells nothing
    names: Names | None = None
    raw: dict[str, Any] = field(default_factory=dict)

    def pytest_configure(self, config: pytest.Config) -> None:
        for kind in self.kinds:
            config.addinivalue_line("markers", f"{kind}: a kind of check")
        config.addinivalue_line("markers", "needs(*names): the checks that must pass before this one counts")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        by_kind: dict[str, list[str]] = {}
        for item in items:
            kinds = [mark.name for mark in item.iter_markers() if mark.name in self.kinds]
            if len(set(kinds)) != 1:
                raise pytest.UsageError(f"{item.nodeid}: one kind is needed, found {kinds or 'none'}")
            name = getattr(item, "originalname", item.name)
            if name not in by_kind.setdefault(kinds[0], []):
                by_kind[kinds[0]].append(name)
            self.facts[item.nodeid] = {"check": name, "kind": kinds[0], "says": _rule(item)}
        for item in items:
            marker = item.get_closest_marker("needs")
            facts = self.facts[item.nodeid]
            wanted = [name for kind in self.kinds[facts["kind"]] for name in by_kind.get(kind, ())]
            facts["needs"] = tuple(marker.args) if marker else tuple(wanted)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.names = None
        facts = self.facts[item.nodeid]
        for needed in (*facts["needs"], facts["check"]):
            if needed in self.dead:
                self.dead.add(facts["check"])
                raise NotReached("not run: an earlier check did not get that far")
        _session, self.names = self.program.check()

    @pytest.fixture
    def student(self) -> Iterator[Names]:
        """The student's program."""
        if self.names is None:
            raise GraderError("a suite asked for the student's program outside of a check")
        session, _, _ = self.names._asked
        with session.current():
            yield self.names

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        error = call.excinfo.value if call.excinfo else None
        if call.when == "call" or (call.when in ("setup", "teardown") and error is not None):
            self._note(item.nodeid, error, in_test=call.when != "teardown")
        return (yield)

    def _note(self, node: str, error: BaseException | None, *, in_test: bool) -> None:
        found = ending(error)
        if not in_test and self.endings.get(node, found).outcome is not Outcome.PASSED:
            return
        self.endings[node] = found
        reached = found.outcome is not Outcome.NOT_REACHED and self.names is not None
        conversation = self.program.conversation if reached else Conversation()
        conversation.outcome, conversation.facts = found.outcome, found.facts
        self.conversations[node] = conversation
        self.facts[node]["printed"] = self.program.output()[-2000:] if error and reached else ""
        if found.outcome in FATAL:
            self.dead.add(self.facts[node]["check"])
        self.program.end_of_check(error)

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_runtest_metadata(self, item: pytest.Item, call: pytest.CallInfo[None]) -> dict[str, Any]:
        found = self.endings.get(item.nodeid)
        if call.when != "teardown" or found is None:
            return {}
        exchanges = self.conversations[item.nodeid].exchanges
        asked = exchanges[-1].asked if exchanges else ""
        words = {"outcome": found.outcome, "message": found.says, "line": found.line, "asked": asked}
        return {"case": {**self.facts[item.nodeid], **words}}

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_modifyreport(self, json_report: dict[str, Any]) -> None:
        self.raw = json_report


def run(suite: Path, root: Path, course: Course, program: Program) -> Record:
    """Run ``suite`` on ``program`` and close the program.

    Raises GraderError when the suite itself does not run.
    """
    kinds = {name: tuple(kind.needs) for name, kind in course.kinds.items()}
    plugin = _Plugin(program, kinds)
    plugins = [plugin, pytest_jsonreport.plugin, pytest_metadata.plugin]
    options = ["-c", str(INI), "--rootdir", str(root), "--confcutdir", str(suite.parent)]
    options += [
        "--disable-plugin-autoload",
        "--import-mode=importlib",
        "--json-report",
        "--json-report-file=none",
    ]
    options += ["--json-report-omit", "collectors", "log", "streams", "keywords", "warnings", "traceback"]
    options += ["-p", "no:cacheprovider", "-p", "no:logging", "--capture=no", "-qq", "--tb=line"]
    # two full garbage collections a run, to find what a suite cannot leave behind
    options += ["-p", "no:unraisableexception", "-p", "no:threadexception"]
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
    return Record(_cases(plugin.raw), plugin.conversations)


_CASE: TypeAdapter[Case] = TypeAdapter(Case)


def _cases(raw: dict[str, Any]) -> dict[str, Case]:
    """The cases of a raw report of pytest-json-report, by node id."""
    found = {}
    for test in raw["tests"]:
        case = (test.get("metadata") or {}).get("case")
        if case is None:
            raise GraderError(f"{test['nodeid']} left no record")
        found[test["nodeid"]] = _CASE.validate_python(case)
    return found


def _rule(item: pytest.Item) -> str:
    """The rule that a check checks: the first paragraph of its docstring, on one line."""
    text = inspect.getdoc(getattr(item, "obj", None)) or item.name
    return " ".join(text.split("\n\n")[0].split())
