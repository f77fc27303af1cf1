"""A file is written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat

import pytest

from softmarks.errors import UsageError
from softmarks.reporting.files import safe_stem, write_atomically


def test_it_writes_exactly_the_text(tmp_path):
    """Line ends are not translated, and nothing else is left in the folder."""
    path = tmp_path / "grades.csv"
    write_atomically(path, "a\r\nβ\n")
    assert path.read_bytes() == "a\r\nβ\n".encode()
    assert [each.name for each in tmp_path.iterdir()] == ["grades.csv"]


def test_it_replaces_and_keeps_ordinary_permissions(tmp_path):
    """A report may be read by those whom the umask allows, like any other file."""
    path, other = tmp_path / "page.html", tmp_path / "other"
    write_atomically(path, "old")
    write_atomically(path, "new")
    other.write_text("")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(other.stat().st_mode)


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_is_one_clear_line_and_keeps_the_old_file(tmp_path, monkeypatch, call):
    """When the disk is full the old text stays, no half-written file remains, and the reason is said."""
    path = tmp_path / "grades.csv"
    path.write_text("old")

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, full)
    with pytest.raises(UsageError) as caught:
        write_atomically(path, "new")
    assert "no space left on device" in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["grades.csv"]


@pytest.mark.parametrize(
    ("folder", "reason"), [("nowhere", "no such file or directory"), ("a_file", "not a directory")]
)
def test_a_wrong_folder_is_a_usage_error(tmp_path, folder, reason):
    """A folder that does not exist, or is none, is told in one line."""
    (tmp_path / "a_file").write_text("")
    with pytest.raises(UsageError, match=reason):
        write_atomically(tmp_path / folder / "grades.csv", "x")


def test_an_interrupted_write_leaves_nothing_behind(tmp_path, monkeypatch):
    """Ctrl-C in the middle removes the temporary file."""

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "grades.csv", "x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("student", ["ada", "Doe, Jane", "Müller", "李小龙", "o'neill", "a.b"])
def test_an_ordinary_name_is_its_own_file_name(student):
    """A file is found by looking for the student's name."""
    assert safe_stem(student) == student


@pytest.mark.parametrize(
    "student",
    ["../../etc/x", "a/b", "a\\b", "..", "", ".hidden", "CON", "nul.txt", "é" * 300, "a\nb", "x\ud800"],
)
def test_a_name_that_is_no_file_name_gets_a_safe_one(tmp_path, student):
    """No student's page leaves the folder, is hidden, or cannot be written."""
    name = safe_stem(student)
    write_atomically(tmp_path / name, "page")
    assert (tmp_path / name).resolve().parent == tmp_path.resolve()
    assert not name.startswith((".", "CON", "nul"))


def test_two_names_do_not_meet_in_one_file():
    """Replacing characters never sends one student's page to another."""
    assert len({safe_stem(name) for name in ("a/b", "a\\b", "a_b", "a:b", "é" * 300, "é" * 301)}) == 6
