"""What a student handed in for one exercise of an nbgrader assignment, whatever the file is called."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from softmarks.course.course import Course, Exercise
from softmarks.submission import Unreadable
from softmarks.submission.archives import file_entry
from softmarks.submission.collecting import Submission, read_submission
from softmarks.submission.names import quoted
from softmarks.submission.reading import Source, read_source, size_limit


def read_handed_in(exercise: Exercise, folder: Path, submission: Submission) -> Source:
    """The program for an exercise in a student's folder of its assignment; ``submission`` is all in there.

    It is in ``EXERCISE.ipynb``, which was given out under this name. Where that is not there, or cannot be
    read, it is found as `softmarks grade` finds it.
    """
    named = read_named(folder, exercise.name, exercise.answers)
    found = submission.sources.get(exercise.name)
    if named is None:
        missing = f"there is no {exercise.name}.ipynb"
        if found is None:
            reason = submission.unreadable or f"{missing}, and no other file for it"
            return Source(exercise.name, "", "", (), reason)
        return replace(found, repairs=(f"{missing}; read {quoted(found.filename)}", *found.repairs))
    if found is None or (named.unreadable and found.unreadable):
        return named
    if named.unreadable or found.filename == named.filename:
        return found
    left = f"took {quoted(named.filename)}, which was given out, and left {quoted(found.filename)}"
    return replace(named, repairs=(left, *named.repairs))


def read_named(folder: Path, name: str, answers: Sequence[str] = ()) -> Source | None:
    """What is in the notebook of this name; None when there is nothing of this name."""
    path = folder / f"{name}.ipynb"
    try:
        if path.is_symlink():
            raise Unreadable("this is a link, not a notebook")
        if not path.exists():
            return None
        data = file_entry(path, path.name).read(size_limit(path.name))
    except Unreadable as reason:
        return Source(name, "", path.name, (), str(reason))
    return read_source(data, path.name, name, answers)


def other_names(folder: Path, course: Course, notebooks: Collection[str]) -> list[str]:
    """The exercises of an assignment that a student handed in, but not in the ``notebooks`` of these names.

    nbgrader knows a notebook by its file name alone, and gives 0 for one that is called
    ``EXERCISE (1).ipynb`` or is a ``.py`` file.
    """
    names = [one.name for one in course.exercises if one.name not in notebooks]
    if not names:
        return []
    submission = read_submission(folder, course)
    return [name for name in names if name in submission.sources or submission.unreadable]
