"""Questions for an oral examination: what would the student's own program do, if one line of it were another?

Each is tried: the altered program is graded as the student's was, and the difference is the answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from softmarks.course.rooms import Room
from softmarks.course.text import read_text
from softmarks.errors import UsageError
from softmarks.grading.altering import Alteration, as_mistaken, rules
from softmarks.grading.judging import exercise_of, verdict_of
from softmarks.submission.collecting import Submission
from softmarks.submission.notebooks import in_cells
from softmarks.submission.reading import Source
from softmarks.verdict import Check, ExerciseVerdict, Message, Outcome, Verdict

QUESTIONS = 3
NEARLY = Decimal("0.8")  # the share of the points from which on a program is nearly right
MOST_TRIED = 12  # altered programs of one exercise

T = TypeVar("T")
Mark = Callable[[str, Sequence[str]], ExerciseVerdict]


@dataclass(frozen=True)
class Question:
    """A line of a student's program, what it might be instead, and what is different then.

    ``fails`` are checks that pass as it is, ``uncounted`` those that pass as it is and do not count any more,
    because they need another one; ``passes`` fail as it is. ``other`` fail both ways, but say something else.
    """

    source: Source
    alteration: Alteration
    checks: int
    fails: tuple[Check, ...]
    uncounted: tuple[Check, ...]
    passes: tuple[Check, ...]
    other: tuple[Check, ...]
    message: Message | None  # what the student would be told first
    mistake: str  # the known mistake that it would be; "" where it is none, or not that alone

    @property
    def line(self) -> str:
        """Which line it is, as the student counts: ``line 3 of cell 5`` in a notebook."""
        one, cell, skipped = self.alteration, "", 0
        if self.source.handed:  # a notebook: the first line of a cell is its number
            head, skipped = self.source.cells[one.cell].partition("\n")[0], 1
            cell = f" of {head.removeprefix('# ')}"
        first, last = one.line - skipped, one.last - skipped
        return f"line {first}{cell}" if first == last else f"lines {first} to {last}{cell}"


@dataclass
class Tried:
    """What came of one exercise: how many altered programs were graded, and how many of them differed."""

    exercise: str
    graded: int = 0
    differ: int = 0
    why: str = ""  # why none could be graded


@dataclass(frozen=True, eq=False)
class Work:
    """A program of the student's, where the exercise's files lie, and the share of the points that it got."""

    source: Source
    place: Room
    share: Decimal


def find_work(
    student: str,
    verdicts: Sequence[Verdict],
    submissions: Sequence[Submission],
    rooms: Callable[[str], Room],
    only: str | None,
) -> list[Work]:
    """The programs that a student may be asked about, those with the best marks first.

    Raises UsageError where the student, the work or the exercise is not there.
    """
    graded = verdict_of(verdicts, student)
    wanted = graded.exercises if only is None else (exercise_of(graded, only),)
    submission = next((one for one in submissions if one.student == student), None)
    if submission is None:
        where = graded.origin or None
        fix = "Put it back there, or grade the class again"
        raise UsageError(f"the work of {student} is not where it was graded", where=where, fix=fix)
    found = [
        Work(submission.sources[name], rooms(name), _share(exercise))
        for name, exercise in ((one.exercise, one) for one in wanted)
        if name in submission.sources and submission.sources[name].text.strip() and not rooms(name).is_sheet
    ]
    if not found:
        what = f"of {only}" if only else "of a program"
        fix = "Name another exercise" if only else "There is nothing to ask about"
        raise UsageError(f"{student} has handed in nothing that can be read {what}", fix=fix)
    return sorted(_shuffled(found, student), key=lambda one: -one.share)  # sorted() is stable


def _share(exercise: ExerciseVerdict) -> Decimal:
    return (exercise.points or Decimal(0)) / exercise.max_points if exercise.max_points else Decimal(0)


def ask(student: str, work: Sequence[Work], mark: Mark) -> tuple[list[Question], list[Tried]]:
    """Three questions, or fewer where there are none, and what was tried.

    Programs that are right, or nearly, take turns in the order given; after them the others. The same student
    with the same work is asked the same.
    """
    tried = {one: Tried(one.source.exercise) for one in work}
    right = [one for one in work if one.share >= NEARLY]
    found: list[Question] = []
    for group in (right, [one for one in work if one not in right]):
        turns = [_questions(student, one, tried[one], mark) for one in group]
        while turns:
            for turn in list(turns):
                if len(found) == QUESTIONS:
                    return found, list(tried.values())
                question = next(turn, None)
                if question is None:
                    turns.remove(turn)
                else:
                    found.append(question)
    return found, list(tried.values())


def _questions(student: str, work: Work, tried: Tried, mark: Mark) -> Iterator[Question]:
    """Questions about one program, those whose answer is a known mistake first; each about another line."""
    source = work.source
    candidates = _in_turn(_alterations(work), student)
    if not candidates:
        tried.why = "no line of it could be changed"
        return
    before = mark(source.exercise, source.cells)
    if before.status != "graded":
        tried.why = f"it cannot be graded: {before.note}"
        return
    spare: list[Question] = []
    used: set[tuple[int, int]] = set()
    named: set[str] = set()
    for alteration in candidates:
        if tried.graded == MOST_TRIED:
            break
        if (alteration.cell, alteration.line) in used:
            continue
        tried.graded += 1
        question = _compared(source, alteration, before, mark(source.exercise, alteration.program))
        if question is None:
            continue
        tried.differ += 1
        if question.mistake and question.mistake not in named:
            used.add((alteration.cell, alteration.line))
            named.add(question.mistake)
            yield question
        else:
            spare.append(question)
    for question in sorted(spare, key=_breaks):  # sorted() is stable
        place = (question.alteration.cell, question.alteration.line)
        if place not in used and question.mistake not in named:
            used.add(place)
            yield question


def _breaks(question: Question) -> bool:
    """Whether the altered program only ends in errors: there is little to think about."""
    return all(check.outcome is Outcome.RAISED for check in question.fails)


def _alterations(work: Work) -> list[Alteration]:
    """What may be changed in a program: as known mistakes do, and by small rules. Each program once."""
    place, cells = work.place, work.source.cells
    given = read_text(place.stub) if place.stub.is_file() else ""
    reference = place.reference()
    mistaken = {one.id: one.apply(reference) for one in place.misconceptions()}
    found = [*as_mistaken(cells, reference, mistaken, given), *rules(cells, given)]
    return list({one.program: one for one in reversed(found)}.values())[::-1]


def _in_turn(alterations: Sequence[Alteration], student: str) -> list[Alteration]:
    """The first alteration of each line, then the second; students who wrote the same are not asked the same.

    In each round those that known mistakes suggest come first.
    """
    lines: dict[tuple[int, int], list[Alteration]] = {}
    mistakes = _shuffled([one for one in alterations if one.mistake], student)
    others = [one for one in alterations if not one.mistake]
    for one in [*mistakes, *others]:
        lines.setdefault((one.cell, one.line), []).append(one)
    ordered = _shuffled([lines[line] for line in sorted(lines)], student)
    rounds = max(map(len, ordered), default=0)
    found: list[Alteration] = []
    for number in range(rounds):
        those = [line[number] for line in ordered if number < len(line)]
        found += sorted(those, key=lambda one: not one.mistake)
    return found


def _shuffled(things: Sequence[T], student: str) -> list[T]:
    """The things in an order that is a student's own."""
    return random.Random(student).sample(things, len(things))


def _compared(
    source: Source, alteration: Alteration, before: ExerciseVerdict, now: ExerciseVerdict
) -> Question | None:
    """What is different in the verdict on an altered program; None where nothing is, or nothing is known."""
    if now.status != "graded":
        return None
    earlier = {check.name: check for check in before.checks}
    passed = {name for name, check in earlier.items() if check.outcome is Outcome.PASSED}
    said = {check.name: (check.outcome, check.message) for check in before.checks}
    changed = [check for check in now.checks if said[check.name] != (check.outcome, check.message)]
    if not changed:
        return None
    lost = [check for check in changed if check.name in passed]
    left = [check for check in changed if check.name not in passed]
    told = [message for message in now.messages if message not in before.messages]
    if source.handed:  # a notebook: its lines are counted in each cell
        told = [
            message.model_copy(update={"difference": in_cells(message.difference, alteration.program)})
            for message in told
        ]
    return Question(
        source=source,
        alteration=alteration,
        checks=len(now.checks),
        fails=tuple(check for check in lost if check.outcome is not Outcome.NOT_REACHED),
        uncounted=tuple(check for check in lost if check.outcome is Outcome.NOT_REACHED),
        passes=tuple(check for check in left if check.outcome is Outcome.PASSED),
        other=tuple(check for check in left if check.outcome is not Outcome.PASSED),
        message=told[0] if told else None,
        mistake=(told[0].mistake or "") if len(told) == 1 and told[0].sure else "",
    )
