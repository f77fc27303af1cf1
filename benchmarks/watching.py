"""How long after a save the verdict is there: `softmarks watch` beside a pytest process that starts cold.

The same answer to the same exercise, written into a file: from that moment until watch shows its verdict in a
terminal, and until `python -m pytest` on the public suite has ended. They take turns in one run; medians and
their ratio are printed. For an answer with a mistake both run the public checks alone, and watch names the
mistake too; for a right answer watch runs the hidden suite as well. Each save is new to both: no verdict
of an earlier one is used again.

    python benchmarks/watching.py
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pexpect

from softmarks.course.course import load_course
from softmarks.course.rooms import Room, room

ROOT = Path(__file__).resolve().parent.parent
SOFTMARKS = Path(sys.executable).with_name("softmarks")
EXERCISE, MISTAKE = "all_context_vectors", "softmax_down_the_columns"
REPEATS = 7
PATIENCE = 120  # seconds
PLUGIN = "softmarks.grading.plugin"  # alone: pytest starts as quickly as it can
END = "q quit"  # the last words of a screen of watch


def main() -> None:
    """Measure both in turns and print medians."""
    place = room(load_course(ROOT), ROOT, EXERCISE)
    wrong = next(one for one in place.misconceptions() if one.id == MISTAKE)
    answers = {"a mistake": wrong.apply(place.reference()), "a right answer": place.reference()}
    words = {"a mistake": wrong.says.split(":")[0], "a right answer": "all checks passed"}
    with tempfile.TemporaryDirectory() as folder:
        own, cold = learners_folder(Path(folder) / "own"), plain_folder(Path(folder) / "plain", place)
        child = pexpect.spawn(
            str(SOFTMARKS), ["watch"], cwd=str(own), dimensions=(60, 100), timeout=PATIENCE, encoding="utf-8"
        )
        child.expect_exact(END)
        print(f"from a saved file to the verdict, {EXERCISE}; seconds, median of {REPEATS} (least to most)")
        for kind, answer in answers.items():
            watched, started = in_turns(
                lambda text, kind=kind: seen_by_watch(child, own, place, text, words[kind]),
                lambda text, kind=kind: seen_by_pytest(cold, place, text, passes=kind != "a mistake"),
                answer,
            )
            print(f"  {kind}")
            print(f"    softmarks watch     {told(watched)}")
            print(f"    python -m pytest    {told(started)}")
            print(f"    ratio               {statistics.median(started) / statistics.median(watched):7.1f}")
        child.send("q")
        child.expect(pexpect.EOF)
        child.close()


def in_turns(
    first: Callable[[str], float], second: Callable[[str], float], answer: str
) -> tuple[list[float], list[float]]:
    """Seconds that each takes for an answer, again and again in turns; a first round is not counted."""
    rounds = [
        (first(f"{answer}\n# save {number}\n"), second(f"{answer}\n# save {number}\n"))
        for number in range(REPEATS + 1)
    ]
    return [one for one, _ in rounds[1:]], [other for _, other in rounds[1:]]


def learners_folder(folder: Path) -> Path:
    """A working copy of the course."""
    start = [SOFTMARKS, "start", folder, "--track", "book", "--course", ROOT]
    subprocess.run(start, check=True, stdout=subprocess.DEVNULL)
    return folder


def plain_folder(folder: Path, place: Room) -> Path:
    """A folder for plain pytest: the course, and in it the suites of one exercise."""
    shutil.copytree(place.public.parent, folder / "graders" / place.address)
    shutil.copy(ROOT / "graders" / "oracle.py", folder / "graders")
    shutil.copy(ROOT / "course.yml", folder)
    (folder / "exercises" / place.exercise.assignment).mkdir(parents=True)
    return folder


def seen_by_watch(child: pexpect.spawn[str], own: Path, place: Room, answer: str, words: str) -> float:
    """Seconds from a save to the end of a screen with these words."""
    begun = time.perf_counter()
    (own / f"{place.address}.py").write_text(answer, encoding="utf-8")
    child.expect_exact(END)
    spent = time.perf_counter() - begun
    if words not in child.before:
        raise SystemExit(f"watch does not say {words!r}:\n{child.before}")
    return spent


def seen_by_pytest(cold: Path, place: Room, answer: str, *, passes: bool) -> float:
    """Seconds from a save to the end of a process of plain pytest on the public suite."""
    suite = cold / "graders" / place.address / "test_public.py"
    begun = time.perf_counter()
    (cold / "exercises" / f"{place.address}.py").write_text(answer, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", PLUGIN, "--import-mode=importlib", suite]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=cold, env=alone, capture_output=True, text=True)
    spent = time.perf_counter() - begun
    if done.returncode != (0 if passes else 1):
        raise SystemExit(f"plain pytest ends with {done.returncode}:\n{done.stdout[-2000:]}")
    return spent


def told(seconds: list[float]) -> str:
    """Median, least and most."""
    return f"{statistics.median(seconds):7.3f}   ({min(seconds):.3f} to {max(seconds):.3f})"


if __name__ == "__main__":
    main()
