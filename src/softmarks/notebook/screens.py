"""How a command answers in a notebook, and how in a terminal: first that one has to wait, then views."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Protocol

from rich.console import Console

from softmarks.errors import SoftmarksError
from softmarks.notebook.views import View, Words

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


class Stopped(KeyboardInterrupt):
    """Somebody did not want to wait. Told in a line, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return ["Stopped. You can go on: the next command starts the checks again."]


class Screen(Protocol):
    """Where the answer to a command is shown."""

    draws: bool  # whether a verdict has room for a picture

    def answer(self, words: str, find: Callable[[], Sequence[View]]) -> None:
        """Show ``words`` until ``find`` is done, then what it found, or the error of ours that it raised."""


def screen_of(shell: InteractiveShell) -> Screen:
    """The screen of a shell: a notebook where it has a kernel."""
    return Notebook() if hasattr(shell, "kernel") else Terminal()


class Terminal:
    """IPython in a terminal."""

    draws = False

    def answer(self, words: str, find: Callable[[], Sequence[View]]) -> None:
        """See `Screen`. What one has to wait for, and errors, go to standard error."""
        waiting = Console(stderr=True, highlight=False)
        try:
            with waiting.status(words) if words and waiting.is_terminal else nullcontext():
                views = find()
        except SoftmarksError as error:
            print(_told(error), file=sys.stderr)
            return
        except KeyboardInterrupt:
            raise Stopped from None
        for view in views:
            view.print(Console(highlight=False))


class Notebook:
    """Any frontend of a kernel. What is found takes the place of the words."""

    draws = True

    def answer(self, words: str, find: Callable[[], Sequence[View]]) -> None:
        """See `Screen`."""
        from IPython.display import display

        place = display(Words(words), display_id=True) if words else None
        views: Sequence[View] = []
        try:
            views = find()
        except SoftmarksError as error:
            views = [Words(_told(error))]
        except KeyboardInterrupt:
            raise Stopped from None
        finally:
            if place is not None:
                first, *views = views or [Words("")]
                place.update(first)
        for view in views:
            display(view)


def _told(error: SoftmarksError) -> str:
    return f"softmarks: {error}"
