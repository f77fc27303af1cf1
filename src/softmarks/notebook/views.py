"""What a notebook and a terminal show: a verdict, pictures, Markdown, plain words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

from softmarks.errors import UsageError
from softmarks.pictures import Drawn
from softmarks.reporting.drawing import print_pictures
from softmarks.reporting.html import exercise_fragment
from softmarks.reporting.plots import in_words, png, shown_width
from softmarks.reporting.study import print_explanation
from softmarks.reporting.terminal import as_text, print_verdict
from softmarks.verdict import ExerciseVerdict


class View(ABC):
    """Something to look at: printed in a terminal, and in a notebook in the richest form that it has."""

    @abstractmethod
    def print(self, console: Console) -> None:
        """Print it in a terminal."""

    def forms(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Its other forms by MIME type, and what a notebook should know of them."""
        return {}, {}

    def plain(self) -> str:
        """It as plain text."""
        return as_text(self.print)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:  # noqa: ARG002
        forms, about = self.forms()
        return {"text/plain": self.plain(), **forms}, about


@dataclass(frozen=True)
class Words(View):
    """A line of plain text."""

    text: str

    def print(self, console: Console) -> None:
        console.print(Text(self.text), soft_wrap=True)


@dataclass(frozen=True)
class Markdown(View):
    """Text in Markdown, with formulas; ``short`` is what a terminal prints of it, where that is less."""

    text: str
    short: str = ""

    def print(self, console: Console) -> None:
        print_explanation(console, self.short or self.text)

    def forms(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"text/markdown": self.text}, {}


@dataclass(frozen=True)
class Checked(View):
    """A verdict; in a notebook with pictures, which are folded away where it is not known what is meant."""

    verdict: ExerciseVerdict
    pictures: Sequence[Drawn] = ()

    def print(self, console: Console) -> None:
        print_verdict(console, self.verdict, brief=True)

    def forms(self) -> tuple[dict[str, Any], dict[str, Any]]:
        unknown = all(panel.meant is None for panel in self.pictures)
        return {"text/html": exercise_fragment(self.verdict, self.pictures, folded=unknown)}, {}


@dataclass(frozen=True)
class Pictures(View):
    """What a program computes: drawn by matplotlib where that is installed, else as in a terminal."""

    exercise: str
    pictures: Sequence[Drawn]

    def print(self, console: Console) -> None:
        print_pictures(console, self.exercise, self.pictures)

    def forms(self) -> tuple[dict[str, Any], dict[str, Any]]:
        try:
            image = png(self.exercise, self.pictures)
        except UsageError:  # matplotlib is not installed
            return {}, {}
        about = {"width": shown_width(image), "alt": in_words(self.exercise, self.pictures)}
        return {"image/png": b64encode(image).decode("ascii")}, {"image/png": about}
