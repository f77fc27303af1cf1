"""How long a target is tried, and how much memory it may take meanwhile."""

import resource
import sys

import pytest

MOST_GROWN = 1024  # MiB that this process may have grown by after a target


@pytest.fixture(autouse=True)
def bounded_memory():
    """Whatever is thrown at it, a target does not make this process grow without end."""
    unit = 2**20 if sys.platform == "darwin" else 2**10  # per MiB
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / unit < MOST_GROWN
