"""A command in a terminal, and the screen that a person sees."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import pexpect
import pyte

COLUMNS, LINES = 100, 40
PATIENCE = 60  # seconds until what is waited for is on the screen
FAINT = 2  # of the codes that style text; pyte does not know it
COLOURS = (38, 48)  # the codes after which numbers are of a colour


class Screen(pyte.Screen):
    """A screen that notes which lines did not fit, and shows faint text as blinking, which ours never is."""

    def __init__(self, columns: int, lines: int) -> None:
        self.too_wide: list[str] = []
        super().__init__(columns, lines)

    def draw(self, data: str) -> None:
        for char in data:
            if self.cursor.x == self.columns:
                self.too_wide.append(self.display[self.cursor.y])
            super().draw(char)

    def select_graphic_rendition(self, *codes: int, **more: bool) -> None:
        super().select_graphic_rendition(*codes, **more)
        if FAINT in codes[: next((at for at, code in enumerate(codes) if code in COLOURS), len(codes))]:
            self.cursor.attrs = self.cursor.attrs._replace(blink=True)


class Terminal:
    """A command that runs in a terminal of its own, in a folder."""

    def __init__(
        self, command: Sequence[str | Path], folder: Path, *, columns: int = COLUMNS, lines: int = LINES
    ) -> None:
        self.screen = Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        program, *words = map(str, command)
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
            environment.pop(name, None)
        self.written = ""
        self.child = pexpect.spawn(
            program, words, cwd=str(folder), env=environment, dimensions=(lines, columns), timeout=PATIENCE
        )

    @property
    def lines(self) -> list[str]:
        """The lines of the screen, without those below the last that is written."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip("\n").split("\n")

    @property
    def text(self) -> str:
        """All words on the screen, with one space between them, whatever line they are on."""
        return " ".join(" ".join(self.lines).replace("│", " ").split())

    def see(self, *sentences: str) -> str:
        """Wait until all these are on the screen at once; the text of the screen."""
        end = time.monotonic() + PATIENCE
        while missing := [sentence for sentence in sentences if sentence not in self.text]:
            if time.monotonic() > end or not self._read():
                raise AssertionError(f"not seen: {missing}\n\n" + "\n".join(self.lines))
        return self.text

    def press(self, keys: str) -> None:
        """Type, as a person would."""
        self.child.send(keys)

    def leave(self) -> int | None:
        """Wait until the command has ended; its exit status, None where it does not end."""
        while self._read():
            pass
        self.child.close()
        return self.child.exitstatus

    def _read(self) -> bool:
        """Take what was written since; whether there may be more."""
        if self.child.closed:
            return False
        try:
            data = self.child.read_nonblocking(65536, timeout=PATIENCE)
        except (pexpect.EOF, pexpect.TIMEOUT):
            return False
        self.written += data.decode(errors="replace")
        self.stream.feed(data)
        return True
