"""The attacks of tests/hostile, handed in to nbgrader and otter-grader as they are used: what each gets.

Each program is the solution cell of a notebook. nbgrader grades all of them in one run of `nbgrader
autograde`; otter-grader grades each with `otter run`, which is what its containers run inside. Both check
with the same plain assertions, hidden from students. Nothing is run that could harm a machine where nothing
stops it. The table is written into docs/threat-model.md.

    python benchmarks/attacks_elsewhere.py [ATTACK]…      some alone: the table is printed, and not written
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from pages import put
from peer_graders import ROOT, Exercise, Nbgrader, Otter, environment, surroundings, versions

sys.path.insert(0, str(ROOT))

from tests.hostile import RIGHT, WORTH, Attack, attacks
from tests.hostile.staging import CANARY, Run, adopting

PAGE = ROOT / "docs" / "threat-model.md"
SECONDS = 20  # for a cell in nbgrader; otter-grader has no limit
MEGABYTES = 200  # for a file that a program writes
REFERENCES = {
    "count_words": RIGHT.decode(),
    "caesar": (ROOT / "tests/courses/toy/graders/1_text/caesar/alternatives/code_points.py").read_text(),
    "running_mean": (ROOT / "tests/courses/toy/solutions/2_numbers/running_mean.py").read_text(),
    "causal_mask": (ROOT / "solutions/4_causal/causal_mask.py").read_text(),
}
MEAN = "mean = RunningMean()\nfor number in {}:\n    mean.add(number)\nassert abs(mean.mean() - {}) < 1e-6"
TENSORS = "import torch\nweights = torch.tensor([[0.5, 0.5], [0.5, 0.5]])\n"
MASKED = "torch.tensor([[1.0, 0.0], [0.5, 0.5]])"
EXERCISES = {
    "count_words": Exercise(
        ("count_words",),
        (
            'assert count_words("one fish two fish") == {"one": 1, "fish": 2, "two": 1}',
            'assert count_words("Red red RED blue") == {"red": 3, "blue": 1}',
            'assert count_words("  up\\tand \\n down  up ") == {"up": 2, "and": 1, "down": 1}',
            'assert count_words("") == {}',
        ),
    ),
    "caesar": Exercise(
        ("encode", "decode"),
        (
            'import unittest\nunittest.TestCase().assertEqual(encode("hello", 3), "khoor")',
            'import unittest\nunittest.TestCase().assertEqual(decode("khoor", 3), "hello")',
            'assert encode("xyz", 5) == "cde"',
            'assert encode("Dog", 2) == "Fqi"',
        ),
    ),
    "running_mean": Exercise(
        ("RunningMean",), (MEAN.format((4, 6, 11), 7.0), MEAN.format((-8, 2), -3.0), MEAN.format((1, 2), 1.5))
    ),
    "causal_mask": Exercise(
        ("causal_mask", "mask_after_softmax", "mask_before_softmax"),
        (
            f"{TENSORS}assert torch.equal(causal_mask(2), torch.tensor([[False, True], [False, False]]))",
            f"{TENSORS}assert torch.allclose(mask_after_softmax(weights.clone()), {MASKED})",
            f"{TENSORS}assert torch.allclose(mask_before_softmax(weights.clone(), 4), {MASKED})",
        ),
    ),
}
THOUGHTLESS = {"count_words": 1}  # points of an empty answer: no attack is needed for them
NEIGHBOURS = ("0_neighbour", "zz_neighbour")
LEFT_OUT = {
    "they speak to Softmarks' own processes, which the others have not": """
        broken_frame closed_wire deep_json endless_frame forms_of_no_value frame_of_overlapping_tensors
        frame_of_too_many_numbers nan_in_the_header number_of_a_million_digits_in_the_header
        other_end_of_the_wire oversized_frame patch_what_sends_answers tensors_where_none_are
        thread_that_answers truncated_frame two_answers waiting_frame""",
    "they would fill a disk or memory, end processes, or write outside their folder": """
        a_text_that_is_too_long an_endless_generator bounded_fork_bomb change_the_gradebook daemon
        fills_the_disk fork global_state kill_the_neighbours kill_the_parent kills_itself
        link_to_the_solution makes_outside many_files more_than_its_limits one_huge_file
        other_peoples_terminals powers_of_root remembers_over_its_death
        shared_memory swallows_its_end
        swallows_the_end_of_memory takes_all_memory trace_the_parent two_million_lines
        write_the_grades writes_outside""",
    "they use the network, or the memory of other processes": """
        connects listens memory_of_the_parent read_the_parents_memory walk_through_memory""",
}
FULL, SOME, NONE, LOST = "full marks", "some marks", "none", "no result"
HANGS, ENDED, THROUGH, KEPT_OUT = "hangs", "ends the run", "gets through", "kept out"
GRADERS = ("nbgrader", "otter-grader", "Softmarks")


def main() -> None:
    """Hand everything in to both, and write the table."""
    tried = [attack for attack in programs() if not sys.argv[1:] or attack.name in sys.argv[1:]]
    resource.setrlimit(resource.RLIMIT_FSIZE, (MEGABYTES << 20, MEGABYTES << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    there = environment()
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder, adopting():
        run = Run(Path(folder), "toy", [])
        run.stage()
        run.results.mkdir()
        handed_in = {attack: text(attack, run) for attack in tried}
        around = {**surroundings(there, run.folder), "SOFTMARKS_TOKEN": f"{CANARY}the-environment"}
        with ThreadPoolExecutor(1) as beside:
            waiting = beside.submit(in_nbgrader, run.folder / "nbgrader", around, handed_in)
            otter = in_otter(run.folder / "otter", around, handed_in)
            nbgrader = waiting.result()
    found = versions(there)
    page = report(
        tried, nbgrader, otter, f"nbgrader {found['nbgrader']}, otter-grader {found['otter-grader']}"
    )
    if sys.argv[1:]:
        print(page)
    else:
        put(PAGE, "attacks", page)


def programs() -> list[Attack]:
    """The attacks that are one program, and harm nothing where nothing stops them."""
    left_out = {name for names in LEFT_OUT.values() for name in names.split()}
    return [attack for attack in attacks() if attack.is_program and attack.name not in left_out]


def text(attack: Attack, run: Run) -> str:
    """The program, with real paths in it."""
    (content,) = attack.files(run.places).values()
    return bytes(content).decode()


def in_nbgrader(folder: Path, around: Mapping[str, str], handed_in: Mapping[Attack, str]) -> dict[str, str]:
    """What each attack gets when all are graded in one run."""
    course = Nbgrader(folder, around)
    course.build(EXERCISES, SECONDS)
    for attack, program in handed_in.items():
        course.hand_in(attack.name, attack.exercise, program)
    for neighbour in NEIGHBOURS:
        for exercise, program in REFERENCES.items():
            course.hand_in(neighbour, exercise, program)
    ended = course.autograde()
    scores = course.scores()
    everything = sum(len(exercise.checks) for exercise in EXERCISES.values())
    if any(scores.get(neighbour) != everything for neighbour in NEIGHBOURS):
        raise SystemExit(f"nbgrader: right work has not all marks: {scores}")
    marks = {attack: scores.get(attack.name) for attack in handed_in}
    return {
        attack.name: ENDED if attack.name in ended else in_words(attack, score)
        for attack, score in marks.items()
    }


def in_otter(folder: Path, around: Mapping[str, str], handed_in: Mapping[Attack, str]) -> dict[str, str]:
    """What each attack gets, each in a run of its own."""
    graders = {name: Otter(folder / name, around) for name in EXERCISES}
    for name, grader in graders.items():
        grader.build({name: EXERCISES[name]})
        right = grader.score(grader.hand_in(NEIGHBOURS[0], [REFERENCES[name]]))
        if right != len(EXERCISES[name].checks):
            raise SystemExit(f"otter-grader: right work for {name} has not all marks: {right}")

    def graded(attack: Attack) -> str:
        grader = graders[attack.exercise]
        return in_words(attack, grader.score(grader.hand_in(attack.name, [handed_in[attack]])))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        names = [attack.name for attack in handed_in]
        return dict(zip(names, pool.map(graded, handed_in), strict=True))


def in_words(attack: Attack, score: float | str | None) -> str:
    """What a score means for the one who has it."""
    if isinstance(score, str):
        return score
    if score is None:
        return LOST
    if score >= len(EXERCISES[attack.exercise].checks):
        return THROUGH if attack.attempt else FULL
    if attack.attempt:
        return KEPT_OUT
    return SOME if score > THOUGHTLESS.get(attack.exercise, 0) else NONE


def ours(attack: Attack) -> str:
    """What Softmarks gives, by the attack's own file, which the tests hold to it."""
    if attack.points == Decimal(WORTH[attack.exercise]):
        return THROUGH if attack.attempt else FULL
    if attack.attempt:
        return KEPT_OUT
    return NONE if not attack.points else f"{SOME}: {attack.points} of {WORTH[attack.exercise]}"


def report(tried: Sequence[Attack], nbgrader: Mapping[str, str], otter: Mapping[str, str], peers: str) -> str:
    """The section: what was tried, what was counted, and a row for each attack that ends differently."""
    rows = [(attack, nbgrader[attack.name], otter[attack.name], ours(attack)) for attack in tried]
    marks = [row for row in rows if not row[0].innocent and not row[0].attempt]
    reach = [row for row in rows if row[0].attempt]
    right = [row for row in rows if row[0].innocent]
    when = f"{datetime.now(UTC):%Y-%m-%d}"
    lines = [
        f"Tried on {when} with {peers}: {len(rows)} programs of the tests.",
        "",
        f"In short: of {len(marks)} programs that want marks without work,"
        f" {each(marks, lambda end: end == FULL)} get full marks;"
        f" of {len(reach)} programs that reach for what is nobody's business,"
        f" {each(reach, lambda end: end == THROUGH)} get through;"
        f" of {len(right)} right programs, {each(right, lambda end: end != FULL)} lose marks.",
        "",
        f"- **Marks without work** ({len(marks)} programs): {counted(marks)}",
        "- **Reaching what is nobody's business** "
        f"({len(reach)} programs, which are right only if they get through): {counted(reach)}",
        f"- **Right work in odd clothes** ({len(right)} programs): {counted(right)}",
        "",
        "| program | what it does | nbgrader | otter-grader | Softmarks |",
        "|---|---|---|---|---|",
        *(f"| `{row[0].name}` | {row[0].tries} | {' | '.join(row[1:])} |" for row in different(marks)),
        *(f"| `{row[0].name}` | {row[0].tries} | {' | '.join(row[1:])} |" for row in different(reach)),
        *(f"| `{row[0].name}` | {row[0].tries} | {' | '.join(row[1:])} |" for row in different(right)),
        "",
        *left_out(rows),
    ]
    return "".join(f"{line}\n" for line in lines)


Row = tuple[Attack, str, str, str]


def different(rows: Sequence[Row]) -> list[Row]:
    """The rows in which a grader does not do as the others."""
    return [row for row in rows if len({outcome.partition(":")[0] for outcome in row[1:]}) > 1]


def each(rows: Sequence[Row], meant: Callable[[str], bool]) -> str:
    """How many outcomes are meant, for each grader."""
    counts = [sum(meant(row[column]) for row in rows) for column in (1, 2, 3)]
    return ", ".join(f"{count} in {grader}" for count, grader in zip(counts, GRADERS, strict=True))


def counted(rows: Sequence[Row]) -> str:
    """How often each outcome was seen at each grader."""
    parts = []
    for column, grader in enumerate(GRADERS, start=1):
        seen = Counter(row[column].partition(":")[0] for row in rows)
        parts.append(
            f"{grader}: " + ", ".join(f"{outcome} {number}" for outcome, number in seen.most_common())
        )
    return "; ".join(parts) + "."


def left_out(rows: Sequence[Row]) -> Iterator[str]:
    """What the table does not show, and what was not tried, with the reason."""
    alike = len(rows) - len(different(rows))
    yield f"The other {alike} programs end alike with all three. Not tried elsewhere:"
    yield ""
    for reason, names in LEFT_OUT.items():
        yield f"- {len(names.split())} programs: {reason};"
    files = sum(not attack.is_program for attack in attacks())
    yield (
        f"- {files} hand-ins that are no single program (archives, broken notebooks, files beside"
        " the program, odd encodings): the others are handed a notebook that a browser has written."
    )


if __name__ == "__main__":
    main()
