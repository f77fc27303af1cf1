"""Questions for an oral examination: from the student's own lines, with answers that are true."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from rich.console import Console

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.errors import UsageError
from softmarks.grading.altering import as_mistaken, rules
from softmarks.grading.oral import MOST_TRIED, Work, ask, find_work
from softmarks.reporting.oral import print_oral
from softmarks.reporting.recorded import read_verdicts
from softmarks.reporting.terminal import as_text
from softmarks.submission.collecting import read_class
from softmarks.submission.reading import read_source
from softmarks.verdict import Outcome
from tests.conftest import ROOT, TOY
from tests.reporting.made import all_right, make_check, make_exercise, make_message

SOFTMARKS = Path(sys.executable).with_name("softmarks")

COUNT = '''"""My words."""


def count_words(sentence):
    """Counts."""
    if not isinstance(sentence, str):
        raise TypeError("a text, please")
    found = {}
    for w in sentence.lower().split():  # at white space
        found[w] = found.get(w, 0) + 1  # one more
    return found
'''
CAESAR = """from building_blocks import ALPHABET, place


def encode(text, shift):
    if not isinstance(shift, int):
        raise TypeError("the shift must be a whole number")
    out = ""
    for c in text:
        if c.lower() in ALPHABET:
            new = ALPHABET[(place(c.lower()) + shift) % 26]
            out += new.upper() if c.isupper() else new
        else:
            out += c
    return out


def decode(text, shift):
    return encode(text, -shift)
"""
NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {},
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": "# My words"},
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": 1, "source": "import math"},
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": 2,
            "source": COUNT.partition("\n\n\n")[2],
        },
    ],
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class: two with the same right work, a notebook, an untouched stub, nothing at all."""
    folder = tmp_path_factory.mktemp("oral")
    for student in ("ann", "bob"):
        work = folder / "work" / student
        work.mkdir(parents=True)
        (work / "count_words.py").write_text(COUNT)
        (work / "caesar.py").write_text(CAESAR)
    for student in ("cat", "dan", "eve"):
        (folder / "work" / student).mkdir()
    (folder / "work/cat/count_words.ipynb").write_text(json.dumps(NOTEBOOK))
    (folder / "work/dan/count_words.py").write_bytes((TOY / "exercises/1_text/count_words.py").read_bytes())
    (folder / "work/eve/diary.txt").write_text("Dear diary")
    run("grade", folder / "work", "-o", folder / "results", "--only", "1_text")
    return folder


def run(*words, status=0):
    done = subprocess.run([SOFTMARKS, *map(str, words), "--course", TOY], capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def now(alterations):
    return {(one.line, one.now) for one in alterations}


def lines(text):
    return [line.strip(" │") for line in text.splitlines()]


# What may be altered


def test_small_rules_change_one_thing_in_a_students_own_line():
    """Comparisons, numbers, signs, steps of a chain; the rest of the line stays as it was written."""
    own = (
        "import math\n\n\ndef f(a, b):\n    c = [ (a + b)*2, 'x' ]  # why\n    if a  < -1: a += b\n"
        "    return (a - 7).real.conjugate(), not b, math.sqrt(b) / 3.0, a[1:], c[0]\n"
    )
    found = now(rules([own]))
    assert (5, "c = [ (a + b), 'x' ]") in found
    assert (5, "c = [ (a + b)*3, 'x' ]") in found
    assert (5, "c = [ (a - b)*2, 'x' ]") in found
    assert (6, "if a  <= -1: a += b") in found
    assert (6, "if a  < -2: a += b") in found
    rest = "(a - 7).real.conjugate(), not b, math.sqrt(b) / 3.0, a[1:], c[0]"
    for old, new in (
        (".conjugate()", ""),
        ("not b", "b"),
        (" / 3.0", ""),
        ("3.0", "6.0"),
        ("a[1:]", "a"),
        ("(a - 7)", "(a + 7)"),
        ("c[0]", "c[1]"),
    ):
        assert (7, f"return {rest.replace(old, new)}") in found


def test_a_line_that_others_do_without_is_left_out():
    """One that changes something in place, or gives a name anew; not one that gives it first."""
    own = "def f(a):\n    b = [a]\n    b = b + b\n    b.append(a)\n    return b\n"
    assert {line for line, text in now(rules([own])) if not text} == {3, 4}
    [left_out] = [one for one in rules([own]) if one.line == 4 and not one.now]
    assert left_out.was == "b.append(a)"
    assert left_out.program == (own.replace("b.append(a)", "pass"),)


@pytest.mark.parametrize(
    "statement",
    [
        '"""One, 1."""',
        "raise ValueError(1)",
        "assert a < 1",
        "print(a + 1)",
        "f'{a + 1}'",
        "while a < 1: a += 1",
        "super().__init__()",
    ],
)
def test_what_tells_nothing_or_hangs_is_left_alone(statement):
    """Texts, errors, prints, loops without an end."""
    assert rules([f"def f(a):\n    {statement}\n"]) == []


def test_lines_that_were_given_are_left_alone():
    """A stub's own lines are no student's."""
    own = "def f(a):\n    a = a + 1\n    return a * 2\n"
    assert {line for line, _ in now(rules([own], given="def f(a):\n    a = a + 1\n"))} == {3}


@pytest.mark.parametrize(
    "text",
    [
        "def f(:",
        "a = '\x00'",
        "(" * 5000,
        "a = " + "-" * 2000 + "1",
        "a = '\ud800'",
        "def f(a):\n    return " + "a+" * 2000 + "a\n",
        "def f(a):\n    return " + "-" * 300 + "a\n",
        "def f(a):\n" + "    a = a + 1\n" * 5000,
    ],
)
def test_a_program_that_cannot_be_read_has_no_alterations(text):
    """No Python, too deep, too long: nothing, and no crash."""
    assert rules([text]) == []
    assert as_mistaken([text], COUNT, {"one": COUNT.replace("+ 1", "+ 2")}) == []


def test_a_mistake_is_found_under_other_names(toy_room):
    """What a misconception does to the reference is done to the student's line, with its own variables."""
    place = toy_room("count_words")
    reference = place.reference()
    mistaken = {one.id: one.apply(reference) for one in place.misconceptions()}
    found = {one.mistake: one for one in as_mistaken([COUNT], reference, mistaken)}
    assert found["seen-not-counted"].now == "found[w] = 1"
    assert found["seen-not-counted"].was == "found[w] = found.get(w, 0) + 1"
    assert found["seen-not-counted"].where == "count_words"
    assert "anything-goes" not in found  # more than one statement differs
    assert found["case-matters"].now == "for w in sentence.split():"


def test_a_mistake_with_two_counterparts_is_made_nowhere():
    """Which of two equal places would it be? Surroundings that tell them apart do."""
    reference = "def f(x):\n    y = x.a(1)\n    return y.b(1)\n"
    mistaken = {"two": reference.replace("b(1)", "b(2)")}
    assert now(as_mistaken(["def f(p):\n    return p.b(1)\n"], reference, mistaken)) == {(2, "return p.b(2)")}
    assert as_mistaken(["def f(p):\n    return p.b(1) + p.b(1)\n"], reference, mistaken) == []
    told = now(as_mistaken(["def f(p):\n    q = p.b(1)\n    return q.b(1)\n"], reference, mistaken))
    assert told == {(3, "return q.b(2)")}
    twice = "def f(p):\n    return p.b(1)\n"
    assert as_mistaken([twice, twice], reference, mistaken) == []
    assert as_mistaken(["def g(p):\n    return p.b(1)\n"], reference, mistaken) == []


def test_what_is_put_in_gets_the_brackets_that_it_needs():
    """A sum in a product is a sum still."""
    reference = "def f(x):\n    return x.a(1) * 2\n"
    mistaken = {"more": "def f(x):\n    return (x.a(1) + 1) * 2\n"}
    found = now(as_mistaken(["def f(p):\n    return 3 * p.a(1)\n"], reference, mistaken))
    assert found == {(2, "return 3 * (p.a(1) + 1)")}


def test_every_alteration_of_right_answers_is_another_program(toy_room):
    """In three rooms of the attention course and one of the toy course: one line, and Python."""
    course = load_course(ROOT)
    names = ("causal_mask", "gpt2_attention", "rotary_encoding")
    for place in [*(room(course, ROOT, name) for name in names), toy_room("caesar")]:
        for answer in [place.reference(), *(path.read_text("utf-8") for path in place.alternatives[:2])]:
            found = rules([answer], place.stub.read_text("utf-8"))
            assert found
            for one in found:
                ast.parse(one.program[0])
                before, after = answer.split("\n"), one.program[0].split("\n")
                same = len(before) - one.last
                assert before[: one.line - 1] == after[: one.line - 1]
                assert before[one.last :] == after[len(after) - same :]
                assert before != after


# What is asked


def test_three_questions_with_true_answers(graded, toy_worker, toy):
    """Each of another line; what the answer says is what the altered program gets when it is graded.

    The same again for the same results; the same work of a neighbour may give others.
    """
    text = run("oral", graded / "results", "ann")
    questions, _ = ask("ann", work_of(graded, toy, "ann"), toy_worker.mark)
    assert lines(text) == lines(printed("ann", questions, []))
    assert len({(one.source.exercise, one.alteration.line) for one in questions}) == 3
    for one in questions:
        altered, exercise = one.alteration, one.source.exercise
        own = {"count_words": COUNT, "caesar": CAESAR}[exercise]
        assert altered.was in own.split("\n")[altered.line - 1]
        assert "#" not in altered.was + altered.now
        for words in (f"Line {altered.line} reads", altered.was, altered.now, one.message.says):
            assert words in " ".join(lines(text))
        verdict = toy_worker.mark(exercise, altered.program)
        failed = {check.name for check in verdict.checks if check.outcome is not Outcome.PASSED}
        assert failed == {check.name for check in one.fails + one.uncounted}
        assert verdict.mistakes == (one.mistake,)
    others, _ = ask("bob", work_of(graded, toy, "bob"), toy_worker.mark)
    assert [one.alteration for one in others] != [one.alteration for one in questions]


def test_a_line_of_a_notebook_is_counted_in_its_cell(graded, toy, toy_worker):
    """As the student sees it."""
    text = printed("cat", *ask("cat", work_of(graded, toy, "cat"), toy_worker.mark))
    assert "count_words.ipynb" in text
    place = next(line for line in lines(text) if line.startswith("Line "))
    number = int(place.split()[1])
    assert place == f"Line {number} of cell 3 reads"
    assert lines(text)[lines(text).index(place) + 1] in NOTEBOOK["cells"][2]["source"].split("\n")[number - 1]


def test_fewer_than_three_are_explained(graded):
    """A stub has no line of the student's own."""
    text = run("oral", graded / "results", "dan", status=1)
    assert "0 questions, not 3:" in text
    assert "count_words: no line of it could be changed" in text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["anne"], 'there is no student "anne" here. Did you mean "ann"?'),
        (
            ["ann", "--exercise", "cesar"],
            'there is no exercise "cesar" in these results. Did you mean "caesar"?',
        ),
        (["ann", "--exercise", "running_mean"], 'there is no exercise "running_mean" in these results'),
        (["eve"], "eve has handed in nothing that can be read"),
        (["cat", "--exercise", "caesar"], "cat has handed in nothing that can be read of caesar"),
    ],
)
def test_who_and_what_cannot_be_asked(graded, words, told):
    """Names that are none, with near ones, and work that is not there."""
    assert told in run("oral", graded / "results", *words, status=2)


def test_work_that_is_gone_is_told(graded, toy, tmp_path):
    """The folder is moved, or one student's in it."""
    (tmp_path / "results").mkdir()
    (tmp_path / "results/verdicts").symlink_to(graded / "results/verdicts")
    (tmp_path / "results/run.json").write_text(json.dumps({"paths": [str(tmp_path / "gone")]}))
    said = run("oral", tmp_path / "results", "ann", status=2)
    assert f"{tmp_path / 'gone'}: the work is not where it was graded. Put it back" in said
    with pytest.raises(UsageError, match="the work of ann is not where it was graded"):
        find_work("ann", read_verdicts(graded / "results"), [], lambda _: None, None)


def work_of(graded, toy, student):
    submissions = read_class([graded / "work"], toy)
    verdicts = read_verdicts(graded / "results")
    return find_work(student, verdicts, submissions, lambda name: room(toy, TOY, name), None)


def own_work(place, text, share=1):
    exercise = place.exercise
    source = read_source(text.encode(), f"{exercise.name}.py", exercise.name, exercise.answers)
    return Work(source, place, Decimal(share))


def printed(student, questions, tried):
    return as_text(lambda console: print_oral(console, student, questions, tried))


def test_what_is_wrong_is_asked_about_last(toy_room, toy_worker):
    """Three questions about what is right, although the other program would have some."""
    right, wrong = toy_room("caesar"), toy_room("count_words")
    work = [own_work(wrong, COUNT.replace("w, 0) + 1", "w, 0)"), 0), own_work(right, CAESAR)]
    questions, tried = ask("ann", work, toy_worker.mark)
    assert {one.source.exercise for one in questions} == {"caesar"}
    assert [one.graded for one in tried if one.exercise == "count_words"] == [0]


def test_no_line_is_asked_about_twice(toy_room):
    """Not even where every change of it is another known mistake."""
    graded = []

    def mark(exercise, cells):
        graded.append(cells)
        if len(graded) == 1:
            return all_right(exercise)
        lost = make_check("test_values", Outcome.WRONG_VALUE)
        told = make_message(mistake=f"number-{len(graded)}")
        checks = (make_check("test_shape"), lost)
        return make_exercise(exercise, checks=checks, messages=(told,))

    own = "def count_words(a):\n    a = (a + 1) * 2\n    return a < 3\n"
    questions, _ = ask("ann", [own_work(toy_room("count_words"), own)], mark)
    assert [one.alteration.line for one in questions] in ([2, 3], [3, 2])


def test_no_more_than_a_dozen_are_graded(toy_room, toy_worker):
    """What changes nothing is no question; and a program in which nothing matters ends soon."""
    idle = "".join(f"    a = {n}\n    a = a + {n}\n" for n in range(20))
    work = own_work(toy_room("count_words"), COUNT + f"\n\ndef idle():\n{idle}")
    graded = []

    def mark(exercise, cells):
        graded.append(cells)
        return toy_worker.mark(exercise, [COUNT])

    questions, [tried] = ask("ann", [work], mark)
    assert questions == []
    assert (tried.graded, tried.differ, len(graded)) == (MOST_TRIED, 0, MOST_TRIED + 1)
    assert f"count_words: {MOST_TRIED} changes tried; a check says something else after 0" in printed(
        "ann", questions, [tried]
    )


def test_what_a_student_wrote_stays_inert(toy_room, toy_worker):
    """Control characters and markup in a line of code do nothing to a terminal."""
    text = COUNT.replace("found.get(w, 0) + 1", 'found.get(w, 0) + 1 + len("\x1b[2J[bold]\u202e") * 0')
    questions, _ = ask("ann\x1b[31m", [own_work(toy_room("count_words"), text)], toy_worker.mark)
    shown = printed("ann\x1b[31m", questions, [])
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\\x1b[2J[bold]\\u202e" in shown
    assert Console().is_terminal is False


@pytest.mark.long
def test_the_real_course(course_worker):
    """A right causal mask in a student's own words: three lines, three known mistakes or rules that fail."""
    course = load_course(ROOT)
    place = room(course, ROOT, "causal_mask")
    text = (ROOT / "examples/classroom/submissions/ada_lindqvist/4_causal/causal_mask.py").read_text("utf-8")
    questions, _ = ask("ada_lindqvist", [own_work(place, text)], course_worker.mark)
    assert len({one.alteration.line for one in questions}) == 3
    assert len({one.mistake for one in questions} - {""}) == 3
    shown = printed("ada_lindqvist", questions, [])
    says = {one.id: one.says for one in place.misconceptions()}
    for one in questions:
        assert one.message.says == says[one.mistake]
        assert one.alteration.was in text
        assert one.alteration.was in shown
