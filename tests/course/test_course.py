"""course.yml: what a right one gives, and what a wrong one is told."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from softmarks.course import finding
from softmarks.course.course import Course, load_course
from softmarks.course.finding import find_course
from softmarks.errors import CourseError, UsageError

TOY = Path(__file__).parents[2] / "tests" / "courses" / "toy"
TEXT = (TOY / "course.yml").read_text(encoding="utf-8")


def fault(tmp_path: Path, *changes: tuple[str, str]) -> CourseError:
    """The error for the toy's course.yml after (old, new) changes of its text."""
    text = TEXT
    for old, new in changes:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    return fault_of(tmp_path, text.encode())


def fault_of(tmp_path: Path, data: bytes) -> CourseError:
    (tmp_path / "course.yml").write_bytes(data)
    with pytest.raises(CourseError) as caught:
        load_course(tmp_path)
    assert caught.value.where == tmp_path / "course.yml"
    return caught.value


def line_of(text: str) -> int:
    return TEXT[: TEXT.index(text)].count("\n") + 1


def test_toy_course() -> None:
    """A right file gives the course: exact points, aware dates, kinds in their order."""
    course = load_course(TOY)
    assert [exercise.name for exercise in course.exercises] == ["count_words", "caesar", "running_mean"]
    assert [exercise.assignment for exercise in course.exercises] == ["1_text", "1_text", "2_numbers"]
    assert course.exercise("running_mean").points == Decimal("7.5")
    assert list(course.kinds) == ["behaviour", "edges", "errors"]
    due = course.assignments[0].due
    assert due == datetime.fromisoformat("2027-03-05T18:00:00+01:00")
    assert due.utcoffset() == timedelta(hours=1)
    assert course.assignments[1].due is None


def test_shares_of_an_exercise_go_over_those_of_the_course() -> None:
    """An exercise's own shares replace the course's, kind by kind."""
    course = load_course(TOY)
    assert course.shares(course.exercise("caesar")) == {"behaviour": 3, "edges": 2, "errors": 1}
    assert course.shares(course.exercise("running_mean")) == {
        "behaviour": 3,
        "edges": 2,
        "errors": Fraction(2),
    }


def test_a_course_survives_a_round_trip() -> None:
    """A course written as JSON and read again is the same."""
    course = load_course(TOY)
    assert Course.model_validate_json(course.model_dump_json()) == course


def test_unknown_exercise() -> None:
    """An unknown exercise is told the closest name."""
    with pytest.raises(UsageError, match=r'no exercise "ceasar"\. Did you mean "caesar"\?'):
        load_course(TOY).exercise("ceasar")


def test_reading_a_course_imports_nothing_heavy() -> None:
    """Reading a course needs neither torch nor pytest, nbgrader or jupytext."""
    program = (
        "import sys, softmarks.course.course, softmarks.course.finding, softmarks.course.rooms\n"
        "import softmarks.course.completeness\n"
        "heavy = {'torch', 'numpy', 'pytest', 'nbgrader', 'jupytext'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("old", "new", "said", "fix"),
    [
        ("title: Texts", "titel: Texts", 'the key "titel" is unknown', 'Did you mean "title"?'),
        ("    minutes: 10\n", "    minuets: 10\n", '"minuets" is unknown', '"minutes"'),
        ("  cpu_seconds: 2", "  cpu: 2", '"cpu" is unknown', "Known: cpu_seconds, memory_mb"),
        (
            "    share: 3",
            "    shares: 3",
            'kinds > behaviour > shares: the key "shares" is unknown',
            '"share"',
        ),
        ('version: "1.0"', "version: 1.0", "1.0 is a number where a text must be", 'quotes: "1.0"'),
        ("status: released", "status: done", '"done" is not possible', "'draft' or 'released'"),
        ("feedback: all", "feedback: some", '"some" is not possible', "'all', 'mistake' or 'outcomes'"),
        ("points: 10", "points: 0", "caesar > points: 0 is not possible", "greater than 0"),
        ("points: 10", "points: -1", "-1 is not possible", "greater than 0"),
        ("points: 10", "points: 1.005", "1.005 is not possible", "2 decimal places"),
        ("points: 10", "points: .inf", "does not fit", "finite"),
        ("points: 10", "points: yes", "true does not fit", "number"),
        ("share: 3", "share: -1", "-1 is not possible", "greater than or equal to 0"),
        ("difficulty: 2", "difficulty: 6", "6 is not possible", "less than or equal to 5"),
        ("minutes: 15", "minutes: soon", '"soon" does not fit', "integer"),
        ("+01:00", "", "due: the due date has no time zone", "2027-03-19T18:00:00+01:00"),
        ("2027-03-05T18:00:00+01:00", "2027-03-05", "no time zone", "offset"),
        ("2027-03-05T18:00:00+01:00", "2027-13-05T18:00:00+01:00", "is no date", "2027-03-19T"),
        ("2027-03-05T18:00:00+01:00", "20270305", "20270305 does not fit", "a date such as"),
        ("name: caesar", "name: Caesar", '"Caesar" is no name', "lower-case"),
        ("name: caesar", "name: 2caesar", '"2caesar" is no name', "lower-case"),
        ("name: caesar", "name: count_words", 'exercise "count_words" is declared twice', "Rename"),
        ("name: caesar", "name: text", 'a part of the assignment\'s name "1_text"', "Rename"),
        ("name: 2_numbers", "name: 1_text", 'assignment "1_text" is declared twice', "Rename"),
        ("id: keep-state", "id: walk-a-text", 'outcome "walk-a-text" is declared twice', "Rename"),
        ("outcomes: [walk-a-text]", "outcomes: [walk-a-test]", 'no outcome "walk-a-test"', '"walk-a-text"'),
        ("exercises: [count_words", "exercises: [count_word", 'no exercise "count_word"', '"count_words"'),
        ("shares: {errors: 2}", "shares: {error: 2}", "there is no such kind", '"errors"'),
        ("needs: [behaviour]", "needs: [behavior]", 'no kind "behavior"', '"behaviour"'),
        (
            "    share: 3",
            "    share: 3\n    needs: [edges]",
            "behaviour > edges > behaviour",
            "Take one need away",
        ),
        (
            "    share: 3",
            "    share: 3\n    needs: [behaviour]",
            "behaviour > behaviour",
            "Take one need away",
        ),
        ("  behaviour:\n", "  skip:\n", 'pytest has a mark "skip" of its own', "another name"),
        ("answers: [encode, decode]", "answers: []", "does not fit", "at least 1 item"),
        ("answers: [encode, decode]", "answers: [en-code]", '"en-code" is no name', "letters"),
    ],
)
def test_wrong_value(tmp_path: Path, old: str, new: str, said: str, fix: str) -> None:
    """A wrong value is told with its place and what to write instead."""
    told = str(fault(tmp_path, (old, new)))
    assert said in told
    assert fix in told
    assert f"{tmp_path / 'course.yml'}:" in told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("points: 10", "points: 0"),
        ("title: Shift letters", "titel: Shift letters"),
        ("2027-03-05T18:00:00+01:00", "tomorrow"),
        ("memory_mb: 512", "memory_mb: many"),
        ("answers: [encode, decode]", "answers: [encode, 3]"),
        ("share: 2", "share: -2"),
    ],
)
def test_the_line_is_told(tmp_path: Path, old: str, new: str) -> None:
    """The error has the line of the wrong value."""
    assert line_of(old) in lines(fault(tmp_path, (old, new)))


def lines(error: CourseError) -> list[int]:
    """The lines that an error tells, whether it lists one fault or several."""
    if error.line is not None:
        return [error.line]
    return [int(part.split(":")[0]) for part in error.what.split("\n  line ")[1:]]


def test_the_line_of_a_merged_key(tmp_path: Path) -> None:
    """Where a key replaces one that an anchor brings in, its own line is told."""
    changes = (
        ("limits:\n", "limits: &l\n"),
        ("          cpu_seconds: 1\n", "          <<: *l\n          cpu_seconds: 0\n"),
    )
    error = fault(tmp_path, *changes)
    assert error.line == line_of("          cpu_seconds: 1") + 1


def test_a_missing_key_points_to_where_it_should_be(tmp_path: Path) -> None:
    """A missing key is told at the entry that lacks it."""
    error = fault(tmp_path, ("        minutes: 15\n", ""))
    assert error.line == line_of("- name: caesar")
    assert 'caesar: the key "minutes" is missing' in error.what


def test_all_faults_are_listed(tmp_path: Path) -> None:
    """Several faults are told at once, in the order of their lines."""
    changes = (
        ("points: 10", "points: 0"),
        ("status: released", "status: x"),
        ("difficulty: 2", "difficulty: 9"),
    )
    error = fault(tmp_path, *changes)
    assert error.what.startswith("3 things are wrong")
    assert lines(error) == sorted(line_of(old) for old, _ in changes)
    references = fault(tmp_path, ("[count_words,", "[count,"), ("needs: [behaviour]", "needs: [x]"))
    assert references.what.startswith("2 things are wrong")


@pytest.mark.parametrize(
    ("data", "said", "line"),
    [
        (b"", "the file is empty", None),
        (b"# only a comment\n", "the file is empty", None),
        (b"- a\n- b\n", "not a list of keys and values", 1),
        (b"id: toy\ntitle: [a, b\n", "this is no YAML", 3),
        (b"id: toy\n\ttitle: x\n", "this is no YAML", 2),
        (b"id: toy\ntitle: a: b\n", "this is no YAML", 2),
        (b"id: toy\ntitle: x\nid: other\n", 'the key "id" is already in line 1', 3),
        (b"id: toy\nlimits:\n  a: 1\n  a: 2\n", 'the key "a" is already in line 3', 4),
        ("id: toy\ntitle: für\n".encode("latin-1"), "the text is not UTF-8", 2),
        ("id: toy\n".encode("utf-16"), "the text is not UTF-8", 1),
        (b"id: toy\ntitle: \x07\n", "this is no YAML", 2),
        (b"id: !!python/object/apply:os.getcwd []\n", "could not determine a constructor", 1),
        (b"id: !!int seven\n", "this is no YAML", None),
        (b"id: !!int ''\n", "this is no YAML", None),
        (b"id: !!bool maybe\n", "this is no YAML", None),
        (b"id: !!timestamp today\n", "this is no YAML", None),
        (b"id: 1" + b":1" * 300 + b".0\n", "this is no YAML", None),
        (b"id: " + b"[" * 900, "nested too deeply", None),
        (b"a: &a [1]\nb: &b [*a, *a]\n? [*a]\n: 1\n", "this is no YAML", 3),
        (b"id: toy\n---\nid: toy\n", "this is no YAML", 2),
        (b"x: " + b"y" * 2**20, "larger than 1 MiB", None),
    ],
)
def test_what_is_no_course_file(tmp_path: Path, data: bytes, said: str, line: int | None) -> None:
    """A file that cannot be read as a mapping is refused with the line, never with a traceback."""
    error = fault_of(tmp_path, data)
    assert said in error.what
    assert error.line == line
    assert error.fix


def test_anchors_cannot_multiply(tmp_path: Path) -> None:
    """A file that unfolds to millions of values through anchors is refused."""
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    assert "repeats itself" in fault_of(tmp_path, "\n".join(rows).encode()).what


def test_a_missing_file(tmp_path: Path) -> None:
    """A folder without course.yml is told so."""
    with pytest.raises(CourseError, match=r"course\.yml: there is no such file"):
        load_course(tmp_path)


@pytest.mark.parametrize(
    "change", [lambda t: "\ufeff" + t, lambda t: t.replace("\n", "\r\n")], ids=["bom", "crlf"]
)
def test_files_saved_on_windows(tmp_path: Path, change) -> None:
    """A byte order mark and CRLF line ends change nothing."""
    (tmp_path / "course.yml").write_bytes(change(TEXT).encode())
    assert load_course(tmp_path) == load_course(TOY)


# Finding a course


def zipped(path: Path, **files: str) -> str:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return str(path)


def test_the_closest_course_upwards(tmp_path: Path) -> None:
    """Without a name, the closest course.yml upwards is the course."""
    inner = tmp_path / "course" / "exercises" / "1_text"
    inner.mkdir(parents=True)
    (tmp_path / "course.yml").touch()
    (tmp_path / "course" / "course.yml").touch()
    assert find_course(inner) == (tmp_path / "course").resolve()


def test_a_folder_named(tmp_path: Path) -> None:
    """A named folder must hold course.yml itself."""
    assert find_course(tmp_path, str(TOY)) == TOY.resolve()
    with pytest.raises(CourseError, match=r"no course\.yml in it"):
        find_course(tmp_path, str(TOY.parent))


@pytest.mark.parametrize("prefix", ["", "toy-1.0/"])
def test_a_zip_is_unpacked(tmp_path: Path, prefix: str) -> None:
    """A ZIP file holds the course at its top, or in its one folder; what macOS adds does not count."""
    files = {f"{prefix}course.yml": TEXT, f"{prefix}graders/oracle.py": "", "__MACOSX/._x": ""}
    root = find_course(tmp_path, zipped(tmp_path / "toy.zip", **files))
    assert load_course(root).id == "toy"
    assert (root / "graders" / "oracle.py").is_file()
    assert root.is_relative_to(Path(finding.tempfile.gettempdir()).resolve())


def test_an_unpacked_course_goes_with_the_process(tmp_path: Path) -> None:
    """The temporary folder is removed when the process ends."""
    archive = zipped(tmp_path / "toy.zip", **{"course.yml": TEXT})
    program = f"from softmarks.course.finding import find_course; print(find_course(None, {archive!r}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "softmarks-course-" in done.stdout
    assert not Path(done.stdout.strip()).exists()


@pytest.mark.parametrize("name", ["../out.py", "/tmp/out.py", "a/../../out.py", "..\\out.py", "C:/out.py"])
def test_a_zip_cannot_write_elsewhere(tmp_path: Path, name: str) -> None:
    """An entry that leads out of the folder is refused before anything is unpacked."""
    archive = zipped(tmp_path / "bad.zip", **{"course.yml": TEXT, name: "x"})
    with pytest.raises(CourseError, match="leads out of the folder"):
        find_course(tmp_path, archive)
    assert not list(tmp_path.parent.rglob("out.py"))


def test_a_zip_holds_no_links(tmp_path: Path) -> None:
    """A symbolic link in a ZIP is refused."""
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(CourseError, match="is a link"):
        find_course(tmp_path, str(tmp_path / "bad.zip"))


def test_a_zip_is_not_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ZIP whose files are too large together is refused before it is unpacked."""
    assert finding.MAX_UNPACKED == 100 * 2**20
    monkeypatch.setattr(finding, "MAX_UNPACKED", 1000)
    archive = zipped(tmp_path / "bad.zip", **{"course.yml": "x" * 600, "b": "x" * 600})
    with pytest.raises(CourseError, match="more than 100 MiB"):
        find_course(tmp_path, archive)


def test_a_zip_holds_not_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ZIP with too many files is refused."""
    monkeypatch.setattr(finding, "MAX_FILES", 3)
    with pytest.raises(CourseError, match="more than 3 files"):
        find_course(tmp_path, zipped(tmp_path / "bad.zip", **dict.fromkeys("abcd", "")))


def test_what_is_no_zip(tmp_path: Path) -> None:
    """A damaged ZIP, or another file, is told as such."""
    (tmp_path / "course.zip").write_bytes(b"PK\x03\x04 broken")
    with pytest.raises(CourseError, match="not a ZIP"):
        find_course(tmp_path, str(tmp_path / "course.zip"))


@pytest.mark.parametrize("name", [b"\x80ourse.yml", b"\0ourse.yml"], ids=["no text", "no name"])
def test_a_zip_with_a_damaged_directory(tmp_path: Path, name: bytes) -> None:
    """A name in it that is no text, or none at all, is told as damage."""
    with zipfile.ZipFile(tmp_path / "course.zip", "w") as archive:
        archive.writestr("é/course.yml", TEXT)  # such a name is marked as UTF-8
        archive.writestr("course.yml", TEXT)
    data = bytearray((tmp_path / "course.zip").read_bytes())
    at = data.rfind("é/course.yml".encode())
    data[at : at + len(name)] = name
    (tmp_path / "course.zip").write_bytes(data)
    with pytest.raises(CourseError, match="not a ZIP"):
        find_course(tmp_path, str(tmp_path / "course.zip"))


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[EntryPoint]:
    """Courses that look installed; the first is a package with the toy's course.yml."""
    package = tmp_path / "installed" / "some_toy_course"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "course.yml").write_text(TEXT, encoding="utf-8")
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.delitem(sys.modules, "some_toy_course", raising=False)
    points = [EntryPoint("toy", "some_toy_course", finding.GROUP)]
    monkeypatch.setattr(finding, "entry_points", lambda group: points if group == finding.GROUP else [])
    return points


def test_an_installed_course(tmp_path: Path, installed: list[EntryPoint]) -> None:
    """An installed course is found by its name, or as the only one where no course is near."""
    there = (tmp_path / "installed" / "some_toy_course").resolve()
    assert find_course(tmp_path, "toy") == there
    assert find_course(tmp_path, None) == there
    with pytest.raises(UsageError, match='Did you mean "toy"'):
        find_course(tmp_path, "toys")
    installed.append(EntryPoint("other", "another_course", finding.GROUP))
    with pytest.raises(UsageError, match=r"several courses are installed.*other, toy"):
        find_course(tmp_path, None)


def test_a_folder_with_the_name_of_an_installed_course(
    tmp_path: Path, installed: list[EntryPoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A working copy is called so; it hides the course from nobody. A course of that name here is meant."""
    there = (tmp_path / "installed" / "some_toy_course").resolve()
    (tmp_path / "toy").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find_course(tmp_path, "toy") == there
    (tmp_path / "toy" / "course.yml").write_text(TEXT, encoding="utf-8")
    assert find_course(tmp_path, "toy") == tmp_path / "toy"
    assert finding.name_of(there) == "toy"
    assert finding.course_called("toy") == there
    assert finding.course_called(finding.name_of(tmp_path / "toy")) == tmp_path / "toy"


def test_no_course_anywhere(tmp_path: Path, installed: list[EntryPoint]) -> None:
    """Without any course the error says how to name one."""
    installed.clear()
    with pytest.raises(UsageError, match="--course"):
        find_course(tmp_path, None)
