"""Softmarks: programming exercises, graded where student code cannot reach the verdict.

>>> from softmarks import mark
>>> verdict = mark("word_count", source)
>>> verdict.points, verdict.max_points

PYTEST_DONT_REWRITE
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from IPython.core.interactiveshell import InteractiveShell

    from softmarks.verdict import ExerciseVerdict

__all__ = ["mark"]
__version__ = "0.1.0"


def mark(exercise: str, source: str | Path, *, course: str | None = None) -> ExerciseVerdict:
    """The verdict on a program, or on a ``.py`` or ``.ipynb`` file, by the hidden suite of an exercise.

    The program runs confined, in a process of its own; the process that grades is kept for the next call.
    ``course`` is a folder, a ZIP file or the name of an installed course; without it, the nearest
    ``course.yml`` upwards from here, else the installed course. Raises UsageError for a wrong name or file,
    GraderError when the grader itself fails, NotConfined where programs cannot be confined.
    """
    from softmarks.grading.api import mark as graded

    return graded(exercise, source, course)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """What ``%load_ext softmarks`` calls: `softmarks.notebook.magics` has the rest."""
    from softmarks.notebook.magics import load

    load(shell)
