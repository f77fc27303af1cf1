"""How cost grows: with students, exercises, checks, workers and processes of a cluster. Linux alone.

Time and memory of a class are those of the whole command and of all processes that it starts; of memory, what
is exceeded in a tenth of the moments: a host that ends is still there beside the next one. Its students
hand in all programs, each a little different, and one exercise of them is graded: what is handed in has to be
held, whatever is graded. Draws docs/pictures/growth.png and writes docs/performance.md.

    python benchmarks/growth.py
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles

from class_run import ROOT, seconds, write
from matplotlib import pyplot
from matplotlib.axes import Axes
from one_submission import programs, used
from pages import put
from peers import PAGE, machine, watched

from softmarks.course.course import load_course
from softmarks.grading.workers import Worker

PICTURE = ROOT / "docs" / "pictures" / "growth.png"
TOY = ROOT / "tests" / "courses" / "toy"
STUDENTS = (10, 30, 100, 300, 1000, 3000)
GRADED = "context_vector"
CHECKS = (10, 50, 100, 250, 500)
CLASS = 8  # students, for workers and clusters
CLUSTERS = (1, 2, 3, 4)
MACHINES, CORES, SUBMISSIONS = 32, 2, 100_000
SUITE = '''
import pytest
from softmarks.testing import assert_equal


@pytest.mark.behaviour
@pytest.mark.parametrize("number", range({checks}))
def test_words_are_counted(student, number):
    """Each word is counted."""
    assert_equal(student.count_words("row " * number), {{"row": number}} if number else {{}})
'''


@dataclass(frozen=True)
class Curve:
    """What was measured at each size."""

    sizes: Sequence[int]
    found: Sequence[float]


def main() -> None:
    """Measure, draw and write."""
    exercises, checks = by_exercises(), by_checks()
    with tempfile.TemporaryDirectory() as folder:
        workers, clusters = by_workers(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        times, memory = by_students(Path(folder))
    picture(times, memory, exercises, checks)
    page = report(times, memory, exercises, checks, workers, clusters)
    put(PAGE, "growth", page)


def by_students(folder: Path) -> tuple[Curve, Curve]:
    """Seconds of classes that grow, and the MB that a tenth of the moments exceed."""
    times, memory = [], []
    for students in STUDENTS:
        write(folder / "work", students)
        with watched(None) as seen:
            times.append(seconds(folder / "work", folder / f"of {students}", 2, "--only", GRADED))
        memory.append(quantiles(seen, n=10)[-1])
        print(f"{students} students: {times[-1]:.1f} s, {memory[-1]:.0f} MB", flush=True)
    return Curve(STUDENTS, times), Curve(STUDENTS, memory)


def by_exercises() -> Curve:
    """CPU seconds of a submission of the first exercise, of the first two, and so on, on a ready worker."""
    answers = {place.exercise.name: place.reference() for place in programs(load_course(ROOT))}
    spent = []
    with Worker(ROOT, "required") as worker:
        for name, source in answers.items():
            spent.append(marked(worker, name, source))
    return Curve(range(1, len(spent) + 1), [sum(spent[: count + 1]) for count in range(len(spent))])


def by_checks() -> Curve:
    """CPU seconds of one small program, by the number of checks of its suite."""
    spent = []
    for checks in CHECKS:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(shutil.copytree(TOY, Path(folder, "course")))
            suite = root / "graders" / "1_text" / "count_words" / "test_hidden.py"
            suite.write_text(SUITE.format(checks=checks))
            source = (root / "solutions" / "1_text" / "count_words.py").read_text()
            with Worker(root, "required") as worker:
                spent.append(marked(worker, "count_words", source))
    return Curve(CHECKS, spent)


def marked(worker: Worker, name: str, source: str) -> float:
    """CPU seconds of marking a program, on a worker that has marked one such before."""
    worker.mark(name, [source])
    before = used(worker.process.pid)
    worker.mark(name, [f"{source}\n# once more\n"])
    return used(worker.process.pid) - before


def by_workers(folder: Path) -> tuple[Curve, Curve]:
    """Seconds of one class: with one worker and two, and on clusters of so many processes."""
    from distributed import LocalCluster

    write(folder / "work", CLASS)
    here = [seconds(folder / "work", folder / f"workers {count}", count) for count in (1, 2)]
    there = []
    for count in CLUSTERS:
        with LocalCluster(
            n_workers=count, threads_per_worker=1, dashboard_address=None, local_directory=folder / "dask"
        ) as cluster:
            results = folder / f"cluster {count}"
            there.append(seconds(folder / "work", results, 1, "--dask", cluster.scheduler_address))
    return Curve((1, 2), here), Curve(CLUSTERS, there)


def picture(times: Curve, memory: Curve, exercises: Curve, checks: Curve) -> None:
    """Four small plots in one picture."""
    figure, axes = pyplot.subplots(1, 4, figsize=(13, 3), layout="constrained")
    draw(axes[0], times, "students", "seconds, two workers, one exercise")
    draw(axes[1], memory, "students", "MB, all processes")
    draw(axes[2], exercises, "exercises of one submission", "CPU seconds")
    draw(axes[3], checks, "checks of one exercise", "CPU seconds")
    axes[1].set_xscale("log")
    figure.savefig(PICTURE, dpi=110)


def draw(axes: Axes, curve: Curve, across: str, up: str) -> None:
    """A line from nought."""
    axes.plot(curve.sizes, curve.found, marker="o", markersize=3)
    axes.set(xlabel=across, ylabel=up, ylim=(0, max(curve.found) * 1.1))
    axes.spines[["top", "right"]].set_visible(False)


def report(
    times: Curve, memory: Curve, exercises: Curve, checks: Curve, workers: Curve, clusters: Curve
) -> str:
    """The page's part."""
    each = exercises.found[-1]
    more = (times.found[-1] - times.found[0]) / (STUDENTS[-1] - STUDENTS[0])
    slope = (checks.found[-1] - checks.found[0]) / (CHECKS[-1] - CHECKS[0])
    cores = MACHINES * CORES
    rows = [
        f"{datetime.now(UTC):%Y-%m-%d}; {machine()}.",
        "",
        "![Seconds and memory by students; CPU seconds by exercises and by checks](pictures/growth.png)",
        "",
        row("students, one exercise graded", STUDENTS, "d"),
        f"|---|{'---:|' * len(STUDENTS)}",
        row("seconds, from the command to its end", times.found, ".1f"),
        row("memory of all processes, MB", memory.found, ".0f"),
        "",
        f"A student more takes {1000 * more:.0f} ms of two workers, for one exercise and the pages;"
        f" a check more {1000 * slope:.1f} ms of CPU.",
        "",
        f"| {CLASS} full submissions | one worker | two | Dask: one process | two | three | four |",
        "|---|---:|---:|---:|---:|---:|---:|",
        row("seconds", (*workers.found, *clusters.found), ".1f"),
        "",
        "The workers' start is in all of these; more processes than cores bring nothing.",
        "",
        f"**{SUBMISSIONS:,} submissions on {MACHINES} machines.** One correct submission of all"
        f" {len(exercises.sizes)} programs costs {each:.1f} CPU seconds on a ready worker (on this day)."
        f" Nothing is shared while programs are graded, so {MACHINES} machines with {CORES} such cores each"
        f" need {SUBMISSIONS:,} × {each:.1f} / {cores} seconds, which is"
        f" {SUBMISSIONS * each / cores / 3600:.1f} hours. Wrong programs cost more, for their mistakes are"
        " looked up; hangs cost their limit. The one"
        " machine that leads the others reads the work and writes verdicts and pages: at most the"
        f" {1000 * more:.0f} ms above for each submission, {SUBMISSIONS * more / 3600:.1f} hours. So it is"
        " what limits a cluster of this size: give it classes in several folders.",
    ]
    return "".join(f"{one}\n" for one in rows)


def row(head: str, values: Sequence[float], form: str) -> str:
    """A line of a table."""
    return f"| {head} | {' | '.join(f'{value:{form}}' for value in values)} |"


if __name__ == "__main__":
    main()
