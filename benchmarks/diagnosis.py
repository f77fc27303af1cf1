"""What naming a mistake costs, beside the checks themselves, once the table is made.

The same wrong programs are marked by two workers, one of a course that names mistakes and one of the same
course that does not. Prints CPU seconds of all processes and their ratio, measured in one run on one machine.

    python benchmarks/diagnosis.py [EXERCISE]…
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from one_submission import used

from softmarks.course.course import load_course
from softmarks.course.rooms import joined, room
from softmarks.grading.workers import Worker

ROOT = Path(__file__).resolve().parent.parent
EXERCISES = ("causal_mask", "causal_attention", "attention_dropout", "multi_head_attention", "alibi")
SINGLES, PAIRS = 12, 12  # programs an exercise: with one mistake, and with two


def main() -> None:
    """Measure both and print a table."""
    names = sys.argv[1:] or EXERCISES
    programs = [(name, source) for name in names for source in wrong_programs(name)]
    with tempfile.TemporaryDirectory() as folder:
        with_names = cpu_seconds(ROOT, programs)
        without = cpu_seconds(unnamed(Path(folder)), programs)
    print(f"{len(programs)} wrong programs of {len(names)} exercises; CPU seconds, all processes")
    print(f"  checks alone              {without:7.2f}")
    print(f"  checks and names          {with_names:7.2f}")
    print(f"  naming, beside the checks {(with_names - without) / without:7.1%}")


def wrong_programs(name: str) -> list[str]:
    """Programs with one mistake, and with two, that no worker has seen."""
    place = room(load_course(ROOT), ROOT, name)
    reference, mistakes = place.reference(), place.misconceptions()
    singles = [mistake.apply(reference) for mistake in mistakes[:SINGLES]]
    pairs = [joined(pair, reference) for pair in zip(mistakes, mistakes[len(mistakes) // 2 :], strict=False)]
    return [f"{source}\n# another" for source in (*singles, *filter(None, pairs[:PAIRS]))]


def unnamed(folder: Path) -> Path:
    """A copy of the course that names no mistake."""
    for tree in ("exercises", "graders", "solutions"):
        shutil.copytree(ROOT / tree, folder / tree)
    text = (ROOT / "course.yml").read_text(encoding="utf-8")
    (folder / "course.yml").write_text(text.replace("name_mistakes: true", "name_mistakes: false"), "utf-8")
    return folder


def cpu_seconds(root: Path, programs: list[tuple[str, str]]) -> float:
    """What marking the programs costs when everything that is kept has been made."""
    with Worker(root, "required") as worker:
        for name, source in programs:
            worker.mark(name, [source])
        before = used(worker.process.pid)
        for name, source in programs:
            worker.mark(name, [source])
        return used(worker.process.pid) - before


if __name__ == "__main__":
    main()
