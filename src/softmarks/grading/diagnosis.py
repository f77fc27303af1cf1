"""Name the mistake: which misconception, or which two, behave in every check as the student's program does?

Nothing in how a misconception fares depends on the student (weights, inputs and seeds are the suite's), so a
diagnosis is a look-up. What two do together is looked up too, where somebody has played it, and else played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from softmarks.grading.account import Signatures
from softmarks.grading.checks import FATAL
from softmarks.grading.signature import PASSED
from softmarks.verdict import Outcome

MOST_PAIRS = 200  # that are played for one submission, the likeliest first
SILENT = FATAL | {Outcome.NOT_REACHED}  # they say nothing of what a program computes

Ids = tuple[str, ...]
# Plays sets of misconceptions, each joined into one program: their signatures in the given cases, in all for
# None. A set that cannot be joined, or that ends its process, gives None.
Together = Callable[[Sequence[Ids], Collection[str] | None], list[Signatures | None]]


@dataclass(frozen=True)
class Part:
    """One mistake and the cases that it explains. With several ids it is one of them: they look the same."""

    ids: Ids
    cases: tuple[str, ...]


@dataclass(frozen=True)
class Diagnosis:
    """What is wrong with a program. Every part is really there, unless it only ``resembles`` it."""

    parts: tuple[Part, ...]
    rest: tuple[str, ...] = ()  # failed cases that something else must be to blame for
    resembles: bool = False

    @property
    def mistakes(self) -> Ids:
        """The ids that are named for sure."""
        named = (one for part in self.parts for one in part.ids)
        return () if self.resembles else tuple(dict.fromkeys(named))


def diagnose(
    student: Signatures, singles: Mapping[str, Signatures], together: Together | None
) -> Diagnosis | None:
    """Name what is wrong with a program; None when nothing is known that behaves like it.

    ``singles`` tells how each misconception fares; a case that it does not list is passed. Without
    ``together`` nothing is played, and two mistakes are told only where they fail different cases.
    """
    if not tells(student):
        return None
    search = _Search.of(student, singles)
    return (
        _one(search, exactly=True)
        or (_two(search, together) if together else None)
        or _one(search, exactly=False)
        or _some(search, together)
    )


def tells(student: Signatures) -> bool:
    """Whether anything that a program failed says what it computes: a stub, or NaN everywhere, does not."""
    return any(end.telling for end in student.values() if not end.passed and end.outcome not in SILENT)


@dataclass(frozen=True)
class _Search:
    """A student's failures beside those of each misconception that passes what the student passed."""

    student: Signatures
    singles: Mapping[str, Signatures]
    failed: frozenset[str]
    passed: frozenset[str]
    fails: Mapping[str, frozenset[str]]  # by misconception
    equal: Mapping[str, frozenset[str]]  # the student's failed cases in which it behaves the same

    @classmethod
    def of(cls, student: Signatures, singles: Mapping[str, Signatures]) -> _Search:
        failed = frozenset(
            case for case, end in student.items() if not end.passed and end.outcome not in SILENT
        )
        passed = frozenset(case for case, end in student.items() if end.passed)
        fails = {
            one: frozenset(case for case, end in ends.items() if not end.passed)
            for one, ends in singles.items()
        }
        fails = {one: cases for one, cases in fails.items() if cases and not cases & passed}
        equal = {
            one: frozenset(case for case in cases & failed if student[case].same(singles[one][case]))
            for one, cases in fails.items()
        }
        return cls(student, singles, failed, passed, fails, equal)

    def explains(self, together: Signatures, cases: Collection[str]) -> bool:
        """Whether several at once behave as the student does in these cases."""
        return all(self.student[case].same(together.get(case, PASSED)) for case in cases)


def _one(search: _Search, *, exactly: bool) -> Diagnosis | None:
    """The misconceptions that explain every failed case by themselves.

    ``exactly``: those that are the same in each of these cases. Else those that resemble it in each; if some
    of them are the same in a case that ``speaks``, these alone, and they count as sure.
    """
    named = []
    for one, cases in search.fails.items():
        if search.failed <= (search.equal[one] if exactly else cases):
            ends = [(search.student[case], search.singles[one][case]) for case in search.failed]
            if exactly or all(mine.resembles(theirs) for mine, theirs in ends):
                named.append(one)
    sure = [one for one in named if any(search.student[case].speaks for case in search.equal[one])]
    named = named if exactly else sure or named
    if not named:
        return None
    return Diagnosis((Part(tuple(named), _sorted(search.failed)),), resembles=not (exactly or sure))


def _two(search: _Search, together: Together) -> Diagnosis | None:
    """The two misconceptions that together explain every failed case."""
    pairs = _explaining(search, _candidates(search), together)
    if not pairs:
        return None
    common = set(pairs[0]).intersection(*pairs)
    if len(pairs) > 1 and len(common) == 1:  # one of them is sure, the other is one of several
        [sure] = common
        others = tuple(one for pair in pairs for one in pair if one != sure)
        return Diagnosis((Part((sure,), _share(search, sure)), Part(others, _share(search, others[0]))))
    parts = tuple(Part((one,), _share(search, one)) for one in pairs[0])
    return Diagnosis(parts, resembles=len(pairs) > 1)


def _candidates(search: _Search) -> list[Ids]:
    """Pairs that can fail all that the student failed: first those that, one by one, explain most of it."""
    ranked = [
        (
            -len(search.equal[one] | search.equal[other]),
            len(search.fails[one] & search.fails[other]),
            (one, other),
        )
        for one, other in combinations(search.fails, 2)
        if search.failed <= search.fails[one] | search.fails[other]
    ]
    return [pair for *_, pair in sorted(ranked)[:MOST_PAIRS]]


def _explaining(search: _Search, candidates: Sequence[Ids], together: Together) -> list[Ids]:
    """The candidates that behave as the student does. Most are ruled out by a single case."""
    if not candidates:
        return []
    explained = {case: sum(case in equal for equal in search.equal.values()) for case in search.failed}
    first = min(search.failed, key=lambda case: (search.student[case].raised, explained[case], case))
    for cases in ([first], search.failed, None):
        ends = together(candidates, cases)
        checked = search.failed | search.passed if cases is None else cases
        candidates = [
            ids
            for ids, end in zip(candidates, ends, strict=True)
            if end is not None and search.explains(end, checked)
        ]
        if not candidates:
            return []
    return list(candidates)


def _share(search: _Search, one: str) -> tuple[str, ...]:
    """The failed cases that a misconception fails by itself too; all, if it takes two to fail them."""
    return _sorted(search.failed & search.fails[one] or search.failed)


def _some(search: _Search, together: Together | None) -> Diagnosis | None:
    """Misconceptions that are there whatever else is: where each fails, the student behaves the same."""
    parts = list(_surely_there(search))
    if not parts:
        return None
    rest = search.failed.difference(*(part.cases for part in parts))
    if rest:
        return Diagnosis(tuple(parts), rest=_sorted(rest))
    ids = tuple(part.ids[0] for part in parts)
    # of two parts, `_two` has played the pair: together they behave otherwise; what is not played is believed
    proved = together is None or (len(parts) > 2 and bool(_explaining(search, [ids], together)))
    return Diagnosis(tuple(parts), resembles=not proved)


def _surely_there(search: _Search) -> Iterator[Part]:
    """Each misconception that the student equals wherever it fails; the larger first, none twice.

    Equal errors alone prove nothing: many programs break in the same way.
    """
    there = {
        one: cases
        for one, cases in search.fails.items()
        if cases <= search.equal[one] and any(search.student[case].speaks for case in cases)
    }
    covered: frozenset[str] = frozenset()
    for cases in sorted(set(there.values()), key=lambda cases: (-len(cases), _sorted(cases))):
        if not cases <= covered:
            yield Part(tuple(one for one in there if there[one] == cases), _sorted(cases))
            covered |= cases


def _sorted(cases: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(cases))
