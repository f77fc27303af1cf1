"""What our terminal views write with: text that a console can show, and that stays inert."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from softmarks.reporting.inert import clip, inert

WIDEST = 100  # longer lines are hard to read
NAME_CELLS = 24
LONGEST_LINE = 600
MOST_LINES = 24

PLAIN_SIGNS = {"✓": "+", "✗": "x", "·": "-", "│": "|", "─": "-", "…": "...", "–": "-"}


@dataclass(frozen=True)
class Pen:
    """Writes text that this console can show; what a student wrote stays inert."""

    console: Console

    @property
    def width(self) -> int:
        return min(self.console.width, WIDEST)

    def write(self, text: str, style: str = "") -> Text:
        text = inert(clip(text, LONGEST_LINE, MOST_LINES)).expandtabs(4)
        encoding = self.console.encoding
        try:
            text.encode(encoding)
        except UnicodeEncodeError:
            for sign, plain in PLAIN_SIGNS.items():
                text = text.replace(sign, plain)
            text = text.encode(encoding, "backslashreplace").decode(encoding)
        return Text(text, style)

    def prose(self, text: str, style: str = "") -> Text:
        """Like ``write``, with what stands in backquotes set off."""
        written = self.write(text, style)
        written.highlight_regex(r"`[^`\n]+`", "cyan")
        return written

    def name(self, text: str, style: str = "") -> Text:
        """A name on one line, cut where it would push everything else aside."""
        written = self.write(text.replace("\n", " "), style)
        written.truncate(
            NAME_CELLS, overflow="ellipsis" if self.console.encoding.startswith("utf") else "crop"
        )
        return written

    def show(self, item: RenderableType, indent: int = 0) -> None:
        padded = Padding(item, (0, 0, 0, indent), expand=isinstance(item, Table)) if indent else item
        self.console.print(padded, width=self.width)

    def signed(self) -> Table:
        """An empty table whose rows are a sign, a name and text that may go on below."""
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        return table

    def skip(self) -> None:
        self.console.print()
