"""Warm processes for tests of the sandbox, in a box and in none, and a way to run a few lines in a host."""

import pytest

from softmarks.sandbox.client import Bounds, HostProcess, Warm


@pytest.fixture(scope="session")
def unboxed():
    """A warm process in no box, without packages: it is ready at once."""
    process = Warm([], box=False)
    process.wait()
    yield process
    process.close()


@pytest.fixture(scope="session")
def in_a_box():
    """A warm process in a box; the test is skipped where none starts."""
    process = Warm([])
    process.wait()
    yield process if process.boxed else None
    process.close()


@pytest.fixture(scope="session", params=["in_a_box", "unboxed"])
def warm(request):
    """Each of the two."""
    return request.getfixturevalue(request.param) or pytest.skip("needs bubblewrap, and that it starts")


class Running:
    """A program in a host; `call` asks for one of its functions."""

    def __init__(self, warm, source, bounds, confined):
        self.host = HostProcess(warm, bounds, confined=confined)
        self.loaded, _ = self.ask(
            {"op": "load", "space": "program", "filename": "program.py", "cells": [source]}
        )

    def ask(self, request):
        return self.host.ask(request, [])

    def call(self, name, *args, **more):
        """The whole reply to a call with plain arguments."""
        request = {"op": "call", "of": {"space": "program"}, "name": name, "args": list(args)}
        request |= {"kwargs": {"dict": []}, "seed": None, "times": None, "upstream": None}
        reply, _ = self.ask(request | {"watch": False, "inputs": False} | more)
        return reply


@pytest.fixture
def program(warm, unboxed):
    """Start a program: ``program(source)``; ended after the test. Not confined, it is in no box either."""
    started = []

    def start(source, *, seconds=1.0, memory_mb=256, confined=True):
        running = Running(warm if confined else unboxed, source, Bounds(seconds, memory_mb), confined)
        started.append(running)
        return running

    yield start
    for running in started:
        running.host.close()
