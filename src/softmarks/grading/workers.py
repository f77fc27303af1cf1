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

from softmarks.errors import GraderError, NotConfined, UsageError, reason_of
from softmarks.grading.audited import Told
from softmarks.grading.record import Case
from softmarks.pictures import Drawn
from softmarks.verdict import ExerciseVerdict, Suite

FEWEST_FILES = 256
SILENCE = 900  # seconds without an answer after which a worker counts as dead

Wall = Literal["proved", "required", "optional"]


class Worker:
    """One grading process of a course. Not for use by two threads at once.

    One's own work may run without a wall ("optional"), other people's may not: "proved" tries to break out
    first, "required" relies on a proof that another worker of the same run has made. Raises NotConfined
    where this machine cannot put a wall around other people's programs, and GraderError where it has no room
    for one more process.
    """

    def __init__(self, root: Path, wall: Wall) -> None:
        self.ready: dict[str, Any] | None = None
        self.wall = wall
        _refuse_few_files()
        try:
            with contextlib.ExitStack() as opened:
                self._start(root, opened)
                opened.pop_all()
        except OSError as error:
            fix = "Make room (disk, ulimit -n, ulimit -u) or use fewer --workers, and run it again"
            what = f"no process can be started for grading: {reason_of(error)}"
            raise GraderError(what, where=error.filename, fix=fix) from error

    def _start(self, root: Path, opened: contextlib.ExitStack) -> None:
        self.words = opened.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  (closed with the worker)
        self.line, other = socket.socketpair()
        opened.enter_context(self.line)
        command = [sys.executable, "-P", "-m", "softmarks.grading.worker"]
        with other:
            self.scratch = tempfile.TemporaryDirectory(prefix="softmarks-", ignore_cleanup_errors=True)
            opened.callback(self.scratch.cleanup)
            environment = {
                **os.environ,
                "TMPDIR": self.scratch.name,
                "OMP_NUM_THREADS": "1",
                "MKL_NUM_THREADS": "1",
            }
            command += [str(other.fileno()), str(root.resolve())]
            self.process = subprocess.Popen(
                [*command, "--prove"] if self.wall == "proved" else command,
                pass_fds=[other.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self.words,
                env=environment,
                start_new_session=True,
            )
        self.line.settimeout(SILENCE)
        self.stream = self.line.makefile("rw", encoding="utf-8")

    def wait(self) -> None:
        """Wait until it can grade."""
        if self.ready is not None:
            return
        ready = self._hear()
        if not ready["confined"] and self.wall != "optional":
            raise NotConfined(
                f"other people's work cannot be confined here: {ready['why']}",
                fix="Use Linux 5.13 or newer with Landlock, or install bubblewrap; or --trust-submissions, "
                "if you trust every author",
            )
        self.ready = ready

    @property
    def alive(self) -> bool:
        """Whether it has started and has not ended."""
        return self.ready is not None and self.process.poll() is None

    def mark(
        self,
        exercise: str,
        cells: Sequence[str],
        suite: Suite = "hidden",
        seed: int = 0,
    ) -> ExerciseVerdict:
        """The verdict on one program. Raises GraderError when the worker fails or dies."""
        answer = self._ask("mark", exercise, cells=list(cells), suite=suite, seed=seed)
        return ExerciseVerdict.model_validate(answer["verdict"])

    def show(self, exercise: str, cells: Sequence[str]) -> list[Drawn]:
        """The pictures of an exercise, for one program."""
        return [
            Drawn.model_validate(panel) for panel in self._ask("show", exercise, cells=list(cells))["drawn"]
        ]

    def points(self, exercise: str, programs: Sequence[tuple[str, int]]) -> list[Decimal | None]:
        """The points of AUTHORED programs, each with a run seed; they run without a wall.

        None for one that ends its process.
        """
        answer = self._ask("points", exercise, programs=list(programs))
        return [None if points is None else Decimal(points) for points in answer["points"]]

    def pairs(self, exercise: str, pairs: Sequence[tuple[str, str]]) -> list[Told | None]:
        """What is told of two misconceptions at once; None where they cannot be joined."""
        told = self._ask("pairs", exercise, pairs=list(pairs))["told"]
        return [None if one is None else Told.model_validate(one) for one in told]

    def fares(self, exercise: str, suite: Suite = "hidden") -> dict[str, list[Case]]:
        """The cases of the reference (under "reference") and of each misconception in a suite."""
        fares = self._ask("fares", exercise, suite=suite)["fares"]
        return {name: [Case.model_validate(case) for case in cases] for name, cases in fares.items()}

    def fingerprints(self, exercise: str) -> str:
        """What a student edition carries of an exercise's misconceptions, as JSON."""
        return str(self._ask("fingerprints", exercise)["fingerprints"])

    def _ask(self, do: str, exercise: str, **more: object) -> dict[str, Any]:
        self.wait()
        request = {"do": do, "exercise": exercise, **more}
        try:
            self.stream.write(json.dumps(request) + "\n")
            self.stream.flush()
        except (OSError, ValueError) as error:  # the other end is gone, or this one was closed
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
        if not text.endswith("\n"):  # it ended, perhaps in the middle of its answer
            raise self._dead()
        message: dict[str, Any] = json.loads(text)
        if "error" in message:
            kind = UsageError if message.get("exit_code") == 2 else GraderError
            raise kind(message["error"])
        return message

    def _dead(self) -> GraderError:
        last = []
        if not self.words.closed:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=1)  # it may still be writing why
            self.words.seek(0)
            last = self.words.read().decode(errors="replace").strip().splitlines()[-1:]
        return GraderError(f"a grading process died: {last[0] if last else 'without a word'}")


def _refuse_few_files() -> None:
    """Hosts are given descriptors of high numbers. Raises GraderError where no process may have such."""
    if sys.platform != "win32":
        import resource

        allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if allowed < FEWEST_FILES and allowed != resource.RLIM_INFINITY:
            what = f"a process may open {allowed} files here, which is too few to grade with"
            raise GraderError(what, fix=f"Allow more, as with ulimit -n {4 * FEWEST_FILES}, and run it again")
