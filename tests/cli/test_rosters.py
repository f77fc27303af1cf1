"""A roster brings zeros to those who handed in nothing, and to nobody else."""

from __future__ import annotations

from pathlib import Path

from softmarks.cli.running import Facts, read_work
from softmarks.course.course import load_course
from tests.conftest import TOY

COURSE = load_course(TOY)


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
