"""The course at a glance, for a terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from softmarks.course.course import Assignment, Course


def print_course(console: Console, course: Course, root: Path) -> None:
    """Print assignments and exercises with their minutes, difficulty and points, and what to do next."""
    draft = "  (draft)" if course.status == "draft" else ""
    console.print(Text.assemble((course.title, "bold"), (f"  {course.version}{draft}", "dim")))
    console.print(Text(str(root), style="dim"), soft_wrap=True)
    for assignment in course.assignments:
        console.print()
        console.print(_heading(assignment))
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True, min_width=24)
        table.add_column(ratio=1)
        table.add_column(justify="right", no_wrap=True, style="dim")
        table.add_column(no_wrap=True, style="dim")
        table.add_column(justify="right", no_wrap=True)
        for exercise in assignment.exercises:
            bonus = " (bonus)" if exercise.bonus else ""
            level = "●" * exercise.difficulty + "○" * (5 - exercise.difficulty)
            points = f"{exercise.points:g} points"
            table.add_row(
                f"  {exercise.name}", f"{exercise.title}{bonus}", f"{exercise.minutes} min", level, points
            )
        console.print(table)
    minutes = sum(exercise.minutes for exercise in course.exercises)
    total = sum(exercise.points for exercise in course.exercises)
    console.print()
    console.print(
        Text(f"{len(course.exercises)} exercises, {minutes / 60:.1f} hours, {total:g} points", style="dim")
    )
    for track in course.tracks:
        console.print(Text(f"Track {track.id}: {track.says}", style="dim"))
    first = course.exercises[0]
    stub = root / "exercises" / first.assignment / f"{first.name}.py"
    if stub.is_relative_to(Path.cwd()):
        stub = stub.relative_to(Path.cwd())
    console.print(Text(f"\nStart with {stub}, then: softmarks check {first.name}"), soft_wrap=True)
    console.print("All commands: softmarks --help")


def _heading(assignment: Assignment) -> Text:
    due = f"  due {assignment.due:%d %B %Y %H:%M %Z}" if assignment.due else ""
    return Text.assemble((assignment.name, "bold cyan"), f"  {assignment.title}", (due, "dim"))
