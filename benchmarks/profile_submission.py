"""Where the CPU time of one submission goes: grading process, programs, being a process behind a wall.

The same submission by direct calls stands beside it, and a host that runs nothing, as often as there are
programs. They take turns. Prints a table and draws docs/pictures/profile.png. Linux alone.

    python benchmarks/profile_submission.py
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

import psutil
from matplotlib import pyplot
from one_submission import ROOT, programs, used
from peers import floor, new

from softmarks.course.course import load_course
from softmarks.grading.workers import Worker
from softmarks.sandbox.client import Bounds, Warm

REPEATS = 5
PICTURE = ROOT / "docs" / "pictures" / "profile.png"
COLOURS = ("#2f6690", "#81a4cd", "#d9b08c", "#9aa5a0")


@dataclass
class Spent:
    """CPU seconds of each turn."""

    worker: list[float] = field(default_factory=list)
    hosts: list[float] = field(default_factory=list)
    empty: list[float] = field(default_factory=list)
    floor: list[float] = field(default_factory=list)


def main() -> None:
    """Measure, print and draw."""
    course = load_course(ROOT)
    answers = {place.exercise.name: place.reference() for place in programs(course)}
    bounds = Bounds(course.limits.cpu_seconds, course.limits.memory_mb)
    spent, warm = Spent(), Warm(course.packages)
    with Worker(ROOT, "required") as worker, floor(answers) as direct:
        warm.wait()
        for turn in range(REPEATS + 1):
            word = f"turn {turn}"
            before, own = used(worker.process.pid), of_itself(worker.process.pid)
            for name, source in answers.items():
                worker.mark(name, [new(source, word)])
            spent.worker.append(of_itself(worker.process.pid) - own)
            spent.hosts.append(used(worker.process.pid) - before - spent.worker[-1])
            before = used(warm.process.pid)
            for _ in answers:
                warm.host(bounds, confined=True).close()
            spent.empty.append(used(warm.process.pid) - before)
            spent.floor.append(direct.grade(word)[0])
    warm.close()
    tell(spent, len(answers))


def of_itself(pid: int) -> float:
    """CPU seconds of one process alone."""
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def tell(spent: Spent, count: int) -> None:
    """Print the medians, the first turn left out, and draw them."""
    worker, hosts, empty, direct = (
        statistics.median(turns[1:]) for turns in (spent.worker, spent.hosts, spent.empty, spent.floor)
    )
    parts = {
        "grading process: checks, pytest, oracle": worker,
        "programs: their own computing": hosts - empty,
        f"to be {count} processes behind a wall": empty,
    }
    for what, seconds in {**parts, "by direct calls": direct}.items():
        print(f"{what:45} {seconds:6.2f} CPU seconds")
    print(f"{'together, over direct calls':45} {(worker + hosts) / direct:6.2f} times")
    figure, axes = pyplot.subplots(figsize=(8, 2), layout="constrained")
    start = 0.0
    for colour, (what, seconds) in zip(COLOURS, parts.items(), strict=False):
        axes.barh("Softmarks", seconds, left=start, color=colour, label=what)
        start += seconds
    axes.barh("direct calls", direct, color=COLOURS[-1], label="checks and programs in one process")
    axes.set(xlabel="CPU seconds of one full submission")
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=2, frameon=False)
    figure.savefig(PICTURE, dpi=110)


if __name__ == "__main__":
    main()
