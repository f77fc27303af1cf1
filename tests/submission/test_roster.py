"""A class's roster, however a spreadsheet wrote it, and whose work is whose."""

from __future__ import annotations

from pathlib import Path

import pytest

from softmarks.errors import UsageError
from softmarks.submission.matching import matched
from softmarks.submission.roster import MOST_BYTES, Student, read_roster
from tests.reporting.made import make_verdict

HOSTILE = (
    "Smith, Jr.",
    "Müller-Lüdenscheidt, Grüße",
    '=HYPERLINK("http://x")',
    "two\nlines",
    "two\r\nlines",
    "n" * 300,
    "\u202egnp.exe\u2066",
    "李小龙",
    'Ann "Bo" Lee',
    "a;b\tc,d",
)


def written(tmp_path: Path, text: str, encoding: str = "utf-8") -> Path:
    path = tmp_path / "roster.csv"
    path.write_bytes(text.encode(encoding))
    return path


def quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_any_spreadsheet_may_have_written_it(tmp_path, separator, ending, encoding):
    """With any separator, line end and byte order mark; columns in any order; empty lines do not count."""
    lines = [
        ["Late Days", "name", "student_id", "tutor"],
        ["2", '"Smith, Jr.; \t"', " 007 ", "Eve"],
        ["", "", "", ""],
        ["", "", "ada"],
    ]
    text = ending.join(separator.join(line) for line in lines) + ending
    smith, ada = read_roster(written(tmp_path, text, encoding)).students
    assert (smith.student_id, smith.name, smith.late_days) == ("007", "Smith, Jr.; \t".strip(), 2)
    assert (smith.more, smith.line, ada.line) == ({"tutor": "Eve"}, 2, 4)
    assert (ada.student_id, ada.name, ada.late_days, ada.more) == ("ada", "", None, {"tutor": ""})


def test_all_columns(tmp_path):
    """Each column in its place; the platform's number is the one in names of files."""
    text = "section,lms_id,email,student_id,name\nMon,4711,ada@uni.edu,ada,Ada Lovelace\n"
    [ada] = read_roster(written(tmp_path, text)).students
    assert ada == Student("ada", "Ada Lovelace", "ada@uni.edu", "4711", "Mon", number="4711", line=2)


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_any_name_survives(tmp_path, name):
    """Commas, quotes, line ends, scripts and directions of writing, and the row after it too."""
    text = f"student_id,name,section\n1,{quoted(name)},A\n2,Next,B\n"
    first, second = read_roster(written(tmp_path, text)).students
    assert (first.name, first.section, second.name, second.section) == (name, "A", "Next", "B")
    assert second.line == 3 + name.count("\n")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", None, "empty"),
        ("\n \n", None, "empty"),
        ("name,email\nAda,a@b\n", 1, "no column student_id"),
        ("student_id,name,Name\n1,a,b\n", 1, "two columns 'name'"),
        ("student_id,name\n1,a\n\n,b\n", 4, "student_id is empty"),
        ('student_id,name\n1,"a\nb"\nADA,x\nada,y\n', 5, "student_id 'ada' is in line 4 already"),
        ("student_id,email\n1,A@x\n2,\n3,\n4,a@X\n", 5, "email 'a@X' is in line 2"),
        ("student_id,lms_id\n1,9\n2,9\n", 3, "lms_id '9' is in line 2"),
        ("student_id,late_days\n1,2\n2,-1\n", 3, "late_days is no number"),
        ("student_id,late_days\n1,2.5\n", 2, "late_days is no number"),
        ("student_id,late_days\n1,٣\n", 2, "late_days is no number"),
        ("student_id,name\n1,Smith, Jr.\n", 2, "3 cells, the header 2"),
        ('student_id,name\n1,a\n2,"b\n3,c\n', 3, "cannot be read"),
        ('student_id,name\n1,"a"b\n', 2, "cannot be read"),
        (f"student_id,name\n1,{'n' * 1001}\n", 2, "1001 characters"),
        (f"student_id,name\n1,{'n' * 200_000}\n", 2, "field larger"),
        ("student_id," + "n" * 200_000, 1, "field larger"),
        ("student_id\n" + "x" * MOST_BYTES, None, "larger than 2 MiB"),
    ],
    ids=range(18),
)
def test_a_fault_has_its_line_and_a_remedy(tmp_path, text, line, said):
    """What is wrong, in which file and line, and what to do."""
    path = written(tmp_path, text)
    with pytest.raises(UsageError) as told:
        read_roster(path)
    assert (told.value.where, told.value.line) == (path, line)
    assert said in told.value.what
    assert told.value.fix


@pytest.mark.parametrize(("encoding", "line"), [("latin-1", 3), ("cp1252", 3), ("utf-16", 1)])
def test_another_encoding_is_told(tmp_path, encoding, line):
    """The first line that is no UTF-8, and how to save it."""
    with pytest.raises(UsageError) as told:
        read_roster(written(tmp_path, "student_id,name\n1,Ada\n2,Müller\n", encoding))
    assert (told.value.line, told.value.what) == (line, "the text is not UTF-8")
    assert "UTF-8" in told.value.fix


def test_a_file_that_is_not_there(tmp_path):
    """A UsageError, and so for a folder."""
    for path in (tmp_path / "no.csv", tmp_path):
        with pytest.raises(UsageError) as told:
            read_roster(path)
        assert told.value.where == path


# matching

ADA = Student("al17", "Lovelace, Ada", "ada.lovelace@uni.edu", "4711", number="4711")
EMMY = Student("en18", "Emmy Noether", "emmy@uni.edu", "4712", number="4712")
MUELLER = Student("hm19", "Hans Peter Müller", "", "4713", number="4713")
SMITH = Student("js20", "Smith, Jr.", "", "4714", number="4714")
CLASS = (ADA, EMMY, MUELLER, SMITH)


@pytest.mark.parametrize(
    ("student", "whose"),
    [
        ("al17", ADA),
        ("AL17", ADA),
        ("4711", ADA),
        ("ada.lovelace@uni.edu", ADA),
        ("Ada.Lovelace", ADA),
        ("Ada Lovelace", ADA),
        ("lovelaceada", ADA),
        ("Lovelace, Ada", ADA),
        ("emmy", EMMY),
        ("noetheremmy", EMMY),
        ("mu\u0308llerhanspeter", MUELLER),
        ("Müller Hans Peter", MUELLER),
        ("Smith, Jr", SMITH),
        ("smithjr", SMITH),
    ],
)
def test_work_finds_its_student(student, whose):
    """By id, the platform's id, email, its local part, and a name as platforms write it into a file's."""
    found = matched([make_verdict(student)], CLASS)
    assert [pair[0] for pair in found.pairs] == [whose]
    assert found.without_work == tuple(one for one in CLASS if one is not whose)
    assert (found.unknown, found.ambiguous) == ((), ())


@pytest.mark.parametrize(
    "student", ["Ada", "al1", "4", "uni.edu", "", "---", "Hans Müller", "al-17", "\ud800"]
)
def test_work_of_somebody_else_is_nobody_s(student):
    """What only resembles an id or a name is unknown, and nobody loses a row."""
    found = matched([make_verdict(student)], CLASS)
    assert (found.pairs, found.without_work, len(found.unknown)) == ((), CLASS, 1)


def test_an_id_with_signs_at_its_edges():
    """They are lost in names of files."""
    assert matched([make_verdict("edge")], [Student("_edge-")]).pairs


def test_an_empty_id_is_nobody_s():
    """Rows without an email or name are not brought together by that."""
    found = matched([make_verdict("")], [Student("1"), Student("2")])
    assert found.unknown
    assert not found.pairs


TWO = (
    Student("js1", "John Smith", lms_id="1001", number="1001"),
    Student("js2", "John Smith", lms_id="1002", number="1002"),
)


def test_two_of_one_name_are_not_guessed():
    """The work is listed with both."""
    found = matched([make_verdict("John Smith")], TWO)
    assert (found.pairs, found.without_work) == ((), TWO)
    assert found.ambiguous[0][1] == TWO


@pytest.mark.parametrize(
    ("student", "origin", "whose"),
    [
        ("smithjohn", "in/smithjohn_1002_990_hw.ipynb", TWO[1]),
        ("smithjohn", "in/smithjohn_LATE_1001_99_hw.ipynb", None),  # no number of a file: not Canvas's name
        ("smithjohn", "in/smithjohn_LATE_1001_999_hw.ipynb", TWO[0]),
        ("smithjohn 1002", "in", TWO[1]),
        ("John Smith 1001 (2)", "in", TWO[0]),
        ("John Smith", "in/John Smith_1002_assignsubmission_file_", TWO[1]),
        ("jsmith", "in/jsmith_1002_990_hw.py", TWO[1]),
    ],
)
def test_a_platform_s_number_decides(student, origin, whose):
    """The number in a file name, or the one by which work of two students of one name was kept apart."""
    found = matched([make_verdict(student, origin=origin)], TWO)
    assert [pair[0] for pair in found.pairs] == ([whose] if whose else [])
    assert bool(found.ambiguous) == (whose is None)


def test_moodle_s_number_alone_is_no_student():
    """It counts participants: somebody else's id may be the same number."""
    found = matched([make_verdict("Eve", origin="in/Eve_1002_assignsubmission_file_")], TWO)
    assert len(found.unknown) == 1


def test_a_name_and_another_s_number_contradict():
    """Canvas's number says one student, the name another: a person has to look."""
    found = matched([make_verdict("lovelaceada", origin="in/lovelaceada_4712_990_hw.py")], CLASS)
    assert found.ambiguous[0][1] == (ADA, EMMY)


@pytest.mark.parametrize("names", [("al17", "Ada Lovelace"), ("Ada Lovelace", "Ada Lovelace (2)")])
def test_two_works_of_one_student_are_not_guessed(names):
    """Neither is taken."""
    found = matched([make_verdict(name) for name in names], CLASS)
    assert (found.pairs, len(found.ambiguous)) == ((), 2)
    assert ADA in found.without_work


def test_an_id_that_is_another_s_email_is_ambiguous():
    """`emmy` is one student's id and begins another's address."""
    found = matched([make_verdict("emmy")], [EMMY, Student("emmy", "Emmy Bee")])
    assert len(found.ambiguous[0][1]) == 2


def test_everybody_is_somewhere():
    """Each row is paired or without work, each verdict in one list, in the order given."""
    names = ["emmy", "nobody", "al17", "hm19", "Hans Peter Müller"]
    verdicts = [make_verdict(name) for name in names]
    found = matched(verdicts, CLASS)
    assert [student for student, _ in found.pairs] == [ADA, EMMY]
    assert found.without_work == (MUELLER, SMITH)
    told = [verdict for _, verdict in found.pairs] + [*found.unknown] + [one for one, _ in found.ambiguous]
    assert sorted(one.student for one in told) == sorted(names)
