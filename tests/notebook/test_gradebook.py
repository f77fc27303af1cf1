"""nbgrader's gradebook: marks that were given elsewhere, due dates, extensions, and what can be wrong."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook

from softmarks.course.course import Course, load_course
from softmarks.course.rooms import room
from softmarks.course.sheets import read_sheet, worths
from softmarks.course.suites import read_suite
from softmarks.errors import UsageError
from softmarks.grading.judging import Override, judged
from softmarks.grading.unmarked import without_marks
from softmarks.notebook.autograde import RoundedCsv
from softmarks.notebook.gradebook import (
    Imported,
    gradebook_of,
    grant_extensions,
    import_verdicts,
    set_due_dates,
)
from softmarks.submission.exceptions import read_exceptions
from softmarks.verdict import Check, ExerciseVerdict, Outcome, Verdict, deal
from tests.notebook.conftest import classroom_in
from tests.notebook.made import ASSIGNMENT, EXERCISE, FREE, SHEET
from tests.notebook.nbgrading import Classroom
from tests.reporting.made import WHEN

pytestmark = pytest.mark.filterwarnings("ignore")

OTHER, ALONE = "count_words", "running_mean"
DUE = datetime(2027, 3, 5, 17, tzinfo=UTC)
Says = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(given_out: Classroom, tmp_path: Path) -> Path:
    """A course folder in which everything has been generated and nobody has handed anything in."""
    return classroom_in(tmp_path, given_out).folder


@pytest.fixture
def root(given_out: Classroom) -> Path:
    return given_out.root / "toy"


@pytest.fixture
def course(root: Path) -> Course:
    return load_course(root)


@pytest.fixture
def book(folder: Path) -> Iterator[Gradebook]:
    with gradebook_of(folder) as gradebook:
        yield gradebook


class Graded:
    """Verdicts as `softmarks grade` gives them, without a program that is run."""

    def __init__(self, course: Course, root: Path) -> None:
        self.course = course
        self.root = root

    def exercise(self, name: str, *failed: str) -> ExerciseVerdict:
        """All checks passed but these."""
        place = room(self.course, self.root, name)
        suite = read_suite(place.hidden).checks
        kinds = {one.name: next(mark for mark in one.marks if mark in self.course.kinds) for one in suite}
        worth = deal(place.exercise.points, kinds, self.course.shares(place.exercise))
        assert set(failed) <= set(kinds)
        checks = [check(one, kinds[one], worth[one], one not in failed) for one in kinds]
        return self.verdict(name, "graded", checks, sum((one.points for one in checks), Decimal(0)))

    def sheet(self, words: Outcome, right: bool = True) -> ExerciseVerdict:
        """One letter, and one answer in words."""
        place = room(self.course, self.root, SHEET)
        worth = worths(read_sheet(place.sheet), place.exercise.points, place.exercise.judged)
        free = check(FREE, "question", worth[FREE], False).model_copy(update={"outcome": words})
        checks = [check("first", "question", worth["first"], right), free]
        if words is Outcome.NEEDS_A_PERSON:
            return self.verdict(SHEET, "needs-a-person", checks, None)
        return self.verdict(SHEET, "graded", checks, checks[0].points)

    def verdict(self, name: str, status: Any, checks: list[Check], points: Decimal | None) -> ExerciseVerdict:
        one = self.course.exercise(name)
        return ExerciseVerdict(
            exercise=name, assignment=one.assignment, title=one.title, status=status, points=points,
            max_points=one.points, checks=tuple(checks),
        )  # fmt: skip

    def without(self, name: str, status: str) -> ExerciseVerdict:
        points = Decimal(0) if status == "missing" else None
        return without_marks(self.course.exercise(name), status, points, f"{status} for a reason")

    def student(self, name: str, *exercises: ExerciseVerdict) -> Verdict:
        """What is not named is missing."""
        given = {one.exercise: one for one in exercises}
        all_of_them = [
            given.get(one.name, self.without(one.name, "missing")) for one in self.course.exercises
        ]
        return Verdict(
            student=name, course="toy", course_version="1.0", engine_version="0", graded_at=WHEN,
            exercises=tuple(all_of_them),
        )  # fmt: skip


def check(name: str, kind: str, worth: Decimal, passed: bool) -> Check:
    outcome, points = (Outcome.PASSED, worth) if passed else (Outcome.WRONG_VALUE, Decimal(0))
    return Check(name=name, kind=kind, says="a rule", outcome=outcome, points=points, max_points=worth)


@pytest.fixture
def graded(course: Course, root: Path) -> Graded:
    return Graded(course, root)


def marks(book: Gradebook, student: str, notebook: str) -> dict[str, tuple[float | None, bool]]:
    """The machine's marks of a notebook's cells, and whether a person is asked."""
    assignment = ALONE_IN if notebook == ALONE else ASSIGNMENT
    grades = book.find_submission_notebook(notebook, assignment, student).grades
    return {grade.name.partition("-")[2]: (grade.auto_score, grade.needs_manual_grade) for grade in grades}


ALONE_IN = "2_numbers"
FAILED = "test_capitals_stay_capitals"  # of caesar's cell `is-right`: 1.11 points


# marks


def test_marks_arrive_cell_by_cell(book: Gradebook, course: Course, graded: Graded) -> None:
    """As the autograde step would give them; who is new is told, and whose marks changed."""
    done = import_verdicts(
        book,
        course,
        [
            graded.student(
                "ann",
                graded.exercise(EXERCISE, FAILED),
                graded.exercise(OTHER),
                graded.sheet(Outcome.NEEDS_A_PERSON),
            ),
            graded.student("bob", graded.exercise(ALONE)),
        ],
    )
    assert marks(book, "ann", EXERCISE) == {"works": (5.0, False), "is-right": (3.89, False)}
    assert marks(book, "ann", OTHER) == {"works": (2.5, False), "is-right": (2.5, False)}
    assert marks(book, "ann", SHEET) == {"answers": (2.0, False), FREE: (None, True)}
    assert marks(book, "bob", ALONE) == {"works": (3.22, False), "is-right": (4.28, False)}
    assert done == Imported(
        students=2,
        changed=["ann, count_words: 0.00 -> 5.00", "ann, caesar: 0.00 -> 8.89", "ann, quiz: 0.00 -> 2.00",
                 "bob, running_mean: 0.00 -> 7.50"],
        new=["ann", "bob"],
    )  # fmt: skip


def test_an_assignment_that_nobody_handed_in_is_no_submission(
    book: Gradebook, course: Course, graded: Graded
) -> None:
    """Neither for a student who handed in another one, nor for one who handed in nothing."""
    done = import_verdicts(
        book, course, [graded.student("ann", graded.exercise(ALONE)), graded.student("bob")]
    )
    assert [one.student.id for one in book.assignment_submissions(ALONE_IN)] == ["ann"]
    assert book.assignment_submissions(ASSIGNMENT) == []
    assert (done.students, done.new) == (1, ["ann"])


def test_what_is_missing_is_zero(book: Gradebook, course: Course, graded: Graded) -> None:
    """Where the rest of the assignment was handed in; words too, and nobody is asked."""
    import_verdicts(book, course, [graded.student("ann", graded.exercise(OTHER))])
    assert marks(book, "ann", EXERCISE) == {"works": (0.0, False), "is-right": (0.0, False)}
    assert marks(book, "ann", SHEET) == {"answers": (0.0, False), FREE: (0.0, False)}


def test_words_that_were_not_written_are_zero(book: Gradebook, course: Course, graded: Graded) -> None:
    """The letters count by themselves."""
    import_verdicts(book, course, [graded.student("ann", graded.sheet(Outcome.MISSING))])
    assert marks(book, "ann", SHEET) == {"answers": (2.0, False), FREE: (0.0, False)}


def test_marks_that_a_person_gave_arrive(book: Gradebook, course: Course, graded: Graded) -> None:
    """For an answer in words in its cell; for a whole exercise there is none, and it is told."""
    verdict = graded.student("ann", graded.sheet(Outcome.NEEDS_A_PERSON), graded.exercise(EXERCISE, FAILED))
    given = [
        Override(
            student="ann",
            exercise=exercise,
            check=check,
            points=Decimal(points),
            reason="so",
            by="Kim",
            at=WHEN,
        )
        for exercise, check, points in ((SHEET, FREE, "1.5"), (EXERCISE, "", "9"))
    ]
    done = import_verdicts(book, course, [judged(verdict, given)], given)
    assert marks(book, "ann", SHEET) == {"answers": (2.0, False), FREE: (1.5, False)}
    assert marks(book, "ann", EXERCISE) == {"works": (5.0, False), "is-right": (3.89, False)}
    (told,) = done.unmarked
    assert told.startswith("ann, caesar: a person gave 9.00 for the whole")


@pytest.mark.parametrize("name", [EXERCISE, SHEET])
def test_ungradable_work_has_no_mark(name: str, book: Gradebook, course: Course, graded: Graded) -> None:
    """All its cells wait for a person, and so it is told; never a silent zero."""
    done = import_verdicts(book, course, [graded.student("ann", graded.without(name, "ungradable"))])
    assert set(marks(book, "ann", name).values()) == {(None, True)}
    assert done.unmarked == [f"ann, {name}: ungradable for a reason"]
    assert done.changed == []
    again = import_verdicts(book, course, [graded.student("ann", graded.exercise(OTHER))])
    assert set(marks(book, "ann", name).values()) == {(0.0, False)}
    assert again.unmarked == []


def test_a_second_import_changes_nothing(
    book: Gradebook, course: Course, graded: Graded, folder: Path
) -> None:
    """Nothing is new, nothing has changed, and the gradebook holds the same."""
    verdicts = [
        graded.student("ann", graded.exercise(EXERCISE, FAILED), graded.sheet(Outcome.NEEDS_A_PERSON)),
        graded.student("bob", graded.without(EXERCISE, "ungradable")),
    ]
    import_verdicts(book, course, verdicts)
    before = dump(folder)
    done = import_verdicts(book, course, verdicts)
    assert (done.changed, done.new, done.students) == ([], [], 2)
    assert dump(folder) == before


def dump(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "gradebook.db")) as database:
        return list(database.iterdump())


def test_marks_by_hand_are_kept(book: Gradebook, course: Course, graded: Graded) -> None:
    """The person's mark counts; where there is one, nbgrader asks the person to look again."""
    import_verdicts(
        book, course, [graded.student("ann", graded.exercise(EXERCISE), graded.sheet(Outcome.NEEDS_A_PERSON))]
    )
    for name, notebook, points in (("caesar-works", EXERCISE, 1.5), (f"{SHEET}-{FREE}", SHEET, 4.0)):
        grade = book.find_grade(name, notebook, ASSIGNMENT, "ann")
        grade.manual_score, grade.needs_manual_grade = points, False
    book.db.commit()
    done = import_verdicts(
        book,
        course,
        [graded.student("ann", graded.exercise(EXERCISE, FAILED), graded.sheet(Outcome.NEEDS_A_PERSON))],
    )
    by_hand = book.find_grade("caesar-works", EXERCISE, ASSIGNMENT, "ann")
    assert (by_hand.manual_score, by_hand.auto_score, by_hand.needs_manual_grade) == (1.5, 5.0, True)
    words = book.find_grade(f"{SHEET}-{FREE}", SHEET, ASSIGNMENT, "ann")
    assert (words.manual_score, words.auto_score, words.needs_manual_grade) == (4.0, None, True)
    assert book.find_submission(ASSIGNMENT, "ann").score == pytest.approx(1.5 + 3.89 + 2.0 + 4.0)
    assert done.changed == ["ann, caesar: 6.50 -> 5.39"]


def test_our_own_fault_leaves_the_mark_of_before(book: Gradebook, course: Course, graded: Graded) -> None:
    """A grader-error says nothing about the work; it is told."""
    import_verdicts(book, course, [graded.student("ann", graded.exercise(EXERCISE, FAILED))])
    done = import_verdicts(book, course, [graded.student("ann", graded.without(EXERCISE, "grader-error"))])
    assert marks(book, "ann", EXERCISE) == {"works": (5.0, False), "is-right": (3.89, False)}
    assert done.unmarked == ["ann, caesar: grader-error for a reason"]
    assert done.changed == []


def test_a_cell_that_an_instructor_added_is_left_alone(
    book: Gradebook, course: Course, graded: Graded
) -> None:
    """The course knows nothing of it: it waits for a person, and keeps what a person gave."""
    book.add_grade_cell("mine", EXERCISE, ASSIGNMENT, max_score=3, cell_type="markdown")
    book.add_solution_cell("mine", EXERCISE, ASSIGNMENT)
    for _ in range(2):
        import_verdicts(book, course, [graded.student("ann", graded.exercise(EXERCISE))])
        grade = book.find_grade("mine", EXERCISE, ASSIGNMENT, "ann")
        assert (grade.auto_score, grade.needs_manual_grade) == (None, True)


def test_an_unknown_notebook_is_refused(book: Gradebook, course: Course, graded: Graded) -> None:
    """Before anything is written, of anybody."""
    book.remove_assignment(ALONE_IN)
    verdicts = [
        graded.student("ann", graded.exercise(EXERCISE)),
        graded.student("bob", graded.exercise(ALONE)),
    ]
    with pytest.raises(UsageError, match="the gradebook does not know running_mean yet") as told:
        import_verdicts(book, course, verdicts)
    assert "nbgrader generate_assignment 2_numbers" in str(told.value)
    assert book.students == []


def test_other_points_are_refused(book: Gradebook, course: Course, graded: Graded) -> None:
    """Before anything is written: the notebooks that students have promise other points."""
    whole = graded.exercise(EXERCISE)
    dearer = whole.model_copy(
        update={
            "checks": tuple(one.model_copy(update={"max_points": one.max_points * 2}) for one in whole.checks)
        }
    )
    with pytest.raises(UsageError, match=r"worth 5\.0 points in the gradebook and 10\.00 in these results"):
        import_verdicts(book, course, [graded.student("ann", whole), graded.student("bob", dearer)])
    assert book.students == []


def test_the_command_says_what_changed(
    folder: Path, root: Path, graded: Graded, tmp_path: Path, says: Says
) -> None:
    """From a folder of results: what changed, who is new, what has no mark."""
    results = tmp_path / "results"
    (results / "verdicts").mkdir(parents=True)
    for verdict in (
        graded.student("ann", graded.exercise(EXERCISE), graded.without(OTHER, "ungradable")),
        graded.student("=bob", graded.exercise(EXERCISE, FAILED)),
    ):
        path = results / "verdicts" / f"{verdict.student}.json"
        path.write_text(json.dumps(verdict.model_dump(mode="json")))
    status, out, err = says("nbgrader", "import", results, "--folder", folder, "--course", root)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "changed: =bob, caesar: 0.00 -> 8.89",
        "changed: ann, caesar: 0.00 -> 10.00",
        "new student: =bob",
        "new student: ann",
        "no mark: ann, count_words: ungradable for a reason",
        "The gradebook has the marks of 2 students; 2 marks changed",
    ]
    status, out, _ = says("nbgrader", "import", tmp_path, "--folder", folder, "--course", root)
    assert status == 2


def test_the_command_knows_students_by_the_roster(
    folder: Path, root: Path, graded: Graded, tmp_path: Path, says: Says
) -> None:
    """Work under a name goes to the id; who is in the gradebook by that name stays so."""
    with gradebook_of(folder) as book:
        book.add_student("Bob Bobson")
    (tmp_path / "verdicts").mkdir()
    (tmp_path / "roster.csv").write_text("student_id,name\nada17,Ada Lovelace\nbob3,Bob Bobson\n")
    for name in ("Ada Lovelace", "Bob Bobson"):
        verdict = graded.student(name, graded.exercise(EXERCISE))
        (tmp_path / "verdicts" / f"{name}.json").write_text(json.dumps(verdict.model_dump(mode="json")))
    status, out, err = says("nbgrader", "import", tmp_path, "--folder", folder, "--course", root)
    assert (status, err) == (0, "")
    assert [line for line in out.splitlines() if "student:" in line] == ["new student: ada17"]
    assert "changed: Bob Bobson, caesar" in out


def test_the_grade_sheet_says_what_is_not_complete(
    book: Gradebook, course: Course, graded: Graded, tmp_path: Path
) -> None:
    """Sums are whole cents; nbgrader's sheet has no column for who waits for a person, so it is said."""
    import_verdicts(
        book,
        course,
        [
            graded.student("ann", graded.exercise(OTHER), graded.without(EXERCISE, "ungradable")),
            graded.student("bob", graded.exercise(OTHER)),
        ],
    )
    for name, points in (("works", 0.1), ("is-right", 0.2)):
        book.find_grade(f"{OTHER}-{name}", OTHER, ASSIGNMENT, "bob").auto_score = points
    book.db.commit()
    sheet, said = RoundedCsv(), []
    sheet.to = str(tmp_path / "grades.csv")
    sheet.log = type("Log", (), {"warning": said.append, "info": print})()
    sheet.export(book)
    rows = [line.split(",") for line in (tmp_path / "grades.csv").read_text().splitlines()]
    assert {row[3]: row[7] for row in rows if row[0] == ASSIGNMENT} == {"ann": "5.0", "bob": "0.30"}
    assert said == [f"1_text: {sheet.to} counts as 0 what waits for a person, of ann"]


# due dates


def due(book: Gradebook, assignment: str = ASSIGNMENT) -> datetime | None:
    return book.find_assignment(assignment).duedate


def moved(course: Course, by: timedelta | None) -> Course:
    """The course with another due date of its first assignment."""
    first, *rest = course.assignments
    other = None if by is None else DUE + by
    return course.model_copy(update={"assignments": (first.model_copy(update={"due": other}), *rest)})


def test_due_dates_are_those_of_the_course(book: Gradebook, course: Course) -> None:
    """In UTC, as nbgrader keeps them; an assignment without one has none."""
    assert due(book) == DUE.replace(tzinfo=None)
    assert due(book, ALONE_IN) is None


def test_a_date_of_ours_moves(book: Gradebook, course: Course, folder: Path) -> None:
    """With the course, there and back; without a date in the course it stays."""
    record = folder / ".softmarks" / "due_dates.json"
    for days in (7, 0, -7):
        assert set_due_dates(book, moved(course, timedelta(days=days)), record) == []
        assert due(book) == (DUE + timedelta(days=days)).replace(tzinfo=None)
    assert set_due_dates(book, moved(course, None), record) == []
    assert due(book) == (DUE - timedelta(days=7)).replace(tzinfo=None)


def test_a_date_that_a_person_changed_stays(book: Gradebook, course: Course, folder: Path) -> None:
    """Every time, and it is told, until both say the same."""
    record = folder / ".softmarks" / "due_dates.json"
    own = datetime(2027, 4, 1, 12)
    book.update_or_create_assignment(ASSIGNMENT, duedate=own)
    for course_date, day in ((course, "05 17:00"), (moved(course, timedelta(days=1)), "06 17:00")):
        said = set_due_dates(book, course_date, record)
        assert said == [
            f"1_text is due 2027-04-01 12:00 UTC in the gradebook; course.yml says 2027-03-{day} UTC"
        ]
        assert due(book) == own
    assert set_due_dates(book, moved(course, own.replace(tzinfo=UTC) - DUE), record) == []
    assert due(book) == own


def test_a_date_in_a_gradebook_of_before_stays(book: Gradebook, course: Course, tmp_path: Path) -> None:
    """Without a record nobody knows who set it."""
    book.update_or_create_assignment(ASSIGNMENT, duedate=datetime(2027, 1, 1))
    assert len(set_due_dates(book, course, tmp_path / "new.json")) == 1
    assert due(book) == datetime(2027, 1, 1)


@pytest.mark.parametrize("text", ["{", "[]", '{"1_text": 5}'])
def test_a_broken_record_of_dates_is_told(text: str, book: Gradebook, course: Course, tmp_path: Path) -> None:
    """Where it is, and what to do."""
    record = tmp_path / "due_dates.json"
    record.write_text(text)
    with pytest.raises(UsageError, match="the record of due dates") as told:
        set_due_dates(book, moved(course, timedelta(days=1)), record)
    assert told.value.where == record
    assert told.value.fix


# extensions


def rows(
    tmp_path: Path,
    course: Course,
    *lines: str,
    head: str = "student_id,assignment,new_due,extra_days,excused",
):
    path = tmp_path / "exceptions.csv"
    path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8-sig")
    return read_exceptions(path, [part.name for part in course.assignments])


@pytest.fixture
def class_of_two(book: Gradebook) -> None:
    for student in ("ann", "bob"):
        book.add_student(student)


def extension(book: Gradebook, student: str) -> timedelta | None:
    return book.find_submission(ASSIGNMENT, student).extension


def test_extensions_are_granted(class_of_two: None, book: Gradebook, course: Course, tmp_path: Path) -> None:
    """By days, or until a date in any time zone; the submission need not be there yet."""
    found = rows(tmp_path, course, "ann,1_text,,2,", " bob , 1_text ,2027-03-12T18:00:00+01:00,,")
    assert grant_extensions(book, found) == []
    assert extension(book, "ann") == timedelta(days=2)
    assert extension(book, "bob") == timedelta(days=7)
    assert book.find_submission(ASSIGNMENT, "bob").duedate == datetime(2027, 3, 12, 17)


def test_an_extension_takes_the_place_of_the_one_before(
    class_of_two: None, book: Gradebook, course: Course, tmp_path: Path
) -> None:
    """They do not add up; granting the same again changes nothing; no days take it away."""
    for days in ("3", "1", "1", "0"):
        grant_extensions(book, rows(tmp_path, course, f"ann,1_text,,{days},"))
        assert extension(book, "ann") == (timedelta(days=int(days)) or None)


def test_what_is_not_granted_is_told(
    class_of_two: None, book: Gradebook, course: Course, tmp_path: Path
) -> None:
    """Who is not there, what has no due date, what nbgrader has no word for; the others are granted."""
    found = rows(
        tmp_path,
        course,
        "eve,1_text,,1,",
        "ann,2_numbers,,1,",
        "bob,1_text,,,yes",
        "bob,1_text,2027-03-01T00:00:00Z,,",
        "ann,1_text,,1,",
    )
    said = grant_extensions(book, found)
    assert said == [
        "eve, 1_text: no such student: eve in the gradebook",
        "ann, 2_numbers: there is no due date",
        "bob, 1_text: nbgrader knows no excuses: leave the mark out by hand",
        "bob, 1_text: this is before the due date, 2027-03-05 17:00 UTC",
    ]
    assert extension(book, "ann") == timedelta(days=1)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (",1_text,,1,", ":3: student_id is empty"),
        ("ann,,,1,", ":3: there is no assignment"),
        ("ann,1_texts,,1,", ":3: there is no assignment '1_texts'"),
        ("ann,1_text,2027-03-12T18:00:00,,", ":3: new_due is no date with a time zone"),
        ("ann,1_text,next week,,", ":3: new_due is no date"),
        ("ann,1_text,,two,", ":3: extra_days is no number"),
        ("ann,1_text,,-1,", ":3: extra_days is no number"),
        ("ann,1_text,,nan,", ":3: extra_days is no number"),
        ("ann,1_text,,1,perhaps", ":3: excused is neither yes nor no"),
        ("ann,1_text,,,", ":3: nothing is agreed on"),
        ("ann,1_text,2027-03-12T18:00:00Z,2,", ":3: new_due and extra_days at once"),
    ],
)
def test_a_line_that_makes_no_sense(line: str, said: str, course: Course, tmp_path: Path) -> None:
    """Its number is told, and what may stand there; no line is granted."""
    with pytest.raises(UsageError) as told:
        rows(tmp_path, course, "bob,1_text,,1,", line)
    assert said in str(told.value).lower()
    assert told.value.fix


@pytest.mark.parametrize("head", ["student;assignment;extra_days", "name,assignment,extra_days", ""])
def test_a_file_with_other_columns(head: str, course: Course, tmp_path: Path) -> None:
    """It is said which are meant."""
    with pytest.raises(UsageError) as told:
        rows(tmp_path, course, "ann,1_text,1", head=head)
    assert "Columns: student_id, assignment" in str(told.value)


def test_the_command_grants_what_it_can(folder: Path, root: Path, tmp_path: Path, says: Says) -> None:
    """It ends with 1 when something was not granted, and says what."""
    with gradebook_of(folder) as book:
        book.add_student("ann")
    file = tmp_path / "exceptions.csv"
    file.write_text("student_id,assignment,extra_days\nann,1_text,2\neve,1_text,2\n")
    status, out, err = says("nbgrader", "extend", file, "--folder", folder, "--course", root)
    assert (status, out) == (1, "1 of 2 extensions granted\n")
    assert err == "not granted: eve, 1_text: no such student: eve in the gradebook\n"
    file.write_text("student_id,assignment,extra_days\nann,1_text,2\n")
    status, out, err = says("nbgrader", "extend", file, "--folder", folder, "--course", root)
    assert (status, out, err) == (0, "1 of 1 extensions granted\n", "")


# what can be wrong


@pytest.fixture
def extend(folder: Path, root: Path, tmp_path: Path, says: Says) -> Callable[[], tuple[int, str, str]]:
    """Run a command that reads the gradebook and writes into it."""
    file = tmp_path / "exceptions.csv"
    file.write_text("student_id,assignment,extra_days\nann,1_text,2\n")
    with gradebook_of(folder) as book:
        book.add_student("ann")
    with (folder / "nbgrader_config.py").open("a") as config:  # do not wait for seconds
        config.write(f"c.CourseDirectory.db_url = 'sqlite:///{folder}/gradebook.db?timeout=0.1'\n")
    return lambda: says("nbgrader", "extend", file, "--folder", folder, "--course", root)


def one_line(said: tuple[int, str, str], *words: str) -> None:
    """Exit status 2, nothing on standard output, and one clear line."""
    status, out, err = said
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith("softmarks: ")
    assert [word for word in words if word not in err] == []


@pytest.mark.parametrize("kind", ["EXCLUSIVE", "IMMEDIATE"])
def test_a_locked_gradebook(
    kind: str,
    folder: Path,
    extend: Callable[[], tuple[int, str, str]],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Another program reads it, or is about to write: one line, no traceback; afterwards it works."""
    with closing(sqlite3.connect(folder / "gradebook.db")) as other:
        other.execute(f"BEGIN {kind}")
        one_line(
            extend(),
            f"{folder}: the gradebook cannot be used: ",
            "database is locked",
            "Close what else uses it",
        )
    assert [record for record in caplog.records if record.exc_info] == []
    assert extend() == (0, "1 of 1 extensions granted\n", "")


@pytest.mark.parametrize("kind", ["EXCLUSIVE", "IMMEDIATE"])
def test_marks_wait_for_a_locked_gradebook(
    kind: str, folder: Path, root: Path, graded: Graded, tmp_path: Path, says: Says, extend: object
) -> None:
    """None of a class's marks is written while another program writes; the same command writes all later."""
    verdicts = tmp_path / "results" / "verdicts"
    verdicts.mkdir(parents=True)
    command = ("nbgrader", "import", verdicts.parent, "--folder", folder, "--course", root)
    for failed in ((), (FAILED,)):
        for student in ("ann", "bob"):
            verdict = graded.student(student, graded.exercise(EXERCISE, *failed))
            (verdicts / f"{student}.json").write_text(json.dumps(verdict.model_dump(mode="json")))
        before = dump(folder)
        with closing(sqlite3.connect(folder / "gradebook.db")) as other:
            other.execute(f"BEGIN {kind}")
            one_line(says(*command), "the gradebook cannot be used: ", "database is locked")
        assert dump(folder) == before
        status, out, err = says(*command)
        assert (status, err) == (0, "")
        assert "2 marks changed" in out


def test_a_gradebook_that_is_none(folder: Path, extend: Callable[[], tuple[int, str, str]]) -> None:
    """A file that is no database is told as such, and stays."""
    (folder / "gradebook.db").write_text("not a database, " * 100)
    one_line(extend(), "the gradebook cannot be used: ", "file is not a database")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("c = get_config(", "SyntaxError"),
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit(5)", "SystemExit: 5"),
    ],
)
def test_a_configuration_that_cannot_be_loaded(
    text: str, said: str, folder: Path, extend: Callable[[], tuple[int, str, str]]
) -> None:
    """It is a person's Python: what it raises is told in a line."""
    (folder / "nbgrader_config.py").write_text(text)
    one_line(extend(), f"{folder / 'nbgrader_config.py'}: it cannot be loaded: {said}")


@pytest.mark.parametrize("address", ["oracle+oracledb://nobody@localhost:1/x", "mysql+nothing://localhost/x"])
def test_a_gradebook_that_cannot_be_reached(
    address: str, folder: Path, extend: Callable[[], tuple[int, str, str]]
) -> None:
    """The address is a person's: a driver that is missing, or one that nobody knows."""
    with (folder / "nbgrader_config.py").open("a") as config:
        config.write(f"c.CourseDirectory.db_url = {address!r}\n")
    one_line(extend(), f"{folder}: the gradebook cannot be used: ")


def test_a_folder_that_nobody_built(folder: Path, extend: Callable[[], tuple[int, str, str]]) -> None:
    """Without nbgrader's configuration nothing is made there."""
    shutil.rmtree(folder)
    folder.mkdir()
    one_line(extend(), f"{folder}: there is no nbgrader_config.py here", "softmarks nbgrader build")
    assert list(folder.iterdir()) == []


def test_a_configuration_without_a_root(
    folder: Path, extend: Callable[[], tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder is meant, not the one where the command is given."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (folder / "nbgrader_config.py").write_text("get_config().CourseDirectory.course_id = 'toy'\n")
    assert extend() == (0, "1 of 1 extensions granted\n", "")
    assert list((tmp_path / "here").iterdir()) == []


@pytest.mark.parametrize("command", ["build", "import", "extend"])
def test_without_nbgrader_it_is_said_what_to_install(
    command: str, tmp_path: Path, says: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else would be wrong; help needs no nbgrader."""
    monkeypatch.setattr("softmarks.cli.nbgrader.find_spec", lambda _name: None)
    one_line(
        says("nbgrader", command, tmp_path),
        "nbgrader is not installed. Run pip install 'softmarks[instructor]'",
    )
    status, out, _ = says("nbgrader", "--help")
    assert status == 0
    assert command in out
