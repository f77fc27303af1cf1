"""Words for a student: one message a mistake. What was asked, what came back, what it is, what to do next."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from softmarks.course.formulas import readable
from softmarks.course.rooms import Misconception
from softmarks.grading.diagnosis import Diagnosis
from softmarks.grading.record import Case
from softmarks.verdict import Check, Message, Outcome

QUIET = (Outcome.PASSED, Outcome.NOT_REACHED)
FIRST_HINT = "nudge"
SYNTAX = re.compile(r"your code raised (Syntax|Indentation|Tab)Error")


def messages(
    cases: Mapping[str, Case],
    checks: Sequence[Check],
    diagnosis: Diagnosis | None,
    misconceptions: Mapping[str, Misconception],
    hints: Mapping[str, str],
) -> tuple[Message, ...]:
    """The messages of an exercise. Each hint is given once; what has no name gets the first one."""
    failing = {node: case for node, case in cases.items() if case.outcome not in QUIET}
    counted = {check.name for check in checks if check.outcome not in QUIET}
    found: list[Message] = []
    told: set[str] = set()
    given: set[str] = set()

    def hint(name: str) -> str:
        text = _flowing(readable(hints.get(name, "")))
        if name in given:
            return ""
        given.add(name)
        return text

    if diagnosis:
        for ids, nodes in diagnosis.parts:
            explained = [failing[node] for node in nodes]
            explained = [case for case in explained if case.check in counted] or explained
            says = " Or: ".join(misconceptions[one].says for one in ids)
            next_step = hint(misconceptions[ids[0]].hint)
            found.append(_message(" or ".join(ids), explained, len(counted), says, next_step))
        told = {failing[node].check for node in diagnosis.cases}
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in failing.values():
        if case.check in counted - told:
            groups.setdefault((case.outcome, case.message), []).append(case)
    for group in groups.values():
        begun = group[0].outcome is not Outcome.MISSING and not SYNTAX.search(group[0].message)
        rule = f"The rule: {group[0].says}" if begun else ""
        found.append(_message(None, group, len(counted), rule, hint(FIRST_HINT) if begun else ""))
    return tuple(found)


def _flowing(text: str) -> str:
    """Markdown without its line breaks inside paragraphs and list items: each becomes one line."""
    lines: list[str] = []
    for line in text.splitlines():
        begins = not line.strip() or line.startswith(("- ", "    ")) or not lines or not lines[-1].strip()
        lines[len(lines) if begins else -1 :] = [line if begins else f"{lines[-1]} {line.strip()}"]
    return "\n".join(line for line in lines if line.strip())


def _message(mistake: str | None, explained: Sequence[Case], failed: int, says: str, hint: str) -> Message:
    case = explained[0]
    line = f" (your line {case.line})" if case.line else ""
    return Message(
        mistake=mistake,
        checks=tuple(dict.fromkeys(each.check for each in explained)),
        failed=failed,
        asked=case.asked,
        difference=f"{case.message}{line}",
        says=says,
        hint=hint,
        printed=case.printed,
    )
