"""Verdicts in a terminal: complete, calm, within the width, and inert."""

from __future__ import annotations

import io
import re

import pytest
from rich.cells import cell_len
from rich.console import Console

from softmarks.reporting.class_table import print_class
from softmarks.reporting.terminal import print_verdict
from softmarks.verdict import Outcome

from .made import HOSTILE, all_right, make_check, make_exercise, make_message, make_verdict, without_mark

COLOUR = re.compile(r"\x1b\[[\d;]*(?<![\d])(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[\d;]*m")


def console(width=80, **settings):
    """A console that writes to a string, as a pipe does."""
    return Console(file=io.StringIO(), width=width, **settings)


def printed(show, *given, width=80, **settings):
    """What is written to a console of that width."""
    target = console(width, **settings)
    show(target, *given)
    return target.file.getvalue()


def flat(text):
    """Text with every run of blanks as one."""
    return " ".join(text.replace("│", " ").split())


def hostile_verdict(text):
    """A submission in which whatever a student controls holds ``text``."""
    message = make_message(asked=text, difference=text, printed=text * 3)
    exercise = make_exercise(messages=(message,), repairs=(text,), note=text)
    return make_verdict(text, exercise, without_mark(note=text), repairs=(text,), unplaced=(text,))


def test_a_verdict_says_everything(verdict):
    """Names, marks, rules, outcomes, the message and what it explains, repairs, and the wall."""
    text = flat(printed(print_verdict, verdict))
    for part in (
        "Ada Lovelace",
        "causal_mask The causal mask all checks passed 4.00 of 4.00",
        "2 of 6 checks passed 3.50 of 10.00",
        "✗ A later token moves no earlier mask wrong value 0.00/2.00",
        "· Buffers follow the module. device not reached 0.00/2.00",
        "ran out of time 0.00/0.50",
        "book passed no points",
        "Mask after softmax explains 2 of 3 failed checks",
        "asked `CausalAttention(d_in=10, d_out=12, context_length=9)` on x of shape (2, 7, 10)",
        "seen the context differs first",
        "means The mask is applied after the softmax, so rows no longer sum to one.",
        "next Read the hint",
        "Repaired: read as UTF-16",
        "Belongs to no exercise: notes.txt",
        "the notebook is cut off in the middle",
        "Total 7.50 of 19.00",
        "Exercises without a mark are not in the total.",
    ):
        assert part in text
    assert text.endswith("Run confined (Landlock 6, seccomp).")


def test_one_exercise_can_be_printed_alone():
    """``mark`` shows one exercise and how it was run, without a total."""
    text = printed(print_verdict, make_exercise(confined=False, confinement="none"))
    assert "Total" not in text
    assert flat(text).endswith("Run unconfined: nothing stood between this program and the machine.")


def test_a_suite_worth_nothing_shows_no_points():
    """Public checks without points say how many passed and show no column of zeros."""
    checks = (make_check(max_points="0.00"), make_check("b", Outcome.RAISED, max_points="0.00"))
    text = printed(print_verdict, make_exercise(checks=checks, suite="public", points="0.00"))
    assert "1 of 2 checks passed" in text
    assert "0.00" not in text
    assert "no points" not in text


def test_a_check_that_no_message_explains_speaks_for_itself():
    """A check's own message is shown unless a message covers it already."""
    checks = (
        make_check("test_future", Outcome.RAISED, message="covered"),
        make_check("b", Outcome.RAISED, message="uncovered"),
    )
    text = printed(print_verdict, make_exercise(checks=checks))
    assert re.search(r"seen +uncovered", text)
    assert not re.search(r"\bcovered", text)


@pytest.mark.parametrize(
    ("mistake", "sure", "heading"),
    [
        ("one_step_too_many", True, "One step too many"),
        ("one_step_too_many", False, "Perhaps: One step too many"),
        ("off-by-one or too_short", True, "One of: off by one, or too short"),
        ("too_long or too_short or base_e", False, "Perhaps one of: too long, too short, or base e"),
        ("d_in_and_d_out_swapped", True, "d_in and d_out swapped"),
        (None, True, "To repair"),
    ],
)
def test_a_heading_says_how_sure_it_is(mistake, sure, heading):
    """A guess is called one, several ids are told apart, and sizes look as they do in code."""
    message = make_message(mistake=mistake, sure=sure)
    assert f"{heading} explains 2" in flat(printed(print_verdict, make_exercise(messages=(message,))))


@pytest.mark.parametrize(("checks", "failed", "said"), [(1, 1, False), (2, 2, False), (1, 2, True)])
def test_how_much_a_message_explains_is_said_where_something_is_left(checks, failed, said):
    """A message that explains every failed check does not count them."""
    message = make_message(checks=("test_future", "test_rows")[:checks], failed=failed)
    assert ("explains" in printed(print_verdict, make_exercise(messages=(message,)))) is said


def test_what_passed_can_be_told_in_a_line():
    """In brief, checks that passed are counted by their kinds; those that did not keep their lines."""
    right = all_right(checks=(make_check("a", kind="shape"), make_check("b"), make_check("c")))
    text = flat(printed(lambda *given: print_verdict(*given, brief=True), right))
    assert "all checks passed 4.00 of 4.00" in text
    assert "✓ 3 checks passed: shape, 2 values Run" in text
    read = all_right(checks=(make_check("a"), make_check("b", Outcome.NEEDS_A_PERSON)))
    assert "✓ 1 check passed: values; 1 read by a person" in flat(
        printed(lambda *given: print_verdict(*given, brief=True), read)
    )
    text = flat(printed(lambda *given: print_verdict(*given, brief=True), make_exercise()))
    assert "✓ 2 checks passed: shape, book ✗ " in text
    assert "A later token moves no earlier" in text
    assert "Matches the book" not in text


def test_a_long_title_stands_below_its_name():
    """Status and mark stay beside the exercise's name, whatever the title's length."""
    text = printed(print_verdict, all_right(title="A mask " * 7))
    first, second = (line.rstrip() for line in text.split("\n")[:2])
    assert first == f"causal_mask{'all checks passed  4.00 of 4.00':>69}"
    assert second == ("A mask " * 7).rstrip()


def test_printed_lines_are_the_last_ones():
    """Of a long print-out the end is shown."""
    message = make_message(printed="\n".join(f"line {number}" for number in range(100)))
    text = printed(print_verdict, make_exercise(messages=(message,)))
    assert "line 99" in text
    assert "line 80" not in text


def test_the_most_frequent_mistakes_are_ten():
    """A class makes many: the terminal has the first ones, and says where all are."""
    told = [make_message(mistake=f"mistake_{number:02}") for number in range(13)]
    names = tuple(message.mistake for message in told)
    verdicts = [make_verdict("ada", make_exercise(mistakes=names, messages=tuple(told)))]
    text = flat(printed(print_class, verdicts, "Attention"))
    assert "mistake_09" in text
    assert "mistake_10" not in text
    assert "… and 3 more: index.html has all" in text
    verdicts = [make_verdict("ada", make_exercise(mistakes=names[:10], messages=tuple(told[:10])))]
    assert "more: index.html" not in flat(printed(print_class, verdicts, "Attention"))


@pytest.mark.parametrize("width", [80, 120])
def test_no_line_is_longer_than_the_terminal(width, verdict, class_verdicts):
    """Nothing wraps by itself, whatever the texts are."""
    many = [
        make_verdict(who, *(all_right(f"exercise_with_a_name_{n}") for n in range(25))) for who in HOSTILE
    ]
    texts = [
        printed(print_verdict, verdict, width=width),
        printed(print_class, class_verdicts, "Attention", width=width),
        printed(print_class, many, "Attention", width=width),
        *(printed(print_verdict, hostile_verdict(text), width=width) for text in HOSTILE),
    ]
    for text in texts:
        assert max(cell_len(line) for line in text.split("\n")) <= width


@pytest.mark.parametrize(("width", "used"), [(60, 60), (80, 80), (200, 100)])
def test_a_wide_terminal_keeps_lines_readable(verdict, width, used):
    """Rules and prose fill the terminal, and stop at a hundred columns."""
    lines = [line.rstrip() for line in printed(print_verdict, verdict, width=width).split("\n")]
    assert max(map(len, lines)) == used
    assert {len(line) for line in lines if line and set(line) == {"─"}} == {used}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_inert(text):
    """A pipe receives no control character, and markup is shown as it was written."""
    for shown in (
        printed(print_verdict, hostile_verdict(text)),
        printed(print_class, [hostile_verdict(text)], text),
    ):
        assert shown.replace("\n", "").isprintable()
        shown.encode("utf-8")
    assert "[bold red]" not in text or "[bold red]x[/bold red]" in printed(
        print_verdict, hostile_verdict(text)
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_a_terminal_receives_only_our_own_sequences(text):
    """In colour, too, what a student wrote starts no sequence: only styles begin and end."""
    shown = printed(
        print_verdict, hostile_verdict(text), force_terminal=True, color_system="truecolor", _environ={}
    )
    assert "\x1b[" in shown
    assert re.sub(r"\x1b\[[\d;]*m", "", shown).replace("\n", "").isprintable()


def test_no_color_is_obeyed(verdict):
    """NO_COLOR leaves no colour behind, and what is said stays."""
    terminal = {"force_terminal": True, "color_system": "truecolor"}
    assert COLOUR.search(printed(print_verdict, verdict, _environ={}, **terminal))
    plain = printed(print_verdict, verdict, _environ={"NO_COLOR": "1"}, **terminal)
    assert not COLOUR.search(plain)
    assert re.sub(r"\x1b\[[\d;]*m", "", plain) == printed(print_verdict, verdict)


def test_an_old_encoding_is_no_crash(class_verdicts, verdict):
    """A terminal that knows ASCII alone gets signs and names that it can show."""
    for show, given in ((print_verdict, (verdict,)), (print_class, (class_verdicts, "Grüße"))):
        raw = io.BytesIO()
        file = io.TextIOWrapper(raw, encoding="ascii")
        show(Console(file=file, width=80), *given)
        file.flush()
        assert b"x A later token" in raw.getvalue() or b"causal_" in raw.getvalue()


def test_a_class_is_a_table_that_adds_up(class_verdicts):
    """A row a student: its cells sum to its total, a word counts nothing, means stand below."""
    text = printed(print_class, class_verdicts, "Attention", width=120)
    lines = text.split("\n")
    for name in ("Ada", "Grace", "Noether", "Σοφία", "Жанна"):
        [line, *_] = [line for line in lines if line.startswith(name)]
        *cells, total = re.findall(r"\d+\.\d\d", line)
        assert sum(map(float, cells)) == float(total)
    assert "ungradable" in text
    assert "missing" in text
    assert re.search(r"mean +2\.80 +4\.25 +2\.67 +9\.17", text)
    assert re.search(r"out of +4\.00 +10\.00 +5\.00 +19\.00", text)


def test_a_class_says_what_to_look_at(class_verdicts):
    """Below the table: who has no mark, who hung, and which mistakes are frequent."""
    text = printed(print_class, class_verdicts, "Attention")
    assert re.search(r"ungradable \(2\)\s+Ada Lovelace, split_heads: the notebook is cut off", text)
    assert "ran out of time (3)" in text
    assert re.search(r"2  mask-after-softmax  causal_attention", text)
    assert "* not complete" in text


def test_a_wide_class_is_cut_into_tables():
    """Where columns do not fit beside each other all of them are still there, whole, with the totals last."""
    names = [f"exercise_number_{number:02}" for number in range(25)]
    verdicts = [make_verdict(who, *(all_right(name) for name in names)) for who in ("Ada", "Grace")]
    text = printed(print_class, verdicts, "Attention", width=80)
    assert text.count("Grace") > 1
    assert text.count("4.00 ") + text.count("4.00\n") >= 4 * len(names)
    assert re.findall(r"^Ada.* (\d+\.\d\d) *$", text, re.M)[-1] == "100.00"
    head = flat(" ".join(line for line in text.split("\n") if re.match(r"student| {10}", line)))
    assert all(number in head for number in ("00", "12", "24"))
    assert "…" not in text


def test_an_empty_class_is_no_crash():
    """Nobody handed in."""
    assert "0 submissions" in printed(print_class, [], "Attention")


def test_checks_that_run_elsewhere_are_announced():
    """Once the public ones pass, in a student edition; not while there is something to repair."""
    held_back = "2 hidden checks (mask, device) run when you submit"
    text = flat(printed(lambda *given: print_verdict(*given, brief=True), all_right(held_back=held_back)))
    assert "public checks passed" in text
    assert f"{held_back}." in text
    assert held_back not in flat(printed(print_verdict, make_exercise(held_back=held_back)))
