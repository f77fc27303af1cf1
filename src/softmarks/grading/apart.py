"""Do things in a forked copy of this process, so that nothing they do stays: authored programs run there.

It is no wall: a copy can do what this process can. It keeps a worker as it was, whatever a program sets,
uses up or ends. A system that cannot fork has no copies: the process itself does them.
"""

from __future__ import annotations

import gc
import json
import math
import os
import resource
import select
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

IDLE, PATIENCE = 30, 4  # seconds without a word, and so many times the CPU seconds, until a copy hangs


def apart(works: Sequence[Callable[[], Any]], cpu_seconds: float) -> list[Any]:
    """What each work returns (plain data), one after the other in a copy.

    None for one that fails, dies, takes more than ``cpu_seconds`` or waits for long; the next ones get a new
    copy.
    """
    if not hasattr(os, "fork"):
        return [_here(work) for work in works]
    done: list[Any] = []
    while len(done) < len(works):
        left = works[len(done) :]
        found = _in_a_copy(left, cpu_seconds)
        done += found if len(found) == len(left) else [*found, None]
    return done


def _here(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except BaseException:
        return None


def _in_a_copy(works: Sequence[Callable[[], Any]], cpu_seconds: float) -> list[Any]:
    """What the works returned before one of them failed."""
    answer, end = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(answer)
            gc.disable()  # a collection would touch, and so copy, every page
            with os.fdopen(end, "w") as pipe:
                for work in works:
                    _, most = resource.getrlimit(resource.RLIMIT_CPU)
                    resource.setrlimit(
                        resource.RLIMIT_CPU, (math.ceil(time.process_time() + cpu_seconds), most)
                    )
                    pipe.write(json.dumps(work()) + "\n")
                    pipe.flush()
            os._exit(0)
        finally:
            os._exit(1)
    os.close(end)
    try:
        lines = b"".join(_heard(answer, IDLE + PATIENCE * cpu_seconds)).split(b"\n")[:-1]
    finally:
        os.close(answer)
        os.kill(child, signal.SIGKILL)  # it has said all, or waits for something that never comes
        os.waitpid(child, 0)
    return [json.loads(line) for line in lines]


def _heard(pipe: int, patience: float) -> Iterator[bytes]:
    """What comes through a pipe until it is closed, or nothing has come for so many seconds."""
    while select.select([pipe], [], [], patience)[0]:
        data = os.read(pipe, 1 << 16)
        if not data:
            return
        yield data
