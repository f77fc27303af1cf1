"""A verdict as annotations of GitHub's: what is to be repaired, at the lines that it is about."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from softmarks.reporting.inert import clip, inert
from softmarks.reporting.wording import heading, unexplained
from softmarks.verdict import ExerciseVerdict

LONGEST_LINE = 400
MOST_LINES = 30


def workflow_commands(verdict: ExerciseVerdict, path: str, program: str) -> Iterator[str]:
    """A workflow command for each thing to repair in the file ``path``, whose text is ``program``."""
    lines = _definitions(program)
    for message in verdict.messages:
        title = heading(message)
        told = [message.asked, message.difference, message.says, message.hint]
        yield _error(path, _line(message.difference, message.asked, lines), title, told)
    for check in unexplained(verdict):
        yield _error(path, _line(check.message, check.message, lines), check.says, [check.message])
    if verdict.status == "ungradable":
        yield _error(path, 1, "It cannot be read", [verdict.note])


def _line(seen: str, asked: str, definitions: dict[str, int]) -> int:
    """The line where it was raised, else the definition that was asked first, else the first line."""
    raised = re.search(r"\bline (\d+)", seen)
    if raised:
        return int(raised[1])
    names = (name for name in re.findall(r"\w+", asked) if name in definitions)
    return next((definitions[name] for name in names), 1)


def _definitions(program: str) -> dict[str, int]:
    """The line of each function and class."""
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError):
        return {}
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return {node.name: node.lineno for node in reversed(tree.body) if isinstance(node, kinds)}


def _error(path: str, line: int, title: str, told: list[str]) -> str:
    body = "\n".join(text for text in told if text)
    return f"::error file={_property(path)},line={line},title={_property(title)}::{_data(body)}"


def _data(text: str) -> str:
    text = inert(clip(text, LONGEST_LINE, MOST_LINES))
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
