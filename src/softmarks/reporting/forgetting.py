"""Take a student out of a results folder: verdict, page, rows of tables, the name in the audit trail."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from softmarks.reporting.files import safe_stem, write_atomically
from softmarks.reporting.recorded import EXCEPTIONS, ROSTER, pages_of
from softmarks.reporting.sheets import as_csv
from softmarks.reporting.trail import CUT_OFF, TRAIL, read_events
from softmarks.submission.matching import plain_id
from softmarks.submission.roster import MOST_BYTES, Student
from softmarks.submission.tables import read_table

FORGOTTEN = "(forgotten)"


def forget(folder: Path, student: str, row: Student | None) -> None:
    """Remove what a results folder holds of a student, who is ``row`` in its roster, if there.

    Events of the audit trail stay, without the name and the reason. Whoever forgets writes the sheets anew.
    """
    called = {plain_id(student), *([plain_id(row.student_id)] if row else [])}
    _strike_out(folder, student)
    for name in (ROSTER, EXCEPTIONS):
        _without(folder / name, called)
    page = folder / "feedback" / pages_of(folder).stem(student)
    verdict = folder / "verdicts" / f"{safe_stem(student)}.json"
    for path in (verdict, page.with_name(f"{page.name}.html"), page.with_name(f"{page.name}.md")):
        path.unlink(missing_ok=True)


def _strike_out(folder: Path, student: str) -> None:
    """A piece of a line that was cut off may hold the name, or half of it: it goes as a whole."""
    if not (folder / TRAIL).is_file():
        return
    lines = []
    for event in read_events(folder):
        content = dict(event.content)
        if content.get("student") == student or content.get("what") == CUT_OFF:
            content |= {name: FORGOTTEN for name in ("student", "reason", "text") if name in content}
        lines.append(json.dumps(content) + "\n")
    write_atomically(folder / TRAIL, "".join(lines))


def _without(path: Path, called: Collection[str]) -> None:
    if not path.is_file():
        return
    table = read_table(path, MOST_BYTES)
    column = table.names.index("student_id")
    rows = [row.cells for row in table.rows if plain_id(row.cells[column]) not in called]
    write_atomically(path, as_csv([table.header, *rows], table.separator))
