"""What a submission costs does not grow unseen: forks, exchanges and bytes are counted, seconds are not."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.conftest import ROOT

EXERCISES = ["scaled_dot_product", "causal_attention", "multi_head_attention"]
# Lower a number when it falls. Before you raise one, ask what is bought with it.
MOST = {"hosts": 3, "collections": 0, "exchanges": 332, "frames": 332, "bytes asked": 700_000}


def test_counted_costs_of_three_exercises():
    """One host an exercise, suites collected once, no more questions and bytes than there were."""
    command = [sys.executable, "-m", "tests.grading.counted", *EXERCISES]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    counted = json.loads(done.stdout)
    assert counted.keys() == MOST.keys()
    assert {name: count for name, count in counted.items() if count > MOST[name]} == {}
    assert counted["exchanges"] > MOST["exchanges"] * 0.9, "lower the numbers"
