"""What pages are called: nobody guesses another one's, and pseudonyms name nobody."""

from __future__ import annotations

import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.errors import UsageError
from softmarks.reporting.pages import Pages
from softmarks.reporting.recorded import Run
from softmarks.reporting.results import Results
from tests.conftest import TOY, page_of
from tests.reporting.made import make_exercise, make_verdict

SOFTMARKS = Path(sys.executable).with_name("softmarks")


def test_a_name_stays_and_cannot_be_guessed(tmp_path):
    """The same in the next run; another in another folder; nobody else may read what it depends on."""
    first, again = (Pages(tmp_path, pseudonyms=False) for _ in range(2))
    (tmp_path / "other").mkdir()
    other = Pages(tmp_path / "other", pseudonyms=False)
    assert first.stem("ada") == again.stem("ada")
    assert first.stem("ada").startswith("ada-")
    assert len(first.stem("ada")) == len("ada-") + 16
    assert len({first.stem("ada"), other.stem("ada"), first.stem("ben").replace("ben", "ada")}) == 3
    assert stat.S_IMODE((tmp_path / ".secret").stat().st_mode) == 0o600


def test_a_secret_that_is_none(tmp_path):
    """It is told, not used."""
    (tmp_path / ".secret").write_bytes(b"")
    with pytest.raises(UsageError, match="no secret of ours"):
        Pages(tmp_path, pseudonyms=False)


def test_a_pseudonym_stands_wherever_the_name_stood(tmp_path):
    """In what we noted, too, however the name is written there; the words of a message stay."""
    exercise = make_exercise("a", repairs=("took 'Jane_DOE (1).py' as a",), note="of jane-doe")
    verdict = make_verdict("Jane Doe", exercise, origin="in/Jane Doe", unplaced=("jane doe/notes.txt",))
    pages = Pages(tmp_path, pseudonyms=True)
    shown = pages.shown(verdict)
    text = shown.model_dump_json().lower()
    assert "doe" not in text
    assert shown.student == pages.name("Jane Doe") != pages.name("John Doe")
    assert shown.exercises[0].repairs == (f"took '{shown.student} (1).py' as a",)
    assert "doe" not in pages.stem("Jane Doe")
    plain = Pages(tmp_path, pseudonyms=False)
    assert plain.shown(verdict) == verdict


def test_a_name_without_letters(tmp_path):
    """Nothing is replaced where there is nothing to look for."""
    verdict = make_verdict("-", make_exercise("a", note="a-b"))
    assert Pages(tmp_path, pseudonyms=True).shown(verdict).exercises[0].note == "a-b"


def test_a_name_of_many_signs_costs_no_time(tmp_path):
    """Signs between the words of a name match in one way, however many there are."""
    verdict = make_verdict("_ " * 30 + "x", make_exercise("a", note="_" * 60))
    start = time.process_time()
    assert Pages(tmp_path, pseudonyms=True).shown(verdict).exercises[0].note == "_" * 60
    assert time.process_time() - start < 1


def test_rows_of_pseudonyms_are_in_no_order_that_tells(tmp_path):
    """Else whoever has the list of the class could count."""
    verdicts = [make_verdict(f"Student {letter}", make_exercise("count_words")) for letter in "abcdefghij"]
    with Results(tmp_path, load_course(TOY), verdicts) as written:
        written.begin(Run(paths=(), pseudonyms=True))
        written.finish(verdicts)
    called = [Pages(tmp_path, pseudonyms=True).name(one.student) for one in verdicts]
    text = (tmp_path / "index.html").read_text()
    assert sorted(called) != called
    assert sorted(called, key=text.index) == sorted(called)


def test_a_class_whose_pages_name_nobody(tmp_path):
    """No page holds a name, the tables do; and without the option names are back, alone."""
    for student in ("Lovelace", "Hopper"):
        target = tmp_path / "work" / student / "count_words.py"
        target.parent.mkdir(parents=True)
        target.write_text(room(load_course(TOY), TOY, "count_words").reference())
    results = tmp_path / "results"
    command = [SOFTMARKS, "grade", tmp_path / "work", "-o", results, "--only", "count_words", "--course", TOY]
    subprocess.run([*command, "--pseudonyms"], check=True, capture_output=True)
    pages = [results / "index.html", *(results / "feedback").iterdir()]
    assert len(pages) == 5
    assert stat.S_IMODE(results.stat().st_mode) == 0o700
    for page in pages:
        assert "lovelace" not in f"{page.name} {page.read_text()}".lower()
    assert "student" in page_of(results, "Lovelace").read_text()
    assert "Lovelace" in (results / "grades.csv").read_text()
    subprocess.run(command, check=True, capture_output=True)
    assert "Lovelace" in page_of(results, "Lovelace").read_text()
    assert len(list((results / "feedback").iterdir())) == 4
