"""Graded again: what has not changed is not run, and what changes is shown before it is written."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.grading.comparing import Change, changes, never_lower
from softmarks.reporting.recorded import read_verdicts
from tests.conftest import TOY
from tests.reporting.made import all_right, make_exercise, make_verdict, without_mark

SOFTMARKS = Path(sys.executable).with_name("softmarks")
STUDENTS = 8


@pytest.fixture
def root(tmp_path):
    """A course to change."""
    return Path(shutil.copytree(TOY, tmp_path / "course"))


@pytest.fixture
def work(root, tmp_path):
    """A class: every second student has a mistake in one exercise."""
    folder = tmp_path / "work"
    places = [room(load_course(root), root, name) for name in ("caesar", "count_words")]
    for number in range(STUDENTS):
        for place in places:
            program = place.reference()
            if number % 2 and place.exercise.name == "caesar":
                program = place.misconceptions()[0].apply(program)
            target = folder / f"student_{number}" / f"{place.exercise.name}.py"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(f"{program}\n# {number}\n")
    return folder


def command(*words):
    return [SOFTMARKS, *map(str, words)]


def run(root, *words):
    """A command that is well: what it said."""
    done = subprocess.run(command(*words, "--course", root), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def marks(results):
    return {
        (verdict.student, one.exercise): one.points
        for verdict in read_verdicts(results)
        for one in verdict.exercises
    }


def without_workers(tmp_path, monkeypatch):
    """From now on no worker can start: whatever is graded has been known."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(
        "import sys\nif '-m' in sys.orig_argv and 'softmarks.grading.worker' in sys.orig_argv: sys.exit(1)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(site))


def test_what_has_not_changed_is_not_run(root, work, tmp_path, monkeypatch):
    """The same class again: the same files, to the byte, and no worker; one who is new is run alone."""
    results = tmp_path / "results"
    run(root, "grade", work, "-o", results)
    before = {path.name: path.read_bytes() for path in (results / "verdicts").iterdir()}
    without_workers(tmp_path, monkeypatch)
    run(root, "grade", work, "-o", results)
    assert {path.name: path.read_bytes() for path in (results / "verdicts").iterdir()} == before
    assert "No mark changes." in run(root, "regrade", results)
    (work / "student_0" / "caesar.py").write_text("def encode(text, shift):\n    return text\n")
    failed = subprocess.run(
        command("grade", work, "-o", results, "--course", root), capture_output=True, text=True
    )
    assert failed.returncode == 3
    monkeypatch.delenv("PYTHONPATH")
    run(root, "grade", work, "-o", results)
    now = {path.name: path.read_bytes() for path in (results / "verdicts").iterdir()}
    assert {name for name in now if now[name] != before[name]} == {"student_0.json"}


@pytest.mark.parametrize("written", [0, 2, STUDENTS])
def test_a_killed_run_goes_on(root, work, tmp_path, monkeypatch, written):
    """Killed before the first verdict, among them, or before the grade sheet: run again, it is whole."""
    results = tmp_path / "results"
    if written == STUDENTS:  # all verdicts are there, and nothing that is made of them
        run(root, "grade", work, "-o", results)
        for name in ("grades.csv", "index.html", "pages.csv"):
            (results / name).unlink()
        without_workers(tmp_path, monkeypatch)
    else:
        grading = subprocess.Popen(
            command("grade", work, "-o", results, "--course", root, "--workers", 1), start_new_session=True
        )
        end = time.monotonic() + 60
        while time.monotonic() < end and not begun(results, written):
            time.sleep(0.02)
        assert begun(results, written)
        os.killpg(grading.pid, signal.SIGKILL)
        assert grading.wait() == -signal.SIGKILL
    kept = {path: path.read_bytes() for path in results.glob("verdicts/student*.json")}
    assert written <= len(kept) <= (written and STUDENTS)
    run(root, "grade", work, "-o", results)
    assert {path: path.read_bytes() for path in kept} == kept
    students = [f"student_{number}" for number in range(STUDENTS)]
    assert sorted(path.name for path in (results / "verdicts").iterdir()) == [
        f"{one}.json" for one in students
    ]
    rows = (results / "grades.csv").read_text().splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == students
    assert {points for (_, name), points in marks(results).items() if name == "count_words"} == {Decimal(5)}
    wrong = {marks(results)[one, "caesar"] for one in students[1::2]}
    assert {marks(results)[one, "caesar"] for one in students[::2]} == {Decimal(10)} != wrong
    pages = [path.name for path in (results / "feedback").iterdir()]
    assert sorted(name.split("-")[0] for name in pages) == sorted(2 * students)


def begun(results, written):
    """Whether a run has written so many verdicts; with none, whether it has begun."""
    if not written:
        return (results / "run.json").is_file()
    return len(list(results.glob("verdicts/*.json"))) >= written


def test_what_an_author_changed_is_told_before_it_is_written(root, work, tmp_path):
    """Whose marks change, and why; nothing is written without a yes; the trail keeps it."""
    results = tmp_path / "results"
    run(root, "grade", work, "-o", results)
    before = marks(results)
    course = root / "course.yml"
    course.write_text(re.sub(r"(- name: caesar\n.*?points: )\d+", r"\g<1>5", course.read_text(), flags=re.S))
    said = subprocess.run(command("regrade", results, "--course", root), capture_output=True, text=True)
    assert said.returncode == 1, said.stderr
    assert "the suite, the course or the seed" in said.stdout
    assert "8 marks of 8 students would change, 8 to a lower one" in " ".join(said.stdout.split())
    assert "Nothing was written" in said.stdout
    assert marks(results) == before
    assert "No mark changes." in run(root, "regrade", results, "--never-lower", "--yes")
    assert marks(results) == before
    assert all(
        "The mark of before is kept" in one.note
        for verdict in read_verdicts(results)
        for one in verdict.exercises
        if one.exercise == "caesar"
    )
    run(root, "regrade", results, "--yes")
    assert all(marks(results)[one] < before[one] for one in before if one[1] == "caesar")
    trail = [json.loads(line) for line in (results / "audit-trail.jsonl").read_text().splitlines()]
    assert len(trail) == STUDENTS
    assert {(one["what"], one["exercise"]) for one in trail} == {("regrade", "caesar")}
    assert {one["why"] for one in trail} == {"the suite, the course or the seed"}


def test_a_part_of_what_was_handed_in(root, work, tmp_path):
    """`--only` grades one exercise of students who handed in more, and knows it the next time."""
    results = tmp_path / "results"
    run(root, "grade", work, "-o", results, "--only", "count_words")
    assert {exercise for _, exercise in marks(results)} == {"count_words"}
    assert "No mark changes." in run(root, "regrade", results)


def seeds(results):
    return {one.seed for verdict in read_verdicts(results) for one in verdict.exercises if one.key}


def test_another_seed_is_another_grading(root, work, tmp_path, monkeypatch):
    """Everything is run again with it; what is graded again later keeps it, and runs nothing."""
    results = tmp_path / "results"
    run(root, "grade", work, "-o", results)
    assert seeds(results) == {0}
    run(root, "grade", work, "-o", results, "--seed", 7)
    assert seeds(results) == {7}
    without_workers(tmp_path, monkeypatch)
    assert "No mark changes." in run(root, "regrade", results)


def test_a_damaged_verdict_is_made_anew(root, work, tmp_path):
    """A file that cannot be read is no earlier verdict."""
    results = tmp_path / "results"
    run(root, "grade", work, "-o", results)
    before = marks(results)
    (results / "verdicts/student_1.json").write_text("{")
    run(root, "grade", work, "-o", results)
    assert marks(results) == before


def test_a_folder_that_is_no_results(root, tmp_path):
    """It is told what to name."""
    done = subprocess.run(command("regrade", tmp_path, "--course", root), capture_output=True, text=True)
    assert done.returncode == 2
    assert "does not say what was graded into it" in done.stderr


def verdicts(*points):
    """One student's verdicts with these points in one exercise."""
    given = [without_mark("a") if one is None else all_right("a", points=one) for one in points]
    return [make_verdict("Ada", one) for one in given]


@pytest.mark.parametrize(
    ("before", "now", "lower"),
    [("1.00", "2.00", False), ("2.00", "1.00", True), ("2.00", None, True), (None, "0.00", False)],
)
def test_a_change_has_a_direction(before, now, lower):
    """A mark that falls, or is no mark any more, is lower; one that was none is not."""
    old, new = verdicts(before, now)
    [change] = changes({"Ada": old}, [new])
    assert change.lower is lower
    kept = never_lower({"Ada": old}, new)
    assert kept.exercises[0].points == (old if lower else new).exercises[0].points
    assert [one.lower for one in changes({"Ada": old}, [kept])] in ([], [False])


def test_why_a_mark_changed():
    """The work, the author's files, the software; who is new; what could not be read."""
    for key, why in (
        ("x.b.c", "the work"),
        ("a.x.c", "the suite, the course or the seed"),
        ("a.b.x", "Softmarks, Python or a package"),
        ("", "it is not recorded what the earlier mark depended on"),
    ):
        old = make_verdict("Ada", make_exercise("a", points="1.00", key="a.b.c"))
        new = make_verdict("Ada", make_exercise("a", points="2.00", key=key))
        [change] = changes({"Ada": old}, [new])
        assert change == Change(student="Ada", exercise="a", before=Decimal(1), now=Decimal(2), why=why)
    old, new = verdicts(None, "4.00")
    assert changes({"Ada": old}, [new])[0].why == "ungradable before, graded now"
    assert changes({}, [new])[0].why == "was not graded before"
