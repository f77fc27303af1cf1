"""Words for a student: one message a mistake. What was asked, what came back, what it is, what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from softmarks.course.rooms import Misconception
from softmarks.grading.diagnosis import Diagnosis
from softmarks.grading.suite_run import Case
from softmarks.verdict import Check, Message, Outcome

QUIET = (Outcome.PASSED, Outcome.NOT_REACHED)


def messages(
    cases: Mapping[str, Case],
    checks: Sequence[Check],
    diagnosis: Diagnosis | None,
    misconceptions: Mapping[str, Misconception],
    hints: Mapping[str, str],
    again: str,
) -> tuple[Message, ...]:
    """The messages of an exercise. ``again`` is a command that shows the fault once more, or ""."""
    failing = {node: case for node, case in cases.items() if case.outcome not in QUIET}
    counted = {check.name for check in checks if check.outcome not in QUIET}
    found: list[Message] = []
    told: set[str] = set()
    if diagnosis:
        for ids, nodes in diagnosis.parts:
            explained = [failing[node] for node in nodes]
            explained = [case for case in explained if case.check in counted] or explained
            says = " Or: ".join(misconceptions[one].says for one in ids)
            hint = f"Hint: {_first(hints.get(misconceptions[ids[0]].hint, ''))}"
            found.append(_message(" or ".join(ids), explained, len(counted), says, hint, again))
        told = {failing[node].check for node in diagnosis.cases}
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in failing.values():
        if case.check in counted - told:
            groups.setdefault((case.outcome, case.message), []).append(case)
    for group in groups.values():
        rule = "" if group[0].outcome is Outcome.MISSING else f"The rule: {group[0].says}"
        found.append(_message(None, group, len(counted), rule, "", again))
    return tuple(found)


def _message(
    mistake: str | None, explained: Sequence[Case], failed: int, says: str, hint: str, again: str
) -> Message:
    case = explained[0]
    line = f" (your line {case.line})" if case.line else ""
    return Message(
        mistake=mistake,
        checks=tuple(dict.fromkeys(each.check for each in explained)),
        failed=failed,
        asked=case.asked,
        difference=f"{case.message}{line}",
        says=says,
        hint=" ".join(part for part in (hint, again) if part),
        printed=case.printed,
    )


def _first(text: str) -> str:
    """The first paragraph of a hint, on one line."""
    return " ".join(text.strip().split("\n\n")[0].split())
