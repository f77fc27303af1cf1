"""Marks for Canvas, Moodle and Gradescope, read back as strictly as those read them."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest

from softmarks.errors import UsageError
from softmarks.reporting import canvas, gradescope, moodle
from softmarks.reporting.exports import Column, as_name, columns_of
from softmarks.reporting.handing_back import feedback_zip
from softmarks.reporting.pages import Pages
from softmarks.submission.names import printable
from softmarks.submission.roster import Roster, Student

from .made import all_right, make_exercise, make_verdict, without_mark


@dataclass(frozen=True)
class Exercise:
    name: str
    points: Decimal


@dataclass(frozen=True)
class Assignment:
    name: str
    title: str
    exercises: tuple[Exercise, ...]


@dataclass(frozen=True)
class Course:
    assignments: tuple[Assignment, ...]


COURSE = Course(
    (
        Assignment("1_words", "Words", (Exercise("word_count", Decimal(3)),)),
        Assignment(
            "4_causal",
            "Causal attention",
            (Exercise("causal_mask", Decimal(4)), Exercise("causal_attention", Decimal(10))),
        ),
        Assignment("5_multi_head", "Many heads", (Exercise("split_heads", Decimal(5)),)),
    )
)

ADA = make_verdict("lovelaceada", all_right(points="0.10"), make_exercise(points="0.20"), without_mark())
EMMY = make_verdict(
    "en18",
    all_right(),
    make_exercise(points="9.99"),
    without_mark(status="graded", points="5.00", note=""),
)
GRACE = make_verdict(
    "Grace Hopper", all_right(), without_mark(status="needs-a-person", note="read it")
)  # and no split_heads
LAZY = make_verdict(
    "lazy",
    without_mark("causal_mask", "missing", max_points="4.00"),
    without_mark("causal_attention", "missing", max_points="10.00"),
)
VERDICTS = [EMMY, GRACE, ADA]
STUDENTS = (
    Student("al17", "Ada Lovelace", "ada@uni.edu", "4711", "Mon", number="4711", line=2),
    Student("en18", "Noether, Emmy", "emmy@uni.edu", "4712", "Mon", number="4712", line=3),
    Student("gh19", "Grace Hopper", "grace@uni.edu", "4713", "Tue; Wed", number="4713", line=4),
    Student("zz20", "Zoë Zero", "zoe@uni.edu", "4714", number="4714", line=5),
)
ROSTER = Roster(STUDENTS, Path("roster.csv"))
HOSTILE = (
    "Smith, Jr.",
    "Grüße Müller",
    '=HYPERLINK("http://x")',
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    "＝1+1",
    "a; =1",
    "two\nlines",
    "two\r\n=lines",
    "\t=x",
    "n" * 300,
    "\u202egnp.exe\u2066\u200f",
    "lone \ud800 surrogate",
    "nul\0",
    'Ann "Bo" Lee',
)
FORMULA_STARTS = tuple("=+-@＝＋－＠\t\r\n")


def columns(verdicts=VERDICTS) -> list[Column]:
    return columns_of(COURSE, verdicts)


def strictly(text: str, separator: str = ",", doubles: bool = False) -> list[list[str]]:
    """The rows, which can be saved, are all as long as the header, and hold no half-open quote."""
    text.encode("utf-8")
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert doubles or len(set(rows[0])) == len(rows[0])
    return rows


def mark(cell: str, empty: str = "") -> Decimal | None:
    """Points as a platform reads them: two decimals, or nothing at all."""
    if cell == empty:
        return None
    assert re.fullmatch(r"\d+\.\d\d", cell)
    return Decimal(cell)


def read_canvas(text: str) -> tuple[list[list[str]], dict[str, dict[str, Decimal | None]]]:
    """Canvas's reader: five columns of the student, the row of points, each ID once."""
    header, points, *rows = strictly(text)
    assert header[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert points[:5] == ["    Points Possible", "", "", "", ""]
    assert all(mark(cell) for cell in points[5:])
    assert len({row[1] for row in rows}) == len(rows)
    return [header, points], {
        row[1]: dict(zip(header[5:], map(mark, row[5:]), strict=True)) for row in rows if int(row[1])
    }


def read_moodle(text: str) -> dict[str, dict[str, Decimal | None]]:
    """Moodle's reader: each identifying column is full, and `-` is no grade."""
    header, *rows = strictly(text)
    ids = header[: header.index("Full name")]
    assert header[-1] == "Feedback comments"
    assert all(row[place] for row in rows for place in range(len(ids)))
    for place in range(len(ids)):
        assert len({row[place] for row in rows}) == len(rows)
    names = header[len(ids) + 1 : -1]
    return {
        row[ids.index("ID number")]: dict(
            zip(names, (mark(cell, "-") for cell in row[len(ids) + 1 : -1]), strict=True)
        )
        for row in rows
    }


def read_gradescope(text: str) -> dict[str, dict[str, Decimal | None]]:
    """A reader of Gradescope's files: five columns of the student, four an assignment."""
    header, *rows = strictly(text)
    assert header[:5] == ["First Name", "Last Name", "SID", "Email", "Sections"]
    names = header[5::4]
    for place, name in enumerate(names):
        assert header[6 + 4 * place : 9 + 4 * place] == [
            f"{name} - Max Points",
            f"{name} - Submission Time",
            f"{name} - Lateness (H:M:S)",
        ]
    assert len({row[2] for row in rows}) == len(rows)
    return {row[2]: dict(zip(names, map(mark, row[5::4]), strict=True)) for row in rows}


EXPECTED = {
    "al17": {"4_causal": Decimal("0.30"), "5_multi_head": None},
    "en18": {"4_causal": Decimal("13.99"), "5_multi_head": Decimal("5.00")},
    "gh19": {"4_causal": None, "5_multi_head": None},
    "zz20": {"4_causal": None, "5_multi_head": None},
}
NOTES = (
    "no mark: Ada Lovelace, 5_multi_head: split_heads (ungradable: the notebook is cut off in the middle)",
    "no mark: Grace Hopper, 4_causal: causal_attention (not part of this grading)",
    "no mark: Grace Hopper, 5_multi_head: split_heads (needs-a-person: read it)",
    "no work: Zoë Zero",
)


@pytest.mark.parametrize(
    ("made", "read"),
    [
        (gradescope.course_grades, read_gradescope),
        (moodle.grades, read_moodle),
        (canvas.gradebook, lambda text: read_canvas(text)[1]),
    ],
)
def test_each_student_once_with_the_sums(made, read):
    """Everybody on the roster, whoever handed in; sums to the cent; nothing where a mark is missing."""
    done = made(VERDICTS, columns(), ROSTER)
    found = read(done.text)
    keys = {one.student_id: one.lms_id if made is canvas.gradebook else one.student_id for one in STUDENTS}
    assert found == {keys[name]: marks for name, marks in EXPECTED.items()}
    assert (done.notes, done.lost) == (NOTES, False)
    assert [student.student_id for student, _ in done.handed] == ["al17", "en18", "gh19"]


@pytest.mark.parametrize("made", [gradescope.course_grades, moodle.grades, canvas.gradebook])
def test_work_that_finds_no_place_is_told(made):
    """Of somebody who is not on the roster, and of one of two; their marks are nobody's."""
    twin = Student("gh99", "Grace Hopper", "g@uni.edu", "4799", number="4799", line=6)
    roster = Roster((*STUDENTS, twin), Path("roster.csv"))
    done = made([*VERDICTS, make_verdict("Eve\u202e", *EMMY.exercises)], columns(), roster)
    assert done.lost
    assert "not in the roster: Eve" in done.notes
    assert "not clear whose it is: Grace Hopper (the roster, line 4 or 6)" in done.notes
    assert done.text.count("13.99") == 1


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
@pytest.mark.parametrize("made", [gradescope.course_grades, moodle.grades, canvas.gradebook])
def test_any_name_moves_no_column_and_is_no_formula(made, name):
    """The next student's marks are where they were; no cell of a name runs, and the letters are all there."""
    hostile = Student("h1", name, "h@uni.edu", "9", f"{name}", number="9", line=2)
    work = make_verdict("h1", *EMMY.exercises)
    done = made([work, ADA], columns([work, ADA]), Roster((hostile, *STUDENTS), Path("roster.csv")))
    rows = strictly(done.text)
    row = next(row for row in rows if "13.99" in row)
    assert {"h1", "9"} & set(row)
    assert any("0.30" in other and ("al17" in other or "4711" in other) for other in rows)
    for cell in row:
        assert cell == "-" or not cell.lstrip(" ").startswith(FORMULA_STARTS)
        assert not re.search(r";\s*[=+\-@]", cell)
        assert printable(cell) == cell
    letters = re.sub(r"[^\w]", "", printable(" ".join(name.split())))
    assert letters in re.sub(r"[^\w]", "", "".join(row))


@pytest.mark.parametrize("bad", ["=1+1", "+49", "-7", "@x", "＝1", "a\nb", "a;=1", "\u202e1", "\ud800"])
@pytest.mark.parametrize(
    ("made", "field"),
    [
        (gradescope.course_grades, "student_id"),
        (gradescope.course_grades, "email"),
        (moodle.grades, "student_id"),
        (moodle.grades, "email"),
        (moodle.grades, "lms_id"),
        (canvas.gradebook, "student_id"),
        (canvas.gradebook, "lms_id"),
    ],
)
def test_an_id_is_never_changed(made, field, bad):
    """One that a spreadsheet would run is refused, with its line, as an apostrophe would be part of it."""
    fields = {"student_id": "x", "email": "e@x", "lms_id": "1", field: bad}
    with pytest.raises(UsageError) as told:
        made([EMMY], columns(), Roster((Student(name="X", line=7, **fields),), Path("roster.csv")))
    assert (told.value.where, told.value.line) == (Path("roster.csv"), 7)
    assert told.value.fix


@pytest.mark.parametrize("made", [gradescope.course_grades, moodle.grades])
def test_without_a_roster(made):
    """The students are those who handed in; a name that is no id is refused."""
    done = made(VERDICTS, columns(), None)
    read = read_gradescope if made is gradescope.course_grades else read_moodle
    assert set(read(done.text)) == {"en18", "Grace Hopper", "lovelaceada"}
    with pytest.raises(UsageError) as told:
        made([make_verdict('=HYPERLINK("http://x")', *EMMY.exercises)], columns(), None)
    assert "roster" in told.value.fix


def test_students_of_like_names_need_no_roster():
    """Without one, each work is its own student's."""
    works = [make_verdict(name, *EMMY.exercises) for name in ("Li Wei", "Wei Li")]
    found = read_moodle(moodle.grades(works, columns(), None).text)
    assert [marks["4_causal"] for marks in found.values()] == [Decimal("13.99"), Decimal("13.99")]


def test_what_was_graded_with_other_points_is_refused():
    """The sums would mean something else."""
    with pytest.raises(UsageError) as told:
        columns([make_verdict("x", all_right(max_points="5.00"))])
    assert "causal_mask is worth 4 points in the course, and 5.00 in these results" in told.value.what


def test_only_what_was_handed_in_is_a_column():
    """An assignment of which nobody handed in anything is none; when that is all, the course is another."""
    one = make_verdict("x", without_mark(status="graded", points="1.00"), *LAZY.exercises)
    assert [column.name for column in columns([one, LAZY])] == ["5_multi_head"]
    for verdict in (LAZY, make_verdict("x", all_right("another"))):
        with pytest.raises(UsageError) as told:
            columns([verdict])
        assert "nobody handed in anything of 1_words, 4_causal, 5_multi_head" in told.value.what


def test_a_zero_for_nothing_is_told():
    """Who handed in nothing of an assignment has its zero, as in the grade sheet, and is named."""
    done = moodle.grades([EMMY, LAZY], columns([EMMY, LAZY])[:1], None)
    assert read_moodle(done.text)["lazy"] == {"4_causal": Decimal("0.00")}
    assert done.notes == ("zero: lazy, 4_causal: nothing was handed in",)


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("two\r\n lines", "two lines"),
        (" \t=x ", "'=x"),
        ("a;\n=x", "a;' =x"),
        ("\u202egnp.exe", "gnp.exe"),
        ("nul\0 \ud800", "nul� �"),
        ("u\u0308ber-Ich", "über-Ich"),
    ],
)
def test_a_name_as_a_cell(name, cell):
    """One line of what can be printed, and no formula."""
    assert as_name(name) == cell


def test_missing_work_is_a_zero_that_was_given():
    """An exercise that a student left out has a mark, and that is zero."""
    verdict = make_verdict(
        "x",
        all_right(),
        without_mark("causal_attention", "missing", max_points="10.00", assignment="4_causal"),
    )
    assert columns([verdict])[0].cell(verdict) == "4.00"


# Canvas


def test_canvas_s_columns():
    """Points of each assignment, and the ids under which Canvas knows a student."""
    more = {"sis_user_id": "S1", "sis_login_id": "ada17"}
    ada = Student("al17", "Ada Lovelace", lms_id="4711", section="Mon", more=more, number="4711")
    done = canvas.gradebook(VERDICTS, columns(), Roster((ada, *STUDENTS[1:]), Path("r.csv")))
    (header, points), _ = read_canvas(done.text)
    assert header[5:] == ["4_causal", "5_multi_head"]
    assert points[5:] == ["14.00", "5.00"]
    rows = strictly(done.text)
    assert rows[2] == ["Ada Lovelace", "4711", "S1", "ada17", "Mon", "0.30", ""]
    assert rows[3][:5] == ["Noether, Emmy", "4712", "en18", "", "Mon"]


def test_canvas_needs_its_own_ids():
    """From a roster's column, or from its gradebook."""
    for roster in (None, Roster((Student("al17", line=2),), Path("roster.csv"))):
        with pytest.raises(UsageError) as told:
            canvas.gradebook(VERDICTS, columns(), roster)
        assert "--template" in told.value.fix


GRADEBOOK = [
    [*canvas.HEADER, "Notes", "Essay (8)", "4 causal (91)", "Many heads (92)", "Current Score"],
    ["", "", "", "", "", "", "", "Manual Posting", "", ""],
    ["    Points Possible", "", "", "", "", "", "10", "14.0", "5,00", "(read only)"],
    ["Lovelace, Ada", "4711", "u1", "al17", "Mon", "=n", "9", "", "2.00", "88"],
    ['=cmd"x', "4712", "u2", "en18@uni.edu", "Mon and\nTue", "", "", "1.00", "", ""],
    ["Hopper, Grace", "4713", "u3", "gh19", "Mon", "", "", "", "", ""],
    ["Student, Test", "4800", "", "a0b1", "Mon", "", "", "", "", ""],
]


def as_file(tmp_path: Path, rows: list[list[str]], separator: str = ",", mark: str = "") -> Path:
    sheet = io.StringIO()
    csv.writer(sheet, delimiter=separator).writerows(rows)
    path = tmp_path / "template.csv"
    path.write_bytes((mark + sheet.getvalue()).encode("utf-8"))
    return path


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("roster", [None, ROSTER])
def test_canvas_s_gradebook_is_filled(tmp_path, separator, mark, roster):
    """Only our marks change: columns, rows, ids, others' columns and what Canvas says of itself stay."""
    template = as_file(tmp_path, GRADEBOOK, separator, mark)
    done = canvas.filled_gradebook(VERDICTS, columns(), roster, template)
    rows = strictly(done.text, separator)
    expected = [list(row) for row in GRADEBOOK]
    expected[3][7] = "0.30"
    expected[4][7:9] = ["13.99", "5.00"]
    expected[4][0] = "'" + expected[4][0]
    assert rows == expected
    assert not done.lost
    assert [note for note in done.notes if note.startswith("no work")] == ["no work: Student, Test"]


def test_work_under_canvas_s_login(tmp_path):
    """Is found by it, also where the SIS has another id."""
    work = make_verdict("al17", *EMMY.exercises)
    done = canvas.filled_gradebook([work], columns(), None, as_file(tmp_path, GRADEBOOK))
    assert strictly(done.text)[3][7] == "13.99"


@pytest.mark.parametrize("name", ["Hopper Grace", "Eve"])
def test_work_that_has_no_place_in_canvas_s_gradebook(tmp_path, name):
    """Of one of two students of a name, or of nobody: it is lost, and so is told."""
    rows = [*GRADEBOOK, ["Hopper, Grace", "4900", "", "other", "Mon", "", "", "", "", ""]]
    done = canvas.filled_gradebook(
        [make_verdict(name, *EMMY.exercises)], columns(), None, as_file(tmp_path, rows)
    )
    assert done.lost
    assert "13.99" not in done.text


def test_canvas_s_excuses_are_left_alone(tmp_path):
    """Who is excused, or has not got the assignment, keeps that, and it is told."""
    rows = [list(row) for row in GRADEBOOK]
    rows[4][7:9] = ["EX", "N/A"]
    done = canvas.filled_gradebook(VERDICTS, columns(), None, as_file(tmp_path, rows))
    assert strictly(done.text)[4][7:9] == ["EX", "N/A"]
    assert [note for note in done.notes if note.startswith("left alone")] == [
        'left alone: =cmd"x, 4_causal: EX',
        'left alone: =cmd"x, 5_multi_head: N/A',
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda rows: rows[0].__setitem__(1, "Number"), "no gradebook of Canvas"),
        (lambda rows: rows[0].__setitem__(4, "Group"), "no gradebook of Canvas"),
        (
            lambda rows: rows[0].__setitem__(6, "Causal Attention (93)"),
            "two columns are called like 4_causal",
        ),
        (lambda rows: rows[2].__setitem__(7, "100"), "4 causal (91) is worth 100 points there"),
        (lambda rows: rows[0].__setitem__(slice(7, 9), ["A (1)", "4_causal"]), "no assignment in it"),
    ],
)
def test_another_gradebook_is_refused(tmp_path, change, said):
    """What is no gradebook, has our assignment twice or not at all, or with other points."""
    rows = [list(row) for row in GRADEBOOK]
    change(rows)
    template = as_file(tmp_path, rows)
    with pytest.raises(UsageError) as told:
        canvas.filled_gradebook(VERDICTS, columns(), None, template)
    assert said in told.value.what
    assert (told.value.where, bool(told.value.line), bool(told.value.fix)) == (template, True, True)


def test_points_that_are_no_number_say_nothing(tmp_path):
    """Not even those that Decimal takes for a number which cannot be compared."""
    rows = [list(row) for row in GRADEBOOK]
    rows[2][7] = "sNaN"
    canvas.filled_gradebook(VERDICTS, columns(), None, as_file(tmp_path, rows))


def test_a_column_that_canvas_lacks_is_told(tmp_path):
    """The other one is filled."""
    rows = [list(row) for row in GRADEBOOK]
    rows[0][8] = "Else (92)"
    done = canvas.filled_gradebook(VERDICTS, columns(), None, as_file(tmp_path, rows))
    assert "no column: 5_multi_head" in done.notes
    assert strictly(done.text)[4][7:9] == ["13.99", ""]


def test_names_in_two_columns(tmp_path):
    """Canvas may export last and first names apart."""
    rows = [[row[0], "", *row[1:]] for row in GRADEBOOK]
    rows[0][:2] = ["LastName", "FirstName"]
    rows[5][:2] = ["Hopper", "Grace"]
    work = make_verdict("hoppergrace", *EMMY.exercises)
    done = canvas.filled_gradebook([work], columns(), None, as_file(tmp_path, rows))
    assert strictly(done.text)[5][8] == "13.99"


def test_a_roster_that_contradicts_itself(tmp_path):
    """Two of its rows have ids of one student of Canvas."""
    roster = Roster(
        (Student("u1", "A", line=2), Student("x", "B", lms_id="4711", line=3)), Path("roster.csv")
    )
    with pytest.raises(UsageError) as told:
        canvas.filled_gradebook(VERDICTS, columns(), roster, as_file(tmp_path, GRADEBOOK))
    assert "line 2 or 3 is of 'Lovelace, Ada'" in told.value.what


# Moodle

LAST = ("Last modified (submission)", "Last modified (grade)", "Feedback comments")
WORKSHEET = [
    [
        "Identifier",
        "Full name",
        "Email address",
        "Status",
        "Grade",
        "Maximum grade",
        "Grade can be changed",
        *LAST,
    ],
    ["Participant 4713", "Ada Lovelace", "ada@uni.edu", "Submitted", "", "14.00", "Yes", "Monday", "-", ""],
    [
        "Participant 18",
        "Emmy Noether",
        "emmy@uni.edu",
        "Submitted",
        "1.00",
        "14.00",
        "Yes",
        "-",
        "-",
        "<p>Hi",
    ],
    ["Participant 19", "=Grace Hopper", "g@uni.edu", "Submitted", "7.00", "14.00", "Yes", "-", "-", ""],
    ["Participant 20", "Locked", "l@uni.edu", "Submitted", "", "14.00", "No", "-", "-", ""],
]


def test_moodle_s_worksheet_is_filled(tmp_path):
    """Grades, and comments where there is none; a mark that we have not stays as a person gave it."""
    works = [EMMY, GRACE, ADA, make_verdict("Locked", *EMMY.exercises)]
    done = moodle.filled_worksheet(works, columns()[:1], ROSTER, as_file(tmp_path, WORKSHEET))
    expected = [list(row) for row in WORKSHEET]
    expected[1][4] = "0.30"
    expected[1][9] = "causal_mask: 0.10 of 4.00; causal_attention: 0.20 of 10.00"
    expected[2][4] = "13.99"
    expected[3][1] = "'=Grace Hopper"
    assert strictly(done.text) == expected
    assert "left alone: Locked: Moodle lets nobody change the grade" in done.notes
    assert not done.lost


def test_a_worksheet_with_more_columns(tmp_path):
    """Also two of one name: every cell stays where it is, and a student's own text is no formula."""
    more = [["Notes", "Online text", "Notes"], ["=a", "=1+1", "b"], *[[""] * 3] * 3]
    template = as_file(tmp_path, [[*row, *extra] for row, extra in zip(WORKSHEET, more, strict=True)])
    rows = strictly(moodle.filled_worksheet([ADA], columns()[:1], ROSTER, template).text, doubles=True)
    assert (rows[0][-3:], rows[1][-3:]) == (more[0], ["=a", "'=1+1", "b"])
    assert rows[1][4] == "0.30"


def test_a_participant_s_number_is_nobody_s_id(tmp_path):
    """Ada is participant 4713 of this assignment, and Grace has that id of the platform."""
    done = moodle.filled_worksheet(
        [make_verdict("4713", *EMMY.exercises)], columns()[:1], ROSTER, as_file(tmp_path, WORKSHEET)
    )
    assert strictly(done.text)[1][4] == ""
    assert done.lost


def test_nothing_in_common_is_not_the_same(tmp_path):
    """A student of the roster without an address is not the participant whose address Moodle hides."""
    rows = [list(row) for row in WORKSHEET]
    rows[1][2] = ""
    roster = Roster((Student("en18", "Emmy Noether", line=2),), Path("roster.csv"))
    done = moodle.filled_worksheet([EMMY], columns()[:1], roster, as_file(tmp_path, rows))
    assert strictly(done.text)[1][4] == ""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda rows: rows[0].__setitem__(0, "ID"), "no grading worksheet"),
        (lambda rows: rows[0].__setitem__(4, "Bewertung"), "no grading worksheet"),
        (lambda rows: rows[0].__setitem__(8, "Modified"), "no grading worksheet"),
        (lambda rows: rows[2].__setitem__(5, "100.00"), "the assignment is worth 100.00 points there"),
        (lambda rows: rows[2].__setitem__(5, "100,00"), "the assignment is worth 100,00 points there"),
        (
            lambda rows: (rows[0].__setitem__(5, "Maximum Grade"), rows[2].__setitem__(5, "9")),
            "the assignment is worth 9 points there",
        ),
    ],
)
def test_another_worksheet_is_refused(tmp_path, change, said):
    """What Moodle would not read back, or read as other points."""
    rows = [list(row) for row in WORKSHEET]
    change(rows)
    template = as_file(tmp_path, rows)
    with pytest.raises(UsageError) as told:
        moodle.filled_worksheet(VERDICTS, columns()[:1], None, template)
    assert said in told.value.what
    assert (told.value.where, bool(told.value.line), bool(told.value.fix)) == (template, True, True)


def test_a_worksheet_is_of_one_assignment(tmp_path):
    """Which one has to be said."""
    with pytest.raises(UsageError) as told:
        moodle.filled_worksheet(VERDICTS, columns(), None, as_file(tmp_path, WORKSHEET))
    assert "--assignment" in told.value.fix


def test_moodle_gets_no_half_empty_id():
    """Moodle gives a row with an empty id to the student of the row before: such a column is left out."""
    roster = Roster((*STUDENTS, Student("xx", "X", lms_id="4", line=6)), Path("roster.csv"))
    done = moodle.grades(VERDICTS, columns(), roster)
    assert strictly(done.text)[0][:3] == ["Identifier", "ID number", "Full name"]
    assert "no column Email address: not every student has one" in done.notes
    assert strictly(moodle.grades(VERDICTS, columns(), ROSTER).text)[0] == [
        "Identifier",
        "ID number",
        "Email address",
        "Full name",
        "4_causal",
        "5_multi_head",
        "Feedback comments",
    ]


# Gradescope


def test_gradescope_s_row():
    """Times are unknown, and so are empty."""
    rows = strictly(gradescope.course_grades(VERDICTS, columns(), ROSTER).text)
    marks = ["13.99", "14.00", "", "", "5.00", "5.00", "", ""]
    assert rows[2] == ["Emmy", "Noether", "en18", "emmy@uni.edu", "Mon", *marks]


@pytest.mark.parametrize(
    ("student", "names"),
    [
        (Student("1", "Ada Lovelace"), ["Ada", "Lovelace"]),
        (Student("1", "Lovelace, Ada"), ["Ada", "Lovelace"]),
        (Student("1", "Hans Peter Müller"), ["Hans Peter", "Müller"]),
        (Student("1", "Smith, Jr."), ["", "Smith, Jr."]),
        (Student("1", "John Smith, III"), ["John", "Smith, III"]),
        (Student("1", "Plato"), ["", "Plato"]),
        (Student("1"), ["", "1"]),
        (Student("1", "Li Wei", more={"first_name": "Wei", "last_name": "Li"}), ["Wei", "Li"]),
    ],
)
def test_first_and_last_names(student, names):
    """By a comma, by the last word, or as the roster says."""
    done = gradescope.course_grades(VERDICTS, columns(), Roster((student,), Path("roster.csv")))
    assert strictly(done.text)[1][:2] == names


# feedback


def pages(tmp_path: Path, *verdicts) -> Path:
    (tmp_path / "feedback").mkdir()
    for verdict in verdicts:
        page = tmp_path / "feedback" / f"{Pages(tmp_path, pseudonyms=False).stem(verdict.student)}.html"
        page.write_text(f"page of {verdict.student}", encoding="utf-8", errors="replace")
    return tmp_path


def opened(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def read_by_moodle(path: str) -> tuple[str, str]:
    """The participant and the file, by the rule of Moodle's importer: parts between underscores."""
    folder, _, rest = path.partition("/")
    name, number, kind, plugin, after = folder.split("_", 4)
    assert (kind, plugin, after) == ("assignsubmission", "file", "")
    assert name
    return str(int(number)), rest


@pytest.mark.parametrize("name", [*HOSTILE, "under_score 7_8_", "a/b\\c", "..", "con"], ids=ascii)
def test_moodle_finds_whose_feedback_it_is(tmp_path, name):
    """By the number in the worksheet, whatever the name is."""
    student, work = Student("x", name, more={"Identifier": "17"}), make_verdict(name)
    data, notes = feedback_zip([(student, work)], moodle.feedback_name, pages(tmp_path, work), "")
    [path] = opened(data)
    assert (read_by_moodle(path), notes) == (("17", "feedback.html"), [])


def test_moodle_s_numbers_from_its_download(tmp_path):
    """Without a worksheet; who has none is told, and when nobody has, no zip is made."""
    ada = make_verdict("Ada", origin="in.zip/Ada_31_assignsubmission_file_")
    eve = make_verdict("Eve", origin="in.zip/Eve")
    handed = [(Student("a", "Ada"), ada), (Student("e", "Eve"), eve)]
    folder = pages(tmp_path, ada, eve)
    data, notes = feedback_zip(handed, moodle.feedback_name, folder, "")
    assert opened(data) == {"Ada_31_assignsubmission_file_/feedback.html": "page of Ada"}
    assert notes == ["no feedback: Eve"]
    with pytest.raises(UsageError) as told:
        feedback_zip(handed[1:], moodle.feedback_name, folder, "Grade the download")
    assert (told.value.where, told.value.fix) == (folder, "Grade the download")


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ("lovelaceada_4711_99021_word_count-1.ipynb", "lovelaceada_4711_99021_feedback.html"),
        ("lovelaceada_LATE_4711_99021_hw.py", "lovelaceada_LATE_4711_99021_feedback.html"),
        ("lovelaceada", None),
        ("lovelaceada_4711_hw.py", None),
    ],
)
def test_canvas_s_numbers_from_its_download(entry, place):
    """The first two numbers in the name are the user's and the file's, as Canvas looks for them."""
    found = canvas.feedback_name(Student("x"), make_verdict("x", origin=f"in/{entry}"))
    assert found == place
    if place:
        assert [part for part in place.split("_") if part.isdigit()] == ["4711", "99021"]


def test_a_page_that_is_not_there(tmp_path):
    """Is told with its place."""
    work = make_verdict("x", origin="x_1_assignsubmission_file_")
    with pytest.raises(UsageError) as told:
        feedback_zip([(Student("x"), work)], moodle.feedback_name, tmp_path, "")
    stem = Pages(tmp_path, pseudonyms=False).stem("x")
    assert told.value.where == tmp_path / "feedback" / f"{stem}.html"
