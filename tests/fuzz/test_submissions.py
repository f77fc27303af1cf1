"""What strangers hand in, and files that platforms and persons wrote: read, or refused with a sentence."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from softmarks.course.course import load_course
from softmarks.course.edition import read_edition
from softmarks.course.finding import find_course
from softmarks.course.located import read_document
from softmarks.errors import SoftmarksError
from softmarks.grading.fingerprints import read_fingerprints
from softmarks.grading.lateness import on_terms, terms_of
from softmarks.reporting import canvas, gradescope, moodle
from softmarks.reporting.exports import Column, of_the_roster
from softmarks.reporting.recorded import read_overrides, read_run, read_verdict
from softmarks.reporting.reviewing import read_sheet
from softmarks.submission.collecting import read_class, read_submission
from softmarks.submission.exceptions import read_exceptions
from softmarks.submission.handing_in import inspected
from softmarks.submission.matching import matched
from softmarks.submission.reading import read_source
from softmarks.submission.roster import Roster, Student, read_roster
from softmarks.submission.times import read_times, timed
from tests.conftest import ROOT, TOY
from tests.fuzz.trying import anything, damaged, nearly, numbers, tried, within, words
from tests.reporting.made import WHEN, all_right, make_exercise, make_verdict
from tests.submission.made import zipped

ANSWERS = ("context_vector", "free_answers")
REAL_NOTEBOOK = next((ROOT / "examples/classroom/submissions").rglob("*.ipynb")).read_bytes()
REAL_ZIP = next((ROOT / "examples/classroom/submissions").glob("*.zip")).read_bytes()
STUB = (ROOT / "exercises/4_causal/causal_mask.py").read_bytes()
COURSE, TOY_COURSE = load_course(ROOT), load_course(TOY)


def told(error: SoftmarksError) -> None:
    """An error for a person: a sentence that can be printed on one screen."""
    assert str(error).encode("utf-8", "backslashreplace").strip()
    assert len(error.what) < 2000


# what a student hands in

cells = nearly(
    {
        "cell_type": st.sampled_from(["code", "markdown", "raw"]),
        "source": words | st.lists(words, max_size=3),
        "metadata": nearly({"nbgrader": nearly({"grade_id": words})}),
        "outputs": st.lists(anything, max_size=1),
        "id": words,
    }
)
lines = (
    st.sampled_from(
        [
            "%%time",
            "%%bash",
            "!ls \\",
            "%matplotlib inline",
            "x = !ls",
            "?x",
            "def context_vector(",
            "\tif x:",
            "  y",
            "```",
            "class A:",
            "## why",
            "(" * 300,
            "%check x",
            "assert_checked(",
            "-" * 200,
            "f'{x!",
            "'a'*4000+" * 50 + "'a'",
        ]
    )
    | words
)
programs = st.lists(lines, max_size=8).map("\n".join)
notebooks = st.builds(
    lambda whole: json.dumps(whole).encode(),
    nearly(
        {
            "cells": st.lists(
                cells | st.fixed_dictionaries({"cell_type": st.just("code"), "source": programs}), max_size=4
            ),
            "nbformat": numbers,
            "metadata": nearly({"kernelspec": nearly({"language": words})}),
            "worksheets": st.lists(nearly({"cells": st.lists(cells, max_size=2)}), max_size=2),
        }
    ),
)
sources = (
    notebooks
    | damaged(notebooks | st.just(REAL_NOTEBOOK))
    | damaged(st.just(STUB))
    | programs.map(lambda text: text.encode("utf-8", "surrogatepass"))
)


@given(sources, st.sampled_from(["a.py", "a.ipynb", "a.IPYNB.txt", "a"]))
@tried(150)
def test_a_file(data, name):
    """Text of cells that can be stored and sent, or a reason."""
    with within(5):
        source = read_source(data, name, "x", ANSWERS)
    assert source.text == "\n\n".join(source.cells)
    assert not (source.text and source.unreadable)
    json.dumps([source.cells, source.repairs, source.unreadable]).encode()
    "".join([*source.cells, *source.repairs, source.unreadable]).encode()


kinds = st.sampled_from(["", ".py", ".ipynb", ".zip", ".py.txt", ".tar.gz", "/"])
parts = (
    st.sampled_from(
        ["context_vector", "causal_mask", "4_causal", "Ada_12345_assignsubmission_file", "li_123_456_x", ".."]
    )
    | st.sampled_from(["manifest.json", "__MACOSX", "timestamp.txt", "\\", "_1" * 100])
    | words
)
names = st.builds(lambda way, kind: "/".join(way) + kind, st.lists(parts, min_size=1, max_size=4), kinds)
manifests = st.builds(
    lambda manifest: json.dumps(manifest).encode(),
    nearly(
        {
            "course": words,
            "course_version": words,
            "engine_version": words,
            "assignments": st.lists(words, max_size=2),
            "student_id": words,
            "packed_at": st.just("2027-03-19T18:00:00+01:00") | words | numbers,
            "files": st.dictionaries(words, words, max_size=2),
        }
    ),
)


@st.composite
def archives(draw, levels=2):
    """A zip with odd names, of anything; zips too."""
    inner = sources | manifests | (archives(levels - 1) if levels else st.just(b""))
    files = {}
    for name in draw(st.lists(names, max_size=4)):
        files[name.replace("\0", "") or "x"] = draw(inner)
    if draw(st.booleans()):
        files["manifest.json"] = draw(manifests)
    try:
        return zipped(files, link=draw(st.sampled_from(["", *files])))
    except (UnicodeError, ValueError):
        return zipped({"context_vector.py": b"x = 1"})


def fits(submission):
    json.dumps([submission.student, submission.origin, submission.repairs, submission.unplaced]).encode()
    "".join([*submission.repairs, *submission.unplaced, submission.unreadable]).encode()
    for source in submission.sources.values():
        "".join(source.cells).encode()


@given(archives() | damaged(archives() | st.just(REAL_ZIP)) | st.binary(max_size=60))
@tried(60)
def test_an_archive(tmp_path, data):
    """Of one student, of a class, checked against its manifest: submissions, or a sentence."""
    path = tmp_path / "handed_in.zip"
    path.write_bytes(data)
    for course in (COURSE, TOY_COURSE):
        for read in (lambda one: [read_submission(path, one)], lambda one: read_class([path], one)):
            try:
                with within(10):
                    found = read(course)
                    found = timed(found, (), (), course, trust=True)
            except SoftmarksError as error:
                told(error)
            else:
                assert len({one.student for one in found}) == len(found)
                for one in found:
                    fits(one)
                matched(found, [Student(one.student, one.student) for one in found])
    try:
        inspected(path).whole  # noqa: B018
    except SoftmarksError as error:
        told(error)


@given(st.lists(st.tuples(names, sources), max_size=4))
@tried(30)
def test_a_folder(tmp_path_factory, files):
    """Files of any name that a disk takes, in any place: the submissions of a class."""
    root = tmp_path_factory.mktemp("class")
    (root / "ada").mkdir()
    for name, data in files:
        path = root / name.lstrip("/")
        try:
            if root in path.resolve().parents:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        except (OSError, ValueError):
            continue
    with within(10):
        for one in read_class([root], COURSE):
            fits(one)


# tables

headings = st.sampled_from(
    [
        *(
            "student_id",
            "name",
            "email",
            "lms_id",
            "late_days",
            "assignment",
            "new_due",
            "extra_days",
            "excused",
            "reason",
        ),
        *(
            "handed_in",
            "Last modified (submission)",
            "Submission Time",
            "submission_timestamp",
            "Identifier",
            "Full name",
        ),
        *(
            "ID",
            "Section",
            "Student",
            "SIS Login ID",
            "Words (1)",
            "1_words (77)",
            "Grade",
            "Last modified (grade)",
        ),
        *(
            "Maximum grade",
            "Grade can be changed",
            "Online text",
            "exercise",
            "check",
            "max_points",
            "text",
            "points",
            "ID number",
        ),
        "",
    ]
)
rosters = ("student_id", "name", "late_days")
agreed = ("student_id", "assignment", "new_due", "extra_days", "excused")
worksheet = ("Identifier", "Full name", "Grade", "Last modified (grade)", "Maximum grade", "Online text")
gradebook = ("Student", "ID", "SIS Login ID", "Section", "1_words (77)")
reviewed = ("student", "exercise", "check", "max_points", "text", "points", "reason")
ours = ("student_id", "assignment", "handed_in")
usual = st.sampled_from([rosters, agreed, worksheet, gradebook, reviewed, ours])
table_cells = words | st.sampled_from(
    [
        "ada",
        "Participant 17",
        "yes",
        "3",
        "1_words",
        "Ada Lovelace",
        "    Points Possible",
        "EX",
        "2026-11-29 18:05:00 UTC",
        "Monday, 3 March 2025, 9:05 AM",
        "al17",
        "sNaN",
        "0,5",
        "-0",
        "2026-11-29T18:05:00.123456789Z",
        "24:00",
    ]
)


@st.composite
def tables(draw):
    """A table with usual columns or any, in any separator, quoted or not."""
    header = list(draw(usual) if draw(st.booleans()) else draw(st.lists(headings, max_size=8)))
    rows = draw(st.lists(st.lists(table_cells, max_size=len(header) + 1), max_size=5))
    separator = draw(st.sampled_from(",;\t"))
    if draw(st.booleans()):
        sheet = io.StringIO()
        csv.writer(sheet, delimiter=separator).writerows([header, *rows])
        text = sheet.getvalue()
    else:
        text = "\n".join(separator.join(row) for row in [header, *rows])
    return text.encode("utf-8", draw(st.sampled_from(["replace", "surrogatepass"])))


COLUMN = Column("1_words", "Words", ("causal_mask", "causal_attention"), make_exercise().max_points)
ADA = make_verdict("al17", all_right(), make_exercise(), origin="Ada_4711_assignsubmission_file_")
ROSTER = Roster(
    (Student("al17", "Ada Lovelace", "ada@uni.edu", "4711", number="4711", line=2),), Path("roster.csv")
)
ASSIGNMENTS = [part.name for part in TOY_COURSE.assignments]


def rostered(path):
    roster = read_roster(path)
    of_the_roster([ADA], roster, [COLUMN])
    for layout in (canvas.gradebook, moodle.grades, gradescope.course_grades):
        try:
            layout([ADA], [COLUMN], roster)
        except SoftmarksError as error:
            told(error)


def excepted(path):
    rows = read_exceptions(path, ["1_words"])
    student = Student(rows[0].student_id) if rows else Student("ada")
    on_terms(ADA, terms_of(TOY_COURSE.late, {"1_words": WHEN}, student, rows))


READERS = (
    rostered,
    excepted,
    lambda path: [
        make_verdict(handed_in={"1_words": {"at": one.at, "clock": "lms"}}).model_dump_json()
        for one in read_times(path, ["1_words"], UTC)
    ],
    lambda path: read_sheet(path, ["ada"], "Kim", WHEN),
    lambda path: canvas.filled_gradebook([ADA], [COLUMN], ROSTER, path),
    lambda path: moodle.filled_worksheet([ADA], [COLUMN], ROSTER, path),
)


@given(tables() | damaged(tables()))
@tried(200)
def test_a_table(tmp_path, data):
    """Roster, exceptions, times, a sheet of marks, what platforms export: rows, or the line of a fault."""
    path = tmp_path / "table.csv"
    path.write_bytes(data)
    for read in READERS:
        try:
            with within(3):
                read(path)
        except SoftmarksError as error:
            told(error)


# a stranger's course, and what results folders hold

scalars = (
    st.sampled_from(
        [
            "!!int ''",
            "!!float ''",
            "!!bool x",
            "!!timestamp x",
            "!!binary é",
            "!!null x",
            "!!set {a}",
            "!!omap [1]",
        ]
    )
    | st.sampled_from(
        [
            "1:1" + ":1" * 300 + ".0",
            "0x",
            "1_",
            "<<: 1",
            "*a",
            "&a [*a]",
            "? [a]",
            "{}: 1",
            "!!python/name:os.system",
            "!x y",
        ]
    )
    | st.sampled_from(["2027-03-19", "[", "|", "~", "9" * 5000, "1e999", ".nan", "{" * 3000])
    | words
)
COURSE_TEXT = (TOY / "course.yml").read_text(encoding="utf-8")


@st.composite
def courses(draw):
    """A course.yml in which some values are others."""
    lines = COURSE_TEXT.splitlines()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        key, colon, _ = lines[at].partition(":")
        lines[at] = f"{key}{colon} {draw(scalars)}"
    return "\n".join(lines).encode("utf-8", "surrogatepass")


@given(courses() | damaged(st.just(COURSE_TEXT.encode()) | courses()))
@tried(20)
def test_a_course(tmp_path, data):
    """A course, or what is wrong with it."""
    (tmp_path / "course.yml").write_bytes(data)
    for read in (lambda: load_course(tmp_path), lambda: read_document(tmp_path / "course.yml")):
        try:
            with within(5):
                read()
        except SoftmarksError as error:
            told(error)


@given(damaged(archives(levels=0)), st.sampled_from([0, 8, 12, 14, 97]))
@tried(60)
def test_a_zipped_course(tmp_path, data, method):
    """Unpacked somewhere, or refused; nothing lies outside."""
    path = tmp_path / "course.zip"
    at = data.rfind(b"PK\x01\x02")
    path.write_bytes(data[: at + 10] + bytes([method, 0]) + data[at + 12 :] if at >= 0 else data)
    try:
        with within(5):
            find_course(name=str(path))
    except SoftmarksError as error:
        told(error)
    assert list(tmp_path.iterdir()) == [path]


records = st.builds(
    lambda event: json.dumps(event).encode(),
    nearly(
        {
            "what": st.sampled_from(["override", "regrade", "forget"]),
            "at": words | numbers,
            "student": words,
            "exercise": words,
            "check": words,
            "points": numbers | words,
            "reason": words,
            "by": words,
        }
    ),
)
RUN = (
    b'{"paths": ["/x"], "only": [], "seed": 0, "times": [], "due": {"1_words": "2027-03-19T18:00:00+01:00"}}'
)
EDITION = b'{"exercises": ["caesar"], "hidden": {"caesar": {"values": 3}}}'
PRINTS = b'{"names": {"f": ["a"]}, "mistakes": [{"id": "a", "says": "b", "hint": "c", "fails": {"t": {}}}]}'
VERDICT = ADA.model_dump_json().encode()
NEST = st.sampled_from([b"[" * 5000, b'{"what":' * 3000, b"\xff", b"[" * 700 + b"]" * 700])


@given(
    st.lists(records | damaged(records) | NEST, max_size=4).map(b"\n".join),
    damaged(st.sampled_from([RUN, EDITION, PRINTS, VERDICT])) | NEST,
)
@tried(120)
def test_records(tmp_path, trail, record):
    """An audit trail, a verdict, what was run, an edition, fingerprints: read, or told what is wrong."""
    (tmp_path / "audit-trail.jsonl").write_bytes(trail)
    for name in ("record.json", "run.json", "edition.json"):
        (tmp_path / name).write_bytes(record)
    for read in (
        lambda: read_overrides(tmp_path),
        lambda: read_verdict(tmp_path / "record.json"),
        lambda: read_run(tmp_path),
        lambda: read_edition(tmp_path),
        lambda: read_fingerprints(tmp_path / "record.json"),
    ):
        try:
            with within(3):
                read()
        except SoftmarksError as error:
            told(error)
