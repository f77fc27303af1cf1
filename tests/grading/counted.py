"""What one submission costs in things that can be counted, on any machine: prints them as JSON.

python -m tests.grading.counted EXERCISE…
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

from softmarks.course.rooms import room
from softmarks.grading import grader, suite_run
from softmarks.sandbox import client, wire
from tests.conftest import ROOT

counts: Counter[str] = Counter()


def counting(owner: Any, name: str, what: str, size: str = "") -> None:
    """Count the calls of a function, and the bytes that it takes or gives."""
    original = getattr(owner, name)

    def counted(*args: Any, **kwargs: Any) -> Any:
        counts[what] += 1
        found = original(*args, **kwargs)
        if size:
            counts[size] += len(found)
        return found

    setattr(owner, name, counted)


def main() -> None:
    """Grade the reference of each exercise twice, and count the second time."""
    sys.path.insert(0, str(ROOT))
    counting(client.HostProcess, "__init__", "hosts")
    counting(client.HostProcess, "ask", "exchanges")
    counting(wire, "frame", "frames", "bytes asked")
    counting(suite_run, "_prepareconfig", "collections")
    one = grader.Grader(ROOT)
    one.wait()
    try:
        for again in (False, True):
            counts.clear()
            for name in sys.argv[1:]:
                verdict = one.mark(name, (room(one.course, ROOT, name).reference(),))
                assert verdict.full_marks, (name, again)
    finally:
        one.close()
    print(json.dumps({**dict.fromkeys(("collections",), 0), **counts}))


if __name__ == "__main__":
    main()
