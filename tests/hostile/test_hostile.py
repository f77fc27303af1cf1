"""Hostile work beside honest work: the right marks, a named outcome, nothing seen, nothing left."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from softmarks.course.course import load_course
from softmarks.reporting.html import as_told
from softmarks.sandbox.client import WALL_FACTOR
from softmarks.verdict import ExerciseVerdict, Outcome, Status
from tests.conftest import ROOT
from tests.hostile import Attack, attacks
from tests.hostile.naive import grade
from tests.hostile.staging import CANARY, EXPECTED, MEGABYTES, SECONDS, WORDS, Run, student_pages
from tests.secrets_in_results import hidden_lines, normalised_text, solution_lines, texts

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="other people's work is confined on Linux alone"
)

ATTACKS = attacks()
WITH_TENSORS = [attack for attack in ATTACKS if attack.exercise == "causal_mask"]
PLAIN = [attack for attack in ATTACKS if attack.exercise != "causal_mask"]
CLASSES = {"toy": (PLAIN, ""), "attention": (WITH_TENSORS, "causal_mask")}
OVERHEAD = 90  # seconds to start two workers on a busy machine
EACH = 2  # seconds for a student who uses no time
MOST_NUMBERS = 80  # of hidden inputs: a message holds 20, and a page few messages
MOST_WORDS = 30  # of a hidden text: 60 characters of a question and 200 of a message hold no more
SORTING = (ROOT / "src/softmarks/reporting/templates/sorting.js").read_text(encoding="utf-8")
QUICK = {  # one of each kind; the others are tried on the naive grader by the long tests
    "equal_to_everything", "nan", "skip", "exit_of_the_process", "frames_of_the_caller", "read_the_solution",
    "conftest_beside", "patch_unittest", "crashes_the_interpreter", "input_in_a_message",
}  # fmt: skip


@pytest.fixture(scope="module")
def graded(own_cache: None, made_once: Callable[[str, Callable[[Path], object]], Path]) -> Callable[..., Run]:
    """The run of a class, by the course's name and the Python that runs it; made once."""

    @cache
    def get(course: str, python: Path = Path(sys.executable)) -> Run:
        tried, only = CLASSES[course]

        def make(folder: Path) -> None:
            run = Run(folder, course, tried)
            run.stage()
            run.grade(python, only)
            assert run.status == 0, run.output
            run.keep()

        here = "" if python == Path(sys.executable) else "-elsewhere"
        return Run.kept(made_once(f"hostile-{course}{here}", make), course, tried)

    return get


@pytest.fixture(scope="module", params=CLASSES)
def run(request: pytest.FixtureRequest, graded: Callable[..., Run]) -> Run:
    """The run of each class."""
    return graded(request.param)


def exercises(run: Run) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each student with each exercise's verdict."""
    for student, verdict in run.verdicts().items():
        for exercise in verdict["exercises"]:
            yield student, exercise


def how_it_ended(exercise: dict[str, Any]) -> tuple[str, ...]:
    """The outcomes of the checks that fail and are worth something; a status that is no grading."""
    if exercise["status"] != "graded":
        return (exercise["status"],)
    ends = {check["outcome"] for check in exercise["checks"] if check["max_points"] > 0}
    return tuple(sorted(ends - {"passed", "not-reached"}))


def faults(run: Run, attack: Attack) -> list[object]:
    """What is not as the attack's file expects it."""
    (exercise,) = [
        one for one in run.verdict(attack.student)["exercises"] if one["exercise"] == attack.exercise
    ]
    points = None if exercise["points"] is None else Decimal(str(exercise["points"]))
    seen = (points, how_it_ended(exercise), exercise["confined"] or not exercise["checks"])
    return [] if seen == (attack.points, attack.ends, True) else [*seen]


def test_enough_is_tried() -> None:
    """Ninety attacks or more, each with what it tries and what a naive grader makes of it."""
    assert len([attack for attack in ATTACKS if not attack.innocent]) >= 90
    assert len([attack for attack in ATTACKS if attack.innocent]) >= 30
    assert all(attack.tries.endswith(".") for attack in ATTACKS)
    assert not [a.name for a in ATTACKS if a.is_program and not a.naive and not a.innocent]
    assert {attack.name for attack in ATTACKS} >= QUICK
    named = {*Outcome, *get_args(Status)}
    assert {end for attack in ATTACKS for end in attack.ends} <= named - {"grader-error"}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_gets_what_it_is_worth(attack: Attack, graded: Callable[..., Run]) -> None:
    """The points of its honest part, and the outcome that its file expects."""
    run = graded("attention" if attack in WITH_TENSORS else "toy")
    assert faults(run, attack) == []


def test_nobody_else_suffers(run: Run) -> None:
    """Neighbours before, between and after the attacks have full marks."""
    assert len(run.neighbours) >= 5
    for student in run.neighbours:
        handed = [one for one in run.verdict(student)["exercises"] if one["status"] != "missing"]
        assert handed
        assert all(one["points"] == one["max_points"] for one in handed), student


def test_every_student_has_one_verdict(run: Run) -> None:
    """Whoever handed something in has a verdict and a row, and nobody else has."""
    expected = {*run.neighbours, *(attack.student for attack in run.attacks)}
    assert set(run.verdicts()) == expected
    with (run.results / "grades.csv").open(encoding="utf-8", newline="") as sheet:
        rows = list(csv.DictReader(sheet))
    assert len(rows) == len(expected)
    assert not [row["student"] for row in rows if row["student"].startswith(("=", "+", "-", "@"))]
    for row in rows:
        assert re.fullmatch(r"\d+\.\d\d", row["total"])


def test_every_end_has_a_name(run: Run) -> None:
    """Each check of each student has an outcome, none is the grader's fault, and what failed has words."""
    for student, exercise in exercises(run):
        assert exercise["status"] in get_args(Status)
        assert exercise["status"] != "grader-error", (student, exercise["note"])
        for check in exercise["checks"]:
            assert check["outcome"] in set(Outcome) - {Outcome.GRADER_ERROR}, student
            assert check["message"] or check["outcome"] in ("passed", "not-reached"), student


def test_no_secret_gets_out(run: Run) -> None:
    """No canary, no expected value and no line of a suite or solution is anywhere in the results."""
    policy = load_course(run.root).feedback
    known = {student: " ".join(text.split()) for student, text in run.written.items()}
    everybody = " ".join(known.values())
    secrets = {*hidden_lines(run.root), *solution_lines(run.root)}
    assert len(secrets) > 40
    for path in sorted(run.results.rglob("*.*")):
        data = path.read_bytes()
        assert CANARY.encode() not in data, path
        assert EXPECTED.encode() not in data, path
        told = normalised_text(path)
        assert not [line for line in secrets if line in told and line not in everybody], path
    for student, exercise in exercises(run):
        told = as_told(ExerciseVerdict.model_validate(exercise), policy).model_dump(mode="json")
        told = "\n".join(texts(told))
        assert not [
            line for line in (CANARY, EXPECTED, *secrets) if line in told and line not in known[student]
        ]


def test_little_of_a_hidden_input_gets_out(graded: Callable[..., Run]) -> None:
    """Whatever a program does with a hidden text, its author reads no more than the beginning of it."""
    run = graded("toy")
    read: dict[str, int] = {}
    for student, page in student_pages(run):
        read[student] = max(read.get(student, 0), sum(word.encode() in page for word in WORDS))
    assert max(read.values()) <= MOST_WORDS < len(WORDS) / 10, read
    assert read["input_in_a_message"], "an attack that reads nothing proves nothing"


def test_few_hidden_numbers_get_out(graded: Callable[..., Run]) -> None:
    """The same of numbers: a message is cut, however many a program puts into it."""
    run = graded("attention")
    read = [
        len(re.findall(rb"\d\.\d{4,}", page))
        for student, page in student_pages(run)
        if student == "numbers_in_a_message"
    ]
    assert 0 < max(read) <= MOST_NUMBERS, read


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("hangs_in_one_check", f"after {SECONDS} second"),
        ("sleeps", f"{SECONDS * WALL_FACTOR:g} seconds"),
        ("takes_all_memory", f"{MEGABYTES} MB"),
    ],
)
def test_the_limit_is_said(name: str, limit: str, graded: Callable[..., Run]) -> None:
    """A student reads whether time or memory ran out, and how much there was."""
    (exercise,) = [one for one in graded("toy").verdict(name)["exercises"] if one["status"] == "graded"]
    said = [check["message"] for check in exercise["checks"]]
    assert any(limit in message for message in said), said


def test_pages_are_inert(run: Run) -> None:
    """No script, no control character and no mark that turns text around is in what people open."""
    opened = [*run.results.glob("feedback/*"), *run.results.glob("*.html"), *run.results.glob("*.csv")]
    for path in opened:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".html":
            ours = [SORTING] if path.name == "index.html" else []
            assert re.findall(r"(?s)<script>(.*?)</script>", text) == ours, path
            assert text.count("<script") == len(ours), path
            assert "<img" not in text, path
        assert not re.search(
            r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text.replace("\r\n", "\n")
        )
    assert not re.search(r"[\x00-\x08\x0e-\x1a\x7f-\x9f\u202a-\u202e\u2066-\u2069]", run.output)


def test_nothing_is_left(run: Run) -> None:
    """No process, thread or socket, no scratch folder and no shared memory outlives the run."""
    assert run.left_running == []
    assert list((run.folder / "tmp").iterdir()) == []
    assert run.after["sockets"] is False


def test_nothing_else_is_changed(run: Run) -> None:
    """Outside of the results folder every file is as it was: content, rights and time."""
    assert len(run.before) > len(run.attacks)
    assert {
        path for path in run.before.keys() | run.after.keys() if run.before.get(path) != run.after.get(path)
    } == set()


def test_the_time_has_a_bound(run: Run) -> None:
    """What a check may use, and a share for each student, bound the time of the whole run."""
    late = [check for _, one in exercises(run) for check in one["checks"] if check["outcome"] == "timed-out"]
    most = OVERHEAD + EACH * len(run.verdicts()) + 3 * SECONDS * WALL_FACTOR * len(late)
    assert run.seconds < most


@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(attack, id=attack.name, marks=() if attack.name in QUICK else pytest.mark.long)
        for attack in ATTACKS
        if attack.naive and not attack.naive.startswith("not tried")
    ],
)
def test_a_naive_grader_falls_for_it(attack: Attack, tmp_path: Path) -> None:
    """What it gets where the program shares a process with the tests; where nothing, its file says why."""
    places = Run(tmp_path / "places", "toy", [])
    places.stage()
    places.results.mkdir()
    (places.results / "run.json").touch()
    work = tmp_path / "work"
    work.mkdir()
    files = {name: bytes(content) for name, content in attack.files(places.places).items()}
    assert grade(attack.exercise, files, work) == attack.naive.partition(":")[0]


@pytest.mark.long
def test_installed_wheels_say_the_same(graded: Callable[..., Run], wheels: Path) -> None:
    """The engine as it is installed gives each attack what the checkout gives it."""
    run = graded("toy", wheels)
    assert {attack.name: found for attack in run.attacks if (found := faults(run, attack))} == {}
    test_no_secret_gets_out(run)
    test_nothing_is_left(run)
    test_nothing_else_is_changed(run)
