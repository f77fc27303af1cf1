"""What students of a course must not see: lines of solutions, hidden suites and mistakes, and answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import softmarks
from softmarks.course.course import Course
from softmarks.course.regions import inside
from softmarks.course.rooms import Room, rooms
from softmarks.course.sheets import Sheet, read_sheet
from softmarks.course.text import parsed, read_text

SHORTEST = 30  # characters of a line that is nobody else's by chance


def secret_lines(course: Course, root: Path) -> dict[str, str]:
    """Each secret line, every space in it a single one, and what it is a line of.

    What students have anyway is no secret: a line of an answer that its own stub, given code, the engine or
    the files of another exercise have as well (a later exercise gives what an earlier one asked for), and a
    line of a hidden suite, or of the oracle, that any of these has.
    """
    places = rooms(course, root)
    engine = Path(softmarks.__file__).parent  # with the templates of a new course
    had = [*root.glob("*/*/building_blocks.py"), *engine.rglob("*.py"), *engine.rglob("*.py.txt")]
    given = " ".join(plain(read_text(path)) for path in had)
    stubs = {place.address: plain(_text(place.stub)) for place in places}
    given = " ".join([given, *(_asked(read_sheet(place.sheet)) for place in places if place.sheet.is_file())])
    others = {place.address: " ".join(plain(_text(path)) for path in _shown(place)) for place in places}
    everything = " ".join([given, *stubs.values(), *others.values()])
    found: dict[str, str] = {}
    for place in places:
        elsewhere = [text for address, text in others.items() if address != place.address]
        shown = " ".join([given, *stubs.values(), *elsewhere])
        for what, lines in _answers(place):
            found |= {line: f"{what} of {place.exercise.name}" for line in lines if line not in shown}
        tested = [line for line in _suite(place.hidden) if line not in everything]
        found |= dict.fromkeys(tested, f"hidden suite of {place.exercise.name}")
    for path in root.glob("graders/oracle.py"):
        found |= {line: "oracle" for line in _suite(path) if line not in everything}
    return found


def plain(text: str) -> str:
    """A text with single spaces for all white space in it."""
    return " ".join(text.split())


def _shown(place: Room) -> tuple[Path, ...]:
    return place.public, place.hints_file, place.picture


def _answers(place: Room) -> Iterator[tuple[str, Iterable[str]]]:
    """What of a room is an answer, in words, and its lines."""
    if place.solution.is_file():
        written = read_text(place.solution).splitlines()
        yield "solution", _lines("\n".join(written[number] for number in sorted(inside(written))))
    for path in place.alternatives:
        yield f"alternative {path.stem}", _lines(read_text(path))
    if place.misconceptions_file.is_file():
        for wrong in place.misconceptions():
            changed = [new for _, new in wrong.edits] + ([wrong.replaces[1]] if wrong.replaces else [])
            yield f"misconception {wrong.id}", [line for text in changed for line in _lines(text)]
    if place.sheet.is_file():
        yield "answer", _told(read_sheet(place.sheet))


def _asked(sheet: Sheet) -> str:
    """What students read of a question sheet."""
    choices = [choice for one in sheet.questions for choice in one.choices.values()]
    return plain(" ".join([*(one.ask for one in sheet.asked), *choices]))


def _told(sheet: Sheet) -> Iterator[str]:
    """The sentences of a question sheet that say what is right, and why."""
    texts = [text for one in sheet.questions for text in (one.because, *one.wrong.values())]
    texts += [text for one in sheet.free for text in (one.answer, *one.rubric)]
    for text in texts:
        yield from (part for part in re.split(r"(?<=[.?!]) ", plain(text)) if len(part) >= SHORTEST)


def _suite(path: Path) -> Iterator[str]:
    """The lines of a suite that are no docstring."""
    text = _text(path)
    told: set[int] = set()
    for node in ast.walk(parsed(text, path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            told.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return _lines("\n".join(line for number, line in enumerate(text.splitlines(), 1) if number not in told))


def _lines(text: str) -> Iterator[str]:
    """Lines of code that are long enough to be known again, without comments, every space a single one."""
    for line in text.splitlines():
        code = plain(line.partition("  #")[0])
        if len(code) >= SHORTEST and not code.startswith(("#", "from ", "import ")):
            yield code


def _text(path: Path) -> str:
    return read_text(path) if path.is_file() else ""
