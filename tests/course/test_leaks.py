"""Nothing secret is given out: lines of answers and hidden suites are found in whatever form they have."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import py_compile
import shutil
import subprocess
import zipfile
import zlib
from base64 import b64encode
from pathlib import Path

import pytest

from softmarks.course import leaks
from softmarks.course.course import load_course
from softmarks.course.leaks import Leak, find_leaks, leaks_of
from softmarks.course.rooms import rooms
from softmarks.course.secrets import secret_lines
from softmarks.errors import CourseError
from tests.conftest import ROOT, TOY


@pytest.fixture(scope="module")
def secrets():
    return secret_lines(load_course(TOY), TOY)


KINDS = ("solution of", "hidden suite of", "alternative ", "misconception ")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_secret_is_known(secrets, kind):
    """Lines of solutions, hidden suites, alternatives and misconceptions, each with where it is from."""
    assert [line for line, what in secrets.items() if what.startswith(kind)]


def test_a_definition_of_a_mistake_is_a_secret(tmp_path):
    """That a misconception puts in the place of the solution's."""
    root = Path(shutil.copytree(TOY, tmp_path / "toy"))
    line = "return {word: len(word) for word in text.split()}"
    whole = f'("count_words", "def count_words(text):\\n    {line}")'
    more = f'Misconception("lengths", replaces={whole}, says="a", hint="line", keeps=(0, 1))'
    with (root / "graders/1_text/count_words/misconceptions.py").open("a") as file:
        file.write(f"MISCONCEPTIONS.append({more})\n")
    assert secret_lines(load_course(root), root)[line] == "misconception lengths of count_words"


@pytest.mark.parametrize("file", ["1_text/caesar/test_hidden.py", "oracle.py"])
def test_a_file_that_is_no_python_is_named(tmp_path, file):
    """Nobody can say which of its lines are secret."""
    root = Path(shutil.copytree(TOY, tmp_path / "toy"))
    (root / "graders" / file).write_text("def broken(:\n")
    with pytest.raises(CourseError, match=rf"{file}:1: the file is no Python"):
        secret_lines(load_course(root), root)


def test_every_room_has_secrets():
    """No solution and no hidden suite of the course is without a line that would be missed."""
    course = load_course(ROOT)
    known = set(secret_lines(course, ROOT).values())
    for place in rooms(course, ROOT):
        if not place.is_sheet:
            assert f"hidden suite of {place.exercise.name}" in known
            assert [one for one in known if one.endswith(f"of {place.exercise.name}") and "hidden" not in one]
        else:
            assert f"answer of {place.exercise.name}" in known
    assert "oracle" in known


def test_answers_to_questions_are_found():
    """In the file of a sheet, which an author may have copied; the questions alone are no leak."""
    course = load_course(ROOT)
    known = secret_lines(course, ROOT)
    sheets = [place for place in rooms(course, ROOT) if place.is_sheet]
    for place in sheets:
        told = find_leaks(place.sheet, known)
        assert len(told) > 10
        assert {leak.what.partition(": ")[0] for leak in told} == {
            f"a line of the answer of {place.exercise.name}"
        }
        assert find_leaks(place.stub, known) == []
    assert len(sheets) == 6


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_what_is_too_large_to_be_read_is_a_finding(pack, monkeypatch):
    """Whatever is behind its end."""
    monkeypatch.setattr(leaks, "LARGEST", 1000)
    assert leaks_of({"a.bin": pack(b"x" * 1000)}, {}) == []
    (leak,) = leaks_of({"a.bin": pack(b"x" * 1001)}, {})
    assert "nobody can see here" in leak.what


@pytest.mark.parametrize("module", [lzma, bz2])
def test_an_archive_that_is_not_opened_is_a_finding(module):
    """Whatever is in it."""
    (leak,) = leaks_of({"a.bin": module.compress(b"hello")}, {})
    assert "not opened here" in leak.what


def forms(line: str) -> dict[str, tuple[str, bytes]]:
    """A line in the forms in which it may lie somewhere: a file's name and bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("deep/inside.py", f"def f():\n    {line}\n")
    again = io.BytesIO()
    with zipfile.ZipFile(again, "w") as archive:
        archive.writestr("inner.zip", packed.getvalue())
    coded = b64encode(f"x = 1\n{line}\n".encode()).decode()
    output = {"output_type": "stream", "name": "stdout", "text": ["before\n", f"{line}\n"]}
    cells = {
        "output": {"cell_type": "code", "source": "", "outputs": [output], "metadata": {}},
        "metadata": {"cell_type": "code", "source": "", "outputs": [], "metadata": {"was": {line: 1}}},
        "attachment": {
            "cell_type": "markdown",
            "source": "",
            "attachments": {"a.txt": {"text/plain": coded}},
        },
    }
    notebooks = {
        f"notebook's {what}": ("a.ipynb", json.dumps({"cells": [cell], "metadata": {}}).encode())
        for what, cell in cells.items()
    }
    return notebooks | {
        "program": ("a.py", f"# {line}\n".encode()),
        "indented": ("a.md", line.replace(" ", "\n\t  ").encode()),
        "windows": ("a.txt", f"a\r\n{line}\r\n".encode("utf-16")),
        "page": ("a.html", f"<p>&#{ord(line[0])};{line[1:].replace('<', '&lt;')}</p>".encode()),
        "zip": ("a.zip", packed.getvalue()),
        "zip in a zip": ("a.whl", again.getvalue()),
        "gzip": ("a.gz", gzip.compress(line.encode())),
        "zlib": ("objects/ab", zlib.compress(f"blob 9\0{line}".encode())),
        "base64": ("a.txt", "\n".join(coded[at : at + 76] for at in range(0, len(coded), 76)).encode()),
        "json in json": ("a.json", json.dumps({"a": json.dumps([f"{line}\n"])}).encode()),
    }


@pytest.mark.parametrize("form", forms("x"))
@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_is_found_in_every_form(secrets, kind, form):
    """The file is named, and whose line it is; the same file without it is clean."""
    line = next(line for line, what in secrets.items() if what.startswith(kind))
    name, data = forms(line)[form]
    assert leaks_of({name: data}, secrets) == [Leak(name, f"a line of the {secrets[line]}: {line}")]
    assert leaks_of(dict([forms("a line that anybody could have written")[form]]), secrets) == []


def test_what_nobody_can_read_is_a_finding(secrets, tmp_path):
    """Compiled files, links, broken and locked archives, and what is packed too often."""
    (tmp_path / "a.py").write_text("x = 1\n")
    py_compile.compile(str(tmp_path / "a.py"), cfile=str(tmp_path / "a.pyc"))
    (tmp_path / "link.py").symlink_to(tmp_path / "a.py")
    (tmp_path / "broken.zip").write_bytes(b"PK\3\4 broken")
    nested = b"x"
    for _ in range(7):
        nested = gzip.compress(nested)
    (tmp_path / "nested.gz").write_bytes(nested)
    found = {leak.where: leak.what for leak in find_leaks(tmp_path, secrets)}
    assert set(found) == {"a.pyc", "link.py", "broken.zip", "nested.gz"}
    assert found["a.pyc"].startswith("a compiled file")


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("packed", [False, True])
def test_what_git_remembers_is_read(secrets, tmp_path, packed):
    """A line that was taken out again is still in the history, loose or packed."""
    line = next(iter(secrets))
    nobody = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

    def git(*words: str) -> None:
        environment = {**os.environ, **nobody}
        subprocess.run(["git", *words], cwd=tmp_path, env=environment, check=True, capture_output=True)

    git("init")
    (tmp_path / "a.py").write_text(f"{line}\n")
    git("add", "-A")
    git("commit", "-m", "first")
    (tmp_path / "a.py").write_text("x = 1\n")
    git("commit", "-am", "second")
    if packed:
        git("gc", "--aggressive")
    found = {leak.where for leak in find_leaks(tmp_path, secrets)}
    assert ".git (an earlier version)" in found
    assert not [where for where in found if where == "a.py"]


def test_a_file_alone_is_searched(secrets, tmp_path: Path):
    """A ZIP that is to be given out, named by itself."""
    line = next(iter(secrets))
    (tmp_path / "edition.zip").write_bytes(forms(line)["zip"][1])
    assert [leak.where for leak in find_leaks(tmp_path / "edition.zip", secrets)] == ["edition.zip"]
