"""nbgrader's autograde step, with the verdict made where a student's code cannot reach.

nbgrader reads a notebook, has it executed and reads marks from its outputs. Here it reads the notebook that
was given out instead of the one that was handed in, whose bytes are therefore never its concern; `Grade`
puts the student's cells into it and writes what a worker says of them into the check cells; `SaveMarks`
takes the marks from there. Gradebook, formgrader, marks by hand, extensions and feedback stay nbgrader's.

`softmarks.notebook.configuring` puts these classes into nbgrader's configuration.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Mapping, Sequence
from contextlib import chdir
from decimal import Decimal
from fnmatch import fnmatch
from functools import cache
from glob import glob
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.api import Gradebook
from nbgrader.converters.base import NbGraderException
from nbgrader.plugins import CsvExportPlugin
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades
from traitlets import Bool, Unicode

from softmarks.course.course import Course, Exercise, load_course
from softmarks.course.finding import find_course
from softmarks.errors import GraderError, NotConfined, SoftmarksError, UsageError
from softmarks.grading.classroom import marked
from softmarks.grading.kept_worker import KeptWorker
from softmarks.grading.unmarked import unreadable, without_marks
from softmarks.grading.workers import Wall
from softmarks.notebook.handed_in import other_names, read_handed_in, read_named
from softmarks.notebook.marks import cell_verdicts, written_marks
from softmarks.notebook.restoring import grade_id, restored
from softmarks.pictures import Drawn
from softmarks.reporting.html import as_told, exercise_fragment
from softmarks.reporting.terminal import as_text, print_verdict
from softmarks.reporting.wording import mark_words, status_words
from softmarks.submission.collecting import Submission, read_submission
from softmarks.submission.names import listing
from softmarks.submission.notebooks import Cell
from softmarks.submission.reading import Source
from softmarks.verdict import ExerciseVerdict

SUM = re.compile(r"\b\d+\.\d{9,}\b")
IDLE = 60  # seconds after which a worker that nobody uses ends
MARKS = "softmarks"  # under which `Grade` leaves the marks for `SaveMarks`


class GivenOut(NotebookExporter):
    """Reads the notebook that was given out, whatever was handed in; has the worker that grades it.

    nbgrader makes one before it begins with the first student, and knows by then which notebooks there are;
    those that have another name are added here.
    """

    course = Unicode("", help="The course: its folder or its installed name.").tag(config=True)
    trust_submissions = Bool(
        False, help="Run programs even where they cannot be confined. Only if you trust every author."
    ).tag(config=True)

    parent: Any  # nbgrader's converter

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self._last: tuple[Path, Submission] | None = None
        self._book: Gradebook | None = None
        try:
            with chdir(self.parent.coursedir.root):
                self.root = find_course(Path.cwd(), self.course or None)
            self.taught = load_course(self.root)
        except SoftmarksError as error:
            self.log.error(str(error))
            raise NbGraderException(str(error)) from error
        self._add_other_names()
        self.worker = kept_worker(self.root, "optional" if self.trust_submissions else "proved")
        if self.parent.assignments:
            self._see_to_the_wall()

    def from_filename(
        self,
        filename: str,  # noqa: ARG002
        resources: Any = None,
        **more: Any,
    ) -> tuple[Any, Any]:
        """The notebook that was given out under the name of the one asked for, through the preprocessors."""
        where = resources["nbgrader"]
        directory = self.parent.coursedir
        folder = Path(directory.format_path(directory.release_directory, ".", where["assignment"]))
        given = folder / f"{where['notebook']}.ipynb"
        if not given.is_file():
            raise NbGraderException(
                f"{given} is not there: run `nbgrader generate_assignment {where['assignment']}` first"
            )
        return super().from_filename(str(given), resources, **more)

    def handed_in(self, resources: Any) -> tuple[Path, Submission]:
        """The folder of what a student handed in, and all that is in it: read once for its notebooks."""
        where, folder = resources["nbgrader"], self.folder(resources)
        if self._last is None or self._last[0] != folder:
            self._last = folder, read_submission(folder, self.taught.part([where["assignment"]]))
        return self._last

    def folder(self, resources: Any) -> Path:
        """Where what a student handed in lies."""
        where, directory = resources["nbgrader"], self.parent.coursedir
        return Path(
            directory.format_path(directory.submitted_directory, where["student"], where["assignment"])
        )

    def gradebook(self, address: str) -> Gradebook:
        """The gradebook, for as long as this run lasts: to open it takes longer than to use it."""
        if self._book is None:
            self._book = Gradebook(address)
            weakref.finalize(self, self._book.close)
        return self._book

    def _see_to_the_wall(self) -> None:
        """Start the worker; raises NbGraderException where other people's work cannot be confined."""
        try:
            with self.worker.use():
                pass
        except NotConfined as error:
            told = (
                f"nothing was graded: {error.what}. Use Linux 5.13 or newer with Landlock, or set "
                "trust_submissions=True in nbgrader_config.py if you trust every author"
            )
            self.log.error(told)
            raise NbGraderException(told) from None

    def _add_other_names(self) -> None:
        """Have nbgrader take up what was handed in under other names, also where it found no notebook."""
        directory = self.parent.coursedir
        assignment = directory.assignment_id
        folders = directory.format_path(directory.submitted_directory, directory.student_id, assignment)
        exercises = [one for one in self.taught.exercises if one.assignment == assignment]
        if not exercises:
            return
        course = self.taught.part([assignment])
        for folder in glob(folders):  # noqa: PTH207 (nbgrader's pattern begins at the root)
            notebooks = self.parent.assignments.get(folder, [])
            try:
                names = other_names(Path(folder), course, {Path(path).stem for path in notebooks})
            except UsageError as error:  # there is nothing in it, or it cannot be opened
                self.log.warning(str(error))
                continue
            paths = [f"{folder}/{name}.ipynb" for name in names if fnmatch(name, directory.notebook_id)]
            if notebooks or paths:
                self.parent.assignments[folder] = [*notebooks, *paths]


class Grade(NbGraderPreprocessor):
    """Puts the student's cells into the notebook that was given out, and the marks into its check cells."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """The graded notebook; the marks by cell are left in ``resources``."""
        worker, course, where = self.parent.worker, self.parent.taught, resources["nbgrader"]
        address = where["assignment"], where["notebook"]
        exercise = next((one for one in course.exercises if (one.assignment, one.name) == address), None)
        if exercise is None:
            return self._not_ours(nb, resources)
        source = read_handed_in(exercise, *self.parent.handed_in(resources))
        notebook, repairs = restored(nb, _cells(source))
        verdict = _verdict(worker, exercise, source)
        if verdict.status == "grader-error":
            raise NbGraderException(
                f"{exercise.name} was not graded, by no fault of the student's: {verdict.note}"
            )
        if source.handed:  # what is no notebook has lost no cells
            verdict = verdict.model_copy(update={"repairs": (*verdict.repairs, *repairs)})
        checked = [cell for cell in notebook.cells if _is_check(cell)]
        if not checked:
            raise NbGraderException(
                f"{exercise.name} was given out without the cells that hold its points: "
                f"{_again(exercise.assignment)}"
            )
        written = [grade_id(cell) for cell in notebook.cells if _is_for_a_person(cell)]
        by_person = [name.partition("-")[2] for name in written]
        parts = cell_verdicts(verdict, [grade_id(cell) for cell in checked], course.kinds, by_person)
        _leave_to_a_person(notebook, verdict, written_marks(verdict, written))
        pictures = _pictures(worker, course, source, verdict)
        for cell in checked:
            part = _of_cell(cell, parts[grade_id(cell)])
            cell.source = cell.source.partition("\n")[0]  # what it checks; the rest would check nothing here
            cell.outputs = _outputs(as_told(part, course.feedback), pictures if part.messages else ())
            pictures = () if part.messages else pictures  # once, in the first cell where something is told
        resources[MARKS] = {name: part.points for name, part in parts.items()}
        return notebook, resources

    def _not_ours(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """A notebook that is no exercise of the course: nothing is run, and all of it waits for a person."""
        name = resources["nbgrader"]["notebook"]
        self.log.warning(f"{name} is no exercise of the course: it is not run, and waits for a person")
        source = read_named(self.parent.folder(resources), name)
        notebook, _ = restored(nb, source.handed if source else ())
        resources[MARKS] = {grade_id(cell): None for cell in notebook.cells if _is_check(cell)}
        return notebook, resources


class SaveMarks(SaveAutoGrades):
    """Saves the marks of check cells as they were given, not as they are printed.

    A cell without a mark (the notebook cannot be read) waits for a person: it is no zero.
    """

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Save what the cells of a notebook say; the gradebook is opened once a run."""
        where = resources["nbgrader"]
        self.notebook_id, self.assignment_id = where["notebook"], where["assignment"]
        self.student_id, self.gradebook = where["student"], self.parent.gradebook(where["db_url"])
        try:
            for index, cell in enumerate(nb.cells):
                self.preprocess_cell(cell, resources, index)
        except Exception:
            self.gradebook.db.rollback()  # else nothing of the next student can be saved
            raise
        return nb, resources

    def preprocess_cell(
        self, cell: NotebookNode, resources: Any, cell_index: int
    ) -> tuple[NotebookNode, Any]:
        """Save what one cell says."""
        if not _is_check(cell):
            return super().preprocess_cell(cell, resources, cell_index)
        points: Decimal | None = resources[MARKS][grade_id(cell)]
        grade = self.gradebook.find_grade(
            grade_id(cell), self.notebook_id, self.assignment_id, self.student_id
        )
        grade.auto_score = None if points is None else float(points)
        grade.needs_manual_grade = points is None or grade.manual_score is not None
        self.gradebook.db.commit()
        return cell, resources


class RoundedCsv(CsvExportPlugin):
    """nbgrader's grade sheet; a sum of points such as 7.779999999999999 is written as 7.78."""

    def export(self, gradebook: Gradebook) -> None:
        """Write the sheet, round what is no number of cents, and say whose marks are not complete."""
        super().export(gradebook)
        sheet = Path(self.to or "grades.csv")
        text = sheet.read_text(encoding="utf-8")
        sheet.write_text(SUM.sub(lambda number: f"{float(number[0]):.2f}", text), encoding="utf-8")
        for assignment in gradebook.assignments:
            waiting = sorted(one.student.id for one in assignment.submissions if one.needs_manual_grade)
            if waiting:
                whose = listing(waiting)
                self.log.warning(
                    f"{assignment.name}: {sheet} counts as 0 what waits for a person, of {whose}"
                )


def _is_check(cell: NotebookNode) -> bool:
    marks = cell.metadata.get("nbgrader", {})
    return bool(marks.get("grade")) and not marks.get("solution")


def _is_for_a_person(cell: NotebookNode) -> bool:
    marks = cell.metadata.get("nbgrader", {})
    return bool(marks.get("grade")) and bool(marks.get("solution"))


def _cells(source: Source) -> Sequence[Cell]:
    """The cells that were handed in; a ``.py`` file is one."""
    return source.handed or ([Cell(1, True, source.text, body=source.text)] if source.text else [])


def _leave_to_a_person(
    notebook: NotebookNode, verdict: ExerciseVerdict, written: Mapping[str, Decimal | None]
) -> None:
    """Keep nbgrader from saying "No response", and 0, where an answer is elsewhere or cannot be read.

    It says so of a cell with the checksum that it was given out with.
    """
    for cell in notebook.cells:
        waits = grade_id(cell) in written and written[grade_id(cell)] is None
        if waits or verdict.status == "ungradable":
            cell.metadata.get("nbgrader", {}).pop("checksum", None)


@cache
def kept_worker(root: Path, wall: Wall) -> KeptWorker:
    """The worker of a course in this process: formgrader grades many times, a student at a time."""
    return KeptWorker(root, wall, idle=IDLE)


def _verdict(worker: KeptWorker, exercise: Exercise, source: Source) -> ExerciseVerdict:
    """The verdict on a program; one that takes its worker along is tried once more, in another."""
    if source.unreadable:
        return unreadable(exercise, source)
    failure = ""
    for _ in range(2):
        try:
            with worker.use() as running:
                return marked(running, source)
        except GraderError as error:
            failure = str(error)
    return without_marks(exercise, "grader-error", None, failure, source.repairs)


def _again(assignment: str) -> str:
    return f"run `softmarks nbgrader build` and `nbgrader generate_assignment {assignment} --force` first"


def _of_cell(cell: NotebookNode, part: ExerciseVerdict) -> ExerciseVerdict:
    """A cell's part of a verdict, out of the points that the cell was given out with.

    Raises NbGraderException when the course has given it other points since.
    """
    given, now = Decimal(str(cell.metadata.nbgrader.points)), part.max_points
    if part.points is not None and given != now:
        raise NbGraderException(
            f"{grade_id(cell)} was given out with {given} points, and course.yml now makes it {now}. Put "
            f"course.yml back, or {_again(part.assignment)}"
        )
    return part.model_copy(update={"max_points": given})


def _pictures(
    worker: KeptWorker, course: Course, source: Source, verdict: ExerciseVerdict
) -> Sequence[Drawn]:
    """What a program computes, where it is wrong and there is something to see: the first such panel."""
    if course.feedback == "outcomes" or verdict.full_marks or not verdict.checks:
        return ()
    try:
        with worker.use() as running:
            panels = running.show(source.exercise, source.cells)
    except SoftmarksError:  # the exercise has no picture, or the program gets nowhere
        return ()
    wrong = [panel for panel in panels if panel.wrong or panel.own.problem][:1]
    return wrong if course.feedback == "all" else [one.model_copy(update={"meant": None}) for one in wrong]


def _outputs(part: ExerciseVerdict, pictures: Sequence[Drawn]) -> list[NotebookNode]:
    """What stands under a check cell: what was found, then the mark as the one result of the cell."""
    plain = f"{status_words(part)}, {mark_words(part)}"
    if not part.all_right or part.repairs or part.note:
        plain = as_text(lambda console: print_verdict(console, part, brief=True))
    told = {"text/html": exercise_fragment(part, pictures), "text/plain": plain}
    shown = [new_output("display_data", data=told)]
    if part.points is not None:
        shown.append(new_output("execute_result", data={"text/plain": f"{part.points:.2f}"}))
    return shown
