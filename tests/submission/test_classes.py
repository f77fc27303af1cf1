"""What a class handed in, as folders, zips, and what learning platforms make of it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from softmarks.errors import GraderError, UsageError
from softmarks.submission.archives import Budget
from softmarks.submission.collecting import Submission, read_class
from softmarks.submission.shelf import Shelf

from .made import CLASS, COURSE, MASK, code, encrypted, notebook, zipped
from .test_submissions import hand_in


def names(found: list[Submission]) -> dict[str, list[str]]:
    return {submission.student: list(submission.sources) for submission in found}


# a notebook with a name of its own in the only folder of a zip is one student's
NO_CLASS = ("zips and notebooks", "class/")
CLASSES: dict[str, tuple[dict[str, str | bytes], dict[str, list[str]]]] = {
    "folders": (
        {
            "jane/4_causal/causal_mask.py": MASK,
            "Joe Dow/causal_mask.ipynb": notebook(code(MASK)),
            "README.md": "x",
            ".hidden/causal_mask.py": MASK,
            "grades.csv": "x",
            "notes.txt": "x",
        },
        {"jane": ["causal_mask"], "Joe Dow": ["causal_mask"]},
    ),
    "zips and notebooks": (
        {
            "jane.zip": zipped({"causal_mask.py": MASK}),
            "joe.ipynb": notebook(code(MASK)),
            "jim/causal_mask.py": MASK,
        },
        {"jane": ["causal_mask"], "jim": ["causal_mask"], "joe": ["causal_mask"]},
    ),
    "flat files of an LMS": (
        {
            "doe_jane_12345_causal_mask.py": MASK,
            "doe_jane_12345_causal_attention-1 (1).py": CLASS,
            "roe_jim_23456_causal_mask.py": MASK,
            "roe_jim_23456_helper.py": "x = 1",
        },
        {"doe_jane": ["causal_mask", "causal_attention"], "roe_jim": ["causal_mask"]},
    ),
    "flat files of Canvas": (
        {
            "doejane_12345_111_causal_mask.py": MASK,
            "doejane_LATE_12345_222_causal_attention.py": CLASS,
            "roejim_345_333_essay.pdf": "x",
            "poeann_777_444_work.rar": "x",
            "xoe_888_555_work.zip": zipped({"alibi.py": "a"}),
        },
        {"doejane": ["causal_mask", "causal_attention"], "poeann": [], "roejim": [], "xoe": ["alibi"]},
    ),
    "folders of Moodle": (
        {
            "Jane Doe_123456_assignsubmission_file_/causal_mask.py": MASK,
            "Jane Doe_123456_assignsubmission_onlinetext_/onlinetext.html": "x",
            "Jim Roe_123457_assignsubmission_file_/all.zip": zipped(
                {"w/causal_mask.py": MASK, "w/alibi.py": "a"}
            ),
        },
        {"Jane Doe": ["causal_mask"], "Jim Roe": ["causal_mask", "alibi"]},
    ),
    "prefixes": (
        {"jane_causal_mask.py": MASK, "jane_causal_attention.py": CLASS, "joe_causal_mask.py": MASK},
        {"jane": ["causal_mask", "causal_attention"], "joe": ["causal_mask"]},
    ),
    "the name last": (
        {"causal_mask_jane.py": MASK, "causal_mask_joe.py": MASK},
        {"jane": ["causal_mask"], "joe": ["causal_mask"]},
    ),
}


@pytest.mark.parametrize(
    ("kind", "wrapper"),
    [(kind, wrapper) for kind in CLASSES for wrapper in (None, "", "class/") if (kind, wrapper) != NO_CLASS],
)
def test_a_class_is_found(tmp_path: Path, kind: str, wrapper: str | None) -> None:
    """As a folder, as a zip of it, and as a zip with one folder around: the same students, the same files."""
    files, expected = CLASSES[kind]
    if wrapper is None:
        path = hand_in(tmp_path / "class", files)
    else:
        path = tmp_path / "class.zip"
        path.write_bytes(zipped({wrapper + name: data for name, data in files.items()}))
    assert names(read_class([path], COURSE)) == dict(
        sorted(expected.items(), key=lambda pair: pair[0].casefold())
    )


def test_a_zip_for_which_there_is_no_descriptor_is_nobodys_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine is to blame: the run stops, and nobody's work becomes ungradable."""
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.zip").write_bytes(zipped({"causal_mask.py": MASK}))

    def full(*_words: object, **_named: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(GraderError, match="too many open files"):
        read_class([tmp_path / "ann.zip", tmp_path / "bob.zip"], COURSE)


def test_one_student_in_two_downloads_is_one(tmp_path: Path) -> None:
    """An assignment each, as a platform gives them out, with numbers that differ; two versions stay two."""
    first = {
        "Jane Doe_111_assignsubmission_file_/causal_mask.py": MASK,
        "Wei_1_assignsubmission_file_/alibi.py": "a",
    }
    second = {
        "Jane Doe_222_assignsubmission_file_/causal_attention.py": CLASS,
        "Wei_2_assignsubmission_file_/alibi.py": "b",
    }
    (tmp_path / "1.zip").write_bytes(zipped(first))
    (tmp_path / "2.zip").write_bytes(zipped(second))
    for put_away in (lambda one: one, Shelf().put):
        jane, *weis = read_class([tmp_path / "1.zip", tmp_path / "2.zip"], COURSE, put_away)
        assert (jane.student, sorted(jane.sources)) == ("Jane Doe", ["causal_attention", "causal_mask"])
        assert jane.repairs[-1] == "put together from 1.zip, 2.zip"
        assert jane.sources["causal_mask"].text == MASK
        assert len(weis) == 2


def test_numbers_of_canvas_tell_two_students_apart(tmp_path: Path) -> None:
    """They are a person's, not an assignment's."""
    for number, name in ((1, "causal_mask"), (2, "alibi")):
        files = {
            f"leekim_100{number}_500{number}_{name}.py": MASK,
            f"doejane_2001_600{number}_{name}.py": MASK,
        }
        (tmp_path / f"{number}.zip").write_bytes(zipped(files))
    found = {one.student: sorted(one.sources) for one in read_class([*tmp_path.glob("*.zip")], COURSE)}
    assert found == {
        "doejane": ["alibi", "causal_mask"],
        "leekim 1001": ["causal_mask"],
        "leekim 1002": ["alibi"],
    }


def test_zips_of_single_students_stay_apart(tmp_path: Path) -> None:
    """Each has a folder of one name in it, which is nobody's."""
    (tmp_path / "ada.zip").write_bytes(zipped({"homework/causal_mask.py": MASK}))
    (tmp_path / "bob.zip").write_bytes(zipped({"homework/alibi.py": MASK}))
    assert len(read_class([tmp_path / "ada.zip", tmp_path / "bob.zip"], COURSE)) == 2


def test_two_of_one_name_in_one_download_stay_two(tmp_path: Path) -> None:
    """Whoever of them is in the other one, nobody can say."""
    (tmp_path / "1.zip").write_bytes(
        zipped({f"Wei_{n}_assignsubmission_file_/causal_mask.py": MASK for n in (1, 2)})
    )
    (tmp_path / "2.zip").write_bytes(zipped({"Wei_3_assignsubmission_file_/alibi.py": "b"}))
    assert len(read_class([tmp_path / "1.zip", tmp_path / "2.zip"], COURSE)) == 3


def test_a_zip_that_nobody_may_read_is_one_students(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are read; it is told why."""
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.zip").write_bytes(zipped({"causal_mask.py": MASK}))

    def refusing(original: Callable[..., Any]) -> Callable[..., Any]:
        def opened(path: Any, *words: Any, **named: Any) -> Any:
            if str(path).endswith("bob.zip"):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return original(path, *words, **named)

        return opened

    monkeypatch.setattr(Path, "open", refusing(Path.open))
    monkeypatch.setattr(os, "open", refusing(os.open))
    ann, bob = read_class([tmp_path / "ann.zip", tmp_path / "bob.zip"], COURSE)
    assert list(ann.sources) == ["causal_mask"]
    assert "permission denied" in bob.unreadable


def test_an_archive_that_cannot_be_opened_is_one_students(tmp_path: Path) -> None:
    """The others are read, and that student is ungradable, not missing."""
    good = zipped({"causal_mask.py": MASK})
    root = hand_in(
        tmp_path, {"ann.zip": encrypted(good), "bob.zip": good[:40], "cid.zip": good, "dan.7z": b"x"}
    )
    for paths in ([root], sorted(root.iterdir())[:3]):
        found = {submission.student: submission for submission in read_class(paths, COURSE)}
        assert "password" in found["ann"].unreadable
        assert "broken" in found["bob"].unreadable
        assert list(found["cid"].sources) == ["causal_mask"]
    assert "7z" in {s.student: s for s in read_class([root], COURSE)}["dan"].unreadable


def test_one_students_folder_is_one_student(tmp_path: Path) -> None:
    """Exercises at the top, without a student's name, are one submission, named after the folder."""
    files: dict[str, str | bytes] = {
        "4_causal/causal_mask.py": MASK,
        "alibi.py": "a",
        "lib/helper.py": "x = 1",
    }
    root = hand_in(tmp_path / "jane", files)
    (tmp_path / "joe.zip").write_bytes(zipped(files))
    jane, joe = read_class([root, tmp_path / "joe.zip"], COURSE)
    assert (jane.student, joe.student) == ("jane", "joe")
    assert list(jane.sources) == list(joe.sources) == ["causal_mask", "alibi"]
    assert jane.unplaced == joe.unplaced == ("lib/helper.py",)


def test_a_loose_exercise_does_not_swallow_a_class(tmp_path: Path) -> None:
    """A stub left in the class folder is a submission of its own beside the students'."""
    root = hand_in(
        tmp_path / "class", {"causal_mask.py": MASK, "jane/causal_mask.py": MASK, "joe/alibi.py": "a"}
    )
    assert names(read_class([root], COURSE)) == {
        "class": ["causal_mask"],
        "jane": ["causal_mask"],
        "joe": ["alibi"],
    }


def test_two_attempts_of_one_student(tmp_path: Path) -> None:
    """The later is taken, and it is said."""
    root = hand_in(
        tmp_path, {"doe_jane_12345_causal_mask.py": "old = 1", "doe_jane_12345_causal_mask-1.py": MASK}
    )
    (jane,) = read_class([root], COURSE)
    assert jane.sources["causal_mask"].text == MASK
    assert "2 files for causal_mask" in jane.sources["causal_mask"].repairs[1]


def test_students_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    """By the platform's number, or counted; each is told."""
    root = hand_in(
        tmp_path / "a",
        {
            "doe_11111_causal_mask.py": MASK,
            "doe_22222_causal_mask.py": MASK,
            "Jane/alibi.py": "a",
            "jane.zip": zipped({"causal_mask.py": MASK}),
        },
    )
    found = read_class([root], COURSE)
    assert names(found) == {
        "doe 11111": ["causal_mask"],
        "doe 22222": ["causal_mask"],
        "Jane": ["alibi"],
        "jane (2)": ["causal_mask"],
    }
    assert found[0].repairs == ("2 entries are called 'doe'; this one is 'doe 11111'",)


def test_a_folder_and_a_zip_of_one_name_are_two_entries(tmp_path: Path) -> None:
    """Without a platform's number nobody knows whether they are one student's."""
    root = hand_in(tmp_path, {"ann/alibi.py": "a", "ann.zip": zipped({"causal_mask.py": MASK})})
    assert names(read_class([root], COURSE)) == {"ann": ["alibi"], "ann (2)": ["causal_mask"]}


@pytest.mark.parametrize("folder", ["jane", "jane_123456_assignsubmission_file_"])
def test_the_only_folder_of_a_zip_may_be_a_student(tmp_path: Path, folder: str) -> None:
    """A class of one is a class."""
    for name, data in {"homework.ipynb": notebook(code(MASK)), "causal_mask.py": MASK.encode()}.items():
        (tmp_path / "class.zip").write_bytes(zipped({f"{folder}/{name}": data}))
        assert names(read_class([tmp_path / "class.zip"], COURSE)) == {"jane": ["causal_mask"]}


def test_a_students_zip_has_a_students_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip that turns out to hold exercises is not read as an instructor's own."""
    monkeypatch.setattr("softmarks.submission.collecting.Budget", lambda left=1000: Budget(left))
    (tmp_path / "joe.zip").write_bytes(zipped({"causal_mask.py": "#" * 2000}))
    (joe,) = read_class([tmp_path / "joe.zip"], COURSE)
    assert "expands to more" in joe.sources["causal_mask"].unreadable


def test_a_link_among_the_students_is_not_followed(tmp_path: Path) -> None:
    """It stays visible as a student without readable work."""
    hand_in(tmp_path / "elsewhere", {"causal_mask.py": MASK})
    root = hand_in(tmp_path / "class", {"jane/causal_mask.py": MASK})
    (root / "joe").symlink_to(tmp_path / "elsewhere")
    jane, joe = read_class([root], COURSE)
    assert jane.sources
    assert joe.unreadable == "'joe' is a link, which is not followed"


def test_an_empty_student_is_kept(tmp_path: Path) -> None:
    """Nothing handed in is missing work, not an unknown student."""
    root = hand_in(tmp_path, {"jane/causal_mask.py": MASK})
    (root / "joe").mkdir()
    joe = read_class([root], COURSE)[1]
    assert (joe.student, joe.sources, joe.unreadable) == ("joe", {}, "")
    assert joe.repairs == ("no file of an exercise was found",)


def test_several_files_of_one_folder(tmp_path: Path) -> None:
    """Files named one by one are put together as if the folder had been named."""
    root = hand_in(tmp_path, CLASSES["flat files of an LMS"][0])
    assert names(read_class(sorted(root.iterdir()), COURSE)) == names(read_class([root], COURSE))


def test_strange_names_are_printable(tmp_path: Path) -> None:
    """Direction marks, escapes and half characters do not reach a report."""
    root = hand_in(
        tmp_path, {"ev\u202eil\x1b[0m/causal_mask.py": MASK, os_name(b"b\xe4r"): notebook(code(MASK))}
    )
    found = read_class([root], COURSE)
    assert all(submission.student.isprintable() for submission in found)
    assert len(found) == 2


def os_name(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape") + ".ipynb"


def test_the_instructor_is_told_what_to_do_about_a_class(tmp_path: Path) -> None:
    """Missing, empty, no zip, nobody in it: one line with a fix."""
    (tmp_path / "empty").mkdir()
    hand_in(
        tmp_path,
        {
            "papers/README.md": "x",
            "broken.zip": "x",
            "locked.zip": encrypted(zipped({"a/b.py": ""})),
            "nobody.zip": zipped({"README.md": "x"}),
            "a.pdf": "x",
        },
    )
    for name, what in [
        ("none", "no such file"),
        ("empty", "is empty"),
        ("papers", "no student's work"),
        ("broken.zip", "not a zip"),
        ("locked.zip", "password"),
        ("nobody.zip", "no student's work"),
        ("a.pdf", "no .py or .ipynb"),
    ]:
        with pytest.raises(UsageError, match=what) as error:
            read_class([tmp_path / name], COURSE)
        assert error.value.fix
        assert "\n" not in str(error.value)
