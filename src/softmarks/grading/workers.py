"""Workers seen from outside: start one, give it work, end it. Imports neither torch nor pytest."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from softmarks.errors import GraderError, NotConfined, UsageError
from softmarks.pictures import Drawn
from softmarks.verdict import ExerciseVerdict

SILENCE = 900  # seconds without an answer after which a worker counts as dead

Wall = Literal["proved", "required", "optional"]


class Worker:
    """One grading process of a course. Not for use by two threads at once.

    One's own work may run without a wall ("optional"), other people's may not: "proved" tries to break out
    first, "required" relies on a proof that another worker of the same run has made. Raises NotConfined
    where this machine cannot put a wall around other people's programs.
    """

    def __init__(self, root: Path, wall: Wall) -> None:
        self.words = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the process)
        self.line, other = socket.socketpair()
        command = [sys.executable, "-P", "-m", "softmarks.grading.worker"]
        self.scratch = tempfile.TemporaryDirectory(prefix="softmarks-", ignore_cleanup_errors=True)
        environment = {
            **os.environ,
            "TMPDIR": self.scratch.name,
            "OMP_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
        }
        with other:
            command += [str(other.fileno()), str(root.resolve())]
            self.process = subprocess.Popen(
                [*command, "--prove"] if wall == "proved" else command,
                pass_fds=[other.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self.words,
                env=environment,
                start_new_session=True,
            )
        self.line.settimeout(SILENCE)
        self.stream = self.line.makefile("rw", encoding="utf-8")
        self.ready: dict[str, Any] | None = None
        self.wall = wall

    def wait(self) -> None:
        """Wait until it can grade."""
        if self.ready is not None:
            return
        ready = self._hear()
        if not ready["confined"] and self.wall != "optional":
            raise NotConfined(
                f"other people's work cannot be confined here: {ready['why']}",
                fix="Use Linux 5.13 or newer with Landlock, or --trust-submissions if you trust every author",
            )
        self.ready = ready

    def mark(
        self,
        exercise: str,
        cells: Sequence[str],
        suite: Literal["public", "hidden"] = "hidden",
        seed: int = 0,
    ) -> ExerciseVerdict:
        """The verdict on one program. Raises GraderError when the worker fails or dies."""
        answer = self._ask("mark", exercise, cells, suite=suite, seed=seed)
        return ExerciseVerdict.model_validate(answer["verdict"])

    def show(self, exercise: str, cells: Sequence[str]) -> list[Drawn]:
        """The pictures of an exercise, for one program."""
        return [Drawn.model_validate(panel) for panel in self._ask("show", exercise, cells)["drawn"]]

    def repeat(self, exercise: str, source: str, seeds: Sequence[int]) -> list[Decimal]:
        """The points of an AUTHORED program with each of these run seeds; it is run without a wall."""
        answer = self._ask("repeat", exercise, [source], seeds=list(seeds))
        return [Decimal(points) for points in answer["points"]]

    def _ask(self, do: str, exercise: str, cells: Sequence[str], **more: object) -> dict[str, Any]:
        self.wait()
        request = {"do": do, "exercise": exercise, "cells": list(cells), **more}
        try:
            self.stream.write(json.dumps(request) + "\n")
            self.stream.flush()
        except OSError as error:
            raise self._dead() from error
        return self._hear()

    def close(self) -> None:
        """End it and everything that it started."""
        for stream in (self.stream, self.line):
            with contextlib.suppress(OSError):
                stream.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.words.close()
        self.scratch.cleanup()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _hear(self) -> dict[str, Any]:
        try:
            text = self.stream.readline()
        except (OSError, ValueError):
            text = ""
        if not text:
            raise self._dead()
        message: dict[str, Any] = json.loads(text)
        if "error" in message:
            kind = UsageError if message.get("exit_code") == 2 else GraderError
            raise kind(message["error"])
        return message

    def _dead(self) -> GraderError:
        self.words.seek(0)
        last = self.words.read().decode(errors="replace").strip().splitlines()[-1:]
        return GraderError(f"a grading process died: {last[0] if last else 'without a word'}")
