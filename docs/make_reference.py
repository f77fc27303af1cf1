"""Write what is generated of the documents.

docs/commands.md is made from --help, docs/catalogue.md from course.yml, docs/course-file.md from its models.

python -m docs.make_reference           write all of them
python -m docs.make_reference --check   say which one is not as it would be written; status 1 then
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import click
from annotated_types import Ge, Gt, Le
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from softmarks.cli.main import PANELS, softmarks
from softmarks.course.course import Course, Due, Folder, Module, Name, Slug, Text, load_course

DOCS = Path(__file__).parent
WIDTH = 100


def main() -> None:
    """Write the pages, or compare them."""
    pages = {
        DOCS / "commands.md": commands(),
        DOCS / "catalogue.md": catalogue(load_course(DOCS.parent)),
        DOCS / "course-file.md": course_file(Course),
    }
    stale = [path for path, text in pages.items() if not path.is_file() or path.read_text("utf-8") != text]
    if "--check" not in sys.argv[1:]:
        for path in stale:
            path.write_text(pages[path], encoding="utf-8")
    elif stale:
        print("not up to date:", *(path.name for path in stale), "(python -m docs.make_reference)")
        raise SystemExit(1)


def commands() -> str:
    """Every command with its help, by panel."""
    blocks = [
        "# Commands",
        "What `softmarks COMMAND --help` says, of each. Made by `python -m docs.make_reference`.",
    ]
    for panel, members in PANELS.items():
        blocks.append(f"## {panel}")
        for command in members:
            blocks += _command(command, f"softmarks {command.name}")
    return "\n\n".join(blocks) + "\n"


def _command(command: click.Command, path: str) -> Iterator[str]:
    root = click.Context(softmarks, info_name="softmarks", terminal_width=WIDTH, max_content_width=WIDTH)
    context = click.Context(
        command, parent=None, info_name=path, terminal_width=WIDTH, max_content_width=WIDTH
    )
    with root:
        text = command.get_help(context)
    yield f"### `{path}`"
    yield f"```text\n{text.rstrip()}\n```"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if member := command.get_command(context, name):
                yield from _command(member, f"{path} {name}")


def catalogue(course: Course) -> str:
    """The course: outcomes with their sources, and the exercises of each assignment."""
    hours = sum(exercise.minutes for exercise in course.exercises) / 60
    points = sum(exercise.points for exercise in course.exercises)
    blocks = [
        "# Catalogue",
        f"*{course.title}*, version {course.version}: {len(course.exercises)} exercises, "
        f"about {hours:.1f} hours, {points:g} points. Made from `course.yml` by "
        "`python -m docs.make_reference`.",
        "## What one can do afterwards",
        "\n".join(
            ["| outcome | | where it is taught | exercises |", "|---|---|---|---|"]
            + [
                f"| `{one.id}` | {one.says} | {one.source} | {_taught(course, one.id)} |"
                for one in course.outcomes
            ]
        ),
    ]
    for track in course.tracks:
        blocks.append(f"**Track `{track.id}`**, {len(track.exercises)} exercises: {track.says}")
    for part in course.assignments:
        blocks.append(f"## {part.name}: {part.title}")
        rows = ["| exercise | | minutes | difficulty | points | outcomes |", "|---|---|---:|---|---:|---|"]
        for one in part.exercises:
            outcomes = ", ".join(one.outcomes)
            level = "●" * one.difficulty + "○" * (5 - one.difficulty)
            title = f"{one.title} (bonus)" if one.bonus else one.title
            cells = [f"`{one.name}`", title, one.minutes, level, f"{one.points:g}", outcomes]
            rows.append(f"| {' | '.join(map(str, cells))} |")
        blocks.append("\n".join(rows))
    return "\n\n".join(blocks) + "\n"


def _taught(course: Course, outcome: str) -> str:
    return ", ".join(f"`{one.name}`" for one in course.exercises if outcome in one.outcomes)


SPELLED = (
    (Text, "a text", "texts"),
    (Slug, "a name: lower-case letters and digits, with single `-` or `_` between them", ""),
    (Folder, "a name: lower-case letters and digits, with single `_` between them", ""),
    (Module, "a name: lower-case letters and digits, a letter first, with single `_` between them", ""),
    (Due, "a date with its time zone, such as `2027-03-19T18:00:00+01:00`", ""),
    (Name, "a name of Python's", "names of Python's"),
    (str, "a name", "names"),
    (bool, "`true` or `false`", ""),
)
FILLED_IN = ("assignment",)  # by the models: nobody writes it


def course_file(course: type[BaseModel]) -> str:
    """Every key of `course.yml`, by section: what it may be, its default, what it means.

    Raises ValueError for a model or a key without words.
    """
    blocks = [
        "# The course file",
        "Each key that `course.yml` may have; another is a mistake. All that is wrong in the file is told at "
        "once, with lines and what to write instead. Made from the models in `softmarks/course/course.py` "
        "by `python -m docs.make_reference`.",
        "## The file",
        _table(course),
    ]
    for key, (model, form) in _sections(course).items():
        words = inspect.cleandoc(model.__doc__ or "").replace("``", "`")
        if not words:
            raise ValueError(f"{model.__name__} has no docstring")
        blocks += [f"## `{key}`", f"{words} {form}".rstrip(), _table(model)]
    return "\n\n".join(blocks) + "\n"


def _sections(model: type[BaseModel]) -> dict[str, tuple[type[BaseModel], str]]:
    """The models in ``model``, by the key that each is written at, with how it is written there."""
    forms = {tuple: "A list; each entry has these keys.", dict: "Names; each has these keys."}
    found: dict[str, tuple[type[BaseModel], str]] = {}
    for key, hint in get_type_hints(model).items():
        for part in (hint, *get_args(hint)):
            if _is_model(part):
                found |= {key: (part, forms.get(get_origin(hint), ""))} | _sections(part)
    return found


def _table(model: type[BaseModel]) -> str:
    hints = get_type_hints(model, include_extras=True)
    rows = ["| key | may be | default | |", "|---|---|---|---|"]
    for key, field in model.model_fields.items():
        if not (field.description or "").strip():
            raise ValueError(f"{model.__name__}.{key} has no description")
        if key not in FILLED_IN:
            default = "needed" if field.is_required() else _default(field.default)
            rows.append(f"| `{key}` | {_may_be(hints[key], key)} | {default} | {field.description} |")
    return "\n".join(rows)


def _default(value: object) -> str:
    if value is None or value == ():
        return "none"
    return "those below" if isinstance(value, BaseModel) else f"`{str(value).lower()}`"


def _may_be(hint: Any, key: str) -> str:
    """A type in words, for somebody who writes YAML. Raises ValueError for one without words."""
    for known, one, _ in SPELLED:
        if hint == known:
            return one
    kind, parts = get_origin(hint), [part for part in get_args(hint) if part is not NoneType]
    if _is_model(hint):
        return f"[these keys](#{key})"
    if kind is Literal:
        return ", ".join(f"`{part}`" for part in parts)
    if kind is tuple:
        several = [words for known, _, words in SPELLED if parts[0] == known]
        return f"a list of {several[0]}" if several else f"a list; each entry has {_may_be(parts[0], key)}"
    if kind is dict:
        return f"names, each with {_may_be(parts[1], key)}"
    if kind is Annotated and parts[0] in (int, float, Decimal):
        return _number(parts[0], [part for part in parts[1:] if isinstance(part, FieldInfo)])
    if len(parts) == 1 or kind is Annotated:
        return _may_be(parts[0], key)
    raise ValueError(f"there are no words for {hint}, the type of {key}")


def _number(kind: type, fields: list[FieldInfo]) -> str:
    words = "a whole number" if kind is int else "a number"
    for bound in (bound for field in fields for bound in field.metadata):
        if isinstance(bound, Ge):
            words += f" from {bound.ge}"
        elif isinstance(bound, Gt):
            words += f" above {bound.gt}"
        elif isinstance(bound, Le):
            words += f" up to {bound.le}"
    return words


def _is_model(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, BaseModel)


if __name__ == "__main__":
    main()
