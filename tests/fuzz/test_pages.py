"""Whatever names and texts are, pages stay pages, tables are read back, and nobody is taken for another."""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from softmarks.course.sheets import FreeQuestion
from softmarks.errors import SoftmarksError
from softmarks.grading.judging import Open
from softmarks.reporting import canvas, gradescope, moodle
from softmarks.reporting.exports import Column
from softmarks.reporting.html import class_html, feedback_html
from softmarks.reporting.markdown import feedback_markdown
from softmarks.reporting.pages import Pages
from softmarks.reporting.results import Results
from softmarks.reporting.reviewing import as_sheet, read_sheet
from softmarks.reporting.sheets import grades_csv, pages_csv
from softmarks.submission.names import printable, whose
from tests.fuzz.trying import tried, within, words
from tests.reporting.made import (
    COURSE,
    WHEN,
    make_check,
    make_class,
    make_exercise,
    make_message,
    make_verdict,
    without_mark,
)
from tests.reporting.test_html import Page


@st.composite
def blocks(draw):
    """A few odd words, in a line or in several."""
    return draw(st.sampled_from([" ", "\n"])).join(draw(st.lists(words, max_size=4)))


@st.composite
def names(draw):
    """A student's name, as it is made of what was handed in."""
    word = draw(words)
    return whose(word, []).name or printable(word) or "x"


BLOCKS, NAMES = blocks(), names()
EXERCISES = [exercise.name for exercise in COURSE.exercises][:4]
COLUMN = Column("1_words", "Words", ("causal_mask", "causal_attention"), make_exercise().max_points)


@cache
def plain():
    """The tags, and the attributes, of pages on which nobody wrote anything odd."""
    students = make_class(60)
    full = make_verdict(
        "x",
        make_exercise(
            messages=(make_message(printed="x"), make_message(mistake=None, sure=False)),
            checks=(make_check("a", "needs-a-person", answer="x", message="y"),),
            note="n",
            held_back="h",
            repairs=("r",),
        ),
        origin="o",
        repairs=("r",),
        unplaced=("u",),
    )
    pages = [feedback_html(one, policy="all", course=COURSE) for one in (*students, full)]
    pages.append(class_html(students, COURSE, {one.student: "feedback/x.html" for one in students}))
    read = [Page(page) for page in pages]
    return {tag for one in read for tag in one.tags}, {name for one in read for _, name, _ in one.attributes}


@st.composite
def graded(draw, name):
    """An exercise about which much is said."""
    if draw(st.integers(0, 3)) == 0:
        status = draw(st.sampled_from(["missing", "ungradable", "excused"]))
        return without_mark(name, status, note=draw(BLOCKS))
    said = ("asked", "difference", "says", "hint", "printed")
    message = make_message(
        **{part: draw(BLOCKS) for part in said}, mistake=draw(st.none() | words), sure=draw(st.booleans())
    )
    outcome = draw(st.sampled_from(["passed", "wrong-value", "needs-a-person", "flooded"]))
    check = make_check(draw(words), outcome, **{part: draw(BLOCKS) for part in ("says", "message", "answer")})
    repairs = tuple(draw(st.lists(words, max_size=2)))
    return make_exercise(
        name, note=draw(BLOCKS), repairs=repairs, messages=(message,), checks=(check,), held_back=draw(words)
    )


@st.composite
def verdicts(draw, student=NAMES):
    """A verdict with words of anybody's."""
    exercises = [draw(graded(name)) for name in EXERCISES[: draw(st.integers(1, 3))]]
    lists = {part: tuple(draw(st.lists(words, max_size=2))) for part in ("repairs", "unplaced")}
    return make_verdict(draw(student), *exercises, origin=draw(words), **lists)


@st.composite
def classes(draw):
    """Some students of different names."""
    students = draw(st.lists(NAMES, min_size=1, max_size=3, unique_by=str.casefold))
    return [draw(verdicts(st.just(student))) for student in students]


def stays_a_page(page):
    page.encode()
    read = Page(page)
    tags, attributes = plain()
    assert set(read.tags) <= tags
    assert {name for _, name, _ in read.attributes} <= attributes
    for _, name, value in read.attributes:
        assert name not in ("src", "href") or re.match(r"data:|feedback/|#", value or "")


@given(classes(), st.booleans())
@tried(15)
def test_pages_of_a_class(tmp_path_factory, found, pseudonyms):
    """No name and no text becomes a tag, an attribute or a link that is none of ours."""
    pages = Pages(tmp_path_factory.mktemp("results"), pseudonyms=pseudonyms)
    with within(10):
        shown = [pages.shown(verdict) for verdict in found]
        paths = {pages.name(one.student): f"feedback/{pages.stem(one.student)}.html" for one in found}
        stays_a_page(class_html(shown, COURSE, paths))
        for verdict in shown:
            for policy in ("all", "mistake", "outcomes"):
                stays_a_page(feedback_html(verdict, policy=policy, course=COURSE))
                feedback_markdown(verdict, policy=policy, course=COURSE).encode()
    assert len({pages.stem(one.student).casefold() for one in found}) == len(found)


@given(classes())
@tried(20)
def test_tables_of_a_class(tmp_path_factory, found):
    """A row a student, a cell a column, no formula; as many pages as students."""
    grades = list(csv.reader(io.StringIO(grades_csv(found, EXERCISES, {"o": EXERCISES}), newline="")))
    pages = Pages(tmp_path_factory.mktemp("results"), pseudonyms=False)
    index = list(csv.reader(io.StringIO(pages_csv([one.student for one in found], pages), newline="")))
    for table in (grades, index):
        assert len(table) == 1 + len(found)
        assert {len(row) for row in table} == {len(table[0])}
        assert not any(re.match(r"\s*[=+@\-]", cell) for row in table[1:] for cell in row)
    assert len({row[2] for row in index[1:]}) == len(found)
    for layout in (moodle.grades, gradescope.course_grades):
        try:
            rows = list(csv.reader(io.StringIO(layout(found, [COLUMN], None).text, newline="")))
        except SoftmarksError:  # an id that a spreadsheet would change
            continue
        assert len(rows) == 1 + len(found)
    for verdict in found:
        canvas.feedback_name(None, verdict)


@given(st.lists(NAMES, min_size=1, max_size=4, unique=True), BLOCKS, words)
@tried(30)
def test_a_sheet_of_answers_read_back(tmp_path, students, text, reason):
    """Filled in, it gives marks to those whose answers were in it, with the reason that was written."""
    question = FreeQuestion.model_construct(id="why", ask=text, rubric=(text,))
    sheet = as_sheet([(Open(student, "a", "why", Decimal(3), text), question) for student in students])
    header, *rows = csv.reader(io.StringIO(sheet, newline=""))
    filled = io.StringIO()
    csv.writer(filled).writerows([header, *([*row[:-2], "2,5", reason] for row in rows)])
    path = tmp_path / "filled.csv"
    path.write_bytes(filled.getvalue().encode("utf-8", "replace"))
    given = read_sheet(path, students, "Kim", WHEN)
    assert [one.student for one in given] == students
    assert {one.points for one in given} == {Decimal("2.5")}


@given(verdicts())
@tried(6)
def test_results_read_back(tmp_path_factory, verdict):
    """What was written is known again, as it was."""
    with Results(tmp_path_factory.mktemp("results"), COURSE, [verdict]) as results:
        results.add(verdict)
        results.finish([verdict])
        assert results.known() == {verdict.student: verdict}
