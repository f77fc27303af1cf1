"""Play authored programs in the suites of a course: the reference, its misconceptions, two of them at once.

They run in copies of this process, without a wall and without pytest, and say there what they say in a host.
How they fare is the same for every student, so it is kept.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from softmarks import __version__
from softmarks.course.course import Course, Limits
from softmarks.course.interface import interface
from softmarks.course.rooms import Room, joined
from softmarks.course.text import read_text
from softmarks.grading import kept
from softmarks.grading.account import (
    REFERENCE,
    Account,
    Signatures,
    account,
    from_json,
    signatures_from_json,
    signatures_to_json,
    to_json,
)
from softmarks.grading.apart import apart
from softmarks.grading.diagnosis import Ids
from softmarks.grading.record import Record, settle
from softmarks.grading.signature import PASSED
from softmarks.sandbox.installed import version_of
from softmarks.sandbox.warm import warm_up_torch
from softmarks.verdict import Outcome

BATCH = 10  # misconceptions that are played in one copy of this process


class Play(Protocol):
    """Runs an authored program in this very process, in a suite or in some of its cases."""

    def __call__(self, source: str, only: Collection[str] | None = None) -> Record:
        """The record of the program."""


@dataclass
class Rehearsal:
    """How the authored programs of one room fare in one suite.

    ``in_host`` runs a program in a host, for those that end the process that they run in. ``cache`` is a
    folder whose name stands for all that the answers depend on.
    """

    place: Room
    cpu_seconds: float
    cache: Path
    play: Play
    in_host: Callable[[str], Record]
    known: dict[str, Account] = field(default_factory=dict)  # by source
    accounts: dict[str, Account] = field(default_factory=dict)  # of the reference and each misconception
    pairs: dict[Ids, Signatures | None] = field(init=False)  # of several at once, as far as played

    def __post_init__(self) -> None:
        self.solution = self.place.reference()
        self.names = interface(read_text(self.place.solution))
        self.mistakes = {item.id: item for item in self.place.misconceptions()}
        self.pairs = _pairs_from_json(kept.load(self.cache / "pairs.json"))

    def reference(self) -> Account:
        """How the reference fares."""
        return self.account(REFERENCE)

    def account(self, name: str) -> Account:
        """How the reference, or a misconception, fares."""
        if name not in self.accounts:
            source = self.solution if name == REFERENCE else self.mistakes[name].apply(self.solution)
            self.accounts[name] = self.known[source] = self._kept(name) or self._played(name, source)
        return self.accounts[name]

    def misconceptions(self) -> dict[str, Signatures]:
        """How each misconception fares. Workers that begin together each play in an order of their own."""
        order = sorted(self.mistakes, key=lambda one: hash((os.getpid(), one)))
        for start in range(0, len(order), BATCH):
            self._play_in_one_copy(order[start : start + BATCH])
        return {one: self.account(one).signatures for one in self.mistakes}

    def together(self, several: Sequence[Ids], cases: Collection[str] | None) -> list[Signatures | None]:
        """How several misconceptions at once fare in some cases; in all, for None."""
        wanted = set(self.reference().cases if cases is None else cases)
        missing = {}
        for ids in several:
            if ids not in self.pairs:
                self.pairs[ids] = {} if self._joined(ids) is not None else None
            known = self.pairs[ids]
            if known is not None and not wanted <= known.keys():
                missing[ids] = wanted - known.keys()
        if missing:
            self._play_pairs(missing, alone=cases is None)
        return [self.pairs[ids] for ids in several]

    def _joined(self, ids: Ids) -> str | None:
        return joined([self.mistakes[one] for one in ids], self.solution)

    def _play_pairs(self, missing: dict[Ids, set[str]], *, alone: bool) -> None:
        """Play each of several in one copy of this process; in a copy of its own, where it must be sure."""

        def work(ids: Ids) -> Callable[[], dict[str, Any]]:
            source = self._joined(ids) or ""
            return lambda: signatures_to_json(account(self._settled(source, missing[ids])).signatures)

        prepare_copies()
        works = [work(ids) for ids in missing]
        batches = [[one] for one in works] if alone else [works]
        answers = [answer for batch in batches for answer in apart(batch, self.cpu_seconds)]
        for ids, found in zip(missing, answers, strict=True):
            if found is None:  # it ends the process: too much for one program, whatever it tells
                self.pairs[ids] = None
                continue
            said = dict.fromkeys(missing[ids], PASSED) | signatures_from_json(found)
            self.pairs[ids] = (self.pairs[ids] or {}) | said
        others = _pairs_from_json(kept.load(self.cache / "pairs.json"))
        for ids, signatures in others.items():
            mine = self.pairs.get(ids, signatures)
            self.pairs[ids] = None if mine is None or signatures is None else signatures | mine
        kept.save(self.cache / "pairs.json", _pairs_to_json(self.pairs))

    def _kept(self, name: str) -> Account | None:
        try:
            return from_json(kept.load(self.cache / name))
        except (KeyError, TypeError, ValueError, AttributeError):
            return None

    def _played(self, name: str, source: str) -> Account:
        right = self.reference().cases if name != REFERENCE else {}
        prepare_copies()
        [found] = apart([lambda: to_json(account(self._settled(source)))], self.cpu_seconds)
        if found is None:
            record = self.in_host(source)
            settle(record, right, self.place.address)
            found = to_json(account(record))
        kept.save(self.cache / name, found)
        return from_json(found)

    def _play_in_one_copy(self, names: Sequence[str]) -> None:
        """Play those of some misconceptions that are not known yet, which costs half as much as one by one.

        It counts if the reference, played last, fares as ever: none of them changed what the next one met.
        """
        unknown = [one for one in names if one not in self.accounts and self._kept(one) is None]
        sources = {one: self.mistakes[one].apply(self.solution) for one in unknown}
        if len(sources) < 2:
            return
        usual = _gaps(self.reference())

        def work(source: str) -> Callable[[], dict[str, Any]]:
            return lambda: to_json(account(self._settled(source)))

        prepare_copies()
        works = [work(source) for source in (*sources.values(), self.solution)]
        *played, last = apart(works, self.cpu_seconds)
        if None in played or last is None or _gaps(from_json(last)) != usual:
            return
        for (one, source), found in zip(sources.items(), played, strict=True):
            kept.save(self.cache / one, found)
            self.accounts[one] = self.known[source] = from_json(found)

    def _settled(self, source: str, only: Collection[str] | None = None) -> Record:
        record = self.play(source, only)
        right = {} if source == self.solution else self.reference().cases
        settle(record, right, self.place.address)
        return record


def cache_for(place: Room, suite: Path, course: Course, limits: Limits, seed: int) -> Path:
    """The folder for what authored programs say in a suite; its name stands for all that it depends on."""
    authored = [*sorted(place.root.glob("graders/*.py")), place.misconceptions_file, place.solution, suite]
    authored += [place.building_blocks] if place.building_blocks else []
    texts = [path.read_text(encoding="utf-8") for path in authored]
    versions = [__version__, kept.engine(), sys.version]
    versions += [f"{package} {version_of(package)}" for package in course.packages]
    versions += [str(seed), repr(limits), repr(course.kinds), repr(course.axes)]
    return kept.folder() / f"{course.id}-{place.exercise.name}-{kept.key(versions + texts)}"


def _gaps(account: Account) -> dict[str, tuple[Outcome, float]]:
    """How each case ended, and how far its numbers were off: the same whenever the same program is played."""
    return {key: (case.outcome, case.gap) for key, case in account.cases.items()}


_prepared: list[bool] = []


def prepare_copies() -> None:
    """Once in a process: make copies of it cheap. Each would else do this anew, and pay for each page."""
    if not _prepared:
        warm_up_torch()
        gc.collect()
        gc.freeze()
        _prepared.append(True)


def _pairs_to_json(pairs: dict[Ids, Signatures | None]) -> list[Any]:
    return [
        [ids, None if said is None else [sorted(said), signatures_to_json(said)]]
        for ids, said in pairs.items()
    ]


def _pairs_from_json(data: Any) -> dict[Ids, Signatures | None]:
    found: dict[Ids, Signatures | None] = {}
    try:
        for ids, said in data or []:
            whole = None if said is None else dict.fromkeys(said[0], PASSED) | signatures_from_json(said[1])
            found[tuple(ids)] = whole
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}
    return found
