"""The student edition: it names mistakes before the deadline, and holds nothing that is not public."""

import json
import os
import re
import shutil
import subprocess
import sys
from io import StringIO

import pytest
from rich.console import Console

from softmarks import __version__
from softmarks.course.course import load_course
from softmarks.course.finding import find_course
from softmarks.course.packing import put
from softmarks.course.rooms import room, rooms
from softmarks.course.suites import read_suite
from softmarks.course.working_copy import put_back, working_copy
from softmarks.errors import CourseError, UsageError
from softmarks.grading.fingerprints import read_fingerprints
from softmarks.grading.own_work import check_own
from softmarks.grading.release import edition as edition_of
from softmarks.grading.release import solutions, student_edition
from softmarks.grading.workers import Worker
from softmarks.reporting.overview import print_where_you_are
from softmarks.reporting.wording import status_words
from tests.conftest import ROOT, TOY

SILENT = lambda _words: None  # noqa: E731


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """The toy course, and one room and one sheet of the attention course, as students get them."""
    folder = tmp_path_factory.mktemp("edition")
    put(student_edition(load_course(TOY), TOY, SILENT), folder / "toy")
    part = load_course(ROOT).part(["causal_mask", "questions_1"])
    put(dict(edition_of(part, ROOT, SILENT)), folder / "attention")
    return folder


def test_what_it_holds(edition):
    """Stubs, given code, public suites, hints, pictures, fingerprints and questions, and how to begin."""
    names = {path.name for path in (edition / "toy").rglob("*") if path.is_file()}
    assert names == {
        *("course.yml", "building_blocks.py", "caesar.py", "count_words.py", "running_mean.py"),
        *("stub.py", "test_public.py", "hints.md", "fingerprints.json", "edition.json"),
        *("README.md", "pytest.ini", "settings.json", "softmarks.yml", ".gitignore"),
        f"softmarks-{__version__}-py3-none-any.whl",
    }
    assert not (edition / "toy" / "solutions").exists()
    attention = {path.name for path in (edition / "attention" / "graders").rglob("*") if path.is_file()}
    assert attention == {
        *("stub.py", "test_public.py", "hints.md", "show.py", "fingerprints.json", "questions.yml")
    }


def test_nothing_hidden_is_in_it(edition):
    """No line of a hidden suite, a solution, a misconception's edit or an answer."""
    text = "\n".join(
        path.read_text() for path in edition.rglob("*") if path.is_file() and path.suffix != ".whl"
    )
    for root, names in ((TOY, ["caesar", "count_words", "running_mean"]), (ROOT, ["causal_mask"])):
        course = load_course(root)
        places = [room(course, root, name) for name in names]
        shown = [path for place in places for path in (place.stub, place.public, place.hints_file)]
        shown += [place.picture for place in places if place.picture.is_file()]
        public = "\n".join(
            path.read_text() for path in [*shown, *root.glob("exercises/*/building_blocks.py")]
        )
        for place in places:
            secret = [edit for item in place.misconceptions() for _, edit in item.edits]
            secret += [place.hidden.read_text(), place.solution.read_text()]
            lines = {line.strip() for part in secret for line in part.splitlines()}
            lines = {line for line in lines if len(line) > 25 and line not in public}
            assert len(lines) > 15
            assert not [line for line in lines if line in text]
    sheet = edition / "attention" / "graders" / "1_why_attention" / "questions_1" / "questions.yml"
    assert not re.search(r"right:|because|wrong:|answer:|rubric", sheet.read_text())


def test_fingerprints_hold_no_reply(edition):
    """Each holds digests and at most eight sums a list; a solution passes, and so leaves none."""
    data = json.loads(
        (edition / "attention" / "graders" / "4_causal" / "causal_mask" / "fingerprints.json").read_text()
    )
    assert len(data["mistakes"]) > 20
    for mistake in data["mistakes"]:
        for end in mistake["fails"].values():
            assert end["outcome"] != "passed"
            lists = [value for value in end.values() if isinstance(value, list)]
            assert all(len(value) <= 8 for value in lists[:3])
            assert len(json.dumps(end)) < 600


@pytest.mark.parametrize(
    ("course", "exercise", "mistake"),
    [
        ("toy", "caesar", "no-wrap"),
        ("attention", "causal_mask", "past_blocked"),
        ("attention", "causal_mask", "diagonal_blocked"),
    ],
)
def test_a_student_is_told_the_name(edition, tmp_path, course, exercise, mistake):
    """Before the deadline, on a machine that has the student edition alone."""
    root = shutil.copytree(edition / course, tmp_path / course)
    place = room(load_course(TOY if course == "toy" else ROOT), TOY if course == "toy" else ROOT, exercise)
    wrong = next(item for item in place.misconceptions() if item.id == mistake)
    answer = root / "exercises" / place.address
    answer.with_suffix(".py").write_text(wrong.apply(place.reference()))
    [own] = check_own(load_course(root), root, root, [exercise])
    assert own.verdict.suite == "public"
    assert mistake in own.verdict.mistakes
    assert wrong.says in own.verdict.messages[0].says


def test_right_answers_and_sheets(edition, tmp_path):
    """What is right has no message; of a question it is told whether it has an answer, not which is right."""
    root = shutil.copytree(edition / "attention", tmp_path / "attention")
    place = room(load_course(ROOT), ROOT, "causal_mask")
    (root / "exercises" / place.address).with_suffix(".py").write_text(place.reference())
    mask, sheet = check_own(load_course(root), root, root, ["causal_mask", "questions_1"])
    assert mask.verdict.messages == ()
    assert not mask.verdict.untouched
    assert sheet.verdict.untouched
    assert mask.verdict.suite == sheet.verdict.suite == "public"


def test_only_into_a_new_folder(tmp_path):
    """What students have begun is never overwritten."""
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="there is something already"):
        put({"a.txt": b"new"}, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_it_knows_what_it_holds_not(edition, tmp_path):
    """The course in it has its exercises alone; how many checks run elsewhere is told at the end."""
    root = shutil.copytree(edition / "attention", tmp_path / "attention")
    course, place = load_course(root), room(load_course(ROOT), ROOT, "causal_mask")
    assert [one.name for one in course.exercises] == ["questions_1", "causal_mask"]
    (root / "exercises" / place.address).with_suffix(".py").write_text(place.reference())
    [own] = check_own(course, root, root, ["causal_mask"])
    hidden = read_suite(place.hidden).checks
    assert own.verdict.held_back.startswith(f"{len(hidden)} hidden checks (")
    assert {check.marks[0] for check in hidden} == set(
        re.search(r"\((.*)\)", own.verdict.held_back)[1].split(", ")
    )
    assert own.verdict.held_back.endswith(") run when you submit")
    assert status_words(own.verdict) == "public checks passed"


def test_one_works_in_it(edition, tmp_path, monkeypatch):
    """It is a working copy: where you are, the statement although the stub is overwritten, the stub again."""
    root = shutil.copytree(edition / "toy", tmp_path / "toy")
    copy = working_copy(root / "exercises" / "1_text")
    assert copy.files == root / "exercises"
    own = copy.files / "1_text" / "caesar.py"
    stub = own.read_text()
    own.write_text("mine")
    place = room(load_course(root), root, "caesar")
    assert "shift" in place.statement()
    kept = put_back(copy, place)
    assert (kept.read_text(), own.read_text()) == ("mine", stub)
    assert find_course(copy.files / "1_text") == root
    out = StringIO()
    print_where_you_are(Console(file=out, width=100), load_course(root), copy, {"count_words": "done"})
    assert "Next: softmarks read caesar" in out.getvalue()
    assert "write into exercises/1_text/caesar.py" in out.getvalue()


def test_solutions_are_laid_over_it(edition, tmp_path):
    """After the deadline: solutions, other ways, explanations and answers; the hidden suites stay away."""
    part = load_course(ROOT).part(["causal_mask", "questions_1"])
    root = shutil.copytree(edition / "attention", tmp_path / "attention")
    for path, data in solutions(part, ROOT).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    course, place = load_course(root), room(load_course(root), root, "causal_mask")
    assert place.reference() == room(load_course(ROOT), ROOT, "causal_mask").reference()
    assert len(place.alternatives) > 1
    assert "softmax" in place.explanation()
    assert not place.hidden.exists()
    assert room(course, root, "questions_1").explanation()
    own = root / "exercises" / f"{place.address}.py"
    own.write_text(place.reference())
    [checked] = check_own(course, root, root, ["causal_mask"])
    assert (checked.path, checked.verdict.all_right) == (own, True)
    own.write_text(
        place.reference().replace(
            "def causal_mask(",
            "def causal_mask(*_, **__):\n    return Odd()\n\n\nclass Odd:\n    pass\n\n\ndef other(",
        )
    )
    [checked] = check_own(course, root, root, ["causal_mask"])
    assert not checked.verdict.all_right


def test_the_wheel_is_the_engine(edition, tmp_path):
    """pip installs it without a network, and the command runs from there."""
    [wheel] = (edition / "toy").glob("*.whl")
    site = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--no-index", "--target", site, wheel], check=True)
    code = "import softmarks, softmarks.cli.main as m; print(softmarks.__file__); m.main()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=edition / "toy",
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(site) in done.stdout.splitlines()[0]
    assert "caesar" in done.stdout
    assert (site / "softmarks" / "reporting" / "templates" / "page.html").is_file()
    assert (site / "bin" / "softmarks").is_file()


def test_plain_pytest_runs_the_public_checks(edition, tmp_path):
    """In the edition, with the settings in it, as an editor's test explorer does; nothing needs a fork."""
    root = shutil.copytree(edition / "toy", tmp_path / "toy")
    place = room(load_course(TOY), TOY, "caesar")
    (root / "exercises" / place.address).with_suffix(".py").write_text(place.reference())
    no_fork = "import os, sys; del os.fork; import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    words = [sys.executable, "-c", no_fork, "-p", "no:randomly", "-p", "no:cacheprovider", "-rA"]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout
    results = re.findall(r"^(PASSED|FAILED) graders/\w+/(\w+)/test_public.py", done.stdout, re.M)
    assert {outcome for outcome, exercise in results if exercise == "caesar"} == {"PASSED"}
    assert {outcome for outcome, exercise in results if exercise != "caesar"} == {"FAILED"}


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"names": {}, "mistakes": [{"id": 1}]}', "\0"])
def test_broken_fingerprints_are_told(tmp_path, text):
    """Where they are, and what to do."""
    path = tmp_path / "fingerprints.json"
    path.write_text(text)
    with pytest.raises(CourseError, match="the fingerprints cannot be read"):
        read_fingerprints(path)


ROOMS = [place for place in rooms(load_course(ROOT), ROOT) if not place.is_sheet]


@pytest.fixture(scope="module")
def students(tmp_path_factory):
    """A worker that has nothing but the student edition of the attention course."""
    folder = tmp_path_factory.mktemp("students") / "attention"
    put(dict(edition_of(load_course(ROOT), ROOT, SILENT)), folder)
    with Worker(folder, "optional") as worker:
        yield worker


@pytest.mark.long
@pytest.mark.parametrize("name", [place.exercise.name for place in ROOMS])
def test_most_mistakes_are_named_in_it(students, name):
    """Half of a room's misconceptions at least, and nearly all that a public check sees."""
    place = next(place for place in ROOMS if place.exercise.name == name)
    seen, unnamed = 0, []
    for wrong in place.misconceptions():
        verdict = students.mark(name, [wrong.apply(place.reference())], "public")
        if not verdict.all_right:
            seen += 1
            told = [message.mistake or "" for message in verdict.messages]
            unnamed += [] if any(wrong.id in one.split(" or ") for one in told) else [wrong.id]
    assert seen - len(unnamed) >= len(place.misconceptions()) / 2
    assert len(unnamed) <= seen / 10, unnamed
