"""Marks that a person gives: beside the machine's, shown in its place, whatever is graded again."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.course.sheets import letters, read_sheet, right_answers
from softmarks.errors import UsageError
from softmarks.grading.judging import Open, Override, judged, refuse_nonsense, waiting
from softmarks.reporting.recorded import read_machine_verdicts, read_verdicts
from softmarks.reporting.reviewing import as_sheet
from softmarks.reporting.reviewing import read_sheet as read_filled
from softmarks.verdict import Outcome
from tests.cli.screen import Terminal
from tests.conftest import page_of
from tests.notebook.made import FREE, SHEET, course_with_everything
from tests.reporting.made import all_right, make_check, make_exercise, make_verdict, without_mark

SOFTMARKS = Path(sys.executable).with_name("softmarks")
WORDS = "Because sounds =HYPERLINK, and\nsigns."


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class of three, graded: two answers in words, and a notebook that is cut off."""
    folder = tmp_path_factory.mktemp("judging")
    root = course_with_everything(folder / "course")
    quiz = room(load_course(root), root, SHEET)
    answers = letters(right_answers(read_sheet(quiz.sheet)))
    for student in ("ann", "bob"):
        work = folder / "work" / student
        work.mkdir(parents=True)
        (work / f"{SHEET}.py").write_text(f"{answers}\nFREE_ANSWERS = {{'{FREE}': {WORDS!r}}}\n")
    (folder / "work" / "cat").mkdir()
    (folder / "work" / "cat" / "caesar.ipynb").write_text('{"cells": [')
    run(root, "grade", folder / "work", "-o", folder / "results", "--only", f"{SHEET},caesar")
    return folder


@pytest.fixture
def results(graded, tmp_path):
    """A copy of the results, to judge."""
    subprocess.run(["cp", "-r", graded / "results", tmp_path / "results"], check=True)
    return tmp_path / "results"


def run(root, *words, status=0):
    done = subprocess.run([SOFTMARKS, *map(str, words), "--course", root], capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def override(graded, results, *words, status=0):
    return run(graded / "course", "override", results, *words, status=status)


def marks(results):
    return {(v.student, e.exercise): e.points for v in read_verdicts(results) for e in v.exercises}


def total(results, student):
    with (results / "grades.csv").open(newline="") as sheet:
        return {row["student"]: row["total"] for row in csv.DictReader(sheet)}[student]


def test_what_waits_is_given_a_mark_in_a_sheet(graded, results, tmp_path):
    """Written with what was answered, filled in, read back: pages, sums and the machine's verdict."""
    by = ("review", results, "--by", "Kim")
    run(graded / "course", *by, "--csv", tmp_path / "sheet.csv")
    with (tmp_path / "sheet.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["student"], row["exercise"], row["check"]) for row in rows] == [
        ("ann", SHEET, FREE),
        ("bob", SHEET, FREE),
        ("cat", "caesar", ""),
    ]
    assert rows[0]["text"] == WORDS
    (question,) = read_sheet(room(load_course(graded / "course"), graded / "course", SHEET).sheet).free
    assert (rows[0]["question"], rows[0]["looks_for"]) == (question.ask, "\n".join(question.rubric))
    assert (rows[2]["question"], rows[2]["looks_for"]) == ("", "")
    rows[0] |= {"points": "4,5", "reason": "Signs are missing"}
    rows[2] |= {"points": "7"}
    with (tmp_path / "filled.csv").open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, rows[0].keys(), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    assert "2 marks given" in run(graded / "course", *by, "--read", tmp_path / "filled.csv")
    machine = {v.student: v for v in read_machine_verdicts(results)}
    assert machine["ann"].exercises[-1].points is None or machine["ann"].exercises[0].points is None
    asked = next(one for one in machine["ann"].exercises if one.exercise == SHEET)
    letters_worth = sum(check.points for check in asked.checks)
    assert marks(results)["ann", SHEET] == letters_worth + Decimal("4.5")
    assert marks(results)["bob", SHEET] is None
    assert marks(results)["cat", "caesar"] == 7
    assert total(results, "cat") == "7.00"
    page = page_of(results, "ann").read_text()
    assert f"{FREE}: 4.50 points given by Kim: Signs are missing" in page
    assert "7.00" in (results / "index.html").read_text()
    run(graded / "course", *by, "--csv", tmp_path / "rest.csv")
    assert (tmp_path / "rest.csv").read_text().count("bob") == 1
    assert "ann" not in (tmp_path / "rest.csv").read_text()


def test_one_by_one_in_the_terminal(graded, results):
    """The question, the answer, what to look for; enter leaves one open, and one mark is kept at once."""
    words = [SOFTMARKS, "review", results, "--by", "Kim", "--course", graded / "course"]
    terminal = Terminal(words, graded)
    terminal.see(
        "ann", "(1 of 3)", "Why are there letters?", "Because sounds", "looks for: Says that letters"
    )
    for typed, said in (("3x", "no number of points"), ("99", "it is worth")):
        terminal.press(f"{typed}\r")
        terminal.see(said)
    terminal.press("5\r")
    terminal.see("Reason [read by a person]:")
    terminal.press("\r")
    terminal.see("bob", "(2 of 3)")
    assert ("ann", SHEET) in {one for one, points in marks(results).items() if points is not None}
    terminal.press("\r")
    terminal.see("cat", "(3 of 3)")
    terminal.press("\x04")
    assert terminal.leave() == 130
    assert marks(results)["bob", SHEET] is None


def test_it_stays_whatever_is_graded_again(graded, results):
    """A new run, a regrade and another mark: the last one of a person counts."""
    override(graded, results, "cat", "caesar", "--points", "3", "--reason", "It works", "--by", "Kim")
    work = (graded / "work", "-o", results, "--only", f"{SHEET},caesar")
    run(graded / "course", "grade", *work)
    assert marks(results)["cat", "caesar"] == 3
    run(graded / "course", "regrade", results, "--yes")
    assert marks(results)["cat", "caesar"] == 3
    override(graded, results, "cat", "caesar", "--points", "4", "--reason", "It works well", "--by", "Lee")
    assert marks(results)["cat", "caesar"] == 4
    assert "given by Lee: It works well" in page_of(results, "cat").read_text()
    trail = [json.loads(line) for line in (results / "audit-trail.jsonl").read_text().splitlines()]
    assert [(one["what"], one["by"], one["points"]) for one in trail] == [
        ("override", "Kim", "3"),
        ("override", "Lee", "4"),
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("can", "caesar", "--points", "3"), "no student"),
        (("cat", "cesar", "--points", "3"), "caesar"),
        (("ann", f"{SHEET}:whi", "--points", "3"), FREE),
        (("cat", "caesar", "--points", "300"), "it is worth 10.00 points"),
        (("cat", "caesar", "--points", "-1"), "no number of points"),
        (("cat", "caesar", "--points", "1.001"), "no number of points"),
        (("cat", "caesar", "--points", "nan"), "no number of points"),
    ],
)
def test_what_makes_no_sense_is_refused(graded, results, words, told):
    """Names that are none, with near ones; points that are none, or too many. Nothing is kept."""
    assert told in override(graded, results, *words, "--reason", "x", "--by", "Kim", status=2)
    assert not (results / "audit-trail.jsonl").exists()


def test_a_broken_trail_is_no_lost_mark(graded, results):
    """The line is told, and nothing is shown without the marks in it."""
    (results / "audit-trail.jsonl").write_text('{"what": "override", "student":\n')
    with pytest.raises(UsageError, match="this line cannot be read"):
        read_verdicts(results)
    said = run(graded / "course", "grade", graded / "work", "-o", results, status=2)
    assert "audit-trail.jsonl:1" in said


@pytest.mark.parametrize("student", ["'Ada", "=Ada", "a;=Ada", "Ada"])
def test_a_name_in_a_sheet_is_whose_it_is(tmp_path, student):
    """However it had to be written so that no spreadsheet reads a formula."""
    path = tmp_path / "sheet.csv"
    path.write_text(
        as_sheet([(Open(student, "a", "", Decimal(3), "x"), None)])[:-2] + "2,so\n", encoding="utf-8"
    )
    (read,) = read_filled(path, [student, "Bob"], "Kim", datetime(2026, 11, 30, tzinfo=UTC))
    assert (read.student, read.points) == (student, 2)


def given(exercise, points, check="", student="Ada"):
    return Override(
        student=student,
        exercise=exercise,
        check=check,
        points=points,
        reason="so",
        by="Kim",
        at=datetime(2026, 11, 30, tzinfo=UTC),
    )


def test_marks_of_checks_add_up():
    """A check's points are changed in the sum; what still waits has no mark; the whole counts over all."""
    open_check = make_check("words", Outcome.NEEDS_A_PERSON, answer="mine")
    exercise = make_exercise("a", status="needs-a-person", points=None, checks=(make_check("b"), open_check))
    verdict = make_verdict("Ada", exercise, all_right("c"), without_mark("d"))
    points = {one.exercise: one.points for one in judged(verdict, [given("a", "1.5", "words")]).exercises}
    assert points == {"a": Decimal("3.5"), "c": Decimal("4.00"), "d": None}
    assert judged(verdict, [given("a", "1", "b")]).exercises[0].points is None
    both = [given("a", "1.5", "words"), given("a", "9"), given("a", "1", "words")]
    assert judged(verdict, both).exercises[0].points == 9
    assert judged(verdict, [given("a", "9", student="Bob")]) == verdict
    assert [(one.exercise, one.check, one.text) for one in waiting([verdict], [])] == [
        ("a", "words", "mine"),
        ("d", "", "the notebook is cut off in the middle"),
    ]
    assert [one.exercise for one in waiting([verdict], [given("a", "1")])] == ["d"]
    with pytest.raises(UsageError):
        refuse_nonsense(given("c", "4.01"), [verdict])
