"""What one submission costs: nbgrader, otter-grader, plain pytest, direct calls, and Softmarks.

The submission answers every program of the course without a mistake, and all run the same checks: the hidden
suites. nbgrader and otter-grader get it as a notebook an exercise, as the course gives it out, and as one
notebook for all, which is cheaper for them; a check an exercise calls the suite (`direct_checks.py`). Plain
pytest takes a process an exercise. The floor is what the checks themselves cost: direct calls in a warm
process, with no wall and no pytest. Softmarks has a worker that is ready, and confines each program.

They take turns in one run; medians are written into docs/performance.md. Who takes minutes has one turn.
Linux alone.

    python benchmarks/peers.py [--repeats N] [EXERCISE]…     exercises alone: printed, and not written
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path

import psutil
from nbgrader_batch import PR_SET_CHILD_SUBREAPER, measured
from one_submission import plain_copy, programs, run_cold, used
from pages import put
from peer_graders import ASSIGNMENT, ROOT, Exercise, Nbgrader, Otter, environment, surroundings, versions

from softmarks.course.course import load_course
from softmarks.grading.workers import Worker

PAGE = ROOT / "docs" / "performance.md"
REPEATS = 3
LOOK = 0.1  # seconds between two looks at memory
SECONDS = 600  # for a cell in nbgrader: a limit that nobody meets
HERE = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # as a worker has it, and so everybody
Turn = Callable[[str], tuple[float, float]]
Notebooks = Mapping[str, Mapping[str, str]]  # the programs in each, by exercise


@dataclass
class Grader:
    """One way to grade the submission, and what it has cost."""

    name: str
    isolates: str
    grade: Turn  # takes a word that makes the programs new; CPU seconds, seconds of a clock
    lasting: int | None = None  # the process that is there before and after a turn
    slow: bool = False  # takes minutes: one turn is enough
    turns: list[tuple[float, float]] = field(default_factory=list)
    peak: float = 0.0  # MB, in the first turn

    @property
    def cpu(self) -> float:
        return statistics.median(cpu for cpu, _ in self.turns)

    @property
    def clock(self) -> float:
        return statistics.median(clock for _, clock in self.turns)


def main() -> None:
    """Let all take turns, and write the table."""
    parser = argparse.ArgumentParser(description="What one submission costs, beside other graders.")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("exercises", nargs="*")
    asked = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    answers = {
        place.exercise.name: place.reference()
        for place in programs(load_course(ROOT))
        if not asked.exercises or place.exercise.name in asked.exercises
    }
    there = environment()
    apart: Notebooks = {name: {name: source} for name, source in answers.items()}
    together: Notebooks = {"all": answers}
    with tempfile.TemporaryDirectory() as folder, Worker(ROOT, "required") as worker:
        checks = sum(len(worker.mark(name, [source]).checks) for name, source in answers.items())
        with floor(answers) as direct:
            graders = [
                nbgrader(Path(folder, "nbgrader"), there, apart),
                nbgrader(Path(folder, "nbgrader with one"), there, together),
                otter(Path(folder, "otter"), there, apart),
                otter(Path(folder, "otter with one"), there, together),
                plain_pytest(Path(folder), answers),
                softmarks(worker, answers),
                direct,
            ]
            take_turns(graders, asked.repeats)
    found = versions(there)
    title = (
        f"One submission of {len(answers)} exercises, {checks} checks; medians of {asked.repeats} turns, one"
        f" turn of what takes minutes,"
        f" {datetime.now(UTC):%Y-%m-%d}. {machine()}; Python {platform.python_version()},"
        f" torch {version('torch')}, pytest {version('pytest')}, nbgrader {found['nbgrader']},"
        f" otter-grader {found['otter-grader']}."
    )
    page = report(title, graders)
    if asked.exercises:
        print(page)
    else:
        put(PAGE, "peers", page)


def take_turns(graders: Sequence[Grader], repeats: int) -> None:
    """One turn after the other; in the first one memory is looked at too."""
    for number in range(repeats):
        for grader in graders:
            if number and grader.slow:
                continue
            with watched(grader.lasting) if not number else nullcontext([grader.peak]) as seen:
                grader.turns.append(grader.grade(f"turn {number}"))
            grader.peak = max(seen)
            print(f"{grader.name}: {grader.turns[-1][0]:.2f} CPU seconds", flush=True)


def nbgrader(folder: Path, there: Path, notebooks: Notebooks) -> Grader:
    """`nbgrader autograde`, start-up included."""
    course = Nbgrader(folder / "course", {**surroundings(there, folder), **HERE, **OURS})
    course.build({name: Exercise(("In",), [*map(check, held)]) for name, held in notebooks.items()}, SECONDS)

    def grade(word: str) -> tuple[float, float]:
        for name, held in notebooks.items():
            course.hand_in("student", name, one_cell(held, word))
        spent = measured(lambda: course.run("autograde", ASSIGNMENT, "--force"))
        if course.scores() != {"student": sum(map(len, notebooks.values()))}:
            raise SystemExit(f"nbgrader: the references do not pass: {course.scores()}")
        return spent

    how, isolates = in_notebooks(notebooks)
    return Grader(f"nbgrader: `autograde`, {how}", isolates, grade, slow=len(notebooks) > 1)


def otter(folder: Path, there: Path, notebooks: Notebooks) -> Grader:
    """`otter run`, a notebook after the other, start-up included. `otter grade` would add a container."""
    around = {**surroundings(there, folder), **HERE, **OURS}
    graders = {name: Otter(folder / "course" / name, around) for name in notebooks}
    for name, grader in graders.items():
        grader.build({name: Exercise(("In",), [*map(check, notebooks[name])])})

    def grade(word: str) -> tuple[float, float]:
        cpu = clock = 0.0
        for name, grader in graders.items():
            submission = grader.hand_in(word, [one_cell(notebooks[name], word)])
            spent = measured(partial(run_otter, grader, submission, around))
            cpu, clock = cpu + spent[0], clock + spent[1]
            if grader.points(submission) != len(notebooks[name]):
                raise SystemExit(f"otter-grader: the references do not pass: {submission.parent}")
        return cpu, clock

    how, isolates = in_notebooks(notebooks)
    return Grader(f"otter-grader: `otter run`, {how}", isolates, grade, slow=len(notebooks) > 1)


def run_otter(grader: Otter, submission: Path, around: Mapping[str, str]) -> None:
    """Grade one notebook."""
    subprocess.run(grader.command(submission), cwd=submission.parent, env=around, capture_output=True)


def in_notebooks(notebooks: Notebooks) -> tuple[str, str]:
    """How the programs are handed in, and what that keeps apart."""
    if "all" in notebooks:
        return "one notebook", "nothing: checks and program share a kernel"
    return "a notebook an exercise", "one exercise from the next; checks and program share a kernel"


def plain_pytest(folder: Path, answers: Mapping[str, str]) -> Grader:
    """A cold process an exercise."""
    copy = folder / "plain"
    plain_copy(copy, dict(answers))
    return Grader(
        "plain pytest, a cold process an exercise",
        "one exercise from the next; checks and program share a process",
        lambda _word: measured(lambda: run_cold(copy, dict(answers))),
        slow=True,
    )


def softmarks(worker: Worker, answers: Mapping[str, str]) -> Grader:
    """A worker that is ready."""

    def grade(word: str) -> tuple[float, float]:
        before, begun = used(worker.process.pid), time.monotonic()
        verdicts = [worker.mark(name, [new(source, word)]) for name, source in answers.items()]
        spent = used(worker.process.pid) - before, time.monotonic() - begun
        if not all(verdict.full_marks and verdict.confined for verdict in verdicts):
            raise SystemExit("Softmarks: the references do not pass")
        return spent

    isolates = "each program in a confined process; checks and marks in another"
    return Grader("Softmarks: a worker that is ready", isolates, grade, worker.process.pid)


@contextmanager
def floor(answers: Mapping[str, str]) -> Iterator[Grader]:
    """Direct calls in a warm process."""
    command = [sys.executable, Path(__file__).with_name("direct_checks.py")]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **HERE}, text=True
    )
    with process as direct:
        assert direct.stdin
        assert direct.stdout

        def grade(word: str) -> tuple[float, float]:
            programs = {name: new(source, word) for name, source in answers.items()}
            print(json.dumps(programs), file=direct.stdin, flush=True)
            cpu, clock = map(float, direct.stdout.readline().split())
            return cpu, clock

        grade("first")  # suites are imported
        yield Grader("the floor: direct calls in a warm process", "nothing", grade, direct.pid)
        direct.stdin.close()


OURS = {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "benchmarks")])}  # for the checks alone


def check(exercise: str) -> str:
    """A check that plays the suite with the cell of an exercise, as the kernel was given it."""
    return (
        "import direct_checks\n"
        f"cells = [part for cell in In for part in cell.split({CUT!r})]\n"
        f"(own,) = {{cell for cell in cells if cell.startswith({exercise + chr(10)!r})}}\n"
        f"passed = direct_checks.check({exercise!r}, own.partition({chr(10)!r})[2])"
    )


CUT = "# exercise: "


def one_cell(answers: Mapping[str, str], word: str) -> str:
    """All programs, one after the other."""
    return "".join(f"{CUT}{name}\n{new(source, word)}\n" for name, source in answers.items())


def new(source: str, word: str) -> str:
    """The program as nobody has seen it."""
    return f"{source}\n# {word}\n"


@contextmanager
def watched(lasting: int | None) -> Iterator[list[float]]:
    """While entered, the memory in MB of the process that lasts, and its children's; or of whatever is begun.

    Memory is the proportional set size: what several share is divided among them.
    """
    me = psutil.Process()
    there = set(me.children(recursive=True))
    seen, over = [], threading.Event()

    def look() -> None:
        ended = False
        while not ended:
            if lasting:
                found = {psutil.Process(lasting), *psutil.Process(lasting).children(recursive=True)}
            else:
                found = set(me.children(recursive=True)) - there
            seen.append(sum(map(proportional, found)) / 1024)
            ended = over.wait(LOOK)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def proportional(process: psutil.Process) -> int:
    """Its proportional set size in KB; 0 when it has ended."""
    try:
        told = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return int(re.search(r"^Pss:\s+(\d+)", told, re.M)[1])


def machine() -> str:
    """Cores and model of the processor."""
    told = Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*:\s*(.+)$", told, re.M)
    return f"{os.cpu_count()} cores, {model[1] if model else platform.machine()}"


def report(title: str, graders: Sequence[Grader]) -> str:
    """The table."""
    ours = next(grader for grader in graders if grader.name.startswith("Softmarks"))
    rows = [
        f"| {one.name} | {one.isolates} | {one.cpu:.2f} | {one.cpu / ours.cpu:.2f} | {one.clock:.2f} |"
        f" {one.peak:.0f} |"
        for one in graders
    ]
    head = "| grader | what it keeps apart | CPU seconds | × Softmarks | seconds | peak memory, MB |"
    return "".join(f"{line}\n" for line in (title, "", head, "|---|---|---:|---:|---:|---:|", *rows))


if __name__ == "__main__":
    main()
