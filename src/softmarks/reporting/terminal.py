"""A verdict in a terminal: its checks, and a block for each thing to repair."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from softmarks.reporting.pen import Pen
from softmarks.reporting.tally import complete
from softmarks.reporting.wording import (
    OUTCOME_WORDS,
    SIGNS,
    all_passed,
    confinement_words,
    counted,
    heading,
    in_points,
    mark_words,
    passed_words,
    scored,
    status_words,
    tone,
    unexplained,
)
from softmarks.verdict import Check, ExerciseVerdict, Message, Outcome, Verdict

MOST_FILES = 5
PAGE = 80  # columns
MOST_PRINTED = 12  # lines
BAR_AND_LABEL = 13  # cells before a message's text
STYLES = {"good": "green", "bad": "red", "quiet": "dim", "caution": "yellow"}


def print_verdict(console: Console, verdict: Verdict | ExerciseVerdict, *, brief: bool = False) -> None:
    """Print a submission's verdict, or that of one exercise, with its messages and how it was run.

    ``brief`` tells of what passed in one exercise in a line.
    """
    pen = Pen(console)
    if isinstance(verdict, ExerciseVerdict):
        _print_exercise(pen, verdict, brief=brief)
        pen.show(pen.prose(confinement_words([verdict]), "dim"))
        return
    pen.show(pen.write(verdict.student, "bold"))
    pen.show(pen.write(f"{verdict.course} {verdict.course_version}", "dim"))
    _print_remarks(pen, verdict.repairs, verdict.unplaced)
    pen.skip()
    for exercise in verdict.exercises:
        _print_exercise(pen, exercise)
    if any(scored(exercise) for exercise in verdict.exercises):
        total = f"{in_points(verdict.points)} of {in_points(verdict.max_points)}"
        pen.show(_between(pen.write("Total", "bold"), pen.write(total, "bold")))
        if not complete(verdict):
            pen.show(pen.write("Exercises without a mark are not in the total.", "dim"))
        pen.skip()
    pen.show(pen.write(confinement_words(verdict.exercises), "dim"))


def as_text(write: Callable[[Console], None]) -> str:
    """What is printed to a console of 80 columns, as text without colours."""
    page = io.StringIO()
    write(Console(file=page, width=PAGE, color_system=None, force_jupyter=False))
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()).rstrip("\n")


def _between(left: Text, right: Text) -> Table:
    line = Table.grid(expand=True, padding=(0, 2, 0, 0), pad_edge=False)
    line.add_column(ratio=1, overflow="fold")
    line.add_column(justify="right", no_wrap=True)
    line.add_row(left, right)
    return line


def _print_heading(pen: Pen, exercise: ExerciseVerdict) -> None:
    """Name, title, status and mark on one line; a title that is too long for that gets its own."""
    name, title = pen.write(exercise.exercise, "bold"), pen.write(exercise.title, "dim")
    style = "green" if all_passed(exercise) else "yellow" if exercise.status != "graded" else "bold"
    mark = pen.write(mark_words(exercise), style)
    mark = Text("  ").join([pen.write(status_words(exercise), "dim"), *([mark] if mark else [])])
    both = Text("  ").join([name, title])
    if both.cell_len + 2 + mark.cell_len <= pen.width:
        pen.show(_between(both, mark))
    else:
        pen.show(_between(name, mark))
        pen.show(title)
    pen.show(pen.write("─" * pen.width, "dim"))


def _print_exercise(pen: Pen, exercise: ExerciseVerdict, *, brief: bool = False) -> None:
    _print_heading(pen, exercise)
    if exercise.note:
        pen.show(pen.prose(exercise.note, "yellow"), indent=2)
    _print_remarks(pen, exercise.repairs, ())
    passed = brief and any(check.outcome is Outcome.PASSED for check in exercise.checks)
    if passed:
        sign = pen.write(SIGNS["good"], STYLES["good"])
        pen.show(Text.assemble(sign, "  ", pen.write(passed_words(exercise))), indent=2)
    if exercise.checks and not (brief and exercise.all_right):
        pen.show(_check_table(pen, exercise, brief=brief), indent=2)
    if exercise.held_back and exercise.all_right:
        pen.show(pen.write(f"{exercise.held_back}.", "dim"), indent=2)
    for message in exercise.messages:
        pen.skip()
        pen.show(_message_block(pen, message), indent=2)
    for check in unexplained(exercise):
        pen.skip()
        pen.show(barred(pen, [("check", check.says), ("seen", check.message)]), indent=2)
    pen.skip()


def _check_table(pen: Pen, exercise: ExerciseVerdict, *, brief: bool) -> Table:
    table = Table.grid(expand=True, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    table.add_column(no_wrap=True, style="dim")
    table.add_column(no_wrap=True)
    with_points = any(check.max_points for check in exercise.checks)
    if with_points:
        table.add_column(no_wrap=True, justify="right")
    for check in exercise.checks:
        if brief and check.outcome is Outcome.PASSED:
            continue
        row = [*_check_row(pen, check), *([_points_cell(pen, check)] if with_points else [])]
        faded = check.outcome is Outcome.NOT_REACHED or (with_points and not check.max_points)
        table.add_row(*row, style="dim" if faded else "")
    return table


def _check_row(pen: Pen, check: Check) -> list[Text]:
    how = tone(check.outcome)
    return [
        pen.write(SIGNS[how], STYLES[how]),
        pen.prose(check.says or check.name),
        pen.name(check.kind),
        pen.write(OUTCOME_WORDS[check.outcome], STYLES[how]),
    ]


def _points_cell(pen: Pen, check: Check) -> Text:
    if not check.max_points:
        return pen.write("no points", "dim")
    return pen.write(f"{in_points(check.points)}/{in_points(check.max_points)}")


def _message_block(pen: Pen, message: Message) -> RenderableType:
    title = pen.write(heading(message), "bold")
    if len(message.checks) < message.failed:
        explains = f"  explains {len(message.checks)} of {counted(message.failed, 'failed check')}"
        title.append_text(pen.write(explains, "dim"))
    told = [
        ("asked", message.asked),
        ("seen", message.difference),
        ("means", message.says),
        ("next", message.hint),
        ("printed", "\n".join(message.printed.rstrip().splitlines()[-MOST_PRINTED:])),
    ]
    return Group(title, barred(pen, told))


def barred(pen: Pen, told: Iterable[tuple[str, str]], style: str = "red") -> Table:
    """Labelled lines behind a bar, the empty ones left out."""
    block = Table.grid(padding=(0, 1, 0, 0), pad_edge=False)
    block.add_column(no_wrap=True)
    block.add_column(no_wrap=True, min_width=7)
    block.add_column(overflow="fold")
    for label, text in told:
        if text:
            written = pen.prose(text, {"means": "bold", "printed": "dim"}.get(label, ""))
            # one row a printed line: the bar stands before each
            for position, line in enumerate(
                written.wrap(pen.console, max(20, pen.width - BAR_AND_LABEL), overflow="fold")
            ):
                block.add_row(pen.write("│", style), pen.write("" if position else label, "dim"), line)
    return block


def _print_remarks(pen: Pen, repairs: Sequence[str], unplaced: Sequence[str]) -> None:
    for repair in repairs:
        pen.show(pen.prose(f"Repaired: {repair}", "dim"), indent=2)
    for name in unplaced[:MOST_FILES]:
        pen.show(pen.write(f"Belongs to no exercise: {name}", "dim"), indent=2)
    if len(unplaced) > MOST_FILES:
        pen.show(pen.write(f"… and {counted(len(unplaced) - MOST_FILES, 'more file')}", "dim"), indent=2)
