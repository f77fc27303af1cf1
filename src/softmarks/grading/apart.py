"""Do something in a forked copy of this process, so that nothing it does stays: authored programs run there.

It is no wall: a copy can do what this process can. It keeps a worker as it was, whatever a program sets,
uses up or ends.
"""

from __future__ import annotations

import gc
import json
import math
import os
import resource
from collections.abc import Callable
from typing import Any


def apart(work: Callable[[], Any], cpu_seconds: float) -> Any:
    """What ``work()`` returns (plain data), done in a copy; None when it fails, dies or takes too long."""
    answer, end = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(answer)
            gc.disable()  # a collection would touch, and so copy, every page
            limit = math.ceil(cpu_seconds)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            with os.fdopen(end, "w") as pipe:
                json.dump(work(), pipe)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(end)
    with os.fdopen(answer) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text) if status == 0 and text else None
