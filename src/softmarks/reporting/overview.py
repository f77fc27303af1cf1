"""The course at a glance, and a learner's progress in it, for a terminal.

Progress is ``states``: "done" or "begun" by the name of an exercise; one that was never checked is not in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from softmarks.course.course import Assignment, Course, Exercise
from softmarks.course.working_copy import WorkingCopy
from softmarks.grading.diary import next_exercise
from softmarks.reporting.pen import Pen


def print_course(console: Console, course: Course, root: Path) -> None:
    """Print assignments and exercises with their minutes, difficulty and points, and what to do next."""
    draft = "  (draft)" if course.status == "draft" else ""
    console.print(Text.assemble((course.title, "bold"), (f"  {course.version}{draft}", "dim")))
    console.print(Text(str(root), style="dim"), soft_wrap=True)
    for assignment in course.assignments:
        console.print()
        console.print(_heading(assignment))
        table = Table.grid(padding=(0, 2, 0, 0), expand=True, pad_edge=False)
        table.add_column(no_wrap=True, min_width=24)
        table.add_column(ratio=1)
        table.add_column(justify="right", no_wrap=True, style="dim")
        table.add_column(no_wrap=True, style="dim")
        table.add_column(justify="right", no_wrap=True, min_width=len("10 points"))
        for exercise in assignment.exercises:
            bonus = " (bonus)" if exercise.bonus else ""
            level = "●" * exercise.difficulty + "○" * (5 - exercise.difficulty)
            points = f"{exercise.points:g} points"
            table.add_row(
                f"  {exercise.name}", f"{exercise.title}{bonus}", f"{exercise.minutes} min", level, points
            )
        Pen(console).show(table)
    minutes = sum(exercise.minutes for exercise in course.exercises)
    total = sum(exercise.points for exercise in course.exercises)
    console.print()
    console.print(
        Text(f"{len(course.exercises)} exercises, {minutes / 60:.1f} hours, {total:g} points", style="dim")
    )
    for track in course.tracks:
        console.print(Text(f"Track {track.id}: {track.says}", style="dim"))
    console.print(Text("\nBegin: softmarks start writes a working copy"), soft_wrap=True)
    console.print("All commands: softmarks --help")


def _heading(assignment: Assignment) -> Text:
    due = f"  due {assignment.due:%d %B %Y %H:%M %Z}" if assignment.due else ""
    return Text.assemble((assignment.name, "bold cyan"), f"  {assignment.title}", (due, "dim"))


def print_where_you_are(
    console: Console, course: Course, copy: WorkingCopy, states: Mapping[str, str]
) -> None:
    """Print a working copy: what is done, what is begun, which outcomes are mastered, what to do next."""
    exercises = copy.exercises(course)
    track = f"  track {copy.track}" if copy.track else ""
    console.print(Text.assemble((course.title, "bold"), (f"  {course.version}{track}", "dim")))
    current = next_exercise(exercises, states)
    print_progress(console, course, exercises, states, current)
    console.print()
    mastered = [item for item in course.outcomes if _mastered(item.id, exercises, states)]
    taught = [
        item
        for item in course.outcomes
        if any(item.id in one.outcomes and not one.bonus for one in exercises)
    ]
    console.print(Text(f"Outcomes mastered: {len(mastered)} of {len(taught)}", style="dim"))
    pen = Pen(console)
    for item in mastered:
        pen.show(Text.assemble(pen.write("✓ ", "green"), pen.write(item.says)), indent=2)
    if current is None:
        console.print(
            "\nEverything is done. softmarks submit packs it, where there is somebody to hand it to."
        )
        return
    console.print(f"\nNext: softmarks read {current.name}", markup=False)
    file = copy.files / current.assignment / f"{current.name}.py"
    console.print(
        f"      softmarks watch, and write into {file.relative_to(copy.folder)}",
        markup=False,
        soft_wrap=True,
    )


def print_progress(
    console: Console,
    course: Course,
    exercises: Sequence[Exercise],
    states: Mapping[str, str],
    current: Exercise | None,
) -> None:
    """Print exercises by their assignments, each with a sign: done, begun; and a pointer at ``current``."""
    pen = Pen(console)
    for assignment in course.assignments:
        own = [one for one in exercises if one.assignment == assignment.name]
        if not own:
            continue
        console.print()
        console.print(_heading(assignment))
        table = Table.grid(padding=(0, 2, 0, 0), expand=True, pad_edge=False)
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True, min_width=24)
        table.add_column(ratio=1)
        table.add_column(justify="right", no_wrap=True, style="dim")
        for one in own:
            state = states.get(one.name, "")
            sign = {"done": pen.write("✓", "green"), "begun": pen.write("…", "yellow")}.get(
                state, pen.write(" ")
            )
            bonus = " (bonus)" if one.bonus else ""
            pointer = Text("> " if one is current else "  ", style="bold")
            name = pen.write(one.name, "bold" if one is current else "")
            table.add_row(pointer + sign, name, pen.write(f"{one.title}{bonus}"), f"{one.minutes} min")
        pen.show(table)
    done = sum(states.get(one.name) == "done" for one in exercises)
    minutes = sum(one.minutes for one in exercises if states.get(one.name) != "done")
    console.print(
        Text(f"\n{done} of {len(exercises)} done, about {minutes / 60:.1f} hours to go", style="dim")
    )


def _mastered(outcome: str, exercises: Sequence[Exercise], states: Mapping[str, str]) -> bool:
    """Whether every exercise that teaches an outcome is done; bonus exercises are no condition."""
    teaching = [one for one in exercises if outcome in one.outcomes and not one.bonus]
    return bool(teaching) and all(states.get(one.name) == "done" for one in teaching)
