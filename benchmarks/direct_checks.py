"""The checks of an exercise by direct calls: no run of pytest, no wall, in whatever process imports this.

In `peers.py` the notebooks of nbgrader and otter-grader import it. As a program it is the floor there, what
the checks alone cost: a line in is {"causal_mask": "import torch…"}, a line out CPU seconds and those of a
clock.
"""

from __future__ import annotations

import json
import sys
import time
from functools import cache
from pathlib import Path

from softmarks.course.course import Course, load_course
from softmarks.course.rooms import room
from softmarks.grading.direct import play
from softmarks.grading.program import Code, Program
from softmarks.sandbox.client import InProcess
from softmarks.verdict import Outcome

ROOT = Path(__file__).resolve().parent.parent


def check(exercise: str, source: str) -> int:
    """Play a program; the number of its checks' cases. Raises AssertionError for one that fails."""
    course, place = _course(), room(_course(), ROOT, exercise)
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))  # suites import graders.oracle
    program = Program(Code(exercise, (source,), place.given(), course.axes), InProcess, seed=0)
    kinds = {name: kind.needs for name, kind in course.kinds.items()}
    cases = play(place.hidden, kinds, program).cases
    failed = [key for key, case in cases.items() if case.outcome is not Outcome.PASSED]
    assert not failed, f"{exercise}: {failed}"
    return len(cases)


@cache
def _course() -> Course:
    return load_course(ROOT)


def main() -> None:
    """Check what each line holds, in this process, which stays."""
    for line in sys.stdin:
        programs: dict[str, str] = json.loads(line)
        cpu, clock = time.process_time(), time.monotonic()
        for exercise, source in programs.items():
            check(exercise, source)
        print(time.process_time() - cpu, time.monotonic() - clock, flush=True)


if __name__ == "__main__":
    main()
