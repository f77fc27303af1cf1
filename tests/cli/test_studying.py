"""A learner's evening: begin, read, hints, watch, hand in. On the toy course, as a person would."""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from softmarks.cli.main import main
from softmarks.cli.watching import Sitting
from softmarks.course.course import load_course
from softmarks.course.rooms import room
from softmarks.submission.collecting import read_submission
from tests.conftest import TOY

SOFTMARKS = Path(sys.executable).with_name("softmarks")


@pytest.fixture
def softmarks(monkeypatch, capsys):
    """Run a command in a folder; its exit status and what it printed."""

    def run(folder, *words):
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["softmarks", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        said = capsys.readouterr()
        return end.value.code, said.out + said.err

    return run


@pytest.fixture
def copy(tmp_path, softmarks):
    """A working copy of the toy course."""
    status, said = softmarks(tmp_path, "start", "mine", "--course", TOY)
    assert status == 0, said
    return tmp_path / "mine"


@pytest.fixture
def place():
    return lambda name: room(load_course(TOY), TOY, name)


def test_start_writes_a_working_copy_and_says_what_is_next(tmp_path, softmarks):
    """Stubs and given code, nothing else; how long it takes; where to go on."""
    status, said = softmarks(tmp_path, "start", "mine", "--course", TOY)
    assert status == 0
    files = sorted(str(path.relative_to(tmp_path / "mine")) for path in (tmp_path / "mine").rglob("*.*"))
    assert files == [
        ".softmarks.json",
        "1_text/building_blocks.py",
        "1_text/caesar.py",
        "1_text/count_words.py",
        "2_numbers/running_mean.py",
    ]
    assert "3 exercises, about 0.6 hours" in said
    assert "softmarks read count_words" in said


def test_start_takes_one_track(tmp_path, softmarks):
    """Only its exercises; a track that does not exist is refused with a near name."""
    assert softmarks(tmp_path, "start", "mine", "--track", "text", "--course", TOY)[0] == 0
    assert not (tmp_path / "mine" / "2_numbers").exists()
    status, said = softmarks(tmp_path, "start", "other", "--track", "texts", "--course", TOY)
    assert status == 2
    assert "text" in said


def test_start_leaves_what_is_there(copy, softmarks):
    """A second start in the same folder writes nothing."""
    (copy / "1_text" / "caesar.py").write_text("mine")
    status, said = softmarks(copy.parent, "start", "mine", "--course", TOY)
    assert status == 2
    assert "there is something already" in said
    assert (copy / "1_text" / "caesar.py").read_text() == "mine"


def test_a_working_copy_knows_its_course(copy, softmarks, place):
    """Commands work in it and in its folders without --course; a course that has gone is said."""
    (copy / "1_text" / "caesar.py").write_text(place("caesar").reference())
    status, said = softmarks(copy / "2_numbers", "check", "caesar")
    assert status == 0, said
    page = json.loads((copy / ".softmarks.json").read_text())
    (copy / ".softmarks.json").write_text(json.dumps(page | {"copy": {"course": "/gone", "track": None}}))
    status, said = softmarks(copy, "check", "caesar")
    assert status == 2
    assert "the course of this working copy is not there any more: /gone" in said


def test_where_you_are(copy, softmarks, place):
    """Done, begun, current, bonus, outcomes mastered, and what is next."""
    assert "> " in softmarks(copy)[1].split("count_words")[0].splitlines()[-1]
    for name in ("caesar", "count_words"):
        (copy / "1_text" / f"{name}.py").write_text(place(name).reference())
    softmarks(copy, "check", "caesar")
    status, said = softmarks(copy)
    assert status == 0
    assert re.search(r"✓ +caesar", said)
    assert "1 of 3 done" in said
    assert "Outcomes mastered: 0 of 1" in said
    assert "softmarks read count_words" in said
    softmarks(copy, "check", "count_words")
    said = softmarks(copy)[1]
    assert "Outcomes mastered: 1 of 1" in said
    assert "Walk over a text and keep count." in said
    assert re.search(r"> +running_mean .*\(bonus\)", said)
    assert len({line.rstrip().rindex(" min") for line in said.splitlines() if " min" in line}) == 1


def test_one_diary_wherever_one_stands(tmp_path, softmarks, place):
    """Without a working copy: what is solved in an assignment's folder is solved in the one around it too."""
    (tmp_path / "1_text").mkdir()
    (tmp_path / "1_text" / "caesar.py").write_text(place("caesar").reference())
    reading = ("read", "caesar", "--solution", "--course", TOY)
    assert softmarks(tmp_path, *reading)[0] == 2
    assert softmarks(tmp_path / "1_text", "check", "caesar", "--course", TOY)[0] == 0
    for folder in (tmp_path, tmp_path / "1_text"):
        status, said = softmarks(folder, *reading)
        assert status == 0, said
        assert "the reference" in said


def test_what_is_not_begun_is_listed_in_whole_words(copy, softmarks, monkeypatch):
    """However many exercises there are, no line is longer than the terminal, and no name is cut."""
    names = [f"exercise_{number}" for number in range(30)]
    verdicts = [SimpleNamespace(exercise=name, status="graded", untouched=True) for name in names]
    untouched = [SimpleNamespace(verdict=verdict) for verdict in verdicts]
    monkeypatch.setattr("softmarks.grading.own_work.check_own", lambda *_: untouched)
    status, said = softmarks(copy, "check")
    assert status == 1
    assert max(map(len, said.splitlines())) <= 80
    assert re.findall(r"\w+_\d+", said) == names


def test_read_shows_the_statement(copy, softmarks):
    """In words, without code."""
    status, said = softmarks(copy, "read", "caesar")
    assert status == 0
    assert "Every letter moves on by shift places" in " ".join(said.split())
    assert "def encode" not in said


def test_the_solution_is_read_once_it_is_found(copy, softmarks, place):
    """Not before; then the reference and alternatives, which an edition without solutions has not."""
    status, said = softmarks(copy, "read", "caesar", "--solution")
    assert (status, "Solve it first: softmarks hint caesar" in said) == (2, True)
    (copy / "1_text" / "caesar.py").write_text(place("caesar").reference())
    softmarks(copy, "check", "caesar")
    status, said = softmarks(copy, "read", "caesar", "--solution")
    assert status == 0
    assert "ALPHABET[(place(letter.lower()) + shift) % 26]" in said
    assert place("caesar").alternatives[0].stem.replace("_", " ") in said


def test_hints_come_one_by_one_and_are_free(copy, softmarks):
    """Nudge, formula, line; the last one stays; it is said that they cost nothing."""
    told = [softmarks(copy, "hint", "caesar")[1] for _ in range(4)]
    assert [re.search(r"Hint \d of 3", one)[0] for one in told] == [f"Hint {n} of 3" for n in (1, 2, 3, 3)]
    assert told[2] == told[3]
    assert all("Hints are free." in one for one in told)


def test_the_hint_for_the_mistake_comes_first(copy, softmarks, place):
    """After a check that named a mistake, its hint is the first that is given."""
    wrong = next(one for one in place("caesar").misconceptions() if one.hint == "line")
    (copy / "1_text" / "caesar.py").write_text(wrong.apply(place("caesar").reference()))
    assert "Decode moves on" in softmarks(copy, "check", "caesar")[1]
    said = softmarks(copy, "hint", "caesar")[1]
    words = place("caesar").hints()["line"].replace("`", "").split()
    assert " ".join(words[:5]) in " ".join(said.split())


def test_a_damaged_diary_loses_the_diary_alone(copy, softmarks):
    """The file of a learner's progress may be anything."""
    for text in ("", "[]", '{"states": 3, "hints": {"caesar": 1}}', "{", '{"copy": []}'):
        (copy / ".softmarks.json").write_text(text)
        assert softmarks(copy, "hint", "caesar", "--course", TOY)[0] == 0


def test_submit_packs_what_is_there_and_says_what_is_missing(copy, softmarks, place, toy):
    """A zip with a manifest, which our own grading reads; nothing of it is taken from git or the machine."""
    (copy / "1_text" / "count_words.py").unlink()
    (copy / "1_text" / "caesar.py").write_text(place("caesar").reference())
    status, said = softmarks(copy, "submit", "1_text", "--id", "ada17")
    assert status == 0, said
    assert re.search(r"✓ +caesar +all checks passed", said)
    assert re.search(r"! +count_words +no file", said)
    assert "confirmation is your proof" in said
    packed = copy / "ada17_1_text.zip"
    with zipfile.ZipFile(packed) as archive:
        assert archive.namelist() == ["manifest.json", "1_text/caesar.py"]
        manifest = json.loads(archive.read("manifest.json"))
    assert (manifest["student_id"], manifest["course"], manifest["course_version"]) == ("ada17", "toy", "1.0")
    handed_in = read_submission(packed, toy)
    assert (handed_in.student, list(handed_in.sources), handed_in.unplaced) == ("ada17", ["caesar"], ())


def test_submit_asks_who_you_are(copy, softmarks):
    """Without a terminal to ask in, it says how to tell."""
    status, said = softmarks(copy, "submit", "1_text")
    assert status == 2
    assert "Give it with --id" in said


def test_submit_writes_over_nothing(copy, softmarks):
    """A zip that is there already is left."""
    (copy / "me.zip").write_bytes(b"mine")
    status, said = softmarks(copy, "submit", "1_text", "--id", "ada17", "-o", "me.zip")
    assert (status, (copy / "me.zip").read_bytes()) == (2, b"mine")
    assert "there is a file already" in said


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda files: files.update({"1_text/caesar.py": b"x = 1"}), "1_text/caesar.py: changed since"),
        (lambda files: files.pop("1_text/caesar.py"), "1_text/caesar.py: missing"),
        (lambda files: files.update({"more.py": b""}), "more.py: not in the manifest"),
    ],
)
def test_inspect_sees_what_was_changed(copy, softmarks, change, told):
    """A zip as it was packed is whole; one that was changed is not, and it is said where."""
    softmarks(copy, "submit", "1_text", "--id", "ada17")
    status, said = softmarks(copy, "submit", "--inspect", "ada17_1_text.zip")
    assert status == 0, said
    assert "2 files, as they were packed" in said
    with zipfile.ZipFile(copy / "ada17_1_text.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    with zipfile.ZipFile(copy / "changed.zip", "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    status, said = softmarks(copy, "submit", "--inspect", "changed.zip")
    assert status == 1
    assert told in said


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"not a zip"])
def test_inspect_of_what_is_no_zip(copy, softmarks, data):
    """One clear line."""
    (copy / "odd.zip").write_bytes(data)
    status, said = softmarks(copy, "submit", "--inspect", "odd.zip")
    assert status == 2
    assert "Traceback" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_watch_in_a_terminal(copy, place):
    """Save a mistake and be told its name; save it right and read why; hint, next, list, reset, quit."""
    pexpect = pytest.importorskip("pexpect")
    file = copy / "1_text" / "count_words.py"
    child = pexpect.spawn(
        str(SOFTMARKS), ["watch"], cwd=str(copy), encoding="utf-8", dimensions=(50, 100), timeout=60
    )

    def seen():
        child.expect("q quit")
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", child.before)

    assert "Words are separated by white space" in " ".join(seen().split())
    wrong = place("count_words").misconceptions()[0]
    file.write_text(wrong.apply(place("count_words").reference()))
    assert wrong.says.replace("`", "") in " ".join(seen().replace("│", "").replace("`", "").split())
    child.send("h")
    assert "Hint 1 of 3" in seen()
    file.write_text(place("count_words").reference())
    assert "Done. n goes on to the next exercise." in seen()
    child.send("n")
    assert "Every letter moves on" in seen()
    child.send("l")
    assert re.search(r"✓ +count_words", seen())
    child.send("p")
    seen()
    child.send("r")
    assert "is back; yours is kept in" in seen()
    assert len(list((copy / ".backups").rglob("count_words-1.py"))) == 1
    assert file.read_text() == place("count_words").stub.read_text()
    child.send("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_what_is_saved_during_a_check_is_checked_next(tmp_path):
    """Also during the first one: files are watched before it begins."""
    checks = []

    class Busy(Sitting):
        def tell(self, action):
            checks.append(action)
            if len(checks) == 1:
                (tmp_path / "caesar.py").write_text("saved meanwhile")

    keys = iter([""] * 50)
    work = SimpleNamespace(copy=SimpleNamespace(files=tmp_path), turn_to=lambda paths: any(paths))
    sitting = Busy(work, Console(), clears=False)
    sitting.watch(lambda: "q" if len(checks) == 2 else next(keys, "q"))
    assert checks == [sitting.check, sitting.check]


def test_watch_needs_a_working_copy(tmp_path, softmarks):
    """Elsewhere it says how to make one."""
    status, said = softmarks(tmp_path, "watch")
    assert status == 2
    assert "softmarks start" in said
