"""A class's marks as one grade sheet, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal

from softmarks.reporting.pages import Pages
from softmarks.reporting.tally import by_exercise, share
from softmarks.reporting.wording import in_points
from softmarks.verdict import ExerciseVerdict, Verdict

# A formula may also begin after a separator, where a spreadsheet splits cells at semicolons.
FORMULA = re.compile(r"(?:^|(?<=[;\n\t]))(?=\s*[=+\-@＝＋－＠])|^(?=[\t\n])")


def as_csv(rows: Iterable[Sequence[str]], separator: str = ",") -> str:
    """Rows as text; lines end in ``\\n``."""
    sheet = io.StringIO()
    csv.writer(sheet, delimiter=separator, lineterminator="\n").writerows(rows)
    return sheet.getvalue()


def grades_csv(
    verdicts: Sequence[Verdict], exercises: Sequence[str], outcomes: Mapping[str, Collection[str]]
) -> str:
    """One row a student: ``student``, a column an exercise, ``total``, ``max``, one an outcome, ``remarks``.

    Points have two decimals. An exercise without a mark is an empty cell, never a zero, and the
    remarks say why. The total is the sum of the cells of the row's exercises, the maximum counts each
    of them. ``outcomes`` maps the id of a learning outcome to the exercises that teach it: its
    column is ``outcome:ID`` and holds the percent of their points, of those that have a mark; it is
    empty where none has. Text that a spreadsheet would take for a formula gets an apostrophe before
    it. Lines end in ``\\n``. To be saved as UTF-8 without a byte order mark: with one, ``csv`` and
    pandas read the first column's name wrongly.
    """
    headings = [safe_cell(f"outcome:{outcome}") for outcome in outcomes]
    rows = [["student", *map(safe_cell, exercises), "total", "max", *headings, "remarks"]]
    for verdict in verdicts:
        found = by_exercise(verdict)
        row = [found.get(name) for name in exercises]
        points = [each.points for each in row if each is not None and each.points is not None]
        most = [each.max_points for each in row if each is not None and each.status != "excused"]
        remarks = [_remark(name, each) for name, each in zip(exercises, row, strict=True)]
        rows.append(
            [
                safe_cell(verdict.student),
                *("" if each is None or each.points is None else in_points(each.points) for each in row),
                in_points(sum(points, Decimal(0))),
                in_points(sum(most, Decimal(0))),
                *(_percent(share(verdict, names)) for names in outcomes.values()),
                safe_cell("; ".join(filter(None, remarks))),
            ]
        )
    return as_csv(rows)


def pages_csv(students: Sequence[str], pages: Pages) -> str:
    """The index of a class's pages: ``student``, ``shown as``, ``page``. Lines end in ``\\n``."""
    listed = [(one, pages.name(one), f"feedback/{pages.stem(one)}.html") for one in students]
    return as_csv([["student", "shown as", "page"], *(list(map(safe_cell, row)) for row in listed)])


def safe_cell(cell: str) -> str:
    """``cell`` so that a spreadsheet shows it as text and a file can hold it."""
    cell = re.sub(r"\r\n?", "\n", cell).replace("\0", "\N{SYMBOL FOR NULL}")
    return FORMULA.sub("'", cell.encode("utf-8", "backslashreplace").decode("utf-8"))


def _percent(share: Decimal | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


def _remark(name: str, exercise: ExerciseVerdict | None) -> str:
    if exercise is None:
        return f"{name}: not part of this grading"
    if exercise.status == "graded":
        return ""
    why = f" ({safe_cell(exercise.note)})" if exercise.note else ""
    return f"{name}: {exercise.status}{why}"
