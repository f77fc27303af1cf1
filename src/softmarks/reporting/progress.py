"""A class while it is being graded: a live bar in a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import time
from threading import Lock
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from softmarks.reporting.inert import clip, inert
from softmarks.reporting.wording import counted
from softmarks.verdict import Verdict

PLAIN_SECONDS = 10.0  # between two lines where no terminal listens
MOST_RUNNING = 6
NAME_LENGTH = 40
BAR_CELLS = 24


class ClassProgress:
    """Counts submissions as they start and finish; every method may be called from any thread."""

    def __init__(self, console: Console, total: int) -> None:
        self._console = console
        self._total = total
        self._done = 0
        self._troubled = 0
        self._running: dict[str, float] = {}
        self._lock = Lock()
        self._began = self._spoke = time.monotonic()
        self._live: Live | None = None

    def __enter__(self) -> ClassProgress:
        self._began = self._spoke = time.monotonic()
        if self._console.is_terminal:
            self._live = Live(
                console=self._console, get_renderable=self._view, refresh_per_second=4, transient=True
            )
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
        self._say(self._summary(over=True))

    def started(self, student: str) -> None:
        """A submission is being graded from now on."""
        with self._lock:
            self._running[student] = time.monotonic()

    def finished(self, student: str, verdict: Verdict) -> None:
        """A submission has its verdict."""
        with self._lock:
            self._running.pop(student, None)
            self._done += 1
            self._troubled += any(
                exercise.status in ("ungradable", "grader-error") for exercise in verdict.exercises
            )
            now = time.monotonic()
            due = self._live is None and now - self._spoke >= PLAIN_SECONDS
            if due:
                self._spoke = now
            line = self._summary()
        if due:
            self._say(line)

    def _say(self, line: str) -> None:
        self._console.print(Text(line), soft_wrap=True)

    def _summary(self, over: bool = False) -> str:
        parts = [f"graded {self._done} of {self._total}"]
        if not over and self._done < self._total and (left := self._seconds_left()) is not None:
            parts.append(f"about {in_words(left)} left")
        if self._troubled:
            parts.append(f"{self._troubled} not gradable in full")
        if over:
            parts.append(f"in {in_words(time.monotonic() - self._began)}")
        return ", ".join(parts)

    def _seconds_left(self) -> float | None:
        if not self._done:
            return None
        return (time.monotonic() - self._began) / self._done * (self._total - self._done)

    def _view(self) -> RenderableType:
        with self._lock:
            summary = self._summary()
            running = sorted(self._running.items(), key=lambda item: item[1])
            bar = ProgressBar(total=max(self._total, 1), completed=self._done, width=BAR_CELLS)
        head = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
        head.add_row(bar, Text(summary))
        now = time.monotonic()
        lines = [
            Text(f"  {inert(clip(student, NAME_LENGTH, 1))}  {in_words(now - since)}", "dim", no_wrap=True)
            for student, since in running[:MOST_RUNNING]
        ]
        if len(running) > MOST_RUNNING:
            lines.append(Text(f"  and {counted(len(running) - MOST_RUNNING, 'other')}", "dim"))
        return Group(head, *lines)


def in_words(seconds: float) -> str:
    """A duration as a person says it: ``40 s``, ``4 min``, ``2 h 5 min``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
