"""What the doctor found, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from softmarks.grading.doctor import Finding
from softmarks.reporting.pen import Pen
from softmarks.reporting.terminal import STYLES
from softmarks.reporting.wording import SIGNS


def print_findings(console: Console, findings: Iterable[Finding]) -> None:
    """Print each finding: how it is, what it is about, what it says, and below that what to do."""
    pen = Pen(console)
    table = pen.signed()
    for finding in findings:
        style = STYLES[finding.how]
        sign = pen.write(SIGNS[finding.how], style)
        table.add_row(sign, pen.name(finding.what), pen.write(finding.says))
        if finding.fix:
            table.add_row("", "", pen.write(finding.fix, style))
    pen.show(table)
