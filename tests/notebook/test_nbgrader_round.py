"""The real thing, from `softmarks nbgrader build` to the feedback that a student fetches."""

from __future__ import annotations

import csv
import html
import json
import re
import subprocess
import urllib.request
from decimal import Decimal

import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.reporting.recorded import read_verdicts
from tests.notebook.browsing import BROWSER, jupyter, page
from tests.notebook.made import ASSIGNMENT, EXERCISE, FREE, SHEET
from tests.notebook.nbgrading import BIN, Classroom, nbgrader
from tests.notebook.taught import HELPER, MISTAKES, STUDENTS, book, teach
from tests.secrets_in_results import hidden_lines, normalised_text, solution_lines

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's gradebook warns of itself

# answers of the quiz
QUIET = ("stand for the sounds", "Says that letters", "Nothing comes before it")


@pytest.fixture(scope="session")
def taught(own_cache, made_once):
    """A class at the end of an assignment."""
    return Classroom(made_once("taught", teach))


@pytest.fixture(scope="session")
def root(taught):
    """The course that was taught."""
    return taught.root / "toy"


@pytest.fixture(scope="session")
def results(root, taught, tmp_path_factory):
    """The same work, graded by `softmarks grade`."""
    folder = tmp_path_factory.mktemp("results")
    command = [BIN / "softmarks", "grade", taught.folder / "submitted", "-o", folder, "--only", ASSIGNMENT]
    done = subprocess.run([*command, "--course", root], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def test_scores_are_those_of_softmarks_grade(taught, results):
    """To the last point, cell by cell; a person's cell is no part of it."""
    with book(taught) as gradebook:
        for verdict in read_verdicts(results):
            for exercise in verdict.exercises:
                notebook = gradebook.find_submission_notebook(exercise.exercise, ASSIGNMENT, verdict.student)
                given = {grade.name: grade.auto_score for grade in notebook.grades}
                judged = given.pop(f"{SHEET}-{FREE}", None)
                assert judged == (0 if verdict.student == "cat" and exercise.exercise == SHEET else None)
                assert sum(Decimal(str(points)) for points in given.values()) == sum(
                    check.points for check in exercise.checks
                )
                assert len(given) == (1 if exercise.exercise == SHEET else 2)


def test_marks_are_not_all_the_same(taught):
    """Right work has full marks, wrong work less, and each mistake costs."""
    with book(taught) as gradebook:
        scores = [gradebook.find_submission_notebook(EXERCISE, ASSIGNMENT, one).score for one in STUDENTS]
    assert scores[0] == 10
    assert 10 > scores[1] > scores[2] > 0


def test_a_mark_by_hand_is_kept(taught):
    """It was given before the second autograde; nbgrader then asks a person to look again."""
    with book(taught) as gradebook:
        grade = gradebook.find_grade(f"{SHEET}-{FREE}", SHEET, ASSIGNMENT, "ann")
        assert (grade.manual_score, grade.auto_score, grade.needs_manual_grade) == (4.5, None, True)
        assert gradebook.find_submission(ASSIGNMENT, "ann").score == 21.5
        assert not gradebook.find_grade(f"{SHEET}-{FREE}", SHEET, ASSIGNMENT, "cat").needs_manual_grade


def test_the_grade_sheet_has_cents(taught, results):
    """nbgrader's export has the sums, and no digit of a binary fraction behind the cents."""
    rows = list(csv.DictReader((taught.folder / "grades.csv").open()))
    sums = {row["student_id"]: row["score"] for row in rows}
    assert [row["assignment"] for row in rows] == [ASSIGNMENT] * len(STUDENTS)
    assert all(re.fullmatch(r"\d+\.\d{1,2}", score) for score in sums.values()), sums
    verdicts = {verdict.student: verdict for verdict in read_verdicts(results)}
    told = {one: sum(c.points for e in verdicts[one].exercises for c in e.checks) for one in STUDENTS}
    assert {one: Decimal(score) for one, score in sums.items()} == {
        **told,
        "ann": told["ann"] + Decimal("4.5"),
    }


def test_feedback_names_the_mistake_and_shows_it(root, taught):
    """What a student fetches: scores, the mistake by name, what it means, a picture of what was computed."""
    page = feedback(taught, "bob", EXERCISE)
    mistake = next(
        m for m in room(load_course(root), root, EXERCISE).misconceptions() if m.id in MISTAKES["bob"]
    )
    assert mistake.says.split(".")[0].replace("`", "") in page
    assert HELPER.splitlines()[-1] in page
    assert 'class="cells"' in raw_feedback(taught, "bob", EXERCISE)
    assert "all checks passed" in feedback(taught, "ann", EXERCISE)
    assert 'class="cells"' not in raw_feedback(taught, "ann", EXERCISE)
    assert "4.5 / 5.0" in feedback(taught, "ann", SHEET)


def raw_feedback(classroom, student, exercise):
    (path,) = (classroom.home(student) / ASSIGNMENT / "feedback").rglob(f"{exercise}.html")
    return path.read_text(encoding="utf-8")


def feedback(classroom, student, exercise):
    """The words of a page, without its tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", raw_feedback(classroom, student, exercise))).split())


def test_nothing_hidden_is_in_any_file(root, taught):
    """No line of a hidden suite or of a solution is in what was given out, graded, or fetched."""
    secrets = {*hidden_lines(root), *solution_lines(root), *QUIET}
    assert len(secrets) > 20
    seen = 0
    for folder in ("release", "submitted", "autograded", "feedback"):
        for path in sorted((taught.folder / folder).rglob("*")):
            if path.suffix in (".ipynb", ".html", ".py", ".txt"):
                seen += 1
                text = normalised_text(path) if path.suffix != ".html" else words_of(path)
                own = normalised_text(handed_in(taught, path)) if folder != "release" else ""
                assert [one for one in secrets if one in text and one not in own] == [], path
    assert seen > 40


def words_of(path):
    """The words of a page whose code is coloured: tags stand in the middle of lines."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", path.read_text(encoding="utf-8"))).split())


def handed_in(classroom, path):
    """What the student of a graded file wrote: a right solution is in it."""
    student = path.relative_to(classroom.folder).parts[1]
    exercise = path.stem if path.stem in ("count_words", EXERCISE) else SHEET
    return classroom.folder / "submitted" / student / ASSIGNMENT / f"{exercise}.ipynb"


@pytest.mark.long
def test_validate_runs_the_public_checks(taught):
    """Validate passes right work and fails wrong work with the message of its check."""
    path = f"{ASSIGNMENT}/{EXERCISE}.ipynb"
    right = nbgrader((taught.home("ann"), f"validate {path}"), home=taught.root)
    assert "Success! Your notebook passes all the tests." in right
    wrong = nbgrader((taught.home("bob"), f"validate {path}"), home=taught.root)
    assert "VALIDATION FAILED" in wrong


@pytest.fixture(scope="module")
def server(taught):
    """The instructor's Jupyter server, in the folder of the course."""
    if BROWSER is None:
        pytest.skip("no Chromium is installed here")
    with jupyter(taught.folder, taught.root, f"--ServerApp.root_dir={taught.root}") as address:
        yield address


def test_formgrader_shows_scores_feedback_and_picture(taught, server, tmp_path):
    """The class with its scores; in a notebook the mark, the mistake by its name, and what was computed."""
    everybody = page(f"{server}/formgrader/manage_submissions/{ASSIGNMENT}", tmp_path / "class.png")
    for student, score in zip(STUDENTS, ("21.5 / 22", "13.89 / 22", "14.78 / 22"), strict=True):
        assert re.search(rf"{student}.*?{score}", everybody, re.S), student
    with book(taught) as gradebook:
        handed_in = gradebook.find_submission_notebook(EXERCISE, ASSIGNMENT, "bob").id
    graded = page(
        f"{server}/formgrader/submissions/{handed_in}/", tmp_path / "notebook.png", size="1200,3200"
    )
    assert "No wrap" in graded
    assert 'class="cells"' in graded
    assert "Letters stop at z instead of beginning again at a." in graded
    assert (tmp_path / "notebook.png").stat().st_size > 50_000


def test_formgraders_button_grades_too(taught, server):
    """Autograde one student from formgrader: the same marks, and the mark by hand is still there."""
    request = urllib.request.Request(
        f"{server}/formgrader/api/submission/{ASSIGNMENT}/ann/autograde", method="POST"
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        said = json.load(answer)
    assert said["success"], said
    with book(taught) as gradebook:
        assert gradebook.find_submission(ASSIGNMENT, "ann").score == 21.5


@pytest.mark.long
@pytest.mark.parametrize("view", ["lab/tree", "notebooks"])
def test_a_student_opens_a_notebook(taught, server, tmp_path, view):
    """JupyterLab and Notebook show it with all its cells, and warn of nothing."""
    shown = page(
        f"{server}/{view}/students/cat/{ASSIGNMENT}/{EXERCISE}.ipynb", tmp_path / "shot.png", seconds=40
    )
    assert "Shift letters, and shift them back" in shown
    assert not re.search(r"class=\"[^\"]*jp-Dialog-header", shown)
    assert not re.search("could not be validated|Invalid Notebook|newer notebook format", shown)


def test_a_student_reads_the_feedback(taught, tmp_path):
    """The page that was fetched, opened as a file."""
    if BROWSER is None:
        pytest.skip("no Chromium is installed here")
    (path,) = (taught.home("cat") / ASSIGNMENT / "feedback").rglob(f"{EXERCISE}.html")
    shown = page(path.as_uri(), tmp_path / "feedback.png")
    assert "Capitals lost" in shown
    assert "No wrap" in shown
    assert "7.78 / 10.0" in " ".join(re.sub(r"<[^>]*>", " ", shown).split())
