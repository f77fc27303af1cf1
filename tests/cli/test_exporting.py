"""`softmarks export`: from what a platform gives out to what it takes back."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from softmarks.cli.main import main
from tests.conftest import TOY, page_of

RIGHT = {name: (TOY / f"solutions/1_text/{name}.py").read_text() for name in ("count_words", "caesar")}
ROSTER = (
    "student_id;name;email;lms_id\n"
    "al17;Ada Lovelace;ada@uni.edu;4711\n"
    'sj20;"Smith, Jr.";s@uni.edu;4714\n'
    "zz21;Zoë Zero;z@uni.edu;4715\n"
)
WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\n"
    "Participant 31,Ada Lovelace,ada@uni.edu,Submitted,,15.00,Yes,Monday,-,\n"
    'Participant 32,"Smith, Jr.",s@uni.edu,Submitted,,15.00,Yes,Monday,-,\n'
    "Participant 33,Zoë Zero,z@uni.edu,No submission,,15.00,Yes,-,-,\n"
)
GRADEBOOK = (
    "Student,ID,SIS Login ID,Section,Texts (77)\n    Points Possible,,,,15\n"
    '"Lovelace, Ada",4711,al17,A,\n"Smith, Jr.",4714,sj20,A,\n"Zero, Zoë",4715,zz21,A,\n'
)


@pytest.fixture
def says(monkeypatch, capsys, tmp_path):
    """Run `softmarks export` on the toy course in this process: how it ends, its output and error output."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        command = ["softmarks", "export", *map(str, words), "--course", str(TOY)]
        monkeypatch.setattr(sys, "argv", command)
        with pytest.raises(SystemExit) as ended:
            main()
        return (ended.value.code, *capsys.readouterr())

    return run


def graded(folder: Path, files: dict[str, str | bytes]) -> Path:
    """The results of a class's zip, by the command itself."""
    with zipfile.ZipFile(folder / "class.zip", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    command = [str(Path(sys.executable).with_name("softmarks")), "grade", "class.zip", "-o", "results"]
    command += ["--only", "1_text", "--workers", "1", "--course", str(TOY)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "results"


@pytest.fixture(scope="module")
def from_moodle(tmp_path_factory):
    """Moodle's download: Ada has everything, Smith a damaged notebook, and Zoë did not hand in."""
    ada = {f"Ada Lovelace_31_assignsubmission_file_/{name}.py": text for name, text in RIGHT.items()}
    smith = {"Smith, Jr._32_assignsubmission_file_/count_words.py": RIGHT["count_words"]}
    smith["Smith, Jr._32_assignsubmission_file_/caesar.ipynb"] = '{"cells": ['
    return graded(tmp_path_factory.mktemp("moodle"), {**ada, **smith})


@pytest.fixture(scope="module")
def from_canvas(tmp_path_factory):
    """Canvas's download, a zip a student, and a folder of Zoë's from elsewhere."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in RIGHT.items():
            archive.writestr(f"{name}.py", text)
    names = ("lovelaceada_4711_990_work.zip", "smithjr_LATE_4714_991_work-1.zip")
    files = {**dict.fromkeys(names, packed.getvalue()), "Zoë Zero/caesar.py": RIGHT["caesar"]}
    return graded(tmp_path_factory.mktemp("canvas"), files)


def rows(path: str) -> list[list[str]]:
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, strict=True))


def test_moodle_and_back(says, from_moodle):
    """The worksheet is filled, the feedback lies where Moodle looks for it, and what is open is told."""
    Path("worksheet.csv").write_text(WORKSHEET, encoding="utf-8")
    Path("roster.csv").write_text(ROSTER, encoding="utf-8-sig")
    words = ("--template", "worksheet.csv", "--roster", "roster.csv", "--feedback", "back.zip")
    status, out, err = says("moodle", from_moodle, "-o", "marks.csv", *words)
    assert (status, err) == (0, "")
    _, ada, smith, zoe = rows("marks.csv")
    assert (ada[4], smith[4], zoe[4]) == ("15.00", "", "")
    assert ada[9] == "count_words: 5.00 of 5.00; caesar: 10.00 of 10.00"
    with zipfile.ZipFile("back.zip") as archive:
        assert archive.namelist() == [
            "Ada Lovelace_31_assignsubmission_file_/feedback.html",
            "Smith, Jr._32_assignsubmission_file_/feedback.html",
        ]
        page = archive.read(archive.namelist()[0])
    assert page == page_of(from_moodle, "Ada Lovelace").read_bytes()
    assert "no mark: Smith, Jr., 1_text: caesar (ungradable: " in out
    assert "no work: Zoë Zero\n" in out
    assert out.endswith("wrote marks.csv: 1_text of 2 students\nwrote back.zip\n")


def test_canvas_and_back(says, from_canvas):
    """The gradebook is filled, and feedback is called as the download was."""
    Path("gradebook.csv").write_text(GRADEBOOK, encoding="utf-8")
    words = ("--template", "gradebook.csv", "--feedback", "back.zip")
    status, out, err = says("canvas", from_canvas, "-o", "marks.csv", *words)
    assert (status, err) == (0, "")
    assert [row[4] for row in rows("marks.csv")] == ["Texts (77)", "15", "15.00", "15.00", "10.00"]
    with zipfile.ZipFile("back.zip") as archive:
        assert archive.namelist() == [
            "lovelaceada_4711_990_feedback.html",
            "smithjr_LATE_4714_991_feedback.html",
        ]
    assert "no feedback: Zoë Zero\n" in out


@pytest.mark.parametrize("platform", ["canvas", "moodle", "gradescope"])
def test_a_roster_is_enough(says, from_moodle, platform):
    """Everybody on it, once, and no zero for who has no mark."""
    Path("roster.csv").write_text(ROSTER, encoding="utf-8")
    status, _, err = says(platform, from_moodle, "-o", "marks.csv", "--roster", "roster.csv")
    assert (status, err) == (0, "")
    header, *others = rows("marks.csv")
    column = header.index("1_text")
    assert [row[column] for row in others][-3:] == (
        ["15.00", "-", "-"] if platform == "moodle" else ["15.00", "", ""]
    )


def test_work_of_a_stranger_ends_with_one(says, from_moodle):
    """The file is written, and somebody has to look."""
    Path("roster.csv").write_text(ROSTER.replace("Ada Lovelace", "Ada Byron"), encoding="utf-8")
    status, out, _ = says("gradescope", from_moodle, "-o", "marks.csv", "--roster", "roster.csv")
    assert status == 1
    assert "not in the roster: Ada Lovelace\n" in out
    assert len(rows("marks.csv")) == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gradescope", "--feedback", "x.zip"), "Gradescope has no feedback files"),
        (("gradescope", "--template", "x.csv"), "Gradescope has no file to fill in"),
        (("canvas",), "Canvas needs its own ids"),
        (("canvas", "--roster", "roster.csv", "--feedback", "x.zip"), "Download Submissions"),
        (("canvas", "--roster", "marks.csv"), "this file is to be read and written"),
        (("moodle", "--template", "x.zip", "--feedback", "x.zip"), "this file is to be read and written"),
        (("moodle", "--roster", "no.csv"), "no.csv: the file cannot be read"),
        (("moodle", "--template", "roster.csv"), "roster.csv:1: this is no grading worksheet"),
        (("moodle", "--assignment", "1_texts"), 'there is no assignment "1_texts"'),
        (("moodle", "--assignment", "2_numbers"), "nobody handed in anything of 2_numbers"),
        (("moodle", "--feedback", "no/x.zip"), "no/x.zip: cannot be written"),
    ],
)
def test_what_cannot_be_is_one_clear_line(says, from_moodle, words, said):
    """Exit status 2, and no zip that nobody could use."""
    Path("roster.csv").write_text(ROSTER, encoding="utf-8")
    platform, *options = words
    status, out, err = says(platform, from_moodle, "-o", "marks.csv", *options)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("softmarks: ")
    assert said in err
    assert not Path("x.zip").exists()


def test_a_folder_without_verdicts(says, tmp_path):
    """Is no results folder."""
    status, _, err = says("moodle", tmp_path, "-o", "marks.csv")
    assert (status, "there are no verdicts here" in err) == (2, True)


def test_results_of_another_time(says, from_moodle, tmp_path):
    """Marks that were given for other points are not exported."""
    shutil.copytree(from_moodle, tmp_path / "old")
    path = tmp_path / "old" / "verdicts" / "Ada Lovelace.json"
    record = json.loads(path.read_text())
    record["exercises"][0]["max_points"] = 6.0
    path.write_text(json.dumps(record))
    status, _, err = says("moodle", "old", "-o", "marks.csv")
    assert (status, "worth 5 points in the course, and 6" in err) == (2, True)
