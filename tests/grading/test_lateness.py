"""Late work loses what the policy says, from recorded facts; what was agreed with somebody holds."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from softmarks.course.course import Late, load_course
from softmarks.course.rooms import room
from softmarks.errors import UsageError
from softmarks.grading.lateness import Delay, Terms, delays, on_terms, terms_of
from softmarks.reporting.recorded import read_verdicts
from softmarks.submission.collecting import Submission
from softmarks.submission.exceptions import Exemption, read_exceptions
from softmarks.submission.roster import Student
from softmarks.submission.times import moment, read_times, timed, unplaced
from softmarks.verdict import HandedIn
from tests.conftest import TOY, page_of
from tests.reporting.made import all_right, make_verdict, without_mark

SOFTMARKS = Path(sys.executable).with_name("softmarks")
DUE = datetime(2027, 3, 19, 18, tzinfo=UTC)
ASSIGNMENTS = ("1_text", "2_numbers")


def late_by(*hours, policy=None, free=0, excused=None, due=None):
    """The delays of as many assignments, each so many hours after its date, which are a week apart."""
    names = [f"a{number}" for number in range(len(hours))]
    dates = {name: DUE + timedelta(weeks=number) for number, name in enumerate(names)}
    handed = {
        name: HandedIn(at=dates[name] + timedelta(hours=one), clock="lms")
        for name, one in zip(names, hours, strict=True)
    }
    terms = Terms(policy or Late(), due or dates, free, excused or {})
    return delays(handed, terms)


@pytest.mark.parametrize(
    ("hours", "days"), [(-100, None), (0, None), (0.001, 1), (24, 1), (24.001, 2), (240, 10)]
)
def test_a_day_counts_as_soon_as_it_is_begun(hours, days):
    """At the date itself nothing is late; a second later one day is."""
    assert late_by(hours) == ({} if days is None else {"a0": Delay(days, 0)})


def test_free_days_go_to_what_was_due_first():
    """Three free days: two for the first, one for the second, none for the third."""
    assert late_by(30, 40, 50, free=3) == {"a0": Delay(2, 2), "a1": Delay(2, 1), "a2": Delay(3, 0)}


def test_work_that_is_worth_nothing_uses_no_free_day():
    """After the last day free days are kept for the next assignment."""
    found = late_by(200, 20, free=3, policy=Late(last_day=5))
    assert found == {"a0": Delay(9, 0), "a1": Delay(1, 1)}


@pytest.mark.parametrize(
    ("delay", "left"),
    [
        (Delay(1, 1), "1"),
        (Delay(2, 0), "0.8"),
        (Delay(5, 2), "0.7"),
        (Delay(5, 0), "0.5"),
        (Delay(6, 6), "0"),
    ],
)
def test_a_share_a_day(delay, left):
    """A tenth for each day that is not free; nothing after the fifth day, free or not."""
    assert delay.share(Late(per_day=Decimal("0.1"), last_day=5)) == Decimal(left)


def test_never_less_than_nothing():
    """Many days take all of it and no more."""
    assert Delay(99, 0).share(Late(per_day=Decimal("0.3"))) == 0


def verdict(points="8.00", hours=30):
    handed = {"assignment": HandedIn(at=DUE + timedelta(hours=hours), clock="lms")}
    made = make_verdict("Ada", all_right("a", points=points), without_mark("b"))
    exercises = tuple(one.model_copy(update={"assignment": "assignment"}) for one in made.exercises)
    return made.model_copy(update={"exercises": exercises, "handed_in": handed})


def terms(**more):
    return Terms(Late(per_day=Decimal("0.15")), {"assignment": DUE}, 0, **more)


def test_points_fall_and_the_page_says_why():
    """Two days: 30 percent. What has no mark still has none, and the machine's verdict is as it was."""
    before = verdict()
    a, b = on_terms(before, terms()).exercises
    assert (a.points, a.note) == (Decimal("5.60"), "2 days late: 5.60 of 8.00 points count")
    assert b == before.exercises[1]
    assert before.exercises[0].points == 8


def test_a_persons_points_stay():
    """What somebody gave for a whole exercise is what it is worth, late or not."""
    assert on_terms(verdict(), terms(), ["a"]).exercises[0].points == 8


def test_who_is_excused_has_no_mark_and_no_maximum():
    """Neither a zero nor a part of the whole."""
    found = on_terms(verdict(), terms(excused={"assignment": "ill"}))
    assert [(one.status, one.points, one.note) for one in found.exercises] == [
        ("excused", None, "excused: ill")
    ] * 2
    assert found.max_points == 0


@pytest.mark.parametrize(
    ("agreed", "days"),
    [
        ({"extra_days": 1}, 1),
        ({"extra_days": 2}, None),
        ({"new_due": DUE + timedelta(hours=29)}, 1),
        ({"new_due": DUE - timedelta(days=1)}, 3),
    ],
)
def test_another_date(agreed, days):
    """More days, or another date, for one student alone, however the id is written."""
    made = Exemption(**{"new_due": None, "extra_days": 0, "excused": False, **agreed}, student_id="ADA17",
                     assignment="assignment", reason="", line=2)  # fmt: skip
    due = {"assignment": DUE}
    own = terms_of(Late(), due, Student("ada17", late_days=4), [made])
    found = delays(verdict().handed_in, own)
    assert own.free_days == 4
    assert {name: one.days for name, one in found.items()} == ({} if days is None else {"assignment": days})
    assert terms_of(Late(), due, Student("ben"), [made]).due == due


def table(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_was_agreed_is_read(tmp_path):
    """Columns in any order, with any usual separator."""
    path = table(
        tmp_path,
        "assignment;student_id;excused;extra_days;new_due;reason\n"
        "1_text;ada;;2;;moved\n1_text;ben;yes;;;ill; \n2_numbers;ben;;;2027-03-20T18:00:00+01:00;\n".replace(
            "ill; ", "ill"
        ),
    )
    a, b, c = read_exceptions(path, ASSIGNMENTS)
    assert (a.student_id, a.extra_days, a.excused, a.reason) == ("ada", 2, False, "moved")
    assert (b.excused, b.reason, b.line) == (True, "ill", 3)
    assert c.new_due == datetime(2027, 3, 20, 17, tzinfo=UTC)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (",1_text,2,,,", "student_id is empty"),
        ("ada,1_txt,2,,,", "no assignment '1_txt'. Did you mean \"1_text\""),
        ("ada,1_text,two,,,", "no number of days"),
        ("ada,1_text,,maybe,,", "neither yes nor no"),
        ("ada,1_text,,,2027-03-19,", "no date with a time zone"),
        ("ada,1_text,,,,", "nothing is agreed on"),
        ("ada,1_text,2,yes,,", "extra_days and excused at once"),
    ],
)
def test_what_makes_no_sense_is_told_with_its_line(tmp_path, row, says):
    """Nobody's agreement is guessed."""
    path = table(tmp_path, f"student_id,assignment,extra_days,excused,new_due,reason\n{row}\n")
    with pytest.raises(UsageError) as error:
        read_exceptions(path, ASSIGNMENTS)
    assert says in str(error.value)
    assert error.value.line == 2


ZONE = DUE.astimezone().tzinfo
RECORDS = {
    "ours": "student_id,assignment,handed_in\nada,1_text,2027-03-19T19:00:00+01:00\nada,2_numbers,\n",
    "moodle": (
        "Identifier,Full name,Email address,Status,Grade,Last modified (submission)\n"
        'Participant 71,Ada L,ada@x.org,Submitted,,"Friday, 19 March 2027, 6:00 PM"\n'
        "Participant 72,Ben,ben@x.org,No submission,,-\n"
    ),
    "gradescope": (
        "First Name,Last Name,SID,Email,Total Score,Submission Time,Lateness (H:M:S)\n"
        "Ada,L,ada,ada@x.org,3,2027-03-19 11:00:00 -0700,00:00:00\nBen,B,ben,,,,\n"
    ),
    "github": (
        '"assignment_name","github_username","roster_identifier","submission_timestamp"\n'
        '"x","adal","ada","2027-03-19 18:00:00 UTC"\n'
    ),
}


@pytest.mark.parametrize("kind", RECORDS)
def test_what_platforms_say_of_the_time(tmp_path, kind):
    """Each way of writing it is the same moment; who handed in nothing has none."""
    [record] = read_times(table(tmp_path, RECORDS[kind]), ["1_text"], UTC)
    assert record.at == DUE
    assert record.assignment == "1_text"
    assert record.student.student_id == "ada" or record.student.email == "ada@x.org"


@pytest.mark.parametrize(
    ("text", "assignments", "zone", "says"),
    [
        ("name,mark\nada,3\n", ["1_text"], UTC, "no column with times"),
        (RECORDS["moodle"], ASSIGNMENTS, UTC, "of one assignment, and several are graded"),
        (RECORDS["moodle"], ["1_text"], None, "this is no time"),
        (RECORDS["ours"].replace("T19", " nineteen"), ["1_text"], UTC, "this is no time"),
    ],
)
def test_a_record_that_cannot_be_read(tmp_path, text, assignments, zone, says):
    """It is told, not skipped: it may be somebody's mark."""
    with pytest.raises(UsageError, match=says):
        read_times(table(tmp_path, text), assignments, zone)


def test_no_time_is_no_time():
    """Without a zone, a moment is not known."""
    assert moment("2027-03-19 18:00", None) is None
    assert moment("soon", UTC) is None


def test_two_tables_may_have_the_same_student(toy, tmp_path):
    """Each calls them in its own way; the last one counts, and nobody is lost who is in one of them."""
    works = [Submission(name, {}, "", (), ()) for name in ("ada", "ben")]
    later = RECORDS["ours"].replace("T19", "T21") + "cleo,1_text,2027-03-19T19:00:00+01:00\n"
    tables = [read_times(table(tmp_path, text), ["1_text"], UTC) for text in (RECORDS["moodle"], later)]
    ada, ben = timed(works, tables, (), toy, trust=False)
    assert ada.handed_in["1_text"].at == DUE + timedelta(hours=2)
    assert ben.handed_in == {}
    assert unplaced(works, tables) == ["cleo"]
    ada, _ = timed(works, tables[::-1], (), toy, trust=False)
    assert ada.handed_in["1_text"].at == DUE


@pytest.fixture
def root(tmp_path):
    """The toy course, with dates and a policy."""
    made = Path(shutil.copytree(TOY, tmp_path / "course"))
    course = made / "course.yml"
    text = re.sub(r"due: \S+", f"due: {DUE.isoformat()}", course.read_text(), count=1)
    course.write_text(text + "late: {per_day: 0.1, free_days: 1, last_day: 5}\n")
    return made


@pytest.fixture
def work(root, tmp_path):
    """Four students who are right."""
    right = room(load_course(root), root, "count_words").reference()
    for student in ("ada", "ben", "cleo", "dan"):
        target = tmp_path / "work" / student / "1_text" / "count_words.py"
        target.parent.mkdir(parents=True)
        target.write_text(right)
        stamp = (DUE + timedelta(days=3)).timestamp()
        os.utime(target, (stamp, stamp))
    return tmp_path / "work"


def run(root, *words, status=0):
    done = subprocess.run(
        [str(word) for word in (SOFTMARKS, *words, "--course", root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == status, done.stdout
    return done.stdout


def sheet(results):
    text = (results / "grades.csv").read_text(encoding="utf-8")
    return {row["student"]: row for row in csv.DictReader(text.splitlines())}


def count_words(results):
    return {
        one.student: exercise
        for one in read_verdicts(results)
        for exercise in one.exercises
        if exercise.exercise == "count_words"
    }


def test_a_class_with_a_roster_times_and_exceptions(root, work, tmp_path):
    """All of it by commands: penalty, free days, more days, excused, absent, unknown; and regraded."""
    results = tmp_path / "results"
    (tmp_path / "roster.csv").write_text(
        "student_id,name,late_days\nada,Ada,\nben,Ben,0\ncleo,Cleo,\nerin,Erin,\n"
    )
    (tmp_path / "times.csv").write_text(
        "student_id,assignment,handed_in\n"
        + "".join(
            f"{one},1_text,{(DUE + timedelta(hours=30)).isoformat()}\n"
            for one in ("ada", "ben", "cleo", "erin", "\x1bfay")
        )
    )
    (tmp_path / "exceptions.csv").write_text(
        "student_id,assignment,extra_days,excused,reason\ncleo,1_text,2,,moved\nzoe,1_text,1,,?\n"
    )
    facts = ["--roster", tmp_path / "roster.csv", "--times", tmp_path / "times.csv"]
    said = run(root, "grade", work, "-o", results, *facts, "--exceptions", tmp_path / "exceptions.csv",
               "--only", "count_words")  # fmt: skip
    assert "not in the roster: dan" in said
    assert "exceptions.csv, line 3: nobody is called zoe" in said
    assert (
        "2 handed in by the tables of times, and no work here is known to be theirs: 'erin', '\ufffdfay'"
        in said
    )
    found = count_words(results)
    full = found["cleo"].max_points
    assert {name: one.points for name, one in found.items()} == {
        "ada": full * Decimal("0.9"),  # two days, one of them free
        "ben": full * Decimal("0.8"),
        "cleo": full,
        "dan": full,  # nobody knows when
        "erin": 0,
    }
    assert found["erin"].status == "missing"
    page = page_of(results, "ada").read_text()
    assert "2 days late, 1 of them free" in page
    rows = sheet(results)
    assert Decimal(rows["ben"]["count_words"]) == full * Decimal("0.8")
    # what is agreed later changes marks, and is shown before it does
    (tmp_path / "exceptions.csv").write_text(
        "student_id,assignment,excused,extra_days,reason\nben,1_text,yes,,ill\ncleo,1_text,x,,\nada,1_text,,1,\n"
    )
    again = ["regrade", results, "--exceptions", tmp_path / "exceptions.csv"]
    told = run(root, *again, status=1)
    assert "the policy, or what was agreed" in " ".join(told.split())
    assert count_words(results) == found
    run(root, *again, "--yes")
    now = count_words(results)
    assert (now["ben"].status, now["cleo"].points, now["ada"].points) == (
        "excused",
        None,
        full,
    )
    trail = [json.loads(line) for line in (results / "audit-trail.jsonl").read_text().splitlines()]
    assert {one["student"] for one in trail} == {"ada", "ben", "cleo"}


def test_a_files_own_time_counts_only_where_it_is_trusted(root, work, tmp_path):
    """Three days late by the files: nothing without --trust-times."""
    run(root, "grade", work, "-o", tmp_path / "a", "--only", "count_words")
    assert {one.points == one.max_points for one in count_words(tmp_path / "a").values()} == {True}
    run(root, "grade", work, "-o", tmp_path / "a", "--only", "count_words", "--trust-times")
    assert {one.points / one.max_points for one in count_words(tmp_path / "a").values()} == {Decimal("0.8")}
    assert {one.handed_in["1_text"].clock for one in read_verdicts(tmp_path / "a")} == {"file"}


def test_the_exchanges_time_is_a_record(root, work, tmp_path):
    """nbgrader's timestamp counts where the work lies in an nbgrader course, and nowhere else."""
    (work / "ada" / "1_text" / "timestamp.txt").write_text("2027-03-22 18:00:00.000000 UTC\n")
    run(root, "grade", work, "-o", tmp_path / "a", "--only", "count_words")
    assert count_words(tmp_path / "a")["ada"].note == ""
    (tmp_path / "nbgrader_config.py").write_text("")
    run(root, "grade", work, "-o", tmp_path / "a", "--only", "count_words")
    assert count_words(tmp_path / "a")["ada"].note.startswith("3 days late, 1 of them free")
    assert count_words(tmp_path / "a")["ben"].note == ""


def test_one_exercise_of_one_student_again(root, work, tmp_path):
    """It is run again though nothing has changed, and everybody else's verdict stays as it is, even stale."""
    results = tmp_path / "results"
    (tmp_path / "exceptions.csv").write_text("student_id,assignment,excused\ncleo,1_text,yes\n")
    (tmp_path / "roster.csv").write_text("student_id,name\na17,Ada\nben,\ncleo,\ndan,\n")
    facts = ["--exceptions", tmp_path / "exceptions.csv", "--roster", tmp_path / "roster.csv"]
    run(root, "grade", work, "-o", results, *facts)
    before = {path.name: path.read_bytes() for path in (results / "verdicts").iterdir()}
    for student in ("ada", "ben"):
        (work / student / "1_text" / "count_words.py").write_text("def count_words(text):\n    return 0\n")
    run(root, "grade", work / "ada", "-o", results, "--only", "a17/count_words")
    now = {path.name: path.read_bytes() for path in (results / "verdicts").iterdir()}
    assert {name for name in now if now[name] != before[name]} == {"ada.json"}
    found = {one.student: {each.exercise: each for each in one.exercises} for one in read_verdicts(results)}
    assert found["ada"]["count_words"].points < found["ben"]["count_words"].points
    assert set(found["ada"]) == set(found["ben"])
    assert len(sheet(results)) == 4
    assert "excused" in sheet(results)["cleo"]["remarks"]
    for only, says in (("adda/count_words", 'Did you mean "ada"'), ("ada/count_words,caesar", "at once")):
        done = subprocess.run(
            [SOFTMARKS, "grade", work, "-o", results, "--only", only, "--course", root],
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 2
        assert says in done.stderr
