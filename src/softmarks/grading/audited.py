"""What an audit finds, as plain data: the numbers of one room; whether all rooms reach the course's bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, Field

from softmarks.course.course import AuditBars


class Count(BaseModel):
    """How many of ``total`` are as they should be."""

    good: int = 0
    total: int = 0

    def add(self, good: bool) -> bool:
        """Count one; return whether it is good."""
        self.total += 1
        self.good += good
        return good

    @property
    def share(self) -> float:
        """The share that is good; all of nothing."""
        return self.good / self.total if self.total else 1.0

    def __str__(self) -> str:
        return f"{self.good}/{self.total}" if self.total else "–"


class Told(BaseModel):
    """What is told of a program that makes two mistakes: parts that are sure, each one of several ids."""

    pair: tuple[str, str]
    caught: bool
    parts: tuple[tuple[str, ...], ...]
    whole: bool  # whether the parts behave as the program does in every check

    @property
    def sound(self) -> bool:
        """Whether everything that is said is there; two mistakes may make a third, which is the same then."""
        return self.whole or all(set(part) & set(self.pair) for part in self.parts)

    @property
    def exact(self) -> bool:
        """Whether both are told, and nothing else."""
        told = [part for part in self.parts if set(part) & set(self.pair)]
        return len(told) == len(self.parts) == 2 and all(
            any(one in part for part in told) for one in self.pair
        )


class MistakeFound(BaseModel):
    """How one misconception fared."""

    id: str
    says: str
    failed: tuple[str, ...]  # the checks that it fails
    keeps: tuple[float, float]  # the band of its author
    kept: tuple[float, float]  # the least and the most share of the points, over all run seeds
    named: tuple[str, ...]
    gap: (
        float | None
    )  # how far its clearest wrong numbers are off, in tolerances; None where no numbers tell it


class CheckFound(BaseModel):
    """One check: what it is for, what it is worth, what it costs."""

    name: str
    kind: str
    says: str
    points: float
    seconds: float  # of CPU, for the reference
    alone: tuple[str, ...]  # the misconceptions that no other check catches
    enforces: str = ""  # the sentence of the statement that makes it fair


class Survivor(BaseModel):
    """A mutant that keeps all points: an equivalent program, if its author says why."""

    was: str
    now: str
    why: str = ""


class RoomAudit(BaseModel):
    """What was found in one room. ``faults`` is empty when the room keeps its promises."""

    exercise: str
    points: float
    solution: Count = Field(default_factory=Count)  # runs of the reference with full marks
    stub: Count = Field(default_factory=Count)
    stub_points: float = 0.0
    alternatives: Count = Field(default_factory=Count)
    public: Count = Field(default_factory=Count)  # right answers that pass the public suite
    caught: Count = Field(default_factory=Count)  # misconceptions
    in_band: Count = Field(default_factory=Count)  # with every run seed
    named: Count = Field(default_factory=Count)  # as what they are, and nothing else
    ambiguous: int = 0  # named as one of several that look the same
    nameless: int = 0  # without a name: their answers are no numbers
    misnamed: int = 0  # named as something else
    trivial: Count = Field(default_factory=Count)
    reasoned: Count = Field(
        default_factory=Count
    )  # checks that alone catch a mistake, or quote what they enforce
    pairs_caught: Count = Field(default_factory=Count)
    pairs_sound: Count = Field(default_factory=Count)
    pairs_exact: Count = Field(default_factory=Count)
    mutants: Count = Field(default_factory=Count)  # killed
    survivors: list[Survivor] = Field(default_factory=list)
    flaky: int = 0  # run seeds with which the reference loses points
    noise: float = 0.0  # the largest difference of the reference's numbers from the oracle's, in tolerances
    mistakes: list[MistakeFound] = Field(default_factory=list)
    checks: list[CheckFound] = Field(default_factory=list)
    messages: list[str] = Field(default_factory=list)  # what a student is told, one text a misconception
    notes: list[str] = Field(
        default_factory=list
    )  # pairs that are not told as they are: the course has a bar
    faults: list[str] = Field(default_factory=list)

    @property
    def gap(self) -> float | None:
        """How far the least clear of the mistakes that only numbers tell is off, in tolerances."""
        return min((found.gap for found in self.mistakes if found.gap is not None), default=None)


def shortfalls(rooms: Sequence[RoomAudit], bars: AuditBars) -> Iterator[str]:
    """Where all rooms together do not reach a bar of the course."""
    wanted = {"named": bars.named, "pairs_caught": bars.pairs_caught, "pairs_sound": bars.pairs_sound}
    wanted |= {"pairs_exact": bars.pairs_exact, "mutants": bars.mutants}
    what = {
        "named": "misconceptions are named as what they are",
        "pairs_caught": "pairs of misconceptions are caught",
        "pairs_sound": "pairs of misconceptions are told nothing untrue",
        "pairs_exact": "pairs of misconceptions are told both",
        "mutants": "mutants are killed",
    }
    for name, bar in wanted.items():
        total = summed(rooms, name)
        if total.share < bar:
            yield f"{total} {what[name]}: {total.share:.1%}, less than the {bar:.0%} of course.yml"


def summed(rooms: Sequence[RoomAudit], name: str) -> Count:
    """A count of all rooms together."""
    counts: list[Count] = [getattr(room, name) for room in rooms]
    return Count(good=sum(count.good for count in counts), total=sum(count.total for count in counts))
