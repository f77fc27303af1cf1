"""What an audit found, as a table, as JSON and as a page."""

import json
import re

import pytest
from rich.console import Console

from softmarks.grading.audited import CheckFound, Count, MistakeFound, RoomAudit, Survivor, Told, shortfalls
from softmarks.reporting.audit_page import audit_json, audit_page
from softmarks.reporting.audit_table import print_audit, print_messages
from tests.reporting.made import HOSTILE


def room(name="masks", **fields):
    """A room in which everything is as it should be, but for what is given."""
    given = {
        "points": 10,
        "solution": Count(good=200, total=200),
        "stub": Count(good=1, total=1),
        "caught": Count(good=2, total=2),
        "in_band": Count(good=2, total=2),
        "named": Count(good=2, total=2),
        "trivial": Count(good=3, total=3),
        "alternatives": Count(good=40, total=40),
        "pairs_caught": Count(good=40, total=40),
        "pairs_sound": Count(good=40, total=40),
        "pairs_exact": Count(good=31, total=40),
        "mutants": Count(good=48, total=49),
        "survivors": [Survivor(was="x = a - 1", now="x = a ^ 1", why="a is odd")],
        "noise": 0.21,
        "mistakes": [
            mistake("no-wrap", failed=("test_wraps",), gap=812.0),
            mistake("capitals-lost", failed=("test_wraps", "test_keeps"), kept=(0.9, 0.9)),
        ],
        "checks": [
            CheckFound(
                name="test_wraps", kind="values", says="z becomes a.", points=7, seconds=0.002, alone=()
            ),
            CheckFound(name="test_keeps", kind="values", says="It keeps.", points=3, seconds=0.1, alone=()),
        ],
        "messages": ["masks: no-wrap\ncaesar('z', 1)\nyour code gives {\nLetters stop at z."],
    }
    return RoomAudit(exercise=name, **{**given, **fields})


def mistake(name, **fields):
    """A misconception that keeps what its author expects."""
    given = {
        "says": f"{name} is said.",
        "keeps": (0.2, 0.4),
        "kept": (0.3, 0.3),
        "named": (name,),
        "gap": None,
    }
    return MistakeFound(id=name, **{**given, **fields})


@pytest.fixture
def printed():
    """A console of 80 columns and what was printed on it."""
    console = Console(width=80, record=True, force_terminal=False, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    yield console, lambda: console.export_text(clear=False)
    console.file.close()


def test_a_table_fits_a_terminal(printed):
    """Every column can be read at 80 columns, also with numbers of four digits."""
    console, text = printed
    rooms = [
        room("masked_multi_head", caught=Count(good=1000, total=1000)),
        room(named=Count(good=1, total=2)),
    ]
    print_audit(console, rooms, [])
    lines = text().splitlines()
    assert "…" not in text()
    assert any(line.startswith("masked_multi_head") and " 1000" in line for line in lines)
    assert any(line.startswith("all ") and "1002" in line and "3/4" in line for line in lines)
    assert max(map(len, lines)) <= 80
    assert "No fault" in text()


def test_faults_and_notes_are_listed(printed):
    """What falls short, and pairs that are told otherwise."""
    console, text = printed
    print_audit(console, [room(notes=["masks: a and b at once are told as c"])], ["masks: x is not caught"])
    assert "· masks: a and b at once are told as c" in text()
    assert "✗ masks: x is not caught" in text()
    assert "1 faults" in text() or "1 fault" in text()


def test_messages_are_printed_to_be_read(printed):
    """One text a misconception, with the id on a line of its own."""
    console, text = printed
    print_messages(console, [room(), room("other", messages=["other: quiet\n"])])
    assert "masks: no-wrap\ncaesar('z', 1)\nyour code gives {\nLetters stop at z.\n" in text()
    assert "other: quiet\nnothing is told" in text()


def test_json_has_the_numbers():
    """The shape that machines read."""
    data = json.loads(audit_json([room(flaky=0)], ["a fault"]))
    [found] = data["exercises"]
    assert data["faults"] == ["a fault"]
    assert found["exercise"] == "masks"
    assert found["solution_passes"] is True
    assert found["stub_points"] == 0
    assert found["misconceptions"].items() >= {"total": 2, "caught": 2, "named": 2, "in_band": 2}.items()
    assert found["trivial"] == {"total": 3, "under_ceiling": 3}
    assert found["pairs"] == {"total": 40, "caught": 40, "sound": 40, "exact": 31}
    assert found["alternatives"] == {"total": 40, "passed": 40}
    assert found["mutants"]["killed"] == 48
    assert found["mutants"]["survivors"] == [{"was": "x = a - 1", "now": "x = a ^ 1", "why": "a is odd"}]
    assert found["flaky"] == 0
    assert found["kill_matrix"] == {"no-wrap": ["test_wraps"], "capitals-lost": ["test_wraps", "test_keeps"]}
    assert found["sensitivity"] == {"smallest_gap": 812.0, "noise": 0.21}


def test_a_page_shows_which_check_catches_what(toy):
    """Sums, a row a room, the matrix, the reasons; what lies outside of its band is marked."""
    page = audit_page(toy, [room()], ["something falls short"])
    assert '<strong class="good">2 <span class="of">of 2</span></strong>mistakes that people make' in page
    assert "something falls short" in page
    assert page.count('class="cell hit only"') == 1
    assert page.count('class="cell hit"') == 2
    assert page.count("kept out") == 1
    assert "a is odd" in page
    assert not re.search(r"<script|https?://", page)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_markup(toy, text):
    """Whatever stands in a room's texts is escaped."""
    found = room(text, mistakes=[mistake("no-wrap", failed=("test_wraps",), says=text)], faults=[text])
    page = audit_page(toy, [found], [text])
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "\x1b" not in page


def test_bars():
    """All rooms together must reach them; a room alone may fall short."""
    bars = {"named": 0.95, "pairs_exact": 0.6, "mutants": 0.95, "pairs_sound": 0.98, "pairs_caught": 0.99}

    class Bars:
        trivial_ceiling = 0.2

    for name, bar in bars.items():
        setattr(Bars, name, bar)
    good = room(named=Count(good=98, total=100), mutants=Count(good=96, total=100))
    assert list(shortfalls([good], Bars)) == []
    few = room(named=Count(good=80, total=100))
    assert list(shortfalls([few], Bars)) == [
        "80/100 misconceptions are named as what they are: 80.0%, less than the 95% of course.yml"
    ]
    assert list(shortfalls([few, *[good] * 9], Bars)) == []


@pytest.mark.parametrize(
    ("parts", "whole", "sound", "exact"),
    [
        ((("a",), ("b",)), True, True, True),
        ((("a", "x"), ("b",)), True, True, True),
        ((("a",),), False, True, False),
        ((), False, True, False),
        ((("c",),), True, True, False),  # two make a third
        ((("c",),), False, False, False),
        ((("a",), ("c",)), False, False, False),
        ((("a",), ("c",)), True, True, False),
        ((("a", "b"), ("c",)), True, True, False),
    ],
)
def test_what_is_told_of_two(parts, whole, sound, exact):
    """Sound: nothing untrue; exact: both, and nothing else."""
    told = Told(pair=("a", "b"), caught=True, parts=parts, whole=whole)
    assert (told.sound, told.exact) == (sound, exact)
