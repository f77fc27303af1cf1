"""Write what is generated of the documents: docs/commands.md from --help, docs/catalogue.md from course.yml.

python -m docs.make_reference           write both
python -m docs.make_reference --check   say which one is not as it would be written; status 1 then
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from softmarks.cli.main import PANELS, softmarks
from softmarks.course.course import Course, load_course

DOCS = Path(__file__).parent
WIDTH = 100


def main() -> None:
    """Write the pages, or compare them."""
    pages = {DOCS / "commands.md": commands(), DOCS / "catalogue.md": catalogue(load_course(DOCS.parent))}
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


if __name__ == "__main__":
    main()
