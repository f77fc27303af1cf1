"""`softmarks release`: what students get, and that nothing leaks."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from softmarks.course.course import load_course
from softmarks.course.secrets import secret_lines
from tests.conftest import TOY


@pytest.fixture
def root(tmp_path):
    """A course to change."""
    return Path(shutil.copytree(TOY, tmp_path / "course"))


def softmarks(root: Path, *words: object) -> tuple[int, str]:
    """Run the command: its status, and all that it said."""
    command = [str(Path(sys.executable).with_name("softmarks")), *map(str, words), "--course", str(root)]
    done = subprocess.run(command, cwd=root.parent, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def test_the_student_edition_of_an_assignment(root):
    """A folder or the same files in a ZIP; it says that nothing leaks, and a second search agrees."""
    status, said = softmarks(
        root, "release", "student", "--assignment", "1_text", "-o", root.parent / "edition"
    )
    assert status == 0, said
    assert re.search(r"wrote \d+ files into .*: no solution and no hidden check is in them", said)
    assert (
        softmarks(root, "release", "student", "--assignment", "1_text", "-o", root.parent / "e.zip")[0] == 0
    )
    folder = root.parent / "edition"
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    with zipfile.ZipFile(root.parent / "e.zip") as archive:
        assert set(archive.namelist()) == files
    assert not [name for name in files if "running_mean" in name]
    assert (
        softmarks(root, "release", "check", folder)[0],
        softmarks(root, "release", "check", "e.zip")[0],
    ) == (0, 0)
    listed = softmarks(folder)[1]
    assert "caesar" in listed
    assert "running_mean" not in listed


@pytest.mark.parametrize("kind", ["solution", "hidden suite", "alternative", "misconception"])
@pytest.mark.parametrize("file", ["hints.md", "test_public.py"])
def test_a_leak_stops_the_release(root, kind, file):
    """A secret line that an author put into a file that ships: nothing is written, and the file is named."""
    secrets = secret_lines(load_course(root), root)
    line = next(line for line, what in secrets.items() if what.startswith(kind) and what.endswith("caesar"))
    shipped = root / "graders" / "1_text" / "caesar" / file
    shipped.write_text(f"{shipped.read_text()}\n# {line}\n")
    status, said = softmarks(root, "release", "student", "-o", root.parent / "edition")
    if kind == "hidden suite":  # what an author shows is no secret any more
        assert status == 0
        return
    assert status == 2
    assert f"graders/1_text/caesar/{file}: a line of the {kind}" in said
    assert "nothing was written" in said
    assert not (root.parent / "edition").exists()


def test_what_was_added_later_is_found(root):
    """`release check` on a folder that is no longer as it was written; it exits 1 and names what leaks."""
    folder = root.parent / "edition"
    folder.mkdir()
    shutil.copy(root / "graders/1_text/caesar/test_hidden.py", folder / "more_tests.py")
    status, said = softmarks(root, "release", "check", folder)
    assert status == 1
    assert "more_tests.py: a line of the hidden suite of caesar" in said


def test_solutions_wait_for_the_deadline(root):
    """While students work nothing is given out by mistake; afterwards, or when one insists, it is."""
    course = root / "course.yml"
    text = course.read_text()
    course.write_text(
        re.sub(r"(name: 1_text\n.*?due: ).*?\n", r"\g<1>2999-01-01 12:00+00:00\n", text, flags=re.S)
    )
    words = ("release", "solutions", "--assignment", "1_text", "-o", root.parent / "solved")
    status, said = softmarks(root, *words)
    assert status == 2
    assert "students still work on 1_text until 01 January 2999, 12:00" in said
    assert softmarks(root, *words, "--early")[0] == 0
    assert (root.parent / "solved/solutions/1_text/caesar.py").is_file()
    assert (
        softmarks(root, "release", "solutions", "--assignment", "2_numbers", "-o", root.parent / "s.zip")[0]
        == 0
    )


@pytest.mark.parametrize("what", ["student", "solutions"])
def test_nothing_is_written_over(root, what):
    """A folder with something in it, or a ZIP that is there, is left as it is."""
    (root.parent / "mine").mkdir()
    (root.parent / "mine/work.py").write_text("x")
    (root.parent / "mine.zip").write_bytes(b"x")
    for target in ("mine", "mine.zip"):
        words = ("release", what, "--assignment", "2_numbers", "-o", root.parent / target)
        status, said = softmarks(root, *words)
        assert status == 2
        assert "there is something already" in said
    assert (root.parent / "mine.zip").read_bytes() == b"x"


def test_an_unknown_assignment(root):
    """A name that is near is told."""
    status, said = softmarks(root, "release", "student", "--assignment", "1_tekst", "-o", root.parent / "e")
    assert status == 2
    assert "1_text" in said
