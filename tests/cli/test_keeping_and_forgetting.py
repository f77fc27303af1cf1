"""`softmarks lock` and `forget`: what stays as it was, and what leaves nothing behind."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from tests.conftest import TOY

SOFTMARKS = Path(sys.executable).with_name("softmarks")
ROSTER = "Student-ID;name\nada17;Ada Lovelace\nben;Ben\n"


@pytest.fixture
def root(tmp_path):
    """A course to change."""
    return Path(shutil.copytree(TOY, tmp_path / "course"))


@pytest.fixture
def work(root, tmp_path):
    """Two who are right."""
    for student in ("Ada Lovelace", "ben"):
        target = tmp_path / "work" / student / "count_words.py"
        target.parent.mkdir(parents=True)
        target.write_text(room(load_course(root), root, "count_words").reference())
    return tmp_path / "work"


@pytest.fixture
def says(root):
    """Run a command on the course: how it ends, and what it says."""

    def run(*words):
        command = [str(word) for word in (SOFTMARKS, *words, "--course", root)]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    return run


def test_what_is_locked_is_graded_with_nothing_else(root, work, tmp_path, says):
    """A changed suite, and another version of a package, are refused until the assignment is locked again."""
    grading = ["grade", work, "-o", tmp_path / "results", "--only", "count_words"]
    assert says("lock", "--assignment", "1_text") == (0, "1_text: locked\n")
    assert says(*grading)[0] == 0
    suite = root / "graders/1_text/count_words/test_hidden.py"
    suite.write_text(suite.read_text() + "\n# repaired\n")
    for command in (grading, ["regrade", tmp_path / "results"]):
        status, said = says(*command)
        assert status == 2
        assert "1_text is locked with another text, suite or solution of count_words" in said
        assert "softmarks lock --assignment 1_text" in said
    assert says("lock")[1].splitlines()[0] == "1_text: another text, suite or solution of count_words"
    assert says(*grading)[0] == 0
    lock = root / "course.lock"
    written = json.loads(lock.read_text())
    written["assignments"]["1_text"] |= {"engine": "0.0.1", "packages": {"no-such-package": "2.0"}}
    lock.write_text(json.dumps(written))
    status, said = says(*grading)
    assert status == 2
    assert "Softmarks 0.0.1, and here is" in said
    assert "no-such-package 2.0, and here is none" in said
    lock.write_text("{")
    status, said = says(*grading)
    assert (status, "cannot be read" in said) == (2, True)


def test_a_lock_of_another_assignment_changes_nothing(root, work, tmp_path, says):
    """Only what is graded is compared."""
    assert says("lock", "--assignment", "2_numbers")[0] == 0
    suite = root / "graders/2_numbers/running_mean/test_hidden.py"
    suite.write_text(suite.read_text() + "\n# repaired\n")
    assert says("grade", work, "-o", tmp_path / "results", "--only", "count_words")[0] == 0


def test_who_is_forgotten_is_nowhere(root, work, tmp_path, says):
    """No byte of the results names the student; everybody else's are as they were; events stay."""
    results = tmp_path / "results"
    (tmp_path / "roster.csv").write_text(ROSTER)
    (tmp_path / "exceptions.csv").write_text(
        "student_id,assignment,extra_days\nada17,1_text,2\nben,1_text,1\n"
    )
    grading = ["grade", work, "-o", results, "--only", "count_words", "--roster", tmp_path / "roster.csv"]
    assert says(*grading, "--exceptions", tmp_path / "exceptions.csv")[0] == 0
    given = ["override", results, "Ada Lovelace", "count_words", "--points", "1", "--by", "Kim"]
    assert says(*given, "--reason", "Lovelace was ill")[0] == 0
    ben = {path: path.read_bytes() for path in results.rglob("ben*") if path.is_file()}
    assert len(ben) >= 2
    status, said = says("forget", results, "Ada Lovlace", "--yes")
    assert (status, 'Did you mean "Ada Lovelace"' in said) == (2, True)
    status, said = says("forget", results, "ada18", "--yes")
    assert (status, "Did you mean" in said) == (2, False)
    assert says("forget", results, "Ada Lovelace")[0] == 2  # nobody can be asked
    status, said = says("forget", results, "ada17", "--yes")  # as the roster calls her
    assert status == 0
    assert str(work) in said
    for path in results.rglob("*"):
        assert "lovelace" not in path.name.lower()
        if path.is_file():
            text = path.read_bytes().lower()
            assert b"lovelace" not in text
            assert b"ada17" not in text
    assert {path: path.read_bytes() for path in ben} == ben
    assert (results / "roster.csv").read_text() == "Student-ID;name\nben;Ben\n"
    trail = [json.loads(line) for line in (results / "audit-trail.jsonl").read_text().splitlines()]
    assert [one["what"] for one in trail] == ["override", "forget"]
    assert (trail[0]["points"], trail[0]["by"]) == ("1", "Kim")
