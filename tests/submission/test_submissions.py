"""What one student handed in."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from softmarks.errors import UsageError
from softmarks.submission.archives import Budget
from softmarks.submission.collecting import Submission, read_file, read_submission

from .made import CLASS, COURSE, MASK, code, encrypted, notebook, zipped


def hand_in(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        os.utime(path, (1_700_000_000, 1_700_000_000))
    return root


def collect(root: Path, files: dict[str, str | bytes]) -> Submission:
    """The same files as a folder and as a zip, which must be read alike."""
    folder = read_submission(hand_in(root / "jane", files), COURSE)
    (root / "jane.zip").write_bytes(zipped(files))
    archive = read_submission(root / "jane.zip", COURSE)
    assert (folder.sources, folder.repairs, folder.unplaced) == (
        archive.sources,
        archive.repairs,
        archive.unplaced,
    )
    assert folder.student == archive.student == "jane"
    return folder


def from_zip(root: Path, data: bytes) -> Submission:
    (root / "jane.zip").write_bytes(data)
    return read_submission(root / "jane.zip", COURSE)


def test_the_layout_of_the_course_is_read_without_a_word(tmp_path: Path) -> None:
    """Exact names need no repair; what the course ships and programs leave behind is passed over."""
    found = collect(
        tmp_path,
        {
            "4_causal/causal_mask.py": MASK,
            "4_causal/building_blocks.py": "",
            "4_causal/hints.md": "",
            "4_causal/__pycache__/causal_mask.cpython-311.pyc": b"\0",
            "4_causal/.ipynb_checkpoints/causal_mask-checkpoint.ipynb": "{",
            "4_causal/causal_mask.png": b"",
            "__MACOSX/4_causal/._causal_mask.py": b"\0\5",
            ".DS_Store": b"\0",
            ".git/causal_mask.py": "x",
            "alibi.ipynb": notebook(code("alibi_slopes = 1")),
        },
    )
    assert list(found.sources) == ["causal_mask", "alibi"]
    assert found.sources["causal_mask"].text == MASK
    assert found.sources["causal_mask"].filename == "4_causal/causal_mask.py"
    assert (found.repairs, found.unplaced, found.unreadable) == ((), (), "")
    assert all(source.repairs == () for source in found.sources.values())


@pytest.mark.parametrize(
    "name",
    [
        "doe_jane_12345_causal_mask-2 (1).py",
        "causal_mask (1).py",
        "causal-mask.PY",
        "Causal_Mask.py",
        "causal_mask_final.py",
        "causal_mask_LATE_99.py",
        "causal_mask.py.txt",
        "Mü\u0308ller causal mask.py",
        "שלום_causal_mask.py",
        "x" * 150 + "_causal_mask.py",
    ],
)
def test_mangled_names_are_recognised_and_said(tmp_path: Path, name: str) -> None:
    """A name that is not exactly the exercise's is told to the student."""
    source = collect(tmp_path, {name: MASK}).sources["causal_mask"]
    assert source.text == MASK
    (repair,) = source.repairs
    assert repair.startswith("took '")
    assert repair.endswith("' as causal_mask")
    assert len(repair) < 100


def test_three_hundred_characters_in_a_zip(tmp_path: Path) -> None:
    """A name that no file system holds is still a name."""
    name = "long " * 60 + "causal_mask.py"
    assert from_zip(tmp_path, zipped({name: MASK})).sources["causal_mask"].text == MASK


def test_an_assignment_notebook_is_given_to_each_exercise_it_mentions(tmp_path: Path) -> None:
    """Each exercise gets the whole program; one that it does not mention gets nothing."""
    found = collect(tmp_path, {"doe_4_causal.ipynb": notebook(code(MASK))})
    assert list(found.sources) == ["causal_mask"]
    assert found.sources["causal_mask"].repairs == ("took 'doe_4_causal.ipynb' as 4_causal",)
    both = collect(tmp_path / "b", {"4_causal.ipynb": notebook(code(MASK), code(CLASS))})
    assert both.sources["causal_mask"].text == both.sources["causal_attention"].text
    assert both.sources["causal_mask"].repairs == ()


def test_a_broken_assignment_notebook_makes_its_exercises_ungradable(tmp_path: Path) -> None:
    """What may be in it is not counted as missing."""
    found = collect(tmp_path, {"4_causal.ipynb": b'{"cells": ['})
    assert list(found.sources) == ["causal_mask", "causal_attention"]
    assert all("cut off" in source.unreadable for source in found.sources.values())


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("causal_mask.py", "causal_mask-1.py"),
        ("causal_mask-2.py", "causal_mask-10.py"),
        ("causal_mask.py", "causal_mask (1).py"),
        ("a/causal_mask.ipynb", "b/causal_mask.py"),
    ],
)
def test_of_two_files_the_later_is_taken(tmp_path: Path, earlier: str, later: str) -> None:
    """By attempt; of equals the Python file. Both are listed."""
    source = collect(tmp_path, {earlier: notebook(code("old = 1")), later: MASK}).sources["causal_mask"]
    assert source.text == MASK
    assert f"2 files for causal_mask: took '{later}', left '{earlier}'" in source.repairs


def test_the_recorded_time_decides_between_equal_names(tmp_path: Path) -> None:
    """The notebook saved after the Python file is the later work, in a zip and in a folder."""
    files: dict[str, str | bytes] = {"causal_mask.py": "old = 1", "causal_mask.ipynb": notebook(code(MASK))}
    when = {"causal_mask.ipynb": (2024, 5, 1, 12, 1, 0)}
    assert "old" not in from_zip(tmp_path, zipped(files, when=when)).sources["causal_mask"].text
    folder = hand_in(tmp_path / "jane", files)
    os.utime(folder / "causal_mask.ipynb", (1_700_000_060, 1_700_000_060))
    assert "old" not in read_submission(folder, COURSE).sources["causal_mask"].text
    os.utime(folder / "causal_mask.ipynb", (1_700_000_001, 1_700_000_001))
    assert read_submission(folder, COURSE).sources["causal_mask"].text == "old = 1"


def test_an_unreadable_later_attempt_gives_way(tmp_path: Path) -> None:
    """The earlier one is graded, and the student is told why."""
    source = collect(tmp_path, {"causal_mask.py": MASK, "causal_mask-1.ipynb": "{"}).sources["causal_mask"]
    assert source.text == MASK
    assert source.repairs[-1].startswith("'causal_mask-1.ipynb' cannot be read: the notebook is cut off")


def test_an_unreadable_file_is_a_source_that_says_so(tmp_path: Path) -> None:
    """Ungradable, not missing."""
    source = collect(tmp_path, {"causal_mask.ipynb": "{"}).sources["causal_mask"]
    assert "cut off" in source.unreadable


def test_what_belongs_to_no_exercise_is_listed(tmp_path: Path) -> None:
    """Helpers, documents and files that Python would load by itself are never placed."""
    strange = ["conftest.py", "helper.py", "sitecustomize.py", "torch.py"]
    papers = ["evil.pth", "essay.pdf", "notes.txt"]
    found = collect(tmp_path, {"causal_mask.py": MASK, **dict.fromkeys(strange + papers, CLASS)})
    assert list(found.sources) == ["causal_mask"]
    assert found.unplaced == tuple(sorted(strange + papers))
    assert found.repairs == (f"only the exercise files are graded; not graded: {', '.join(strange)}",)


def test_files_with_unknown_names_are_placed_by_what_they_define(tmp_path: Path) -> None:
    """A renamed notebook is not lost, when no file has a name of the course."""
    found = collect(tmp_path, {"homework.ipynb": notebook(code(MASK), code(CLASS)), "readme.py": "x = 1"})
    assert list(found.sources) == ["causal_mask", "causal_attention"]
    assert found.sources["causal_mask"].repairs == (
        "took 'homework.ipynb' as causal_mask, because of what it defines",
    )
    assert found.unplaced == ("readme.py",)


def test_hooks_are_not_placed_by_what_they_define(tmp_path: Path) -> None:
    """A conftest.py is no answer, whatever it defines."""
    found = collect(tmp_path, {"conftest.py": MASK})
    assert (found.sources, found.unplaced) == ({}, ("conftest.py",))
    assert "no file of an exercise was found" in found.repairs


def test_links_and_special_files_in_a_folder_are_not_opened(tmp_path: Path) -> None:
    """A link out of the folder shows nothing, and a pipe keeps nobody waiting."""
    (tmp_path / "secret.py").write_text(MASK)
    root = hand_in(tmp_path / "jane", {"alibi.py": "alibi_slopes = 1"})
    (root / "causal_mask.py").symlink_to(tmp_path / "secret.py")
    (root / "away").symlink_to(tmp_path)
    os.mkfifo(root / "context_vector.py")
    found = read_submission(root, COURSE)
    assert list(found.sources) == ["alibi"]
    assert "did not follow the link 'causal_mask.py'" in found.repairs
    assert "left out 'context_vector.py', which is not an ordinary file" in found.repairs
    (root / "alibi.py").unlink()
    assert "link" in read_submission(root, COURSE).unreadable


def test_a_folder_named_like_a_file_is_a_folder(tmp_path: Path) -> None:
    """What lies in `causal_mask.py/` is read as any folder's content."""
    assert collect(tmp_path, {"causal_mask.py/causal_mask.py": MASK}).sources["causal_mask"].text == MASK


@pytest.mark.parametrize(
    "name", ["../causal_mask.py", "/causal_mask.py", "a/../../causal_mask.py", "C:\\causal_mask.py"]
)
def test_paths_out_of_an_archive_are_left_out(tmp_path: Path, name: str) -> None:
    """They are said, and when nothing else is there the submission is ungradable."""
    found = from_zip(tmp_path, zipped({name: MASK}))
    assert found.sources == {}
    assert "leads out of the archive" in found.unreadable
    assert list(from_zip(tmp_path, zipped({name: "", "alibi.py": "a"})).sources) == ["alibi"]
    assert not from_zip(tmp_path, zipped({name: "", "alibi.py": "a"})).unreadable


def test_windows_separators_in_a_zip(tmp_path: Path) -> None:
    """A backslash separates folders."""
    data = zipped({"4_causal\\causal_mask.py": MASK})
    assert from_zip(tmp_path, data).sources["causal_mask"].filename == "4_causal/causal_mask.py"


def test_a_link_in_a_zip_is_left_out(tmp_path: Path) -> None:
    """Its target is not taken for a program."""
    found = from_zip(
        tmp_path, zipped({"causal_mask.py": "/etc/passwd", "alibi.py": "a"}, link="causal_mask.py")
    )
    assert list(found.sources) == ["alibi"]
    assert found.repairs == ("left out 'causal_mask.py', which is a link",)


def test_archives_that_cannot_be_opened_make_the_rest_ungradable(tmp_path: Path) -> None:
    """Password, cut off, no zip at all, another format: one sentence each, and no silent zero."""
    good = zipped({"causal_mask.py": MASK})
    for data, why in [
        (encrypted(good), "protected by a password"),
        (good[:-30], "broken or cut off"),
        (b"hello", "not a zip archive"),
        (b"", "not a zip archive"),
        (b"Rar!\x1a\x07\x00", "a RAR archive with the name of a zip"),
    ]:
        found = from_zip(tmp_path, data)
        assert found.sources == {}
        assert why in found.unreadable
        assert why in found.repairs[0]


@pytest.mark.parametrize("name", ["work.tar.gz", "work.rar", "work.7z"])
def test_other_archives_are_said(tmp_path: Path, name: str) -> None:
    """A file beside one is graded; what is not there may be inside."""
    (tmp_path / name).write_bytes(b"?")
    assert "archives are not opened; hand in the files" in read_submission(tmp_path / name, COURSE).unreadable
    found = collect(tmp_path / "x", {name: b"?", "alibi.py": "a"})
    assert list(found.sources) == ["alibi"]
    assert "archives are not opened" in found.unreadable


def test_a_zip_in_a_zip_is_opened_once(tmp_path: Path) -> None:
    """One level is a habit, two are a trap."""
    inner = zipped({"causal_mask.py": MASK})
    found = from_zip(tmp_path, zipped({"inner.zip": inner, "alibi.py": "a"}))
    assert found.sources["causal_mask"].filename == "inner.zip/causal_mask.py"
    deep = from_zip(tmp_path, zipped({"inner.zip": zipped({"innermost.zip": inner})}))
    assert deep.sources == {}
    assert "nested too deeply" in deep.unreadable


def test_a_bomb_is_not_expanded(tmp_path: Path) -> None:
    """Zeros that expand a thousandfold are refused; the work beside them is graded."""
    zeros = bytes(20 * 2**20)
    found = from_zip(tmp_path, zipped({"causal_mask.py": zeros}))
    assert found.unreadable == "did not open 'causal_mask.py': it expands to 20 MiB"
    found = from_zip(tmp_path, zipped({"zeros.bin": zeros, "causal_mask.py": MASK}))
    assert found.sources["causal_mask"].text == MASK
    assert found.repairs == ("did not open 'zeros.bin': it expands to 20 MiB",)


def test_all_that_is_read_has_one_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many entries that are each within the limits are together not."""
    monkeypatch.setattr("softmarks.submission.collecting.Budget", lambda: Budget(3000))
    files: dict[str, str | bytes] = {
        f"{name}.py": "#" * 1400 for name in ("causal_mask", "causal_attention", "alibi")
    }
    sources = from_zip(tmp_path, zipped(files)).sources
    assert [bool(source.unreadable) for source in sources.values()] == [False, False, True]
    assert "expands to more than 64 MiB" in sources["alibi"].unreadable


def test_too_many_files(tmp_path: Path) -> None:
    """Two thousand files are enough; hidden ones do not count."""
    many: dict[str, str | bytes] = {f"{n}.txt": "" for n in range(2001)}
    found = from_zip(tmp_path, zipped(many))
    assert "more than 2000 files" in found.unreadable
    found = from_zip(tmp_path, zipped({f".venv/{name}": "" for name in many} | {"causal_mask.py": MASK}))
    assert list(found.sources) == ["causal_mask"]


def test_a_damaged_entry_is_ungradable(tmp_path: Path) -> None:
    """A checksum that does not fit, and a compression that is not read, are said of that file alone."""
    data = bytearray(zipped({"causal_mask.py": MASK, "alibi.py": "a = 1"}))
    at = data.find(b"causal_mask.py") + len("causal_mask.py")
    data[at] ^= 0xFF
    found = from_zip(tmp_path, bytes(data))
    assert "damaged" in found.sources["causal_mask"].unreadable
    assert found.sources["alibi"].text == "a = 1"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("causal_mask.py", MASK)
    assert "unusual" in from_zip(tmp_path, buffer.getvalue()).sources["causal_mask"].unreadable


def test_a_name_in_a_zip_without_the_utf8_mark(tmp_path: Path) -> None:
    """macOS writes UTF-8 names without saying so."""
    data = zipped({"Mxxller_causal_mask.py": MASK}).replace(b"Mxxller", "Müller".encode())
    assert from_zip(tmp_path, data).sources["causal_mask"].filename == "Müller_causal_mask.py"


def test_single_files(tmp_path: Path) -> None:
    """One file is a submission; its name gives the student."""
    hand_in(tmp_path, {"doe_jane_12345_causal_mask.py": MASK, "joe.ipynb": notebook(code(MASK))})
    jane = read_submission(tmp_path / "doe_jane_12345_causal_mask.py", COURSE)
    joe = read_submission(tmp_path / "joe.ipynb", COURSE)
    assert (jane.student, joe.student) == ("doe_jane", "joe")
    assert list(jane.sources) == list(joe.sources) == ["causal_mask"]
    assert jane.origin == str(tmp_path / "doe_jane_12345_causal_mask.py")


def test_the_instructor_is_told_what_to_do(tmp_path: Path) -> None:
    """A path that is missing, empty or something else is an error with a fix."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    for path, what in [("none", "no such file"), ("empty", "is empty"), ("a.pdf", "no .py or .ipynb file")]:
        with pytest.raises(UsageError, match=what) as error:
            read_submission(tmp_path / path, COURSE)
        assert error.value.fix


def test_a_file_is_read_for_one_exercise_whatever_its_name(tmp_path: Path) -> None:
    """`mark EXERCISE FILE` asks no name."""
    hand_in(tmp_path, {"alternative.txt": MASK})
    exercise = COURSE.exercises[3]
    assert read_file(tmp_path / "alternative.txt", exercise).text == MASK  # type: ignore[arg-type]
    for path in (tmp_path, tmp_path / "none.py"):
        with pytest.raises(UsageError):
            read_file(path, exercise)  # type: ignore[arg-type]
    os.mkfifo(tmp_path / "pipe.py")
    assert "ordinary" in read_file(tmp_path / "pipe.py", exercise).unreadable  # type: ignore[arg-type]
