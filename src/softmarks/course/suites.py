"""Read a suite without running it: its checks, their kinds, what they need, and what the suite imports."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from softmarks.course.text import parsed, read_text

MARKS = (
    "needs(*names): the checks that must pass before this one counts",
    "enforces(*sentences): the sentences of the statement that make this check fair",
)


@dataclass(frozen=True)
class Check:
    """One test function: its kinds, the checks that it needs, the sentences that it enforces."""

    name: str
    line: int
    marks: tuple[str, ...]
    needs: tuple[str, ...]
    enforces: tuple[str, ...]
    says: str


@dataclass(frozen=True)
class Suite:
    """The checks of one test file, and the top-level names of the modules that it imports."""

    checks: tuple[Check, ...]
    imports: frozenset[str]


def read_suite(path: Path) -> Suite:
    """Read a test file. Raises CourseError when it is missing or no Python."""
    tree = parsed(read_text(path), path, "the suite")
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    checks = tuple(_check(node) for node in functions if node.name.startswith("test"))
    return Suite(checks, frozenset(_imports(tree)))


def _check(function: ast.FunctionDef) -> Check:
    marks: list[str] = []
    named: dict[str, list[str]] = {"needs": [], "enforces": []}
    for decorator in function.decorator_list:
        mark, arguments = decorator, list[ast.expr]()
        if isinstance(decorator, ast.Call):
            mark, arguments = decorator.func, decorator.args
        text = ast.unparse(mark)
        if not text.startswith("pytest.mark."):
            continue
        name = text.removeprefix("pytest.mark.")
        if name in named:
            named[name] += [
                str(argument.value) for argument in arguments if isinstance(argument, ast.Constant)
            ]
        elif name != "parametrize":
            marks.append(name)
    says = (ast.get_docstring(function) or "").split("\n")[0]
    needs, enforces = (tuple(texts) for texts in named.values())
    return Check(function.name, function.lineno, tuple(marks), needs, enforces, says)


def _imports(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found
