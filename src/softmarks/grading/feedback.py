"""Words for a student: one message a mistake. What was asked, what came back, what it is, what to do next."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from softmarks.course.formulas import flat
from softmarks.course.interface import Misnamed
from softmarks.grading.diagnosis import Diagnosis, Part
from softmarks.grading.fingerprints import Mistake
from softmarks.grading.record import Case
from softmarks.verdict import Check, Message, Outcome

QUIET = (Outcome.PASSED, Outcome.NOT_REACHED)
FIRST_HINT = "nudge"
NUMBERS = ("no", "one", "two", "three", "four", "five")
SYNTAX = re.compile(r"your code raised (Syntax|Indentation|Tab)Error")
ABSENT = re.compile(r"your code raised (ModuleNotFoundError|ImportError: attempted relative import)")


def messages(
    cases: Mapping[str, Case],
    checks: Sequence[Check],
    others: Sequence[Misnamed],
    diagnosis: Diagnosis | None,
    misconceptions: Mapping[str, Mistake],
    hints: Mapping[str, str],
    packages: Sequence[str],
) -> tuple[Message, ...]:
    """The messages of an exercise. Each hint is given once; what has no name gets the first one.

    ``others`` are names that differ from the stub's: the cause of every error, and of more where it is grave.
    ``packages`` are there to be imported, and what is given, beside the standard library.
    """
    failing = {node: case for node, case in cases.items() if case.outcome not in QUIET}
    counted = {check.name for check in checks if check.outcome not in QUIET}
    found: list[Message] = []
    named: set[str] = set()  # cases
    told: set[str] = set()  # checks
    given: set[str] = set()

    def hint(name: str) -> str:
        text = _flowing(flat(hints.get(name, "")))
        if name in given:
            return ""
        given.add(name)
        return text

    if others:
        grave = any(name.grave for name in others)
        named = {key for key, case in failing.items() if grave or case.outcome is Outcome.RAISED}
        told = {failing[key].check for key in named}
        says = f"{'. '.join(name.says for name in others)}."
        found.append(_message(None, _counted(failing, named, counted), len(counted), says, ""))
    if diagnosis:
        for part in diagnosis.parts:
            explained = _counted(failing, part.cases, counted)
            next_step = hint(misconceptions[part.ids[0]].hint)
            words, sure = _told(diagnosis, part, misconceptions), not diagnosis.resembles
            name = " or ".join(part.ids)
            found.append(_message(name, explained, len(counted), words, next_step, sure=sure))
            named |= set(part.cases)
        told |= {failing[key].check for key in named} - {failing[key].check for key in diagnosis.rest}
    groups: dict[tuple[str, str], list[Case]] = {}
    for key, case in failing.items():
        if case.check in counted - told and key not in named:
            groups.setdefault((case.outcome, case.message), []).append(case)
    for group in groups.values():
        begun = group[0].outcome is not Outcome.MISSING and not group[0].loading
        rule = f"The rule: {group[0].says}" if begun else _unloaded(group[0], packages)
        found.append(_message(None, group, len(counted), rule, hint(FIRST_HINT) if begun else ""))
    return tuple(found)


def _unloaded(case: Case, packages: Sequence[str]) -> str:
    """What an error means that ends a program before anything of it is asked for."""
    if not case.loading or SYNTAX.search(case.message):
        return ""
    if ABSENT.search(case.message):
        there = ", ".join(["Python's standard library", *packages])
        return f"Where work is graded, these can be imported: {there}. A helper stands in the file itself."
    return "It happens while your work is loaded, before anything of it is asked for."


def _counted(failing: Mapping[str, Case], keys: Collection[str], counted: Collection[str]) -> list[Case]:
    """The failing cases with these keys, in order: those whose check counts, if there are any."""
    cases = [case for key, case in failing.items() if key in keys]
    return [case for case in cases if case.check in counted] or cases


def _flowing(text: str) -> str:
    """Markdown without its line breaks inside paragraphs and list items: each becomes one line."""
    lines: list[str] = []
    for line in text.splitlines():
        begins = not line.strip() or line.startswith(("- ", "    ")) or not lines or not lines[-1].strip()
        lines[len(lines) if begins else -1 :] = [line if begins else f"{lines[-1]} {line.strip()}"]
    return "\n".join(line for line in lines if line.strip())


def _told(diagnosis: Diagnosis, part: Part, misconceptions: Mapping[str, Mistake]) -> str:
    """The sentence that names a mistake, and how sure it is."""
    says = " Or: ".join(misconceptions[one].says for one in part.ids)
    if diagnosis.rest:
        count = NUMBERS[min(len(diagnosis.parts) + 1, len(NUMBERS) - 1)]
        says = f"At least {count} things are wrong. One of them: {says}"
    return f"It looks like this: {says}" if diagnosis.resembles else says


def _message(
    mistake: str | None, explained: Sequence[Case], failed: int, says: str, hint: str, *, sure: bool = True
) -> Message:
    case = explained[0]
    line = f" (your line {case.line})" if case.line else ""
    return Message(
        mistake=mistake,
        sure=sure,
        checks=tuple(dict.fromkeys(each.check for each in explained)),
        failed=failed,
        asked=case.asked,
        difference=f"{case.message}{line}",
        says=says,
        hint=hint,
        printed=case.printed,
    )
