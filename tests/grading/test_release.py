"""The student edition: it names mistakes before the deadline, and holds nothing that is not public."""

import json
import re
import shutil

import pytest

from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.errors import CourseError, UsageError
from softmarks.grading.fingerprints import read_fingerprints
from softmarks.grading.own_work import check_own
from softmarks.grading.release import release
from tests.conftest import ROOT, TOY

SILENT = lambda _words: None  # noqa: E731


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """The toy course, and one room and one sheet of the attention course, as students get them."""
    folder = tmp_path_factory.mktemp("edition")
    release(load_course(TOY), TOY, folder / "toy", SILENT)
    whole = load_course(ROOT)
    part = whole.part(["causal_mask", "questions_1"])
    release(part, ROOT, folder / "attention", SILENT)
    return folder


def test_what_it_holds(edition):
    """Stubs, given code, public suites, hints, pictures, fingerprints and questions: nothing else."""
    names = {path.name for path in (edition / "toy").rglob("*") if path.is_file()}
    assert names == {
        *("course.yml", "building_blocks.py", "caesar.py", "count_words.py", "running_mean.py"),
        *("test_public.py", "hints.md", "fingerprints.json"),
    }
    assert not (edition / "toy" / "solutions").exists()
    attention = {path.name for path in (edition / "attention" / "graders").rglob("*") if path.is_file()}
    assert attention == {"test_public.py", "hints.md", "show.py", "fingerprints.json", "questions.yml"}


def test_nothing_hidden_is_in_it(edition):
    """No line of a hidden suite, a solution, a misconception's edit or an answer."""
    text = "\n".join(path.read_text() for path in edition.rglob("*") if path.is_file())
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
    assert not mask.untouched
    assert sheet.untouched
    assert mask.verdict.suite == sheet.verdict.suite == "public"


def test_only_into_a_new_folder(tmp_path):
    """What students have begun is never overwritten."""
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="there is something already"):
        release(load_course(TOY), TOY, tmp_path, SILENT)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"names": {}, "mistakes": [{"id": 1}]}', "\0"])
def test_broken_fingerprints_are_told(tmp_path, text):
    """Where they are, and what to do."""
    path = tmp_path / "fingerprints.json"
    path.write_text(text)
    with pytest.raises(CourseError, match="the fingerprints cannot be read"):
        read_fingerprints(path)
