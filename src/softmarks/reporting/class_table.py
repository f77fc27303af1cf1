"""A class in a terminal: its marks, and what an instructor wants to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from softmarks.reporting import tally
from softmarks.reporting.pen import Pen
from softmarks.reporting.wording import confinement_words, counted, in_points
from softmarks.verdict import ExerciseVerdict, Verdict

GAP = 2  # cells between two columns
MOST_CASES = 5
MOST_MISTAKES = 10


@dataclass(frozen=True)
class ClassColumn:
    """One column of the class table: its heading, a cell a student, and its foot."""

    heading: Text
    cells: list[Text]
    foot: Text

    @property
    def width(self) -> int:
        texts = [self.heading, self.foot, *self.cells]
        return max(line.cell_len for text in texts for line in text.split("\n"))


def print_class(console: Console, verdicts: Sequence[Verdict], course_title: str) -> None:
    """Print a class's marks, one row a student, then what an instructor wants to look at."""
    pen = Pen(console)
    pen.show(pen.write(course_title, "bold"))
    pen.show(pen.write(counted(len(verdicts), "submission"), "dim"))
    pen.skip()
    for table in _class_tables(pen, verdicts):
        console.print(table)
        pen.skip()
    if any(not tally.complete(verdict) for verdict in verdicts):
        pen.show(
            pen.write("* not complete: some work has no mark. Means are over those who have one.", "dim")
        )
        pen.skip()
    _print_cases(pen, "Missing or ungradable", tally.without_a_mark(verdicts))
    _print_cases(pen, "Worth a look", tally.worth_a_look(verdicts))
    _print_mistakes(pen, tally.frequent_mistakes(verdicts))
    exercises = [exercise for verdict in verdicts for exercise in verdict.exercises]
    pen.show(pen.write(confinement_words(exercises), "dim"))


def _class_columns(pen: Pen, verdicts: Sequence[Verdict]) -> list[ClassColumn]:
    found = [tally.by_exercise(verdict) for verdict in verdicts]
    columns = [
        ClassColumn(
            pen.write(column.exercise.replace("_", "_\n")),
            [_class_cell(pen, exercises.get(column.exercise)) for exercises in found],
            _foot(pen, column.mean, column.max_points),
        )
        for column in tally.columns(verdicts)
    ]
    totals = [
        pen.write(f"{in_points(verdict.points)}{' ' if tally.complete(verdict) else '*'}", "bold")
        for verdict in verdicts
    ]
    most = max((verdict.max_points for verdict in verdicts), default=Decimal(0))
    foot = _foot(pen, tally.total_mean(verdicts), most, tail=" ")
    return [*columns, ClassColumn(pen.write("total "), totals, foot)]


def _class_tables(pen: Pen, verdicts: Sequence[Verdict]) -> list[Table]:
    """The matrix, cut into as many tables as the width asks for; the last one has the totals."""
    names = ClassColumn(
        pen.write("student"), [pen.name(each.student) for each in verdicts], pen.write("mean\nout of", "dim")
    )
    chunks: list[list[ClassColumn]] = []
    room = 0
    for column in _class_columns(pen, verdicts):
        if column.width + GAP > room:
            chunks.append([names])
            room = pen.console.width - names.width
        room -= column.width + GAP
        chunks[-1].append(column)
    return [_class_table(chunk) for chunk in chunks]


def _class_table(columns: Sequence[ClassColumn]) -> Table:
    table = Table(
        box=SIMPLE, show_edge=False, show_footer=True, padding=(0, GAP - 1, 0, 0), pad_edge=False,
        header_style="not bold dim", footer_style="not bold dim", border_style="dim",
    )  # fmt: skip
    for position, column in enumerate(columns):
        table.add_column(
            column.heading, column.foot, justify="right" if position else "left", vertical="bottom",
            no_wrap=True,
        )  # fmt: skip
    for row in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*row)
    return table


def _class_cell(pen: Pen, exercise: ExerciseVerdict | None) -> Text:
    words = tally.cell(exercise)
    if exercise is None or exercise.status == "missing":
        return pen.write(words, "dim")
    if exercise.points is None:
        return pen.write(words, "yellow")
    return pen.write(words, "green" if exercise.full_marks else "")


def _foot(pen: Pen, mean: Decimal | None, most: Decimal, tail: str = "") -> Text:
    shown = "–" if mean is None else in_points(mean)
    return pen.write(f"{shown}{tail}\n{in_points(most)}{tail}", "dim")


def _print_cases(pen: Pen, title: str, cases: Mapping[str, Sequence[tally.Case]]) -> None:
    if not cases:
        return
    pen.show(pen.write(title, "bold"))
    for kind, concerned in cases.items():
        pen.show(pen.write(f"{kind} ({len(concerned)})", "yellow"), indent=2)
        for case in concerned[:MOST_CASES]:
            why = f": {case.why}" if case.why else ""
            line = pen.write(f", {', '.join(case.exercises)}{why}", "dim")
            pen.show(Text.assemble(pen.name(case.student), line), indent=4)
        if len(concerned) > MOST_CASES:
            pen.show(pen.write(f"… and {len(concerned) - MOST_CASES} more", "dim"), indent=4)
    pen.skip()


def _print_mistakes(pen: Pen, mistakes: Sequence[tally.Mistake]) -> None:
    if not mistakes:
        return
    pen.show(pen.write("Most frequent mistakes", "bold"))
    table = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for mistake in mistakes[:MOST_MISTAKES]:
        named = Text.assemble(
            pen.write(mistake.name), pen.write(f"  {mistake.exercise}", "dim"), "\n" if mistake.says else "",
            pen.prose(mistake.says, "dim"),
        )  # fmt: skip
        table.add_row(pen.write(str(mistake.students), "bold"), named)
    pen.show(table, indent=2)
    if len(mistakes) > MOST_MISTAKES:
        pen.show(
            pen.write(f"… and {len(mistakes) - MOST_MISTAKES} more: index.html has all", "dim"), indent=2
        )
    pen.skip()
