"""Question sheets: printed, read, marked; each wrong choice is explained, words wait for a person."""

from __future__ import annotations

import json
import shutil
import sys

import pytest

from softmarks.cli.main import main
from softmarks.course.completeness import problems
from softmarks.course.course import load_course
from softmarks.course.lesson import build
from softmarks.course.rooms import room
from softmarks.course.scaffold import new_course
from softmarks.course.sheets import program, read_sheet, right_answers
from softmarks.errors import CourseError
from softmarks.grading.audit import QUICK, audit_room
from softmarks.grading.diary import NAME, Diary
from softmarks.grading.workers import Worker
from softmarks.verdict import Outcome

QUESTION = """
  - id: {id}
    ask: Which letter is {right}?
    choices: {{a: one, b: two, c: three, d: four, e: five}}
    right: {right}
    because: It is {right} in {id}.
    wrong: {{{wrong}}}
"""
FREE = """
free:
  - id: why
    ask: Why are there letters?
    answer: They stand for sounds.
    rubric: [It says sounds., It says signs.]
"""
ENTRY = """
      - name: quiz
        title: A quiz
        minutes: 5
        difficulty: 1
        outcomes: [first-outcome]
        points: 10
        judged: 5
        answers: [ANSWERS, FREE_ANSWERS]
"""


def sheet_text():
    """A sheet of five questions, each with another right letter."""
    text = "about: Letters.\nquestions:"
    for number, right in enumerate("abcde", start=1):
        wrong = ", ".join(f"{letter}: not {letter}{number}" for letter in "abcde" if letter != right)
        text += QUESTION.format(id=f"letter_{number}", right=right, wrong=wrong)
    return text + FREE


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A course with a quiz, printed."""
    root = tmp_path_factory.mktemp("course") / "letters"
    new_course(root)
    settings = (root / "course.yml").read_text().replace("cpu_seconds: 5", "cpu_seconds: 1")
    (root / "course.yml").write_text(settings + ENTRY)
    (root / "solutions" / "1_first" / "quiz.yml").write_text(sheet_text())
    build(load_course(root), root)
    return root


@pytest.fixture(scope="module")
def worker(root, own_cache):
    with Worker(root, "required") as worker:
        yield worker


@pytest.fixture
def sheet(root):
    return read_sheet(root / "solutions" / "1_first" / "quiz.yml")


def test_the_course_is_complete(root):
    """A sheet needs no suites, no hints and no alternatives, and its stub imports."""
    assert problems(load_course(root), root) == []


def test_the_stub_asks_everything_and_answers_nothing(root):
    """Questions and choices are printed; right letters, reasons, model answer and rubric are not."""
    stub = (root / "exercises" / "1_first" / "quiz.py").read_text()
    assert all(f"## letter_{number}" in stub for number in range(1, 6))
    assert '"letter_3": None,  # one of a, b, c, d, e' in stub
    assert "Why are there letters?" in stub
    for secret in ("It is", "not a2", "They stand for sounds", "It says"):
        assert secret not in stub


def test_right_answers_and_words(worker, sheet):
    """Right letters get their points; words wait for a person, and so does the mark."""
    verdict = worker.mark("quiz", [program(sheet, right_answers(sheet))])
    assert verdict.status == "needs-a-person"
    assert verdict.points is None
    assert [float(check.points) for check in verdict.checks] == [1, 1, 1, 1, 1, 0]
    assert verdict.checks[-1].outcome is Outcome.NEEDS_A_PERSON
    assert "5.00 points so far" in verdict.note


def test_without_words_nobody_is_needed(worker, sheet):
    """An empty free answer is no work for a person: the mark is there."""
    verdict = worker.mark("quiz", [program(sheet, right_answers(sheet)), 'FREE_ANSWERS = {"why": "  "}'])
    assert (verdict.status, verdict.points) == ("graded", 5)
    assert verdict.checks[-1].outcome is Outcome.MISSING


def test_every_wrong_choice_is_explained(worker, sheet):
    """However many answers are wrong, each is told what is wrong about it, and never the right letter."""
    answers = {**right_answers(sheet), "letter_1": "c", "letter_2": "d", "letter_4": "a"}
    verdict = worker.mark("quiz", [program(sheet, answers)])
    assert verdict.mistakes == ("letter_1_c", "letter_2_d", "letter_4_a")
    assert [message.says for message in verdict.messages] == ["not c1", "not d2", "not a4"]
    assert verdict.messages[0].difference == "you chose c: three"
    assert all("is right" not in message.model_dump_json() for message in verdict.messages)


@pytest.mark.parametrize("written", ["B", " b ", "(b)", "b."])
def test_a_letter_may_be_written_otherwise(worker, sheet, written):
    """Capitals, spaces and brackets do not matter."""
    verdict = worker.mark("quiz", [program(sheet, {**right_answers(sheet), "letter_2": written})])
    assert verdict.checks[1].outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("source", "outcome", "said"),
    [
        ("ANSWERS = {}", Outcome.MISSING, ""),
        ("ANSWERS = {'letter_1': None}", Outcome.MISSING, ""),
        ("ANSWERS = {'letter_1': 3}", Outcome.MISSING, ""),
        ("ANSWERS = {'letter_1': 'f'}", Outcome.WRONG_VALUE, "one of a, b, c, d, e"),
        ("ANSWERS = ['a']", Outcome.WRONG_VALUE, "no dictionary"),
        ("x = 1", Outcome.MISSING, "there is no ANSWERS"),
        ("1 / 0", Outcome.RAISED, "ZeroDivisionError"),
        ("import os; os._exit(0)", Outcome.EXITED, "did not answer"),
        ("while True: pass", Outcome.TIMED_OUT, "did not answer"),
    ],
)
def test_broken_sheets_get_words_and_no_points(worker, source, outcome, said):
    """Whatever a sheet holds, its questions get an outcome and no points, and the grader goes on."""
    verdict = worker.mark("quiz", [source])
    assert verdict.status == "graded"
    assert verdict.points == 0
    assert verdict.checks[0].outcome is outcome
    assert said in verdict.checks[0].message
    assert bool(said) == bool(verdict.checks[0].message)


def test_public_checks_are_blind(worker, sheet):
    """The public suite asks whether there are answers, not whether they are right."""
    wrong = {question.id: next(iter(question.wrong)) for question in sheet.questions}
    verdict = worker.mark("quiz", [program(sheet, wrong)], "public")
    assert all(check.outcome is Outcome.PASSED for check in verdict.checks)
    assert verdict.max_points == 0
    assert not verdict.messages


def test_audit_of_a_sheet(root, worker):
    """Every choice is tried; right letters that repeat are a fault, for one letter everywhere pays."""
    course = load_course(root)
    found = audit_room(worker, course, root, course.exercise("quiz"), QUICK, lambda _words: None)
    assert found.faults == []
    assert str(found.caught) == str(found.named) == "20/20"
    path = root / "solutions" / "1_first" / "quiz.yml"
    text = path.read_text()
    try:
        twice = text.replace("right: b", "right: a").replace("wrong: {a: not a2", "wrong: {b: not a2")
        path.write_text(twice)
        found = audit_room(worker, course, root, course.exercise("quiz"), QUICK, lambda _words: None)
    finally:
        path.write_text(text)
    assert found.faults == ["1_first/quiz: a everywhere is right for 40% of the questions, more than 20%"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("right: c", "right: f", 'should have a choice "f"'),
        ("a: not a2, ", "", "every choice but the right one"),
        ("id: letter_2", "id: letter_1", 'two questions "letter_1"'),
        ("because: It is b in letter_2.", "becuase: no", 'Did you mean "because"'),
        ("answer: They stand for sounds.", "answer: ''", "answer"),
        ("rubric: [It says sounds., It says signs.]", "rubric: []", "rubric"),
    ],
)
def test_a_wrong_sheet_is_told(tmp_path, old, new, said):
    """A fault of a sheet is told in words, with its file and line."""
    text = sheet_text()
    assert old in text
    path = tmp_path / "quiz.yml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(CourseError) as caught:
        read_sheet(path)
    assert said in f"{caught.value.what} {caught.value.fix}"
    assert f"{path}:" in str(caught.value)


def test_course_and_sheet_agree(root, tmp_path):
    """Judged points without a free question, or other answers than the sheet's, are problems."""
    copy = tmp_path / "copy"
    shutil.copytree(root, copy)
    path = copy / "course.yml"
    path.write_text(path.read_text().replace("        judged: 5\n", "").replace("[ANSWERS, FREE", "[FREE"))
    told = " ".join(problems(load_course(copy), copy))
    assert "0 judged points and 1 free questions" in told
    assert "asks for FREE_ANSWERS, its sheet for ANSWERS, FREE_ANSWERS" in told


def test_judged_points_leave_some(root, tmp_path):
    """All points cannot be a person's: nothing would be left for the choices."""
    text = (root / "course.yml").read_text()
    (tmp_path / "course.yml").write_text(text.replace("judged: 5", "judged: 10"))
    with pytest.raises(CourseError, match="leaves none to grade"):
        load_course(tmp_path)


def test_a_learner_alone(root, sheet, tmp_path, monkeypatch, capsys):
    """Wrong, then right: explanations, the first try is remembered, the model answer comes at the end."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)

    def checked(answers):
        (work / "quiz.py").write_text(program(sheet, answers))
        monkeypatch.setattr(sys, "argv", ["softmarks", "check", "quiz", "--course", str(root)])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code, capsys.readouterr().out

    status, out = checked({**right_answers(sheet), "letter_1": "c"})
    assert status == 1
    assert "not c1" in out
    assert "It is" not in out
    assert "They stand for sounds" not in out
    assert "Right at the first try: 4 of 5 questions." in out
    status, out = checked(right_answers(sheet))
    assert status == 0
    assert "It is a in letter_1." in out
    assert "They stand for sounds." in out
    assert "[ ] It says sounds." in out
    assert "Right at the first try: 4 of 5 questions." in out
    assert json.loads((work / NAME).read_text())["first_tries"]["quiz"]["letter_1"] is False


@pytest.mark.parametrize("text", ["", "[]", "{", '{"first_tries": 3}', '{"first_tries": {"quiz": []}}'])
def test_a_broken_diary_is_begun_anew(worker, sheet, tmp_path, text):
    """Whatever became of the diary, a check goes on."""
    (tmp_path / NAME).write_text(text)
    verdict = worker.mark("quiz", [program(sheet, right_answers(sheet))])
    diary = Diary(tmp_path)
    assert all(diary.first_tries(verdict).values())
    diary.judge("quiz", "why", [True, False])
    assert json.loads((tmp_path / NAME).read_text())["own_judgement"] == {"quiz": {"why": [True, False]}}


def test_reasons_are_told_after_success(root):
    """A sheet's explanation is why each right answer is right."""
    text = room(load_course(root), root, "quiz").explanation()
    assert text.startswith("**letter_1**: a. It is a in letter_1.")
