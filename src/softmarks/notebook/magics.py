"""``%load_ext softmarks``: check what a notebook defines so far, get a hint, see what the code computes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from softmarks.course.rooms import Room
from softmarks.course.sheets import read_sheet
from softmarks.errors import SoftmarksError, UsageError
from softmarks.notebook.kernel_work import kernel_work
from softmarks.notebook.screens import screen_of
from softmarks.notebook.views import Checked, Markdown, Pictures, View, Words
from softmarks.pictures import Drawn
from softmarks.reporting.plots import save_pictures
from softmarks.reporting.study import model_answer
from softmarks.reporting.wording import NOT_RUN
from softmarks.verdict import ExerciseVerdict, Outcome

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def load(shell: InteractiveShell) -> None:
    """Give a shell the commands, and remember from now on what it executes."""
    commands = Commands(shell)
    for command in (commands.check, commands.hint, commands.show):
        shell.magics_manager.register_function(command, "line", command.__name__)
    commands.look()


class Commands:
    """The commands of one kernel."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.work = kernel_work(shell)
        self.screen = screen_of(shell)

    def look(self) -> None:
        """Say what is missing for a check, where something is."""
        self.screen.answer("", self._missing)

    def check(self, line: str) -> None:
        """Check your work, and say what to repair.

        Everything that was executed so far counts, as it does in a notebook that is handed in.

        Examples::

            %check word_count
            %check
        """
        names = line.split()
        for place in self._rooms(names):
            self.screen.answer(
                self._waiting("Checking your work…"), partial(self._check, place, explain=bool(names))
            )

    def hint(self, line: str) -> None:
        """A hint, and the next one each time. Hints are free.

        Example::

            %hint word_count
        """
        for place in self._rooms(line.split()):
            self.screen.answer("", partial(self._hint, place))

    def show(self, line: str) -> None:
        """See what your code computes, here or in a file.

        Examples::

            %show word_count
            %show word_count picture.png
        """
        name, _, file = line.strip().partition(" ")
        for place in self._rooms([name] if name else []):
            self.screen.answer(self._waiting("Running your code…"), partial(self._show, place, file.strip()))

    def _rooms(self, names: Sequence[str]) -> list[Room]:
        """The exercises that are named, or that are meant when none is. An error is told, and gives none."""
        found: list[Room] = []

        def find() -> list[View]:
            found.extend([self.work.room(name) for name in names] if names else self.work.meant())
            return []

        self.screen.answer("", find)
        return found

    def _waiting(self, words: str) -> str:
        return words if self.work.worker.ready else "Starting the checks (a few seconds, once)…"

    def _missing(self) -> list[View]:
        package = self.work.missing_package()
        if package is None:
            return []
        raise UsageError(
            f"the course needs {package}, which is not installed", fix=f"Run %pip install {package}"
        )

    def _check(self, place: Room, *, explain: bool) -> list[View]:
        verdict = self.work.check(place)
        views: list[View] = [Checked(verdict, self._pictures(place, verdict))]
        if explain and verdict.suite == "hidden" and verdict.all_right and (text := _explanation(place)):
            views.append(Markdown(text))
        return views

    def _pictures(self, place: Room, verdict: ExerciseVerdict) -> list[Drawn]:
        """What to see of a failure: the first picture that is not as it is meant, or all that may not be."""
        quiet = {Outcome.PASSED, *NOT_RUN}
        failed = any(check.outcome not in quiet for check in verdict.checks)
        if not (self.screen.draws and failed and place.picture.is_file()):
            return []
        try:
            panels = self.work.show(place)
        except SoftmarksError:
            return []  # the verdict is what was asked for
        known = [panel for panel in panels if panel.meant is not None]
        differing = [panel for panel in known if panel.wrong or panel.own.problem]
        return differing[:1] if known else panels

    def _hint(self, place: Room) -> list[View]:
        return [_hints(place, self.work.next_hint(place))]

    def _show(self, place: Room, file: str) -> list[View]:
        panels = self.work.show(place)
        if not file:
            return [Pictures(place.exercise.name, panels)]
        save_pictures(Path(file), place.exercise.name, panels)
        return [Words(f"wrote {file}")]


def _hints(place: Room, given: Sequence[str]) -> View:
    """All hints so far for a notebook, where a cell that runs again loses what it showed; else the last."""
    name, most = place.exercise.name, len(place.hints())
    parts = [f"**Hint {number} of {most}**\n\n{text}" for number, text in enumerate(given, 1)]
    more = f"`%hint {name}` gives the next one." if len(given) < most else "That was the last one."
    end = f"*Hints are free.* {more}"
    return Markdown("\n\n".join([*parts, end]), short=f"{parts[-1]}\n\n{end}")


def _explanation(place: Room) -> str:
    """What is told after success, in Markdown."""
    free = read_sheet(place.sheet).free if place.sheet.is_file() else ()
    return "\n\n".join(part for part in [place.explanation(), *map(model_answer, free)] if part)
