"""The names that a stub asks for, and where a program's names are others: near ones, or in another order."""

from __future__ import annotations

import ast
import contextlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from softmarks.course.regions import inside
from softmarks.errors import lookalikes

MOST_READ = 128 * 1024  # characters of a cell: the parser may need a kilobyte for each

Interface = Mapping[str, tuple[str, ...]]  # a function, or Class.method, and the names of its parameters


@dataclass(frozen=True)
class Misnamed:
    """A name that is not as the stub has it. ``grave`` where every call goes wrong because of it."""

    says: str
    grave: bool = False


def interface(solution: str) -> dict[str, tuple[str, ...]]:
    """The functions, classes and methods of a solution file that its stub shows, with their parameters."""
    cleared = inside(solution.split("\n"))
    return {name: names for name, (line, names) in _definitions(solution).items() if line - 1 not in cleared}


def misnamed(asked: Interface, cells: Sequence[str]) -> list[Misnamed]:
    """Where the names of a program differ from what its stub asks for. A cell that is no Python has none."""
    has: dict[str, tuple[str, ...]] = {}
    for cell in cells:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            has |= {name: names for name, (_, names) in _definitions(cell[:MOST_READ]).items()}
    found = []
    for name, wanted in asked.items():
        owner, _, method = name.rpartition(".")
        if name in has:
            found += list(_other_parameters(name, wanted, has[name]))
        elif owner in has:
            others = {one.rpartition(".")[2] for one in has if one.startswith(f"{owner}.")}
            like = lookalikes(method, [other for other in others if f"{owner}.{other}" not in asked])
            if like:
                found.append(Misnamed(f"{owner} has no method {method}; yours has {like[0]}"))
    return found


def _other_parameters(name: str, wanted: Sequence[str], has: Sequence[str]) -> Iterator[Misnamed]:
    shown = name.removesuffix(".__init__")
    if list(has[: len(wanted)]) == list(wanted) or any(one.startswith("*") for one in has):
        return
    if set(wanted) == set(has):
        says = f"{shown} should take ({', '.join(wanted)}), in this order; yours takes ({', '.join(has)})"
        yield Misnamed(says, grave=True)
        return
    missing = [one for one in wanted if one not in has]
    extra = [one for one in has if one not in wanted]
    for one in missing:
        like = lookalikes(one, extra)
        instead = f"; yours has {like[0]}, which looks like it" if like else ""
        yield Misnamed(f"{shown} should have a parameter {one}{instead}")


def _definitions(source: str) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Top-level functions and classes, and ``Class.method``: their line, and their parameters."""
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = node.lineno, _parameters(node.args)
        if isinstance(node, ast.ClassDef):
            found[node.name] = node.lineno, ()
            for member in node.body:
                if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef):
                    found[f"{node.name}.{member.name}"] = member.lineno, _parameters(member.args)[1:]
    return found


def _parameters(arguments: ast.arguments) -> tuple[str, ...]:
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    names += [f"*{arguments.vararg.arg}"] if arguments.vararg else []
    names += [argument.arg for argument in arguments.kwonlyargs]
    names += [f"**{arguments.kwarg.arg}"] if arguments.kwarg else []
    return tuple(names)
