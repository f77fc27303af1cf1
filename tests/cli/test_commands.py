"""The commands as people use them: what they print, how they end, what they refuse."""

import csv
import fcntl
import json
import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from softmarks import __version__
from softmarks.cli.main import main
from tests.conftest import TOY


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command line in this process: its exit status, output and error output."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["softmarks", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return ended.value.code, out, err

    return run


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A copy of the toy course as a working folder."""
    shutil.copytree(TOY, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def reference(name, toy_room):
    return toy_room(name).reference()


def test_without_a_command_the_course_is_listed(run, work):
    """Bare `softmarks` shows assignments, exercises, minutes and points."""
    status, out, _ = run()
    assert status == 0
    for word in ("Small programs", "1_text", "count_words", "running_mean", "softmarks start"):
        assert word in out


@pytest.mark.parametrize("command", ["check", "mark", "grade", "audit", "build", "completion"])
def test_help_is_there_and_has_an_example(run, command):
    """Each command explains itself within 80 columns."""
    status, out, _ = run(command, "--help")
    assert status == 0
    assert out.startswith("Usage: softmarks")
    assert max(map(len, out.splitlines())) <= 80


def test_version(run):
    """The version is the package's."""
    assert run("--version") == (0, f"softmarks, version {__version__}\n", "")


def test_help_imports_nothing_heavy():
    """`softmarks --help` imports neither torch nor pytest nor nbgrader nor jupytext."""
    code = (
        "import sys; sys.argv = ['softmarks', '--help']\nfrom softmarks.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'torch', 'numpy', 'pytest', '_pytest', 'nbgrader', 'jupytext', 'pydantic', 'jinja2'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_a_crash_of_torch_does_not_matter_to_the_list(work, run, monkeypatch):
    """A course that needs no package is listed and checked without torch."""
    monkeypatch.setitem(sys.modules, "torch", None)
    assert run()[0] == 0


def test_check_tells_what_to_repair_and_then_passes(run, work, toy_room, monkeypatch):
    """A wrong answer exits 1 with the mistake's name, the right one exits 0, an untouched stub is told so."""
    place = toy_room("running_mean")
    assert run("start", work / "mine")[0] == 0
    monkeypatch.chdir(work / "mine")
    own = work / "mine/2_numbers/running_mean.py"
    status, out, _ = run("check", "running_mean")
    assert status == 1
    assert "not written yet" in out
    own.write_text(place.misconceptions()[0].apply(place.reference()))
    status, out, _ = run("check", "running_mean")
    assert status == 1
    assert place.misconceptions()[0].says in " ".join(out.split()).replace("│ ", "")
    own.write_text(place.reference())
    status, out, _ = run("check", "running_mean")
    assert status == 0
    [line] = [line for line in out.splitlines() if "✓" in line]
    assert "checks passed: " in line


def test_check_finds_files_in_a_plain_folder(run, tmp_path, monkeypatch, toy_room):
    """Outside of a working copy, EXERCISE.py in this folder is found; others are not asked for."""
    (tmp_path / "count_words.py").write_text(toy_room("count_words").reference())
    monkeypatch.chdir(tmp_path)
    course = tmp_path / "course"
    shutil.copytree(TOY, course)
    shutil.rmtree(course / "exercises")
    status, out, _ = run("check", "--course", course)
    assert status == 0
    assert "caesar" not in out


def test_the_stubs_of_a_whole_course_are_not_ones_own(run, work):
    """They are printed, and would be printed again: one is told to make a working copy."""
    for arguments in (
        ("check",),
        ("check", "caesar"),
        ("submit", "1_text", "--id", "ada"),
        ("show", "caesar"),
    ):
        status, _, err = run(*arguments)
        assert status == 2
        assert "printed from the solutions" in err
        assert "softmarks start DIR" in err


def test_check_without_names_tells_what_is_begun(run, work, toy_room, monkeypatch):
    """Without names, what is begun is checked and the rest is listed; nothing begun exits 1."""
    assert run("start", work / "mine")[0] == 0
    monkeypatch.chdir(work / "mine")
    status, out, _ = run("check")
    assert status == 1
    assert "Not begun: count_words, caesar, running_mean" in out
    (work / "mine/1_text/count_words.py").write_text(toy_room("count_words").reference())
    status, out, _ = run("check")
    assert status == 0
    assert "Not begun: caesar, running_mean" in out


def test_a_file_in_this_folder_is_ones_own(run, work, toy_room, monkeypatch):
    """A file in the folder where one stands is taken before the one in exercises/."""
    (work / "mine").mkdir()
    (work / "mine/count_words.py").write_text(toy_room("count_words").reference())
    monkeypatch.chdir(work / "mine")
    assert run("check", "count_words")[0] == 0


def test_mark_prints_one_json_object(run, work, toy_room):
    """`mark --json` has the promised fields, and exits 0 for full marks, 1 for fewer."""
    place = toy_room("running_mean")
    file = work / "answer.py"
    file.write_text(place.reference())
    status, out, _ = run("mark", "running_mean", file, "--json")
    found = json.loads(out)
    assert status == 0
    assert found["exercise"] == "running_mean"
    assert (found["points"], found["mistakes"], found["repairs"], found["confined"]) == (
        found["max_points"],
        [],
        [],
        True,
    )
    assert {"name", "kind", "outcome", "points", "max_points", "message"} <= set(found["checks"][0])
    file.write_bytes(b"\xef\xbb\xbf" + place.misconceptions()[0].apply(place.reference()).encode())
    status, out, _ = run("mark", "running_mean", file, "--json")
    found = json.loads(out)
    assert status == 1
    assert found["mistakes"] == [place.misconceptions()[0].id]
    assert found["repairs"]
    assert 0 < found["points"] < found["max_points"]


def test_what_cannot_be_read_is_ungradable(run, work):
    """A file that is no text has no points: not zero, but none."""
    (work / "answer.ipynb").write_text('{"cells": [')
    status, out, _ = run("mark", "count_words", work / "answer.ipynb", "--json")
    assert status == 1
    assert json.loads(out)["points"] is None
    assert json.loads(out)["status"] == "ungradable"


def test_a_broken_suite_exits_3(run, work, toy_room):
    """The grader's own failure is one line and exit status 3."""
    (work / "graders/1_text/count_words/test_hidden.py").write_text("import nothing_like_this\n")
    (work / "answer.py").write_text(toy_room("count_words").reference())
    status, _, err = run("mark", "count_words", work / "answer.py")
    assert status == 3
    assert "the suite did not run" in err
    assert "Traceback" not in err


@pytest.fixture
def students(tmp_path, toy_room):
    """Three students: all right in a folder, one mistake in a zip, an unreadable notebook beside it."""
    folder = tmp_path / "students"
    (folder / "anna/1_text").mkdir(parents=True)
    for name in ("count_words", "caesar"):
        (folder / "anna/1_text" / f"{name}.py").write_text(toy_room(name).reference())
    (folder / "anna/running_mean.py").write_text(toy_room("running_mean").reference())
    place = toy_room("running_mean")
    with zipfile.ZipFile(folder / "ben.zip", "w") as archive:
        archive.writestr("running_mean.py", place.misconceptions()[0].apply(place.reference()))
    (folder / "=cmd, carl").mkdir()
    (folder / "=cmd, carl/caesar.ipynb").write_text("{")
    return folder


def test_grade_writes_a_class(run, work, students, tmp_path, toy_room):
    """grades.csv has a row a student and a column an exercise; verdicts and feedback are there for each."""
    status, out, _ = run("grade", students, "-o", tmp_path / "out", "--workers", 2)
    assert status == 0
    rows = list(csv.DictReader((tmp_path / "out/grades.csv").read_text().splitlines()))
    by_name = {row["student"].lstrip("'"): row for row in rows}
    assert set(by_name) == {"anna", "ben", "=cmd, carl"}
    assert by_name["anna"]["total"] == by_name["anna"]["max"]
    assert by_name["=cmd, carl"]["caesar"] == ""
    assert "'=cmd, carl" in {row["student"] for row in rows}
    ben = json.loads((tmp_path / "out/verdicts/ben.json").read_text())
    assert [exercise["exercise"] for exercise in ben["exercises"]] == [
        "count_words",
        "caesar",
        "running_mean",
    ]
    assert ben["exercises"][2]["mistakes"] == [toy_room("running_mean").misconceptions()[0].id]
    assert ben["points"] == float(by_name["ben"]["total"])
    assert len(list((tmp_path / "out/feedback").glob("*.html"))) == 3
    assert "anna" in out
    assert "grades.csv" in out


def test_a_busy_output_folder_is_refused(run, work, students, tmp_path):
    """A second run on one output folder is one line and exit status 2; nothing is changed."""
    out = tmp_path / "out"
    out.mkdir()
    lock = os.open(out / ".lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    status, _, err = run("grade", students, "-o", out)
    os.close(lock)
    assert status == 2
    assert "another run" in err
    assert not (out / "grades.csv").exists()


def refused(result, *words):
    """One clear line on the error output, exit status 2, no traceback."""
    status, _, err = result
    assert status == 2, err
    assert "Traceback" not in err
    for word in words:
        assert word in err


def test_what_people_get_wrong_is_one_line(run, work, tmp_path):
    """An unknown exercise, a missing file or folder, a broken zip, a wrong course: one line, exit 2."""
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 no zip at all")
    (tmp_path / "empty").mkdir()
    refused(run("mark", "count_word", "x.py"), "count_word", "count_words")
    refused(run("mark", "count_words", "no_such.py"), "no_such.py")
    refused(run("grade", "no_such_folder", "-o", tmp_path / "o"), "no_such_folder")
    refused(run("grade", tmp_path / "empty", "-o", tmp_path / "o"), "empty")
    refused(run("grade", tmp_path / "broken.zip", "-o", tmp_path / "o"), "broken.zip")
    refused(run("grade", tmp_path / "empty"), "-o")
    refused(run("mark", "count_words", "y" * 300 + ".py"), "no such file")
    refused(run("grade", "y" * 300, "-o", tmp_path / "o"), "no such file")
    refused(run("nonsense"), "nonsense")
    refused(run("check", "--course", tmp_path / "nowhere"), "nowhere")
    (work / "course.yml").write_text((work / "course.yml").read_text().replace("share: 3", "shares: 3"))
    refused(run("check"), "course.yml:", "share")


def test_build_check_shows_a_diff(run, work):
    """An up-to-date course is quiet; after an edit of a solution the diff is shown, with exit status 1."""
    assert run("build", "--check")[0] == 0
    solution = work / "solutions/1_text/count_words.py"
    solution.write_text(
        solution.read_text().replace("# %% [markdown]\n", "# %% [markdown]\n# One more line.\n", 1)
    )
    status, out, _ = run("build", "--check")
    assert status == 1
    assert "+# One more line." in out
    assert run("build")[0] == 0
    assert run("build", "--check")[0] == 0


def test_build_says_which_stub_went(run, work):
    """The stub of an exercise that is no longer in course.yml is removed, and said to be."""
    before = (work / "course.yml").read_text()
    assert run("new", "1_text/turn_round")[0] == 0
    stub = work / "exercises/1_text/turn_round.py"
    assert f"wrote {stub}" in run("build")[1]
    (work / "course.yml").write_text(before)
    status, out, _ = run("build")
    assert (status, stub.exists()) == (0, False)
    assert f"removed {stub}" in out


def test_audit_finds_what_falls_short(run, work):
    """A misconception outside its band, or a trivial answer above the ceiling, is a fault: exit status 1."""
    file = work / "graders/2_numbers/running_mean/misconceptions.py"
    file.write_text(file.read_text().replace("keeps=(0.65, 0.8)", "keeps=(0.9, 0.95)"))
    status, out, _ = run("audit", "running_mean", "--quick")
    assert status == 1
    assert "zero-for-nothing keeps" in " ".join(out.split())
    few = '(("raise ValueError(\\"there is no mean of no number\\")", "return 0.0"),)'
    file.write_text(file.read_text() + f"\nTRIVIAL = [Trivial('right-but-for-errors', {few})]\n")
    assert "right-but-for-errors keeps" in " ".join(run("audit", "running_mean", "--quick")[1].split())


def test_completion_is_printed(run):
    """The completion of a shell is code for it."""
    status, out, _ = run("completion", "bash")
    assert status == 0
    assert "_SOFTMARKS_COMPLETE" in out


def test_debug_shows_where(run, work):
    """--debug adds the traceback to the line."""
    _, _, err = run("mark", "count_word", "x.py", "--debug")
    assert "Traceback" in err
