"""A whole class that was made: each gets the marks that its programs are worth, to the cent."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from softmarks.course.course import load_course
from softmarks.grading.workers import Worker
from softmarks.reporting.recorded import read_verdicts
from tests.conftest import ROOT
from tests.made_class import handed_in, made_class, write

COURSE = load_course(ROOT)
SOFTMARKS = Path(sys.executable).with_name("softmarks")
THREE = ["transfer_weights", "causal_mask", "gpt2_attention"]
ALL = [exercise.name for exercise in COURSE.exercises]
SEED = 20261130
MOST_MEMORY = 3 * 2**30


def graded(folder: Path, exercises: list[str]) -> int:
    """Grade a class; the most memory that all processes had together."""
    words = [SOFTMARKS, "grade", folder / "work", "-o", folder / "results", "--course", ROOT]
    words += ["--workers", "2", "--only", ",".join(exercises)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    peak = [0]

    def watch() -> None:
        while process.poll() is None:
            used = 0
            for one in (psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)):
                try:
                    used += one.memory_full_info().pss
                except psutil.Error:
                    continue
            peak[0] = max(peak[0], used)
            time.sleep(2)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    _, said = process.communicate()
    watcher.join()
    assert process.returncode == 0, said.decode()
    return peak[0]


def holds(worker: Worker, folder: Path, exercises: list[str], students: int) -> None:
    made = made_class(COURSE, ROOT, worker, exercises, students, SEED)
    again = handed_in(COURSE, ROOT, exercises, students, SEED)
    assert again == handed_in(COURSE, ROOT, exercises, students, SEED)
    write(made, folder / "work")
    peak = graded(folder, exercises)
    got = {
        verdict.student: {one.exercise: one.points for one in verdict.exercises}
        for verdict in read_verdicts(folder / "results")
    }
    assert got == {student.name: student.points for student in made}
    values = [points for student in made for points in student.points.values()]
    assert None in values
    assert len({points for points in values if points is not None}) > 10
    assert peak < MOST_MEMORY


def test_two_dozen_students_and_three_exercises(course_worker, tmp_path):
    """All that people do, in every exercise, with damaged files between them."""
    holds(course_worker, tmp_path, THREE, 24)


@pytest.mark.long
def test_three_hundred_students_and_the_whole_course(course_worker, tmp_path):
    """The same with everything, in no more memory."""
    holds(course_worker, tmp_path, ALL, 300)
