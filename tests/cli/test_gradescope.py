"""`softmarks release gradescope`: the ZIP, and what its scripts do in the folders of Gradescope."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from softmarks.cli.main import main
from softmarks.reporting.gradescope_results import results_json
from softmarks.verdict import Outcome, Verdict
from tests.conftest import TOY
from tests.reporting.made import HOSTILE, WHEN, make_check, make_exercise, make_message
from tests.secrets_in_results import hidden_lines, solution_lines, texts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Gradescope's containers are Linux")

SETTINGS = {"visible", "hidden", "after_due_date", "after_published"}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}
# what Gradescope documents: the fields of a submission and of a test, and what may stand in each
OF_A_SUBMISSION = {
    "score": Decimal,
    "execution_time": Decimal,
    "output": str,
    "output_format": FORMATS,
    "test_output_format": FORMATS,
    "test_name_format": FORMATS,
    "visibility": SETTINGS,
    "stdout_visibility": SETTINGS,
    "extra_data": dict,
    "tests": list,
    "leaderboard": list,
}
OF_A_TEST = {
    "score": Decimal,
    "max_score": Decimal,
    "status": {"passed", "failed"},
    "name": str,
    "name_format": FORMATS,
    "number": str,
    "output": str,
    "output_format": FORMATS,
    "tags": list,
    "visibility": SETTINGS,
    "extra_data": dict,
}

WRONG = {  # upper and lower case are counted apart; an error that says something
    "count_words": """
def count_words(text):
    if not isinstance(text, str):
        raise TypeError("the text must be a string")
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts
""",
    "running_mean": """
class RunningMean:
    def add(self, number):
        raise ValueError('<b>\\x1b[31m')
""",
}
WITHOUT_LANDLOCK = """
import errno, os, pyseccomp, sys
wall = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
wall.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "landlock_create_ruleset")
wall.add_rule(pyseccomp.ERRNO(errno.EPERM), "mount")  # nor does bubblewrap start
wall.load()
os.execv(sys.argv[1], sys.argv[1:])
"""


def read_results(text: str) -> dict[str, Any]:
    """A ``results.json`` as Gradescope documents it, with exact numbers; AssertionError for anything else."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    found = json.loads(
        text, object_pairs_hook=once, parse_float=Decimal, parse_int=Decimal, parse_constant=refuse
    )
    for part, fields in [(found, OF_A_SUBMISSION), *((test, OF_A_TEST) for test in found["tests"])]:
        for name, value in part.items():
            allowed = fields[name]
            assert value in allowed if isinstance(allowed, set) else type(value) is allowed, name
    assert found["output_format"] == "text"
    assert found["stdout_visibility"] == "hidden"
    for test in found["tests"]:
        assert test["output_format"] == test["name_format"] == "text"  # else what a student wrote is drawn
        assert test.get("score", 0) <= test.get("max_score", 0)
        assert ("score" in test) == ("max_score" in test)
        assert "score" not in test or test["visibility"] != "hidden"  # it would hide the total
    assert sum(test.get("score", 0) for test in found["tests"]) == found["score"]
    return found


def entry(results: dict[str, Any], start: str) -> dict[str, Any]:
    """The only entry whose name starts so, and that has a number without a dot or none."""
    (found,) = [
        test
        for test in results["tests"]
        if test["name"].startswith(start) and "." not in test.get("number", "")
    ]
    return found


def shown(results: dict[str, Any]) -> str:
    """All that a student gets to read, at once or later."""
    visible = [test for test in results["tests"] if test["visibility"] != "hidden"]
    return "\n".join(texts([results["output"], visible]))


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """The ZIP of the toy course."""
    target = tmp_path_factory.mktemp("release") / "toy.zip"
    status, said = softmarks("release", "gradescope", "-o", target, "--course", TOY)
    assert status == 0, said
    assert "solutions and hidden suites are in it, for you alone" in said
    assert "worth 22.50 autograder points" in said
    return target


@pytest.fixture
def container(released, tmp_path, monkeypatch):
    """The folders that Gradescope lays out, with the unpacked ZIP."""
    folder = tmp_path / "autograder"
    unpack(released, folder / "source")
    for name in ("submission", "results"):
        (folder / name).mkdir()
    metadata = {"id": 1, "users": [{"name": "Ada"}], "assignment": {"total_points": "22.5"}}
    (folder / "submission_metadata.json").write_text(json.dumps(metadata))
    shutil.copy(folder / "source/run_autograder", folder / "run_autograder")
    monkeypatch.setenv("AUTOGRADER", str(folder))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    return folder


def softmarks(*words: object) -> tuple[int, str]:
    """Run a command: its status, and all that it said."""
    command = [str(Path(sys.executable).with_name("softmarks")), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def unpack(archive: Path, folder: Path) -> None:
    """Unpack with the rights that the ZIP says."""
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
        for member in packed.infolist():
            (folder / member.filename).chmod(member.external_attr >> 16)


def graded(container: Path) -> dict[str, Any]:
    """Run the autograder; what it tells Gradescope."""
    done = run(container, [container / "run_autograder"])
    assert (done.returncode, done.stdout) == (0, "")
    return read_results((container / "results/results.json").read_text(encoding="utf-8"))


def run(container: Path, command: list[object]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, cwd=container)


def test_a_release_is_the_same_each_time_and_no_more_than_was_asked_for(tmp_path):
    """Two ZIPs of an assignment are equal; scripts may be run; the other assignment is not in it."""
    for name in ("a.zip", "b.zip"):
        words = ("--assignment", "1_text", "-o", tmp_path / name, "--course", TOY)
        assert softmarks("release", "gradescope", *words)[0] == 0
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        rights = {member.filename: member.external_attr >> 16 for member in packed.infolist()}
        constraints = packed.read("constraints.txt").decode()
    assert {name for name, mode in rights.items() if mode == 0o755} == {"setup.sh", "run_autograder"}
    assert "course/graders/1_text/caesar/test_hidden.py" in rights
    assert any(name.startswith("softmarks-") and name.endswith(".whl") for name in rights)
    assert [name for name in rights if "2_numbers" in name or "/." in name or "__pycache__" in name] == []
    listed = softmarks("--course", unpacked(tmp_path / "a.zip") / "course")[1]
    assert "caesar" in listed
    assert "running_mean" not in listed
    assert f"pytest=={pytest.__version__}\n" in constraints
    assert "pyyaml==" in constraints
    assert "softmarks" not in constraints


def unpacked(archive: Path) -> Path:
    unpack(archive, archive.with_suffix(""))
    return archive.with_suffix("")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("packages: []", "packages: [no_such_package]", "the course needs no_such_package"),
        ("title: Small", "title: Small", "count_words has no hidden suite here"),
    ],
)
def test_what_cannot_be_graded_is_not_released(tmp_path, old, new, said):
    """A package without a version, and a course without its hidden suite: nothing is written."""
    root = Path(shutil.copytree(TOY, tmp_path / "course"))
    course = root / "course.yml"
    course.write_text(course.read_text().replace(old, new))
    if old == new:
        (root / "graders/1_text/count_words/test_hidden.py").unlink()
    status, words = softmarks("release", "gradescope", "-o", tmp_path / "toy.zip", "--course", root)
    assert status == 2
    assert said in words
    assert not (tmp_path / "toy.zip").exists()


def test_a_folder_is_no_autograder(tmp_path):
    """Gradescope takes a ZIP."""
    status, said = softmarks("release", "gradescope", "-o", tmp_path / "toy", "--course", TOY)
    assert status == 2
    assert "does not end in .zip" in said


@pytest.mark.parametrize("script", ["setup.sh", "run_autograder"])
def test_the_scripts_are_bash(container, script):
    """bash can read them, and shellcheck, where it is there, finds nothing."""
    path = container / "source" / script
    assert path.read_text().startswith("#!/usr/bin/env bash\n")
    subprocess.run(["bash", "-n", path], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", path], check=True)


def test_the_command_is_for_scripts(monkeypatch, capsys):
    """People are not shown it."""
    monkeypatch.setattr(sys, "argv", ["softmarks", "--help"])
    with pytest.raises(SystemExit):
        main()
    assert "gradescope" not in capsys.readouterr().out


def test_the_known_mistakes_are_played_when_the_image_is_built(container):
    """The last command of setup.sh keeps how they fare where run_autograder looks, and grades nothing."""
    words = (container / "source/setup.sh").read_text().splitlines()[-1].split()
    assert words[1:] == ["gradescope", "--prepare", '"$autograder"', "--course", '"$source/course"']
    cache = {**os.environ, "XDG_CACHE_HOME": str(container / "cache")}
    command = ["softmarks", "gradescope", "--prepare", container, "--course", container / "source/course"]
    done = subprocess.run(command, capture_output=True, text=True, env=cache)
    assert done.stdout.splitlines() == [
        f"{name} is ready" for name in ("count_words", "caesar", "running_mean")
    ]
    assert list((container / "results").iterdir()) == []
    kept = files(container / "cache")
    assert "case-matters" in {path.name for path in kept}
    (container / "submission/count_words.py").write_text(WRONG["count_words"])
    assert "Case matters" in shown(graded(container))
    assert files(container / "cache") == kept  # looked up, not played again


def files(folder: Path) -> dict[Path, int]:
    """All files in a folder, and when each was written."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_a_right_submission(container, toy_room):
    """Full marks, each exercise and each check passed; only instructors see how it was run."""
    for name in ("count_words", "caesar", "running_mean"):
        (container / f"submission/{name}.py").write_text(toy_room(name).reference())
    results = graded(container)
    assert results["score"] == Decimal("22.50")
    assert {test["status"] for test in results["tests"]} == {"passed"}
    assert entry(results, "caesar: Shift letters")["max_score"] == 10
    wall = entry(results, "How the programs were run")
    assert wall["visibility"] == "hidden"
    assert "Run confined (" in wall["output"]
    assert "Landlock" not in shown(results)


def test_a_wrong_submission(container, toy_worker):
    """The marks are those of the verdict, the mistake has its name, and no hidden or solved line is told."""
    for name, text in WRONG.items():
        (container / f"submission/{name}.py").write_text(text)
    (container / "submission/holiday.py").write_text("at_sea = True\n")
    results = graded(container)
    verdicts = {name: toy_worker.mark(name, [text]) for name, text in WRONG.items()}
    assert results["score"] == sum(verdict.points for verdict in verdicts.values())
    assert 0 < results["score"] < 5
    words = entry(results, "count_words: Count")
    assert (words["score"], words["status"]) == (verdicts["count_words"].points, "failed")
    assert "Case matters" in words["output"]
    assert "Words in upper and lower case are counted apart." in words["output"]
    checks = {test["number"]: test for test in results["tests"] if test.get("number", "").startswith("1.")}
    for position, check in enumerate(verdicts["count_words"].checks, start=1):
        said = checks[f"1.{position}"]
        assert said["status"] == ("passed" if check.outcome is Outcome.PASSED else "failed")
        assert said["name"] == f"count_words: {check.says}"
    assert checks["1.2"]["output"].startswith("wrong value; 0.00 of 1.25 points\n")
    missing = entry(results, "caesar: Shift")
    assert (missing["score"], missing["status"]) == (0, "failed")
    assert "no file of it was found; there is 'holiday.py'" in missing["output"]
    assert "caesar: no file of it was found" in results["output"]
    assert "Belongs to no exercise: holiday.py" in results["output"]
    plain = " ".join(shown(results).split())
    assert "\x1b" not in plain
    assert "<b>\\x1b[31m" in plain
    assert [line for line in [*hidden_lines(TOY), *solution_lines(TOY)] if line in plain] == []


def test_nothing_and_stubs(container):
    """An empty submission and one of untouched stubs have no points, and are told why."""
    results = graded(container)
    assert results["score"] == 0
    assert "no file of an exercise was found" in results["output"]
    assert "nothing was handed in" in entry(results, "count_words: Count")["output"]
    shutil.copytree(TOY / "exercises", container / "submission", dirs_exist_ok=True)
    results = graded(container)
    assert results["score"] == 0
    assert "not written yet" in shown(results)


def test_what_cannot_be_read_has_no_mark(container, toy_room):
    """A notebook that is cut off is no zero: its entry has no score, and it is said at the top."""
    (container / "submission/count_words.py").write_text(toy_room("count_words").reference())
    (container / "submission/caesar.ipynb").write_text('{"cells": [{"cell_type": "co')
    results = graded(container)
    assert results["score"] == 5
    broken = entry(results, "caesar: Shift")
    assert "score" not in broken
    assert "status" not in broken
    assert "no mark (of 10.00)" in broken["output"]
    assert (
        "caesar has no mark yet (ungradable): it is not in the total, and is not a zero." in results["output"]
    )


def test_without_a_wall_instructors_are_told(container, toy_room):
    """Where the kernel has no Landlock, work is graded all the same; an entry for instructors says so."""
    (container / "submission/caesar.py").write_text(toy_room("caesar").reference())
    done = run(container, [sys.executable, "-c", WITHOUT_LANDLOCK, container / "run_autograder"])
    assert done.returncode == 0, done.stderr
    results = read_results((container / "results/results.json").read_text())
    assert results["score"] == 10
    told = entry(results, "How the programs were run")
    assert (told["status"], told["visibility"]) == ("failed", "hidden")
    assert "Run unconfined" in told["output"]
    assert "Landlock" in told["output"]
    assert "confined" not in shown(results)


def test_a_fault_of_the_grader_is_no_zero(container, toy_room):
    """No results.json is there, not even an old one, so Gradescope says that the autograder failed."""
    (container / "results/results.json").write_text('{"score": 0}')
    (container / "submission/count_words.py").write_text(toy_room("count_words").reference())
    suite = container / "source/course/graders/1_text/count_words/test_hidden.py"
    suite.write_text(
        "import pytest\n@pytest.mark.behaviour\ndef test_a(student):\n    raise OSError('the disk is full')\n"
    )
    done = run(container, [container / "run_autograder"])
    assert done.returncode == 3
    assert "count_words: " in done.stderr
    assert "No mark was written" in done.stderr
    assert "Traceback" not in done.stderr
    assert list((container / "results").iterdir()) == []


def made(*exercises) -> Verdict:
    return Verdict(
        student="ada",
        course="toy",
        course_version="1.0",
        engine_version="0.1.0",
        graded_at=WHEN,
        exercises=exercises,
    )


@pytest.mark.parametrize("policy", ["all", "mistake", "outcomes"])
def test_what_the_policy_hides_is_for_instructors(policy):
    """A message and a check's own words stand in visible entries or in a hidden one, never in neither."""
    failed = make_check("test_future", Outcome.WRONG_VALUE, message="its own words")
    message = make_message(checks=("test_rows",), printed="the printed words")
    exercise = make_exercise(checks=(failed, make_check()), messages=(message,), points="2.00")
    results = read_results(results_json(made(exercise), policy, (), ""))
    visible = shown(results)
    assert ("Means: The mask is applied" in visible) == (policy != "outcomes")
    for words in ("its own words", "the printed words"):
        assert (words in visible) == (policy == "all")
        assert words in "\n".join(texts(results))
    assert sum("not told" in test["name"] for test in results["tests"]) == (policy != "all")


def test_letters_of_a_question_sheet_cannot_be_tried_out():
    """What a sheet brought is shown after the due date; one that a person reads has no score at all."""
    written = make_check("why", Outcome.NEEDS_A_PERSON, points=0, answer="Because of the words.")
    chosen = make_check("which", says="Which one is it?")
    note = "2.00 points so far; a person reads the answer in words, for 2.00"
    marked = make_exercise("letters", checks=(chosen,), messages=(), points="2.00", max_points="2.00")
    waits = make_exercise(
        "words", status="needs-a-person", checks=(chosen, written), messages=(), points=None, note=note
    )
    unreadable = make_exercise("torn", status="ungradable", checks=(), messages=(), points=None, note="torn")
    program = make_exercise("program", checks=(make_check(),), messages=(), points="2.00", max_points="2.00")
    sheets = ("letters", "words", "torn")
    results = read_results(results_json(made(marked, waits, unreadable, program), "mistake", sheets, ""))
    when = {test["name"].partition(":")[0]: test["visibility"] for test in results["tests"]}
    assert when == {
        "letters": "after_due_date",
        "words": "after_due_date",
        "torn": "visible",
        "program": "visible",
        "How the programs were run": "hidden",
    }
    assert results["score"] == 4
    late = entry(results, "words: ")
    assert "score" not in late
    assert note in late["output"]
    assert "points so far" not in results["output"]
    assert "words has no mark yet (read by a person)" in results["output"]
    assert "Shown after the due date: letters, words" in results["output"]
    answered = next(test for test in results["tests"] if test.get("number") == "2.2")
    assert "status" not in answered
    assert "Because of the words." in answered["output"]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_student_wrote_stays_text(text):
    """Whatever it holds, the file can be read, and no character of it acts."""
    message = make_message(difference=text, printed=text)
    failed = make_check("test_rows", Outcome.WRONG_VALUE, message=text)
    exercise = make_exercise(checks=(failed,), messages=(message,), points="0.00", note=text, repairs=(text,))
    verdict = made(exercise).model_copy(update={"repairs": (text,), "unplaced": (text,)})
    results = read_results(results_json(verdict, "all", (), text))
    assert [one for one in texts(results) if not one.replace("\n", "").isprintable()] == []
