"""What a learner works on while files are watched: which exercise is next, and how its last check went."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from softmarks.course.course import Course, Exercise
from softmarks.course.rooms import Room, room
from softmarks.course.working_copy import WorkingCopy, put_back
from softmarks.errors import UsageError
from softmarks.grading.diary import Diary, next_exercise
from softmarks.grading.own_work import SUFFIXES, GivenHint, check_source, next_hint, the_begun
from softmarks.grading.workers import Worker
from softmarks.pictures import Drawn
from softmarks.submission.collecting import read_file
from softmarks.verdict import ExerciseVerdict


@dataclass
class Watch:
    """One sitting over a working copy. ``current`` is the exercise that is worked on."""

    course: Course
    root: Path
    copy: WorkingCopy
    worker: Worker
    current: Exercise = field(init=False)

    def __post_init__(self) -> None:
        self.exercises = self.copy.exercises(self.course)
        self.diary = Diary(self.copy.folder)
        self.current = next_exercise(self.exercises, self.diary.states()) or self.exercises[0]

    @property
    def place(self) -> Room:
        """The room of the current exercise."""
        return room(self.course, self.root, self.current.name)

    @property
    def path(self) -> Path:
        """The learner's file for the current exercise."""
        paths = [self.copy.files / f"{self.place.address}{suffix}" for suffix in SUFFIXES]
        return the_begun(paths, self.place) or paths[0]

    def turn_to(self, paths: Iterable[Path]) -> bool:
        """Take the exercise whose file is among ``paths``; whether there is one."""
        names = {path.stem: path for path in paths if path.suffix in SUFFIXES}
        found = next((one for one in self.exercises if one.name in names), None)
        if found is None or names[found.name].parent.name not in (found.assignment, self.copy.files.name):
            return False
        self.current = found
        return True

    def step(self, by: int) -> None:
        """Go to a neighbour of the current exercise; the ends are ends."""
        position = self.exercises.index(self.current) + by
        self.current = self.exercises[max(0, min(position, len(self.exercises) - 1))]

    def check(self) -> ExerciseVerdict:
        """The verdict on the current exercise; remembered."""
        source = read_file(self.path, self.current)
        verdict = check_source(self.worker, self.root, self.course, source, self.current)
        self.diary.note(verdict, done=verdict.all_right)
        return verdict

    def hint(self) -> GivenHint:
        """The next hint for the current exercise."""
        return next_hint(self.course, self.root, self.copy.folder, self.current.name)

    def show(self) -> list[Drawn]:
        """The pictures of the current exercise. Raises UsageError when there are none."""
        if not self.place.picture.is_file():
            raise UsageError(f"{self.current.name} has no picture")
        source = read_file(self.path, self.current)
        if source.unreadable:
            raise UsageError(source.unreadable, where=self.path)
        return self.worker.show(self.current.name, source.cells)

    def reset(self) -> Path | None:
        """Put the stub of the current exercise back; where the learner's file is kept now."""
        if self.path.suffix == ".ipynb":
            raise UsageError("a notebook is put back by hand", fix="Copy it anew from where you got it")
        return put_back(self.copy, self.place)
