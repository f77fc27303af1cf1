"""The grading process: JSON lines in, verdicts out. Holds torch, pytest and the suites; runs no student code.

Started as ``python -P -m softmarks.grading.worker DESCRIPTOR ROOT [--prove]``. It says once what it is
("ready": rung, confined, why), then answers every request with one object, or with ``{"error": …}``:
``{"do": "mark", "exercise": …, "cells": […], "suite": "hidden", "seed": 0}`` with ``{"verdict": …}``, "show"
with ``{"drawn": […]}``. What follows runs authored programs, in copies of this process: "points" of
programs, what is told of "pairs" of misconceptions, how each "fares", and the "fingerprints" of an exercise.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import socket
import sys
import traceback
from pathlib import Path
from typing import IO, Any

from softmarks.errors import SoftmarksError, UsageError
from softmarks.grading.account import REFERENCE, Account
from softmarks.grading.grader import Grader
from softmarks.grading.proof import prove
from softmarks.sandbox.client import Warm


def main() -> None:
    """Serve until the other end of the descriptor is closed."""
    descriptor, root, prove_first = int(sys.argv[1]), Path(sys.argv[2]), "--prove" in sys.argv[3:]
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(root))  # a suite imports its course's oracle as `graders.oracle`
    with socket.socket(fileno=descriptor) as line, line.makefile("rw", encoding="utf-8") as stream:
        try:
            grader, ready = _open(root, prove_first)
        except SoftmarksError as error:
            _say(stream, {"error": str(error), "exit_code": error.exit_code})
            return
        _say(stream, ready)
        try:
            for request in stream:
                _say(stream, _answer(grader, json.loads(request)))
        finally:
            grader.close()


def _open(root: Path, prove_first: bool) -> tuple[Grader, dict[str, Any]]:
    grader = Grader(root)
    try:
        gc.disable()  # there is nothing to collect
        for package in grader.course.packages:  # while the warm process does the same
            importlib.import_module(package)
        gc.freeze()
        gc.enable()
        if "torch" in sys.modules:
            sys.modules["torch"].set_num_threads(1)
        grader.wait()
        why = "" if grader.confined else grader.warm.why
        if isinstance(grader.warm, Warm) and grader.confined and prove_first:
            failures = prove(grader.warm)
            grader.confined, why = not failures, "; ".join(failures)
    except BaseException as error:
        grader.close()
        if isinstance(error, ImportError):
            what = f"the course needs {error.name}, which is not installed"
            raise UsageError(what, fix=f"Install it: pip install {error.name}") from error
        raise
    return grader, {"ready": True, "confined": grader.confined, "rung": grader.warm.rung, "why": why}


def _answer(grader: Grader, request: dict[str, Any]) -> dict[str, Any]:
    exercise, cells = request["exercise"], tuple(request.get("cells", ()))
    try:
        match request["do"]:
            case "mark":
                verdict = grader.mark(exercise, cells, request["suite"], request["seed"])
                return {"verdict": verdict.model_dump(mode="json")}
            case "show":
                return {"drawn": [panel.model_dump(mode="json") for panel in grader.show(exercise, cells)]}
            case "points":
                programs = [tuple(program) for program in request["programs"]]
                points = grader.points(exercise, programs)
                return {"points": [None if got is None else str(got) for got in points]}
            case "pairs":
                told = grader.pairs(exercise, [tuple(pair) for pair in request["pairs"]])
                return {"told": [None if one is None else one.model_dump(mode="json") for one in told]}
            case "fares":
                stage = grader.rehearsal(exercise, request["suite"])
                stage.misconceptions()
                return {"fares": {one: _cases(stage.account(one)) for one in (REFERENCE, *stage.mistakes)}}
            case "fingerprints":
                return {"fingerprints": grader.fingerprints(exercise)}
            case unknown:
                return {"error": f"a worker cannot {unknown}"}
    except SoftmarksError as error:
        return {"error": str(error), "exit_code": error.exit_code}
    except Exception as error:
        traceback.print_exc()
        return {"error": f"{type(error).__name__}: {error}"}


def _cases(account: Account) -> list[dict[str, Any]]:
    return [case.model_dump(mode="json") for case in account.cases.values()]


def _say(stream: IO[str], message: dict[str, Any]) -> None:
    stream.write(json.dumps(message) + "\n")
    stream.flush()


if __name__ == "__main__":
    main()
    os._exit(0)  # to take torch apart would cost a second
