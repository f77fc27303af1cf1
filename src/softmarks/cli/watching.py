"""`softmarks watch`: check again whenever a file is saved."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from softmarks.cli.options import console, course_option, open_course, waiting
from softmarks.errors import SoftmarksError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from softmarks.grading.watching import Watch

KEYS = "h hint  n next  p previous  l list  s show  r reset  enter check  q quit"
TICK = 100  # milliseconds between looks at the keyboard


@click.command()
@click.option("--plain", is_flag=True, help="Print one thing below the other; never clear the screen.")
@course_option
def watch(plain: bool, course_name: str | None) -> None:
    """Check your work each time you save it.

    Works in the working copy that softmarks start wrote. Saving a file makes its exercise the current one.

    \b
    Example:
      softmarks watch
    """
    from softmarks.course.working_copy import working_copy
    from softmarks.grading.watching import Watch
    from softmarks.grading.workers import Worker

    copy = working_copy(Path.cwd())
    if copy is None:
        raise UsageError("this is no working copy", where=Path.cwd(), fix="Make one: softmarks start DIR")
    root, course = open_course(course_name)
    out = console()
    with Worker(root, "optional") as worker:
        with waiting("Starting the checks…"):
            worker.wait()
        sitting = Sitting(Watch(course, root, copy, worker), out, clears=out.is_terminal and not plain)
        with keyboard() as key:
            sitting.watch(key)


class Sitting:
    """A learner in front of a terminal."""

    def __init__(self, work: Watch, out: Console, *, clears: bool) -> None:
        self.work = work
        self.out = out
        self.clears = clears

    def watch(self, key: Callable[[], str]) -> None:
        """Until the learner has enough: check what is saved, do what keys say."""
        from watchfiles import watch

        folder = self.work.copy.files
        saves = watch(folder, debounce=50, step=10, rust_timeout=TICK, yield_on_timeout=True)
        for look, changes in enumerate(saves):  # the first look begins to watch: no later save is missed
            if self.work.turn_to(Path(path) for _, path in changes) or look == 0:
                self.tell(self.check)
            pressed = key()
            if pressed == "q":
                return
            if pressed in self.actions:
                self.tell(self.actions[pressed])

    @property
    def actions(self) -> dict[str, Callable[[], None]]:
        return {
            "h": self.hint,
            "n": lambda: self.step(1),
            "p": lambda: self.step(-1),
            "l": self.list,
            "s": self.show,
            "r": self.reset,
            "\n": self.check,
            "\r": self.check,
        }

    def tell(self, action: Callable[[], None]) -> None:
        """Do one thing on a clean screen, with where one is and the keys below it. Errors are told."""
        if self.clears:
            self.out.clear()
        try:
            action()
        except SoftmarksError as error:
            self.out.print(f"softmarks: {error}", style="yellow", markup=False, soft_wrap=True)
        self.out.print(f"\n{self.foot()}\n{KEYS}", style="dim", markup=False, soft_wrap=True)

    def check(self) -> None:
        from softmarks.reporting.study import print_explanation, print_markdown
        from softmarks.reporting.terminal import print_verdict

        verdict = self.work.check()
        if verdict.untouched:
            print_markdown(self.out, self.work.place.statement())
            return
        print_verdict(self.out, verdict, brief=True)
        if verdict.all_right:
            self.out.print()
            print_explanation(self.out, self.work.place.explanation())
            self.out.print("Done. n goes on to the next exercise.", style="green")

    def foot(self) -> str:
        """Below everything, where it does not scroll away: how much is done, and which file is watched."""
        done = sum(state == "done" for state in self.work.diary.states().values())
        of = len(self.work.exercises)
        path = self.work.path
        shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        return f"{done} of {of} done   watching {shown}"

    def step(self, by: int) -> None:
        from softmarks.reporting.study import print_markdown

        self.work.step(by)
        print_markdown(self.out, self.work.place.statement())

    def hint(self) -> None:
        from softmarks.reporting.study import print_hint

        print_hint(self.out, self.work.hint(), "h")

    def list(self) -> None:
        from softmarks.reporting.overview import print_progress

        print_progress(
            self.out, self.work.course, self.work.exercises, self.work.diary.states(), self.work.current
        )

    def show(self) -> None:
        from softmarks.reporting.drawing import print_pictures

        print_pictures(self.out, self.work.current.name, self.work.show())

    def reset(self) -> None:
        kept = self.work.reset()
        told = f"; yours is kept in {kept}" if kept else ""
        self.out.print(f"The stub of {self.work.current.name} is back{told}", markup=False, soft_wrap=True)


@contextlib.contextmanager
def keyboard() -> Iterator[Callable[[], str]]:
    """Ask for the key that was pressed since the last time, "" for none; always none without a terminal."""
    if not sys.stdin.isatty():
        yield lambda: ""
    elif sys.platform == "win32":
        import msvcrt

        yield lambda: msvcrt.getwch() if msvcrt.kbhit() else ""
    else:
        import termios
        import tty

        before = termios.tcgetattr(sys.stdin)
        try:
            tty.setcbreak(sys.stdin)
            yield lambda: os.read(0, 1).decode("ascii", "ignore") if select.select([0], [], [], 0)[0] else ""
        finally:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
