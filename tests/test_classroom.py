"""The example class, graded as an instructor grades it: exact marks, named mistakes, nothing hidden seen."""

from __future__ import annotations

import csv
import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml

from softmarks.course.course import load_course
from softmarks.submission.collecting import read_class
from tests.conftest import page_of
from tests.secrets_in_results import hidden_lines, normalised_text, solution_lines

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="other people's work is confined on Linux alone"
)

ROOT = Path(__file__).parents[1]
CLASSROOM = ROOT / "examples" / "classroom"
SUBMISSIONS = CLASSROOM / "submissions"
COURSE = load_course(ROOT).part(
    ["transfer_weights", "causal_mask", "causal_attention", "sinusoidal_encoding"]
)
EXERCISES = [exercise.name for exercise in COURSE.exercises]
# BaseLoader: every value stays a text, so that points are exact decimals
EXPECTED = yaml.load((CLASSROOM / "expected.yml").read_text(encoding="utf-8"), yaml.BaseLoader)
HONEST = ["ada_lindqvist", "mateo_ferreira", "hana_suzuki"]


def grade(paths: list[Path], results: Path, workers: int) -> None:
    """Run `softmarks grade`."""
    command = [Path(sys.executable).with_name("softmarks"), "grade", *paths, "-o", results]
    command += ["--only", ",".join(EXERCISES)]
    command += ["--workers", str(workers), "--course", ROOT]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def results(own_cache: None, made_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """The results of the whole class."""
    return made_once("classroom", lambda folder: grade([SUBMISSIONS], folder, workers=2))


@pytest.fixture(scope="session")
def written() -> dict[str, str]:
    """What each student wrote, all exercises together."""
    return {
        one.student: "\n".join(source.text for source in one.sources.values())
        for one in read_class([SUBMISSIONS], COURSE)
    }


def verdict(results: Path, student: str) -> dict[str, dict[str, Any]]:
    """A student's verdict from its file: exercise -> what was said of it."""
    record = json.loads((results / "verdicts" / f"{student}.json").read_text(encoding="utf-8"))
    return {exercise["exercise"]: exercise for exercise in record["exercises"]}


def test_the_class_has_fifteen_students(written: dict[str, str]) -> None:
    """Submissions and expectations name the same fifteen students, each with points for each exercise."""
    assert len(EXPECTED) == 15
    assert set(written) == set(EXPECTED)
    assert all(set(expected["points"]) == set(EXERCISES) for expected in EXPECTED.values())


@pytest.mark.parametrize("student", EXPECTED)
def test_points_outcomes_and_mistakes(student: str, results: Path) -> None:
    """Each exercise gets its exact points, ends as expected, and has its mistake named."""
    expected = EXPECTED[student]
    said = verdict(results, student)
    for name in EXERCISES:
        exercise = said[name]
        outcomes = {check["outcome"] for check in exercise["checks"] if check["max_points"] > 0}
        assert exercise["status"] == "graded"
        assert exercise["confined"]
        assert Decimal(str(exercise["points"])) == Decimal(expected["points"][name]), name
        assert outcomes - {"passed", "not-reached"} == set(expected.get("outcomes", {}).get(name, [])), name
        assert exercise["mistakes"] == expected.get("mistakes", {}).get(name, []), name


def test_grades_are_in_one_sheet(results: Path) -> None:
    """grades.csv has a row for each student, with the points of each exercise and their sum."""
    with (results / "grades.csv").open(encoding="utf-8", newline="") as sheet:
        rows = {row["student"]: row for row in csv.DictReader(sheet)}
    assert set(rows) == set(EXPECTED)
    for student, row in rows.items():
        points = [Decimal(EXPECTED[student]["points"][name]) for name in EXERCISES]
        assert [Decimal(row[name]) for name in EXERCISES] == points
        assert Decimal(row["total"]) == sum(points)
        assert Decimal(row["max"]) == 55


@pytest.mark.parametrize("student", EXPECTED)
def test_everybody_has_feedback(student: str, results: Path) -> None:
    """There is a feedback page for each student, with the student's name on it."""
    assert student in page_of(results, student).read_text(encoding="utf-8")


def test_a_notebook_is_repaired_and_says_so(results: Path) -> None:
    """A byte order mark, notebook commands and a doubled cell cost nothing and are told."""
    repairs = "; ".join(verdict(results, "leila_haddad")["causal_mask"]["repairs"])
    assert "byte order mark" in repairs
    assert "%timeit" in repairs
    assert "repeats cell" in repairs


@pytest.mark.long
def test_no_mark_depends_on_a_neighbour(results: Path, tmp_path: Path) -> None:
    """Three honest students graded by themselves get the verdicts that they got beside the others."""
    grade([SUBMISSIONS / student for student in HONEST], tmp_path, workers=1)
    for student in HONEST:
        assert verdict(tmp_path, student) == verdict(results, student)


def test_nothing_hidden_is_in_the_results(results: Path, written: dict[str, str]) -> None:
    """No line of a hidden suite, of the oracle or of a solution is in what the class gets to read."""
    secrets = {*hidden_lines(), *solution_lines()}
    assert len(secrets) > 200
    everybody = " ".join("\n".join(written.values()).split())
    own = {student: " ".join(text.split()) for student, text in written.items()}
    for path in sorted(results.rglob("*.*")):
        known = own.get(path.stem, everybody)
        seen = normalised_text(path)
        leaked = [secret for secret in secrets if secret in seen and secret not in known]
        assert not leaked, path


@pytest.mark.parametrize("exercise", COURSE.exercises, ids=EXERCISES)
def test_the_untouched_stubs_are_the_printed_ones(exercise: Any) -> None:
    """One student handed in exactly what exercises/ holds."""
    file = Path(exercise.assignment, f"{exercise.name}.py")
    assert (SUBMISSIONS / "lucas_moreau" / file).read_bytes() == (ROOT / "exercises" / file).read_bytes()


def test_the_zip_is_what_its_files_pack_to() -> None:
    """The committed archive holds the readable files beside it, byte for byte."""
    pack = runpy.run_path(str(CLASSROOM / "pack.py"))
    assert pack["ARCHIVE"].read_bytes() == pack["packed"]()
