"""Say what is wrong in a course.yml: every fault, with its line and what to write instead."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from softmarks.course.located import Document
from softmarks.errors import CourseError

Place = tuple[int | str, ...]


@dataclass(frozen=True)
class Fault:
    """One wrong thing: at which keys and indices, what it is, and what to do."""

    place: Place
    what: str
    fix: str


def faults_of(error: ValidationError, sections: Mapping[str, Sequence[str]]) -> list[Fault]:
    """What pydantic found, in words. ``sections`` maps a section ("" is the top) to its keys."""
    found = error.errors(include_url=False)
    return [_fault(details, sections) for details in found if not _follows(details, found)]


def course_error(faults: Sequence[Fault], document: Document) -> CourseError:
    """One error that lists every fault, sorted by line."""
    located = sorted(
        (
            (document.line(fault.place), f"{_named(fault.place, document)}{fault.what}", fault.fix)
            for fault in faults
        ),
        key=lambda entry: entry[0],
    )
    if len(located) == 1:
        line, what, fix = located[0]
        return CourseError(what, where=document.path, line=line, fix=fix)
    listed = "".join(f"\n  line {line}: {what}. {fix}" for line, what, fix in located)
    return CourseError(f"{len(located)} things are wrong{listed}", where=document.path)


def near(name: str, known: Iterable[str]) -> str:
    """The end of an error about an unknown name: the closest known one, else all of them."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f'Did you mean "{close[0]}"?'
    return f"Known: {', '.join(names) or 'none'}"


def _follows(details: ErrorDetails, found: Sequence[ErrorDetails]) -> bool:
    """Whether a list counts as too short only because an entry of it is wrong, which is told anyway."""
    place = details["loc"]
    inside = (other for other in found if other["loc"][: len(place)] == place and other is not details)
    return details["type"] == "too_short" and any(inside)


def _fault(details: ErrorDetails, sections: Mapping[str, Sequence[str]]) -> Fault:
    place: Place = tuple(part for part in details["loc"] if part != "[key]")
    last = str(place[-1]) if place else ""
    given = details["input"]
    context = details.get("ctx", {})
    match details["type"]:
        case "missing":
            return Fault(place[:-1], f'the key "{last}" is missing', f'Add "{last}: …"')
        case "extra_forbidden":
            section = next((part for part in reversed(place[:-1]) if part in sections), "")
            return Fault(place, f'the key "{last}" is unknown', near(last, sections[str(section)]))
        case "string_type" if isinstance(given, int | float):
            return Fault(place, f"{given} is a number where a text must be", f'Put it in quotes: "{given}"')
        case "timezone_aware":
            return Fault(
                place,
                "the due date has no time zone",
                "Write it as 2027-03-19T18:00:00+01:00, with the offset at the end",
            )
        case kind if kind.startswith("datetime"):
            return Fault(place, f"{_shown(given)} is no date", "Write it as 2027-03-19T18:00:00+01:00")
        case "string_pattern_mismatch":
            return Fault(
                place,
                f"{_shown(given)} is no name",
                "Write lower-case letters, digits and _, a letter or digit first",
            )
        case "literal_error":
            return Fault(
                place, f"{_shown(given)} is not possible", f"Write {context.get('expected', 'another value')}"
            )
        case "greater_than" | "greater_than_equal" | "less_than" | "less_than_equal" | "decimal_max_places":
            limit = details["msg"].removeprefix("Decimal input ").removeprefix("Input ")
            return Fault(place, f"{_shown(given)} is not possible", f"It {limit}")
        case _:
            message = details["msg"].removeprefix("Value error, ").removeprefix("Input ")
            return Fault(place, f"{_shown(given)} does not fit", f"It {message}")


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _named(place: Place, document: Document) -> str:
    """The place in words: list entries by their name or id instead of their number."""
    words: list[str] = []
    value: object = document.value
    for part in place:
        if isinstance(part, int):
            value = value[part] if isinstance(value, list) and part < len(value) else None
            name = value.get("name", value.get("id")) if isinstance(value, dict) else None
            words[-1:] = [str(name) if isinstance(name, str) else f"{words[-1]} {part + 1}"]
        else:
            value = value.get(part) if isinstance(value, dict) else None
            words.append(str(part))
    return f"{' > '.join(words)}: " if words else ""
