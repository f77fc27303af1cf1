"""Pages: self-contained, escaped, accessible, and silent about what the policy hides."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from urllib.parse import unquote

import pytest

from softmarks.reporting.html import class_html, feedback_html
from softmarks.reporting.pages import Pages
from softmarks.verdict import Outcome

from .made import (
    HOSTILE,
    a_course,
    all_right,
    make_check,
    make_exercise,
    make_message,
    make_verdict,
    without_mark,
)

VOID = {"meta", "br", "col", "link", "img", "input", "hr"}
POLICIES = ("all", "mistake", "outcomes")


class Page(HTMLParser):
    """A page's tags, attributes and text; fails on tags that do not nest."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.attributes, self.words, self.open, self.scripts = [], [], [], [], []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *each) for each in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["script"]:
            self.scripts.append(data)
        elif self.open[-1:] != ["style"]:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    def values(self, name):
        return [value for _, key, value in self.attributes if key == name]


def secret_verdict():
    """Every text that a policy may hide holds a word of its own."""
    checks = (
        make_check("test_secretname", Outcome.RAISED, says="The rule.", message="OWNMESSAGE"),
        make_check("test_other"),
    )
    message = make_message(
        mistake="secret-mistake",
        asked="ASKED",
        difference="DIFFERENCE",
        says="SAYS",
        hint="HINT",
        printed="PRINTED",
    )
    exercise = make_exercise(checks=checks, messages=(message,), mistakes=("secret-mistake",), note="NOTE")
    return make_verdict("Ada", exercise, origin="/home/instructor/ORIGIN")


def hostile_verdict(text):
    """A submission in which every text holds ``text``."""
    checks = (make_check("t", Outcome.RAISED, says=text, kind=text, message=text),)
    message = make_message(mistake=text, asked=text, difference=text, says=text, hint=text, printed=text)
    exercise = make_exercise(
        text, title=text, assignment=text, checks=checks, messages=(message,), mistakes=(text,),
        repairs=(text,), note=text, confinement=text,
    )  # fmt: skip
    given = {
        "course": text,
        "course_version": text,
        "engine_version": text,
        "repairs": (text,),
        "unplaced": (text,),
    }
    return make_verdict(text, exercise, without_mark(note=text), **given)


@pytest.mark.parametrize(
    ("policy", "shown", "hidden"),
    [
        ("all", "ASKED DIFFERENCE SAYS HINT Secret mistake PRINTED OWNMESSAGE", ""),
        ("mistake", "ASKED DIFFERENCE SAYS HINT Secret mistake", "PRINTED OWNMESSAGE"),
        ("outcomes", "", "ASKED DIFFERENCE SAYS HINT PRINTED OWNMESSAGE secret-mistake Secret"),
    ],
)
def test_what_a_policy_hides_is_not_in_the_file(policy, shown, hidden):
    """The words are absent from the source, not only from view; outcomes, rules and marks always show."""
    source = feedback_html(secret_verdict(), policy=policy)
    page = Page(source)
    for word in [*shown.split(), "The rule.", "raised an error", "NOTE", "3.50 of 10.00"]:
        assert word in page.text
    for word in hidden.split():
        assert word not in source


@pytest.mark.parametrize("policy", POLICIES)
def test_names_of_tests_and_places_are_never_told(policy):
    """Neither a hidden test's name nor a path of the instructor's machine is in a student's page."""
    source = feedback_html(secret_verdict(), policy=policy)
    assert "secretname" not in source
    assert "ORIGIN" not in source


def test_a_page_says_everything(verdict):
    """Totals, points, repairs, notes, what a message explains, confinement, versions, date."""
    text = Page(feedback_html(verdict, policy="all")).text
    for part in (
        "attention, version 1.0 Ada Lovelace 7.50 of 19.00 points",
        "Exercises without a mark are not in this total.",
        "Repaired: read as UTF-16",
        "Belongs to no exercise: notes.txt",
        "explains 2 of 3 failed checks",
        "Means The mask is applied after the softmax",
        "A later token moves no earlier output. mask wrong value 0.00 of 2.00",
        "ungradable the notebook is cut off in the middle",
        "Graded 29 November 2026, 18:05 UTC by Softmarks 0.1.0. Run confined (Landlock 6, seccomp).",
    ):
        assert part in text


def test_a_guess_is_called_one():
    """A page says where a mistake is only likely, and counts failed checks where some are left to explain."""
    messages = make_message(sure=False), make_message(mistake="too_long or too_short", failed=2)
    text = Page(feedback_html(make_verdict("x", make_exercise(messages=messages)), policy="all")).text
    assert "Perhaps: Mask after softmax explains 2 of 3 failed checks Asked" in text
    assert "One of: too long, or too short Asked" in text


@pytest.mark.parametrize("text", HOSTILE)
def test_everything_is_escaped(text):
    """Whatever any field holds, a page keeps its own tags alone and can be saved as UTF-8."""
    calm = "calm"
    for make in (
        lambda word: feedback_html(hostile_verdict(word), policy="all"),
        lambda word: class_html([hostile_verdict(word)], a_course(word)),
    ):
        source = make(text)
        source.encode("utf-8")
        assert source.replace("\n", "").isprintable()
        page = Page(source)
        assert page.tags == Page(make(calm)).tags
        assert [key for _, key, _ in page.attributes] == [key for _, key, _ in Page(make(calm)).attributes]


def test_what_was_written_can_be_read():
    """Escaping loses nothing: the reader sees the tag and the marked control character."""
    page = Page(feedback_html(hostile_verdict("<b>\x1b[0m\u202e</b>"), policy="all"))
    assert r"<b>\x1b[0m\u202e</b>" in page.text


def test_backquotes_become_code_and_stay_escaped():
    """What authors put into backquotes is set as code, its content escaped."""
    source = feedback_html(
        make_verdict("x", make_exercise(messages=(make_message(hint="run `a <b>` now"),))), policy="all"
    )
    assert "run <code>a &lt;b&gt;</code> now" in source


def test_a_long_line_and_a_long_text_are_clipped():
    """A print-out of a million characters does not make a page of that size."""
    message = make_message(printed=("x" * 10_000 + "\n") * 1000)
    source = feedback_html(make_verdict("x", make_exercise(messages=(message,))), policy="all")
    assert len(source) < 80_000
    assert "more lines" in source


@pytest.mark.parametrize("make", ["feedback", "class"])
def test_a_page_loads_and_runs_nothing(make, verdict, class_verdicts):
    """No external resource, no inline handler, and in a student's page no script; its policy forbids them."""
    source = (
        feedback_html(verdict, policy="all") if make == "feedback" else class_html(class_verdicts, a_course())
    )
    page = Page(source)
    assert not {"link", "img", "iframe", "object", "form", "base"} & set(page.tags)
    assert not page.values("src")
    assert not [key for _, key, _ in page.attributes if key.startswith("on")]
    assert not re.search(r"url\(|@import|https?:", source)
    [policy, *_] = page.values("content")
    allowed = [f"; script-src '{digest(script)}'" for script in page.scripts]
    assert len(allowed) == page.tags.count("script") == (make == "class")
    rest = "; base-uri 'none'; form-action 'none'"
    assert policy == "".join(["default-src 'none'; style-src 'unsafe-inline'", *allowed, rest])
    assert source.index("Content-Security-Policy") < source.index("<style")
    assert all(href.startswith(("#", "feedback/")) for href in page.values("href"))


@pytest.mark.parametrize("make", ["feedback", "class"])
def test_a_page_is_accessible(make, verdict, class_verdicts):
    """One main, one h1, headings in order, header cells with a scope, unique ids."""
    source = (
        feedback_html(verdict, policy="all") if make == "feedback" else class_html(class_verdicts, a_course())
    )
    page = Page(source)
    headings = [int(tag[1]) for tag in page.tags if re.fullmatch(r"h\d", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(headings))
    assert page.tags.count("main") == 1
    assert {"header", "footer"} <= set(page.tags)
    assert len(page.values("scope")) == page.tags.count("th")
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert {href[1:] for href in page.values("href") if href.startswith("#")} <= set(ids)
    assert set(page.values("aria-labelledby")) <= set(ids)
    assert ("html", "lang", "en") in page.attributes
    assert "width=device-width, initial-scale=1" in page.values("content")


def digest(script):
    """What a policy calls a script."""
    return "sha256-" + b64encode(sha256(script.encode()).digest()).decode()


def luminance(colour):
    """Relative luminance of #rrggbb (WCAG 2)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """Contrast ratio of two colours (WCAG 2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_text_has_enough_contrast():
    """Every text colour on every ground it meets: at least 4.5, in light and in dark."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    style = (files("softmarks.reporting") / "templates" / "style.css").read_text()
    palettes = [
        dict(re.findall(r"--([\w-]+): (#\w{6});", block))
        for block in re.findall(r":root \{(.*?)\}", style, re.S)[:2]
    ]
    for palette in palettes:
        pairs = [
            (text, ground)
            for text in ("ink", "soft", "good", "bad", "caution", "accent")
            for ground in ("paper", "card")
        ]
        pairs += [("ink", "tint"), ("ink", "caution-tint"), ("caution", "caution-tint")]
        for text, ground in pairs:
            assert contrast(palette[text], palette[ground]) >= 4.5, (text, ground)


def test_the_heat_map_stays_readable():
    """The number in the strongest cell, too, has a contrast of at least 4.5."""
    style = (files("softmarks.reporting") / "templates" / "class.html").read_text()
    heats = [[int(part) for part in found.split(",")] for found in re.findall(r"--heat: ([\d, ]+);", style)]
    strongest = max(float(found) for found in re.findall(r"rgba\(var\(--heat\), ([\d.]+)\)", style))
    for heat, paper, ink in zip(heats, ("#fbfaf7", "#16191d"), ("#22262b", "#e4e2dc"), strict=True):
        ground = [int(paper[place : place + 2], 16) for place in (1, 3, 5)]
        mixed = [
            round(strongest * part + (1 - strongest) * under)
            for part, under in zip(heat, ground, strict=True)
        ]
        assert contrast("#" + "".join(f"{part:02x}" for part in mixed), ink) >= 4.5


def test_a_status_is_said_in_words(verdict):
    """No outcome is told by colour or sign alone."""
    text = Page(feedback_html(verdict, policy="outcomes")).text
    for words in ("passed", "wrong value", "not reached", "ran out of time", "no points"):
        assert words in text


def test_checks_worth_nothing_show_no_points():
    """A suite without points counts checks, and has no column of zeros."""
    checks = (make_check(max_points="0.00"), make_check("b", Outcome.RAISED, max_points="0.00"))
    text = Page(
        feedback_html(make_verdict("x", make_exercise(checks=checks, suite="public")), policy="all")
    ).text
    assert "1 of 2 checks passed" in text
    assert "0.00" not in text


def test_a_verdict_without_exercises_is_a_page():
    """An empty submission has a page that says nothing was run."""
    empty = make_verdict().model_copy(update={"exercises": ()})
    assert "Nothing was run." in Page(feedback_html(empty, policy="all")).text


def test_the_class_page_has_the_matrix(class_verdicts):
    """Rows of marks and words, totals, means, the star of incomplete ones, mistakes, and who has no mark."""
    text = Page(class_html(class_verdicts, a_course())).text
    for part in (
        "Student Total causal_mask causal_attention split_heads",
        "Noether, Emmy 9.50 2.00 3.50 4.00",
        "mean 9.17 2.80 4.25 2.67",
        "out of 19.00 4.00 10.00 5.00",
        "Mask after softmax causal_attention The mask is applied after the softmax, so",
        "Жанна causal_attention : the notebook is cut off",
        "Ran out of time 3",
    ):
        assert part in text
    assert "Ada Lovelace 7.50* 4.00 3.50 ungradable" in text
    for kind in ("shade-5", "shade-1", "absent", "unmarked"):
        assert f'class="{kind}"' in class_html(class_verdicts, a_course())


@pytest.mark.parametrize(
    "student", ["Doe, Jane", "Σοφία", "a b#c?d%", "../x", "javascript:alert(1)", *HOSTILE]
)
def test_links_lead_to_the_feedback_file(student, tmp_path):
    """A link is relative, quoted, and names the file that the page is written to."""
    path = f"feedback/{Pages(tmp_path, pseudonyms=False).stem(student)}.html"
    page = Page(class_html([make_verdict(student)], a_course(), {student: path}))
    hrefs = page.values("href")
    assert hrefs
    for href in hrefs:
        assert re.fullmatch(r"feedback/[\w.~%-]+", href, re.ASCII)
        assert unquote(href) == path


def test_an_empty_class_is_a_page():
    """Nobody handed in."""
    assert "0 submissions" in Page(class_html([], a_course())).text


def test_outcomes_and_hard_checks(class_verdicts):
    """How far each student has come in what the course teaches, and which checks most people fail."""
    page = Page(class_html(class_verdicts, a_course()))
    exercises = {one.exercise for verdict in class_verdicts for one in verdict.exercises}
    taught = {id for one in a_course().exercises if one.name in exercises for id in one.outcomes}
    assert taught
    for outcome in a_course().outcomes:
        assert (outcome.says in page.text) == (outcome.id in taught)
    assert "Hardest checks" in page.text
    alone = Page(class_html([make_verdict("Ada", make_exercise(), all_right())], a_course()))
    assert "A later token moves no earlier output. causal_attention 1 of 1" in alone.text
    assert re.search(r"mean (–|\d+)( (–|\d+))* Percent", alone.text)
    assert "Hardest checks" not in Page(class_html([make_verdict("Ada", all_right())], a_course())).text


def test_totals_are_counted_in_words(class_verdicts):
    """Each bar of the histogram has its count for a reader who sees none; who has no mark is no bar."""
    nobody = make_verdict("x", without_mark())
    text = Page(class_html([*class_verdicts, nobody], a_course())).text
    for part in (
        "0 to under 10 percent: 1 student 1 0",
        "10 to under 20 percent: 0 students 10",
        "90 to 100 percent: 2 students 2 90 100",
        "Students by their percent of the points, of what has a mark: median 54 %, mean 61 %.",
        "1 student without any mark.",
    ):
        assert part in text
    assert "Totals" not in Page(class_html([nobody], a_course())).text


def test_long_lists_are_folded():
    """Ten are seen at once, the rest is behind a word; who has nothing at all is not told name by name."""
    exercises = [without_mark(name, "missing") for name in ("a", "b")]
    some = make_exercise(mistakes=tuple(f"slip-{number}" for number in range(12)))
    verdicts = [make_verdict(f"s{number}", *exercises) for number in range(13)]
    page = Page(class_html([*verdicts, make_verdict("t", all_right("a"), some)], a_course()))
    assert page.tags.count("details") == 2
    assert "s9 all 3 exercises" not in page.text
    assert "3 more s10 a, b" in page.text
    assert "2 more Mistake Students Slip 8" in page.text
    alone = Page(class_html(verdicts[:1], a_course()))
    assert "s0 all 2 exercises: the notebook is cut off" in alone.text
    assert "details" not in alone.tags


def test_a_page_has_learning_outcomes(verdict):
    """With the course: points of the exercises that teach each, and no number where none has a mark."""
    text = Page(feedback_html(verdict, policy="all", course=a_course())).text
    assert "Learning outcome Points Make attention a small module" in text
    assert "Hide the future from every token, after the softmax and, better, before it. 7.50 of 14.00" in text
    assert "then as one split projection. no mark" in text
    assert "Learning outcome" not in Page(feedback_html(verdict, policy="all")).text
    alone = make_verdict("x", all_right())
    assert "Learning outcome" not in Page(feedback_html(alone, policy="all", course=a_course())).text
