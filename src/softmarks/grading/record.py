"""How a program fares in a suite, whoever calls the suite's functions: its cases, and what was said in them.

`Recorder` hands out the program check by check and notes how each ends. The record of marks is plain
data; the conversations, which hold tensors, are for diagnosis.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from softmarks.errors import GraderError
from softmarks.grading.checks import FATAL, SUITE, Ending, NotReached, ending
from softmarks.grading.program import Program
from softmarks.grading.student import Conversation, Names, Session
from softmarks.verdict import Outcome


class Case(BaseModel):
    """One case of one check, as it is kept in the record."""

    model_config = ConfigDict(frozen=True)

    check: str
    kind: str
    says: str
    needs: tuple[str, ...]
    outcome: Outcome
    message: str = ""
    asked: str = ""
    line: str = ""
    loading: bool = False  # it ended while the program was loaded
    printed: str = ""
    gap: float = 0.0  # the largest difference of compared numbers, in tolerances
    seconds: float = 0.0  # of this process


@dataclass
class Record:
    """What a run of a suite left behind: its cases in order, and their conversations, by check and number."""

    cases: dict[str, Case]
    conversations: dict[str, Conversation]


@dataclass(frozen=True)
class Rule:
    """What is known of a case before it runs: ``key`` is its check's name and its number in that check."""

    key: str
    check: str
    kind: str
    says: str
    needs: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """A case as it was found in a suite. ``needs`` is None where its kind says what it needs."""

    check: str
    kind: str
    text: str  # the docstring; its first paragraph is the rule in words
    needs: tuple[str, ...] | None


def rules(found: Sequence[Found], kinds: Mapping[str, Sequence[str]]) -> list[Rule]:
    """The rules of a suite's cases, in their order. ``kinds`` maps a kind to those that it needs."""
    by_kind: dict[str, list[str]] = {}
    for case in found:
        checks = by_kind.setdefault(case.kind, [])
        checks += [] if case.check in checks else [case.check]
    seen: Counter[str] = Counter()
    listed = []
    for case in found:
        needs = case.needs
        if needs is None:
            needs = tuple(check for kind in kinds[case.kind] for check in by_kind.get(kind, ()))
        says = " ".join(case.text.split("\n\n")[0].split())
        listed.append(Rule(f"{case.check}/{seen[case.check]}", case.check, case.kind, says, needs))
        seen[case.check] += 1
    return listed


@dataclass
class Recorder:
    """Gives a program to one check after the other, and notes how each ends."""

    program: Program
    endings: dict[str, Ending] = field(default_factory=dict)
    conversations: dict[str, Conversation] = field(default_factory=dict)
    printed: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    began: float = 0.0
    dead: set[str] = field(default_factory=set)  # checks after which running what needs them tells nothing

    def begin(self, rule: Rule) -> tuple[Session, Names]:
        """The program for a case. Raises NotReached when an earlier check makes running this one futile."""
        self.began = time.process_time()
        for needed in (*rule.needs, rule.check):
            if needed in self.dead:
                self.dead.add(rule.check)
                raise NotReached("not run: an earlier check did not get that far")
        return self.program.check()

    def note(self, rule: Rule, error: BaseException | None, *, reached: bool) -> None:
        """A case ended; ``reached`` tells whether it was given the program at all."""
        found = ending(error, self.program.code.memory_mb)
        if error is not None and error is self.program.stillborn:
            found = replace(found, loading=True)
        self.endings[rule.key] = found
        self.seconds[rule.key] = time.process_time() - self.began
        reached = reached and found.outcome is not Outcome.NOT_REACHED
        conversation = self.program.conversation if reached else Conversation()
        conversation.outcome, conversation.facts = found.outcome, found.facts
        self.conversations[rule.key] = conversation
        self.printed[rule.key] = self.program.output()[-2000:] if error and reached else ""
        if found.outcome in FATAL:
            self.dead.add(rule.check)
        self.program.end_of_check(error)

    def case(self, rule: Rule) -> dict[str, Any]:
        """What a case has become, as plain data for `Case`."""
        end, exchanges = self.endings[rule.key], self.conversations[rule.key].exchanges
        return {
            "check": rule.check,
            "kind": rule.kind,
            "says": rule.says,
            "needs": rule.needs,
            "outcome": end.outcome,
            "message": end.says,
            "line": end.line,
            "loading": end.loading,
            "asked": exchanges[-1].asked if exchanges and not end.loading else "",
            "printed": self.printed[rule.key],
            "gap": self.conversations[rule.key].gap,
            "seconds": self.seconds[rule.key],
        }


def settle(record: Record, right: Mapping[str, Case], address: str) -> None:
    """Whose fault is a check that broke? The suite's, unless it works on the reference.

    ``right`` holds the reference's cases. A check that works there was broken by the answer: an object, or a
    tensor without numbers, where numbers were meant. Raises GraderError when the suite, or the machine, is to
    blame.
    """
    for key, case in record.cases.items():
        if case.outcome is not Outcome.GRADER_ERROR:
            continue
        said = record.conversations[key]
        if said.facts != SUITE or key not in right or right[key].outcome is not Outcome.PASSED:
            raise GraderError(f"{case.check}: {case.message}", where=address)
        says = "your code gave something that cannot be compared with an answer"
        record.cases[key] = case.model_copy(update={"outcome": Outcome.WRONG_VALUE, "message": says})
        said.outcome, said.facts = Outcome.WRONG_VALUE, ("incomparable",)
