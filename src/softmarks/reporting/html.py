"""Verdicts as pages: one for a student, one of a whole class, and the piece of one for a notebook.

A page is one file that loads nothing. A student's runs nothing; the class's runs one script, which sorts
its tables and is allowed by its digest. All text is made inert and escaped where the templates print
it; what a feedback policy hides is taken out of the verdict before a template sees it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from types import MappingProxyType
from typing import Literal
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from softmarks.course.course import Course
from softmarks.pictures import Drawn
from softmarks.reporting import tally, wording
from softmarks.reporting.inert import clip, inert
from softmarks.reporting.panels import SHADES, in_a_page
from softmarks.reporting.plots import shown_width
from softmarks.verdict import ExerciseVerdict, Verdict

Policy = Literal["all", "mistake", "outcomes"]

LONGEST_LINE = 600
MOST_LINES = 60
STEPS = 5  # of the heat map of a class
UNFOLDED = 10  # of a long list, how many are seen at once


def feedback_html(verdict: Verdict, *, policy: Policy, course: Course | None = None) -> str:
    """A student's page; with its course, also what the marks say of each learning outcome.

    ``policy`` says how much of a failure it tells: ``outcomes`` one word a check, ``mistake`` also one
    message a mistake, ``all`` also each check's own message and the student's printed lines.
    """
    attained = tally.attained(verdict, course) if course else []
    template = environment().get_template("feedback.html")
    return template.render(verdict=told(verdict, policy), attained=attained)


def exercise_fragment(
    exercise: ExerciseVerdict, pictures: Sequence[Drawn] = (), *, folded: bool = False
) -> str:
    """The verdict on one exercise as the output of a notebook's cell, in the colours of what is around it.

    ``pictures`` are of what the program computes; they wait for a click where they are ``folded``.
    """
    panels = in_a_page(exercise.exercise, pictures)
    template = environment().get_template("fragment.html")
    return template.render(exercise=exercise, panels=panels, shades=SHADES if panels else (), folded=folded)


def class_html(
    verdicts: Sequence[Verdict], course: Course, pages: Mapping[str, str] = MappingProxyType({})
) -> str:
    """The instructor's page: marks, learning outcomes, what went wrong how often.

    ``pages`` are the paths of the students' pages, by what they are called here; each is a link.
    """
    columns = tally.columns(verdicts)
    script = (files("softmarks.reporting") / "templates" / "sorting.js").read_text(encoding="utf-8")
    digest = b64encode(sha256(script.encode("utf-8")).digest()).decode("ascii")
    grouped = [(name, list(group)) for name, group in groupby(columns, lambda column: column.assignment)]
    return (
        environment()
        .get_template("class.html")
        .render(
            title=course.title,
            script=Markup(script),
            digest=Markup(digest),
            unfolded=UNFOLDED,
            verdicts=verdicts,
            pages={student: quote(path) for student, path in pages.items()},
            columns=columns,
            assignments=grouped,
            all_complete=all(map(tally.complete, verdicts)),
            total_mean=tally.total_mean(verdicts),
            distribution=tally.distribution(verdicts),
            mistakes=tally.frequent_mistakes(verdicts),
            hardest=tally.hardest_checks(verdicts),
            mastery=tally.mastery(verdicts, course),
            without_a_mark=tally.without_a_mark(verdicts),
            worth_a_look=tally.worth_a_look(verdicts),
            confinement=wording.confinement_words(each for one in verdicts for each in one.exercises),
        )
    )


def told(verdict: Verdict, policy: Policy) -> Verdict:
    """A verdict without what the policy hides."""
    exercises = tuple(as_told(exercise, policy) for exercise in verdict.exercises)
    return verdict.model_copy(update={"exercises": exercises})


def as_told(exercise: ExerciseVerdict, policy: Policy) -> ExerciseVerdict:
    """An exercise without what the policy hides."""
    if policy == "all":
        return exercise
    checks = tuple(check.model_copy(update={"message": ""}) for check in exercise.checks)
    messages = tuple(message.model_copy(update={"printed": ""}) for message in exercise.messages)
    if policy == "mistake":
        return exercise.model_copy(update={"checks": checks, "messages": messages})
    return exercise.model_copy(update={"checks": checks, "messages": (), "mistakes": ()})


@cache
def environment() -> Environment:
    """The templates of all pages."""
    made = Environment(
        loader=PackageLoader("softmarks.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        percent=lambda share: "–" if share is None else f"{100 * share:.0f}",
        share_shade=_share_shade,
        points=wording.in_points,
        address=_address,
        width=shown_width,
        prose=_prose,
        heading=wording.heading,
        named=wording.named,
        day=wording.day,
        sign=lambda outcome: wording.SIGNS[wording.tone(outcome)],
        tone=wording.tone,
        outcome=wording.OUTCOME_WORDS.__getitem__,
        cell=tally.cell,
        total=tally.total_cell,
        shade=_shade,
        standing=_standing,
        share=_share,
    )
    made.globals.update(
        all_passed=wording.all_passed,
        by_exercise=tally.by_exercise,
        complete=tally.complete,
        confinement_words=wording.confinement_words,
        counted=wording.counted,
        mark_words=wording.mark_words,
        passed_words=wording.passed_words,
        any_scored=lambda verdict: any(map(wording.scored, verdict.exercises)),
        any_marked=lambda verdict: any(one.points is not None for one in verdict.exercises),
        status_words=wording.status_words,
        unexplained=wording.unexplained,
    )
    return made


def _harmless(value: object) -> object:
    """What a template prints: text made inert and clipped, before it is escaped."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return inert(clip(value, LONGEST_LINE, MOST_LINES))


def _prose(text: str) -> Markup:
    """Escaped text with what stands in backquotes set as code."""
    escaped = str(escape(inert(clip(text, LONGEST_LINE, MOST_LINES))))
    return Markup(re.sub(r"`([^`\n]+)`", r"<code>\1</code>", escaped))


def _address(image: bytes) -> Markup:
    """The address of a PNG image, which is all of it."""
    return Markup(f"data:image/png;base64,{b64encode(image).decode('ascii')}")


def _standing(exercise: ExerciseVerdict) -> str:
    """An exercise without points to show, in a few words."""
    if exercise.status == "graded":
        return wording.status_words(exercise)
    return wording.STATUS_WORDS[exercise.status]


def _share(verdict: Verdict) -> str:
    """A total in percent, for the bar."""
    most = verdict.max_points
    return f"{100 * verdict.points / most:.1f}" if most else "0"


def _shade(exercise: ExerciseVerdict | None) -> str:
    """The heat map's class of a cell: ``absent``, ``unmarked``, or ``shade-0`` to ``shade-5``."""
    if exercise is None or exercise.status == "missing":
        return "absent"
    if exercise.points is None:
        return "unmarked"
    if not exercise.max_points:
        return "absent"
    return _share_shade(exercise.points / exercise.max_points)


def _share_shade(share: Decimal | None) -> str:
    """The class of a share from 0 to 1."""
    return "absent" if share is None else f"shade-{int(max(Decimal(0), min(Decimal(1), share)) * STEPS)}"
