"""What students must not see, and what they get to read: for tests that search the one in the other.

It shares nothing with `softmarks.course.leaks`, which looks for the same before a release.
"""

from __future__ import annotations

import ast
import html
import json
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

SHORTEST_SECRET = 31


def normalised_text(path: Path) -> str:
    """The text of a result file without JSON's and HTML's spelling, every space a single one."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".json", ".ipynb"):
        text = "\n".join(texts(json.loads(text)))
    return " ".join(html.unescape(text).split())


def texts(value: object) -> Iterator[str]:
    """All texts in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def hidden_lines(root: Path = ROOT) -> Iterator[str]:
    """The code of hidden suites and of the oracle; docstrings, which are told as rules, are not in it."""
    for path in [*root.glob("graders/oracle.py"), *root.glob("graders/*/*/test_hidden.py")]:
        text = path.read_text(encoding="utf-8")
        docstrings: set[int] = set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                docstrings.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        yield from distinctive(
            line for number, line in enumerate(text.splitlines(), 1) if number not in docstrings
        )


def solution_lines(root: Path = ROOT) -> Iterator[str]:
    """The code between the markers of solutions."""
    for path in root.glob("solutions/*/*.py"):
        text = path.read_text(encoding="utf-8")
        for region in text.split("### BEGIN SOLUTION")[1:]:
            yield from distinctive(region.partition("### END SOLUTION")[0].splitlines()[1:])


def distinctive(lines: Iterator[str] | list[str]) -> Iterator[str]:
    """Lines so long that nobody writes them by chance, without comments, every space a single one.

    Students have some of them all the same, in stubs: whoever searches takes those away.
    """
    for line in lines:
        code = " ".join(line.partition("  #")[0].split())
        if len(code) >= SHORTEST_SECRET and not code.startswith("#"):
            yield code
