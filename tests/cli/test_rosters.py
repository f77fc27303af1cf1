"""A roster brings zeros to those who handed in nothing, and to nobody else; a run takes no marks away."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from softmarks.cli.running import Facts, read_work
from softmarks.course.course import load_course
from softmarks.course.rooms import room
from tests.conftest import TOY

COURSE = load_course(TOY)
SOFTMARKS = Path(sys.executable).with_name("softmarks")


def read(tmp_path: Path, roster: str, *folders: str) -> list[tuple[str, bool]]:
    """Who is graded, and whether there is work."""
    (tmp_path / "roster.csv").write_text(roster)
    for folder in folders:
        (tmp_path / "work" / folder).mkdir(parents=True)
        (tmp_path / "work" / folder / "count_words.py").write_text("x = 1\n")
    facts = Facts(tmp_path / "roster.csv", None, (), False)
    found = read_work([tmp_path / "work"], COURSE, COURSE, tmp_path / "results", facts)
    return sorted((one.student, bool(one.sources)) for one in found)


def test_who_handed_in_nothing_is_there(tmp_path):
    """Without work."""
    roster = "student_id,name\nada,Ada Lovelace\nbob,Bob\n"
    assert read(tmp_path, roster, "ada") == [("ada", True), ("bob", False)]


def test_work_of_one_of_two_brings_neither_a_zero(tmp_path):
    """Two students of one name, and a folder of that name: it is one's, and nobody knows whose."""
    roster = "student_id,name\n1001,John Smith\n1002,John Smith\n1003,Eve\n"
    assert read(tmp_path, roster, "John Smith") == [("1003", False), ("John Smith", True)]


def test_two_works_of_one_bring_no_third(tmp_path):
    """Under the id and under the name: both are listed, and no empty work takes their place."""
    roster = "student_id,name\nal17,Ada Lovelace\n"
    assert read(tmp_path, roster, "al17", "Ada Lovelace") == [("Ada Lovelace", True), ("al17", True)]


def run(*words):
    done = subprocess.run([SOFTMARKS, *map(str, words)], capture_output=True, text=True)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def test_a_run_takes_no_marks_away(tmp_path):
    """Fewer assignments, another course, results among the work: refused before anything is written."""
    (tmp_path / "work" / "ada").mkdir(parents=True)
    for name in ("count_words", "caesar"):
        (tmp_path / "work" / "ada" / f"{name}.py").write_text(room(COURSE, TOY, name).reference())
    results, other = tmp_path / "results", Path(shutil.copytree(TOY, tmp_path / "other"))
    grading = ["grade", tmp_path / "work", "--course", TOY]
    assert run(*grading, "-o", results, "--only", "1_text/count_words,caesar")[0] == 0
    before = {path: path.read_bytes() for path in results.rglob("*") if path.is_file()}
    for words, said in (
        (
            [*grading, "-o", results, "--only", "caesar"],
            "it holds marks of count_words, which this run leaves out",
        ),
        (["grade", tmp_path / "work", "-o", results, "--course", other], "its marks come from the course"),
        ([*grading, "-o", tmp_path / "work" / "results"], "the results would lie among the work"),
        (
            [*grading, "-o", results, "--exceptions", write(tmp_path / "x.csv")],
            "x.csv:2: there is no assignment",
        ),
    ):
        status, told = run(*words)
        assert (status, said in told) == (2, True), told
    assert {path: path.read_bytes() for path in results.rglob("*") if path.is_file()} == before
    for student in ("ada", "bob"):
        (tmp_path / "later" / student).mkdir(parents=True)
        answer = room(COURSE, TOY, "running_mean").reference()
        (tmp_path / "later" / student / "running_mean.py").write_text(answer)
    wider = ["--only", "count_words,caesar,running_mean", "-o", results, "--course", TOY]
    status, told = run("grade", tmp_path / "later", *wider)
    assert (status, "it holds marks of work that this run is not given" in told) == (2, True), told
    assert run(*grading, "-o", results, "--only", "count_words,caesar")[0] == 0
    assert run("regrade", results, "--course", other, "--yes")[0] == 0
    assert (
        run("grade", tmp_path / "work", "-o", results, "--only", "count_words,caesar", "--course", other)[0]
        == 0
    )


def write(path: Path) -> Path:
    path.write_text("student_id,assignment,extra_days\nada,1_texts,2\n")
    return path
