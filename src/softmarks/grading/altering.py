"""A program with one line of it changed, as a known mistake would change it or by a small rule. Pure.

Nothing is executed: programs are read as trees, and a change is put into the student's own text, so that the
rest of the line stays as it was written. The rules are few and readable, because a person is asked about what
they make; machine-made mutants (`softmarks.grading.mutants`) are made to be many.
"""

from __future__ import annotations

import ast
import copy
import io
import re
import textwrap
import tokenize
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

MOST_READ = 32 * 1024  # characters of a program, all cells together
MOST_EDITS = 200  # that are tried on a program's text
MOST_SHOWN = 6  # lines of a statement that are shown as one
LARGE = 10  # from here on a number is changed to one of another size

_NOTHING = re.compile(r"(\w+)( = \1)?")  # a line that does nothing
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_UNTOUCHED = ast.Raise | ast.Assert | ast.While | ast.Import | ast.ImportFrom | ast.JoinedStr | ast.Try
_TURNED: dict[type[ast.cmpop], tuple[str, str, type[ast.cmpop]]] = {
    ast.Lt: ("<", "<=", ast.LtE),
    ast.LtE: ("<=", "<", ast.Lt),
    ast.Gt: (">", ">=", ast.GtE),
    ast.GtE: (">=", ">", ast.Gt),
    ast.Eq: ("==", "!=", ast.NotEq),
    ast.NotEq: ("!=", "==", ast.Eq),
}
_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
}
_LEFT_OUT = ast.Mult | ast.Div | ast.FloorDiv | ast.Mod | ast.Pow


@dataclass(frozen=True)
class Alteration:
    """A program with one line changed. ``now`` is "" where the line is left out.

    ``line`` counts from 1 in the cell, ``last`` is the last line that is shown. ``mistake`` is the
    misconception that the change was taken from, if any.
    """

    cell: int
    line: int
    last: int
    where: str  # the function or Class.method that it is in
    was: str
    now: str
    program: tuple[str, ...]
    mistake: str = ""


@dataclass(frozen=True)
class _Edit:
    """Another text for a node, and the tree that it should give; ``new`` is None where a statement goes."""

    node: ast.AST
    new: ast.AST
    text: str


def rules(cells: Sequence[str], given: str = "") -> list[Alteration]:
    """The program with one thing changed at a time by small rules, the plainest of each line first.

    Lines that stand in ``given``, the text that the student began with, are left alone.
    """
    edits = [(*edit, program) for program in _programs(cells) for edit in _edits(program)]
    edits.sort(key=lambda one: one[0])
    found = [program.alteration(edit, _plain(given)) for _, edit, program in edits[:MOST_EDITS]]
    return [one for one in found if one]


def as_mistaken(
    cells: Sequence[str], reference: str, mistaken: Mapping[str, str], given: str = ""
) -> list[Alteration]:
    """The program changed in one place as a mistake changes the reference, whatever its variables are called.

    ``mistaken`` are programs by the id of their mistake. What a mistake changes in more than one statement,
    and what has no one counterpart in the program, is left out.
    """
    found: list[Alteration | None] = []
    own = _programs(cells)
    right = _one(reference)
    for mistake, text in mistaken.items():
        wrong = _one(text)
        change = _difference(right.tree, wrong.tree) if right and wrong else None
        if right is None or change is None or not isinstance(change[0], ast.expr | ast.stmt):
            continue
        with suppress(RecursionError):
            places = [(one, *place) for one in own for place in _counterparts(right, one, *change)]
            if len(places) == 1:
                program, node, new = places[0]
                edit = _Edit(node, new, ast.unparse(new))
                found.append(program.alteration(edit, _plain(given), mistake))
    return [one for one in found if one]


def _plain(text: str) -> frozenset[str]:
    return frozenset(line.strip() for line in text.splitlines())


def _programs(cells: Sequence[str]) -> list[_Program]:
    """The cells that are Python; none where they are too much of it, or too deep."""
    found: list[_Program] = []
    if sum(map(len, cells)) > MOST_READ:
        return found
    for number, cell in enumerate(cells):
        text = cell.replace("\r\n", "\n").replace("\r", "\n")
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            found.append(_Program(text, _tree(text), cells, number))
    return found


def _one(text: str) -> _Program | None:
    return next(iter(_programs([text])), None)


def _tree(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


class _Program:
    """A cell of a program: text, tree, where each node stands. Raises RecursionError if it is too deep."""

    def __init__(self, text: str, tree: ast.Module, cells: Sequence[str], number: int) -> None:
        self.cells = cells
        self.number = number
        self.text = text
        self.tree = tree
        self.dump = ast.dump(tree)
        self.data = text.encode()
        self.starts = [0]
        for line in self.data.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def functions(self) -> dict[str, _Function]:
        """Top-level functions by name, and methods as ``Class.method``."""
        found: dict[str, _Function] = {}
        for node in self.tree.body:
            if isinstance(node, _Function):
                found[node.name] = node
            elif isinstance(node, ast.ClassDef):
                found |= {f"{node.name}.{one.name}": one for one in node.body if isinstance(one, _Function)}
        return found

    @cached_property
    def given_names(self) -> set[str]:
        """What is imported, and so is no value of the program's own."""
        imports = [node for node in ast.walk(self.tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        return {(name.asname or name.name).partition(".")[0] for node in imports for name in node.names}

    def start(self, node: ast.AST) -> int:
        return self.starts[node.lineno - 1] + int(node.col_offset)  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        return self.starts[node.end_lineno - 1] + int(node.end_col_offset)  # type: ignore[attr-defined]

    def between(self, start: int, end: int) -> str:
        return self.data[start:end].decode()

    def statement(self, node: ast.AST) -> ast.stmt | None:
        while node in self.parents and not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node if isinstance(node, ast.stmt) else None

    def where(self, node: ast.AST) -> str:
        """The function or ``Class.method`` that a node is in; "" outside of one."""
        while node in self.parents:
            node = self.parents[node]
            for name, function in self.functions.items():
                if function is node:
                    return name
        return ""

    def alteration(self, edit: _Edit, given: Collection[str], mistake: str = "") -> Alteration | None:
        """The whole program after an edit; None where it cannot be made, or where the lines were given."""
        statement = self.statement(edit.node)
        changed = self._changed(edit)
        if statement is None or changed is None:
            return None
        first, last = self._shown(edit.node, statement)
        if all(line.strip() in given for line in self.text.split("\n")[first - 1 : last]):
            return None
        shorter = self.text.count("\n") - changed.count("\n")
        now = _code(changed, first, last - shorter)
        if isinstance(edit.new, ast.Pass) or _NOTHING.fullmatch(now):
            now = ""
        program = (*self.cells[: self.number], changed, *self.cells[self.number + 1 :])
        was, where = _code(self.text, first, last), self.where(edit.node)
        return Alteration(self.number, first, last, where, was, now, program, mistake)

    def _shown(self, node: ast.AST, statement: ast.stmt) -> tuple[int, int]:
        """The lines to show: a plain statement as a whole, of any other those that are changed."""
        whole = not isinstance(statement, _Function | ast.ClassDef | ast.If | ast.For | ast.With)
        for one in [statement, node] if whole else [node]:
            first, last = int(one.lineno), int(one.end_lineno or 0)  # type: ignore[attr-defined]
            if last - first < MOST_SHOWN:
                break
        return first, last

    def _changed(self, edit: _Edit) -> str | None:
        """The text with an edit made, in brackets where it needs them; None where it cannot be made."""
        wanted = self._with(edit.node, edit.new)
        start, end = self.start(edit.node), self.end(edit.node)
        for text in (edit.text, f"({edit.text})"):
            changed = (self.data[:start] + text.encode() + self.data[end:]).decode()
            with suppress(SyntaxError, RecursionError):
                if ast.dump(_tree(changed)) == wanted != self.dump:
                    return changed
        return None

    def _with(self, node: ast.AST, new: ast.AST) -> str:
        """The tree as text, with another node in the place of one."""
        parent = self.parents[node]
        for field, value in ast.iter_fields(parent):
            if value is node:
                setattr(parent, field, new)
                try:
                    return ast.dump(self.tree)
                finally:
                    setattr(parent, field, node)
            if isinstance(value, list) and any(one is node for one in value):
                place = next(index for index, one in enumerate(value) if one is node)
                value[place] = new
                try:
                    return ast.dump(self.tree)
                finally:
                    value[place] = node
        raise AssertionError("a node is a child of its parent")


def _code(text: str, first: int, last: int) -> str:
    """Some lines of a program without comments and indentation."""
    lines = text.split("\n")
    with suppress(tokenize.TokenError, IndentationError):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            row, column = token.start
            if token.type == tokenize.COMMENT and first <= row <= last:
                lines[row - 1] = lines[row - 1][:column]
    shown = [line.rstrip() for line in lines[first - 1 : last] if line.strip()]
    return textwrap.dedent("\n".join(shown))


# By rule


def _edits(program: _Program) -> Iterator[tuple[int, _Edit]]:
    """What small rules change, each with a rank: the plainer a change is to ask about, the lower."""
    for function in program.functions.values():
        for statement in function.body:
            yield from _edits_in(program, statement)


def _edits_in(program: _Program, node: ast.AST) -> Iterator[tuple[int, _Edit]]:
    if isinstance(node, _UNTOUCHED) or _is_quiet(node):
        return
    if isinstance(node, ast.stmt) and _can_go(node):
        yield 0, _Edit(node, ast.Pass(), "pass")
    if isinstance(node, ast.expr):
        yield from _expression_edits(program, node)
    if isinstance(node, _Function):
        children: Sequence[ast.AST] = node.body
    else:
        children = [
            child
            for child in ast.iter_child_nodes(node)
            if not isinstance(node, ast.AnnAssign) or child is not node.annotation
        ]
    for child in children:
        yield from _edits_in(program, child)


def _is_quiet(node: ast.AST) -> bool:
    """Whether it is a docstring, or prints."""
    if not isinstance(node, ast.Expr):
        return False
    value = node.value
    prints = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "print"
    return isinstance(value, ast.Constant) or prints


def _can_go(statement: ast.stmt) -> bool:
    """Whether a program goes on without it: it changes something in place, or gives a name anew."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Call()))):
            return False  # super().__init__()
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            return True
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(value))
    return False


def _expression_edits(program: _Program, node: ast.expr) -> Iterator[tuple[int, _Edit]]:
    start, end = program.start(node), program.end(node)
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _TURNED:
            sign, other, turned = _TURNED[type(operator)]
            if place := _sign(program, left, right, sign):
                text = f"{program.between(start, place[0])}{other}{program.between(place[1], end)}"
                yield 0, _Edit(node, ast.Compare(left, [turned()], [right]), text)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _SIGNS:
            if place := _sign(program, left, right, _SIGNS[type(operator)]):
                before, after = program.between(start, place[0]), program.between(place[1], end)
                yield from _operator_edits(node, before, after)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            yield 2, _Edit(node, ast.UnaryOp(ast.USub(), ast.Constant(value + 1)), f"-{value + 1}")
        case ast.UnaryOp(op=ast.USub() | ast.Not() | ast.Invert(), operand=operand):
            text = program.between(start, end).removeprefix("not").lstrip("-~ ")
            yield 1, _Edit(node, operand, text)
        case ast.Constant(value=value) if not _is_negated(program, node):
            for instead in _other_values(value):
                yield 2, _Edit(node, ast.Constant(instead), repr(instead))
        case ast.Call(func=ast.Attribute(value=value) as function) if _is_step(
            program, value
        ) and not isinstance(program.parents[node], ast.Expr):
            dot = program.between(program.end(value), program.end(function)).rfind(".")
            if dot >= 0:
                text = program.between(start, program.end(value) + dot).rstrip()
                yield 1, _Edit(node, value, text)
        case ast.Attribute(value=value, attr=name) if _is_step(program, value):
            if isinstance(program.parents[node], ast.BinOp):
                yield 1, _Edit(node, value, program.between(start, end).removesuffix(name).rstrip(". "))
        case ast.Subscript(value=value, slice=cut, ctx=ast.Load()) if _cuts(cut):
            gap = program.between(program.end(value), program.start(cut)).find("[")
            if gap >= 0:
                text = program.between(start, program.end(value) + gap).rstrip()
                yield 1, _Edit(node, value, text)
    if isinstance(node, ast.Call):
        yield from _shorter_calls(program, node)


def _operator_edits(node: ast.BinOp, before: str, after: str) -> Iterator[tuple[int, _Edit]]:
    """Of what stands before and after the sign of an operation."""
    left, right = node.left, node.right
    if isinstance(node.op, _LEFT_OUT):
        yield 1, _Edit(node, left, before.rstrip())
    elif isinstance(node.op, ast.Add):
        yield 3, _Edit(node, ast.BinOp(left, ast.Sub(), right), f"{before}-{after}")
    elif isinstance(node.op, ast.Sub):
        yield 3, _Edit(node, ast.BinOp(left, ast.Add(), right), f"{before}+{after}")
    elif isinstance(node.op, ast.MatMult):
        swapped = f"{after.strip()} @ {before.strip()}"
        yield 3, _Edit(node, ast.BinOp(right, node.op, left), swapped)


def _shorter_calls(program: _Program, node: ast.Call) -> Iterator[tuple[int, _Edit]]:
    """A call without one of its named arguments."""
    for number, keyword in enumerate(node.keywords):
        before: list[ast.AST] = [*node.args, *node.keywords[:number]]
        if keyword.arg and before and not isinstance(keyword.value, ast.Constant):
            kept = [one for one in node.keywords if one is not keyword]
            cut = program.between(program.start(node), program.end(before[-1]))
            rest = program.between(program.end(keyword), program.end(node))
            yield 2, _Edit(node, ast.Call(node.func, node.args, kept), cut + rest)


def _sign(program: _Program, left: ast.expr, right: ast.expr, sign: str) -> tuple[int, int] | None:
    """Where the sign between two expressions stands."""
    after = program.end(left)
    place = program.data[after : program.start(right)].find(sign.encode())
    return (after + place, after + place + len(sign)) if place >= 0 else None


def _is_negated(program: _Program, node: ast.expr) -> bool:
    return isinstance(program.parents[node], ast.UnaryOp)


def _other_values(value: object) -> tuple[bool | int | float, ...]:
    """What else a number, or a truth value, may be."""
    match value:
        case bool():
            return (not value,)
        case int() if value >= LARGE:
            return (value // LARGE,)
        case int():
            return (value + 1, value - 1) if value > 0 else (value + 1,)
        case float():
            return (value * 2,) if value else (1.0,)
    return ()


def _is_step(program: _Program, value: ast.expr) -> bool:
    """Whether something is a value that a chain of calls goes on from: no module, no self, no super()."""
    match value:
        case ast.Name(id=name):
            return name != "self" and name not in program.given_names
        case ast.Call(func=ast.Name(id="super")):
            return False
        case ast.Attribute(value=inner):
            return _root(inner) not in program.given_names
    return not isinstance(value, ast.Constant)


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _cuts(index: ast.expr) -> bool:
    """Whether an index takes a part of each dimension, and none away."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return all(isinstance(part, ast.Slice) and (part.lower or part.upper or part.step) for part in parts)


# By a mistake


def _difference(old: ast.AST, new: ast.AST) -> tuple[ast.AST, ast.AST] | None:
    """The smallest expression or statement that holds all that differs, and what it is then."""
    if type(old) is not type(new):
        return old, new
    inner: list[tuple[ast.AST, ast.AST]] = []
    for field in old._fields:
        before, after = getattr(old, field, None), getattr(new, field, None)
        if isinstance(before, list) and isinstance(after, list):
            if len(before) == len(after) + 1 and isinstance(before[0], ast.stmt):
                dumps = [ast.dump(one) for one in after]
                place = next((n for n, one in enumerate(dumps) if ast.dump(before[n]) != one), len(after))
                if [ast.dump(one) for one in before[place + 1 :]] != dumps[place:]:
                    return old, new
                inner.append((before[place], ast.Pass()))
                continue
            if len(before) != len(after):
                return old, new
            pairs = list(zip(before, after, strict=True))
        else:
            pairs = [(before, after)]
        for one, other in pairs:
            if isinstance(one, ast.AST) and isinstance(other, ast.AST):
                if ast.dump(one) != ast.dump(other):
                    inner.append((one, other))
            elif one != other or type(one) is not type(other):
                return old, new
    if len(inner) != 1:
        return (old, new) if inner else None
    deeper = _difference(*inner[0])
    if deeper is None or not isinstance(deeper[0], ast.expr | ast.stmt):
        return old, new
    return deeper


def _counterparts(
    right: _Program, own: _Program, old: ast.AST, new: ast.AST
) -> list[tuple[ast.AST, ast.AST]]:
    """The places in a program that are like one of the reference, each with what it is changed into.

    The surroundings in the reference count as far as they are needed to tell places apart.
    """
    name = right.where(old)
    scope = own.functions.get(name)
    if name not in right.functions or scope is None:
        return []
    function = right.functions[name]
    parameters = dict(zip(_parameters(function), _parameters(scope), strict=False))
    free = _own_names(function)
    pattern = old
    found: list[tuple[ast.AST, ast.AST]] = []
    while True:
        if not isinstance(pattern, ast.Name | ast.Constant | ast.UnaryOp):
            found = []
            for node in ast.walk(scope):
                bound: dict[str, ast.expr] = {}
                met: dict[ast.AST, ast.AST] = {}
                if _is_like(pattern, node, free, bound, met) and old in met:
                    names: dict[str, ast.expr] = {
                        mine: ast.Name(their, ast.Load()) for mine, their in parameters.items()
                    }
                    put = _filled(new, free, names | bound)
                    found += [(met[old], put)] if put is not None else []
            if len(found) <= 1:
                return found
        if isinstance(pattern, ast.stmt) or pattern not in right.parents:
            return found
        pattern = right.parents[pattern]


def _parameters(function: _Function) -> list[str]:
    return [one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]


def _own_names(function: _Function) -> frozenset[str]:
    """The names that a function gives: its parameters and variables."""
    given = [
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return frozenset([*given, *_parameters(function)])


def _is_like(
    pattern: object,
    node: object,
    free: Collection[str],
    bound: dict[str, ast.expr],
    met: dict[ast.AST, ast.AST],
) -> bool:
    """Whether a piece of a program is one of the reference, with anything for the reference's own names."""
    if isinstance(pattern, list):
        return (
            isinstance(node, list)
            and len(pattern) == len(node)
            and all(_is_like(*pair, free, bound, met) for pair in zip(pattern, node, strict=True))
        )
    if not isinstance(pattern, ast.AST) or not isinstance(node, ast.AST):
        return type(pattern) is type(node) and pattern == node
    if isinstance(pattern, ast.Name) and pattern.id in free:
        if not isinstance(node, ast.expr):
            return False
        met[pattern] = node
        return ast.unparse(bound.setdefault(pattern.id, node)) == ast.unparse(node)
    if type(pattern) is not type(node):
        return False
    met[pattern] = node
    return all(
        _is_like(getattr(pattern, field, None), getattr(node, field, None), free, bound, met)
        for field in pattern._fields
    )


def _filled(new: ast.AST, free: Collection[str], names: Mapping[str, ast.expr]) -> ast.AST | None:
    """A piece of a mistaken reference with the program's own names; None where one has no counterpart."""
    if isinstance(new, ast.Name) and new.id in free:
        if new.id not in names:
            return None
        put = copy.deepcopy(names[new.id])
        if hasattr(put, "ctx"):
            put.ctx = new.ctx
        return put
    found = copy.copy(new)
    for field, value in ast.iter_fields(new):
        parts = value if isinstance(value, list) else [value]
        filled = [_filled(part, free, names) if isinstance(part, ast.AST) else part for part in parts]
        if any(part is not None and put is None for part, put in zip(parts, filled, strict=True)):
            return None
        setattr(found, field, filled if isinstance(value, list) else filled[0])
    return found
