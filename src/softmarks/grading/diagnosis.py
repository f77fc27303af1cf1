"""Name the mistake: whose conversation, in the failed checks, is equal to the student's?

Nothing in a misconception's conversation depends on the student (weights, inputs and seeds are the
suite's), so each is played once and kept. Pairs are played when no single one explains everything,
the likeliest first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from softmarks.course.rooms import Misconception, Variant, joined
from softmarks.grading.likeness import alike, telling
from softmarks.grading.student import Conversation
from softmarks.verdict import Outcome

MAX_PAIRS = 40

Played = dict[str, Conversation]


@dataclass(frozen=True)
class Diagnosis:
    """Mistakes that, together, behave as the student's program does in every failed case.

    Each part is one mistake and the cases that it fails by itself; a part with several ids is a mistake
    that looks the same as others: it is one of them. Together the parts explain all ``cases``.
    """

    cases: tuple[str, ...]
    parts: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The ids that are named."""
        return tuple(one for ids, _ in self.parts for one in ids)


@dataclass
class Catalogue:
    """The misconceptions of one exercise and how each of them, or two together, fare in its suite."""

    reference: str
    misconceptions: Sequence[Misconception]
    play: Callable[[tuple[str, ...], str], Played]  # ids and source -> conversations by node id
    played: dict[tuple[str, ...], Played] = field(default_factory=dict)
    footprints: dict[str, set[str]] = field(default_factory=dict)

    def conversations(self, *ids: str) -> Played | None:
        """The conversations of one misconception, or of two together; of the reference without ids.

        None when two cannot be joined.
        """
        if ids not in self.played:
            source = self.source(ids)
            if source is None:
                return None
            self.played[ids] = self.play(ids, source)
        return self.played[ids]

    def source(self, ids: tuple[str, ...]) -> str | None:
        """The program that makes these mistakes; None when two cannot be joined."""
        chosen: list[Variant] = [item for one in ids for item in self.misconceptions if item.id == one]
        if not chosen:
            return self.reference
        variant = chosen[0] if len(chosen) == 1 else joined(chosen[0], chosen[1], self.reference)
        return None if variant is None else variant.apply(self.reference)

    def diagnose(self, student: Played, failed: Sequence[str]) -> Diagnosis | None:
        """The mistake, or the two, that explain every failed case; None when nothing does."""
        if not any(telling(student[node]) for node in failed):
            return None
        for item in sorted(self.misconceptions, key=lambda item: hash((os.getpid(), item.id))):
            self.conversations(item.id)  # workers that begin together each play in an order of their own
        named = [item.id for item in self.misconceptions if self._explains((item.id,), student, failed)]
        if named:
            return Diagnosis(tuple(failed), ((tuple(named), tuple(failed)),))
        for pair in self._likely_pairs(student, failed):
            if self._explains(pair, student, failed):
                return Diagnosis(tuple(failed), tuple(((one,), self._share(one, failed)) for one in pair))
        return None

    def _share(self, one: str, failed: Sequence[str]) -> tuple[str, ...]:
        """The failed cases that a misconception fails by itself too; all, if it takes two to fail them."""
        played = self.conversations(one) or {}
        alone = [node for node in failed if node in played and played[node].outcome is not Outcome.PASSED]
        return tuple(alone or failed)

    def _footprint(self, one: str) -> set[str]:
        """The cases in which a misconception behaves otherwise than the reference."""
        if one not in self.footprints:
            right = self.conversations() or {}
            played = self.conversations(one) or {}
            self.footprints[one] = {node for node, said in played.items() if not alike(said, right[node])}
        return self.footprints[one]

    def _explains(self, ids: tuple[str, ...], student: Played, failed: Sequence[str]) -> bool:
        """Whether these mistakes fail what the student failed, in the same way, and nothing that passed."""
        played = self.conversations(*ids)
        if played is None or not all(
            node in played and alike(student[node], played[node]) for node in failed
        ):
            return False
        passed = (node for node, said in student.items() if said.outcome is Outcome.PASSED)
        return all(node in played and played[node].outcome is Outcome.PASSED for node in passed)

    def _likely_pairs(self, student: Played, failed: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Pairs whose footprints cover the failed cases, the tightest first."""
        footprint: dict[str, set[str]] = {}
        explained: dict[str, set[str]] = {}
        for item in self.misconceptions:
            played = self.conversations(item.id) or {}
            footprint[item.id] = self._footprint(item.id)
            explained[item.id] = {
                node for node in failed if node in played and alike(student[node], played[node])
            }
        wanted = set(failed)
        ranked: list[tuple[int, int, int, tuple[str, str]]] = []
        for one, other in combinations(footprint, 2):
            cover = footprint[one] | footprint[other]
            by_one_alone = len(explained[one] | explained[other])
            if wanted <= cover and by_one_alone:
                ranked.append((-by_one_alone, len(cover - wanted), len(ranked), (one, other)))
        yield from (pair for *_, pair in sorted(ranked)[:MAX_PAIRS])
