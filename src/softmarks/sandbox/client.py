"""The TRUSTED side of the sandbox: start a warm process, get hosts from it, ask them, end them.

Nothing that a host sends is believed before `wire` and `values` have parsed it with limits. A host
that dies, hangs, grows or floods is killed here and ends as a `HostDied` with its reason; the next
check gets a fresh one. Time is the host's CPU time, read from outside, so that a busy machine
fails nobody; a wall clock of four times as much, without the time that it waited for a core, ends a
host that sleeps.
"""

from __future__ import annotations

import _thread
import contextlib
import io
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from bdb import BdbQuit
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, Protocol

from softmarks.errors import GraderError
from softmarks.sandbox import confinement, host, wire
from softmarks.sandbox.box import NEEDED, bubblewrap
from softmarks.sandbox.box import boxed as in_box
from softmarks.sandbox.installed import installed

Fate = Literal["timed-out", "out-of-memory", "exited", "killed", "flooded"]

CONTAINER = "SOFTMARKS_CONTAINER"  # set in a container of ours: a word for the report, nothing rests on it
WALL_FACTOR = 4
TICK = 0.05  # seconds between two looks
START_SECONDS = 120
FORK_SECONDS = 20
KEPT_OUTPUT = 64 * 1024  # bytes
MAX_THREADS = 66
MAX_SCRATCH_BYTES = confinement.SCRATCH_BYTES
MAX_SCRATCH_NAMES = confinement.SCRATCH_NAMES
MEMORY_SLACK = 1.25


class HostDied(Exception):
    """The host is gone; ``fate`` says how, in the words of an outcome, ``why`` in a sentence.

    ``shot``: by a signal that a machine without memory sends, a person, or the program itself, but not we.
    """

    def __init__(self, fate: Fate, why: str, *, shot: bool = False) -> None:
        super().__init__(why)
        self.fate: Fate = fate
        self.why = why
        self.shot = shot


@dataclass(frozen=True)
class Bounds:
    """What one check may use."""

    cpu_seconds: float
    memory_mb: int


class Asks(Protocol):
    """Something that answers requests: a host in its own process, or one in this process."""

    def begin(self) -> None:
        """A new check begins: its time starts now."""

    def ask(self, request: dict[str, Any], tensors: list[Any]) -> tuple[dict[str, Any], list[Any]]:
        """Send one request, return the reply."""

    def output(self) -> str:
        """What the program has printed since the check began, the end of it."""

    def close(self) -> None:
        """End it."""


class InProcess:
    """A host in this very process: no wall, but a debugger, `print` and coverage work.

    ``file`` is where one's own program lies: a breakpoint in it is met, and ``raised`` is its last exception.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.host = _OpenHost() if file else host.Host()

    @property
    def raised(self) -> BaseException | None:
        return getattr(self.host, "last", None)

    def begin(self) -> None:
        """Nothing is measured here."""

    def ask(self, request: dict[str, Any], tensors: list[Any]) -> tuple[dict[str, Any], list[Any]]:
        """Answer at once. Values have the same plain form as on the wire; nothing is made of bytes."""
        if self.file and request["op"] == "load" and not request["filename"].startswith("<"):
            request = {**request, "filename": str(self.file)}
        return self.host.handle(request, tensors)

    def output(self) -> str:
        """pytest shows what was printed."""
        return ""

    def close(self) -> None:
        """Let go of the programs' names: they must not be found by an import of another one."""
        for space, module in self.host.spaces.items():
            if sys.modules.get(space) is module:
                del sys.modules[space]


class _OpenHost(host.Host):
    """A host whose program is one's own: it keeps what was raised, and lets a person stop it."""

    last: BaseException | None = None

    def _raised(self, error: BaseException) -> dict[str, Any]:
        if isinstance(error, KeyboardInterrupt | BdbQuit):
            raise error
        self.last = error
        return super()._raised(error)


class Unforked(InProcess):
    """A host in this process where a system cannot fork one: for one's own work, which may be interrupted.

    Python code that runs too long is stopped; what a library does meanwhile is not.
    """

    def __init__(self, bounds: Bounds) -> None:
        super().__init__()
        self.bounds = bounds
        self.printed = io.StringIO()

    def begin(self) -> None:
        """A new check begins: nothing is printed yet."""
        self.printed = io.StringIO()

    def ask(self, request: dict[str, Any], tensors: list[Any]) -> tuple[dict[str, Any], list[Any]]:
        """Answer, or raise HostDied. Each request has the time of a check: the suite computes here too."""
        done, late = threading.Event(), threading.Event()
        threading.Thread(target=self._watch, args=(done, late), daemon=True).start()
        try:
            with contextlib.redirect_stdout(self.printed), contextlib.redirect_stderr(self.printed):
                return super().ask(request, tensors)
        finally:
            done.set()
            if late.is_set():
                raise HostDied("timed-out", f"it was still running after {self.bounds.cpu_seconds:g} seconds")

    def _watch(self, done: threading.Event, late: threading.Event) -> None:
        """Interrupt the main thread when the time is over."""
        cpu, wall, limit = time.process_time(), time.monotonic(), self.bounds.cpu_seconds
        while not done.wait(TICK):
            if time.process_time() - cpu > limit or time.monotonic() - wall > limit * WALL_FACTOR:
                late.set()
                _thread.interrupt_main()
                return

    def output(self) -> str:
        """The end of what the program printed since the check began."""
        return self.printed.getvalue()[-KEPT_OUTPUT:]


class Warm:
    """The trusted side's handle on a warm process."""

    def __init__(self, packages: Sequence[str], *, box: bool = True) -> None:
        """Start it, in a box where there is one; `wait` returns when it is ready.

        Other imports can go on meanwhile.
        """
        self.packages = tuple(packages)
        self.scratch = Path(tempfile.mkdtemp(prefix="softmarks-"))
        self.confined = False
        self.rung = "none"  # the layers of the wall, in words
        self.why = ""
        self.missing: tuple[str, ...] = ()
        self._start(boxed=box and bubblewrap() is not None)

    def _start(self, *, boxed: bool) -> None:
        self.boxed = boxed
        self.handle: int | None = None  # of a warm process in a box: it is not the one that was started
        self.control, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = {
            "PATH": os.defpath,
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "HOME": "/nonexistent",
            "TMPDIR": str(self.scratch),
            "MALLOC_ARENA_MAX": "2",
            "TORCH_COMPILE_DISABLE": "1",
            **{f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")},
        }
        with other:
            command = [sys.executable, "-I", "-m", "softmarks.sandbox.warm", str(other.fileno())]
            libraries = installed([*self.packages, *NEEDED])
            places = json.dumps([str(path) for path in libraries])
            command += ["boxed" if boxed else "unboxed", places, *self.packages]
            self.process = subprocess.Popen(
                in_box(command, libraries, self.scratch) if boxed else command,
                pass_fds=[other.fileno()],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd="/",
            )
        if boxed and not self._hear("started"):
            self._start_unboxed()

    def _start_unboxed(self) -> None:
        """Not everything starts in a box, and something may be missing there: it all works without one."""
        self._end()
        self._start(boxed=False)

    def _hear(self, word: str) -> dict[str, Any]:
        """What the process says next of how it starts, if it says ``word``."""
        try:
            self.control.settimeout(START_SECONDS)
            while True:
                data, handles, _flags, _address = socket.recv_fds(self.control, wire.MAX_HEADER, 1)
                self.handle = handles[0] if handles else self.handle
                said = dict(json.loads(data))
                if word in said:
                    return said
        except (OSError, ValueError):
            pass
        return {}

    def wait(self) -> None:
        """Wait until it can fork. Raises GraderError with its last words when it cannot."""
        ready = self._hear("ready")
        # a package that is installed and could not be imported in the box: the box shows too little
        if self.boxed and not (ready and ready["confined"] and not any(map(find_spec, ready["missing"]))):
            self._start_unboxed()
            ready = self._hear("ready")
        if not ready:
            self.process.kill()
            words = self.process.stderr.read().decode(errors="replace") if self.process.stderr else ""
            self.close()
            last = words.strip().splitlines()[-1:] or ["no answer"]
            raise GraderError(f"the sandbox did not start: {last[0]}")
        around = "container, " if os.environ.get(CONTAINER) and ready["confined"] else ""
        self.confined, self.rung, self.why = ready["confined"], around + ready["rung"], ready["why"]
        self.missing = tuple(ready["missing"])

    @property
    def alive(self) -> bool:
        """Whether the process is still there."""
        return self.process.poll() is None

    def host(self, bounds: Bounds, *, confined: bool) -> Asks:
        """A new host."""
        return HostProcess(self, bounds, confined=confined)

    def fork(self, request: dict[str, Any], descriptors: Sequence[int]) -> tuple[int, int]:
        """The pid of a new host, and the one that the warm process knows it by."""
        answer, handles = self._message({"fork": request}, descriptors)
        pid = int(answer["pid"])
        try:
            # No pid is given again before its host is reaped, and that is done on request alone.
            return (_process_behind(handles[0]) if handles else pid), pid
        finally:
            for handle in handles:
                os.close(handle)

    def reap(self, pid: int) -> int:
        """The exit status of a host that was killed, by the pid that the warm process knows."""
        return int(self._message({"reap": pid})[0]["status"])

    def _message(
        self, message: dict[str, Any], descriptors: Sequence[int] = ()
    ) -> tuple[dict[str, Any], list[int]]:
        """One request to the warm process, and its answer."""
        try:
            self.control.settimeout(FORK_SECONDS)
            socket.send_fds(self.control, [json.dumps(message).encode()], descriptors)
            data, handles, _flags, _address = socket.recv_fds(self.control, wire.MAX_HEADER, 1)
            return dict(json.loads(data)), handles
        except (OSError, ValueError) as error:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=1)  # so that `alive` tells the truth
            raise GraderError("the sandbox's warm process is gone") from error

    def close(self) -> None:
        """End the warm process and, with it, every host."""
        self._end()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def _end(self) -> None:
        """Kill what was started. A box ends with its first process, bubblewrap after all that was in it."""
        self.control.close()
        if self.handle is None:
            self.process.kill()
        else:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.handle, signal.SIGKILL)
            os.close(self.handle)
            self.handle = None
        self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()


class Cold:
    """What stands for a warm process where nothing can be forked: hosts are in this process, unconfined."""

    confined = False
    rung = "none"
    why = "this system cannot fork processes"
    alive = True

    def __init__(self) -> None:
        """Programs are interrupted by a signal, which a process may have been started without."""
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def wait(self) -> None:
        """There is nothing to wait for."""

    def host(self, bounds: Bounds, *, confined: bool) -> Asks:  # noqa: ARG002
        """A new host."""
        return Unforked(bounds)

    def close(self) -> None:
        """There is nothing to end."""


def warmed(packages: Sequence[str]) -> Warm | Cold:
    """What gives hosts on this system."""
    forks = sys.platform == "linux" and hasattr(os, "fork")
    return Warm(packages) if forks else Cold()


class HostProcess:
    """One host: a confined process that answers requests until it is closed or dies."""

    def __init__(self, warm: Warm, bounds: Bounds, *, confined: bool = True) -> None:
        self.warm = warm
        self.bounds = bounds
        _refuse_full_disk(warm.scratch)
        self.scratch = Path(tempfile.mkdtemp(prefix="host-", dir=warm.scratch))
        self.wire, wire_end = socket.socketpair()
        self.pipe, output_end = os.pipe()
        request = {"scratch": str(self.scratch), "memory_mb": bounds.memory_mb, "confined": confined}
        try:
            self.pid, self.pid_inside = warm.fork(request, [wire_end.fileno(), output_end])
        except BaseException:
            self._let_go()
            raise
        finally:
            wire_end.close()
            os.close(output_end)
        self.wire.setblocking(False)
        os.set_blocking(self.pipe, False)
        self.alive = True
        self.count = 0
        self.printed = bytearray()
        self.start_memory = 0
        self.begin()
        self._greet()

    def begin(self) -> None:
        """A new check begins: its CPU and wall time start now, its output is empty."""
        self._drain()
        self.printed.clear()
        self.wall_used = 0.0
        self.cpu_start = _cpu_seconds(self.pid) or 0.0
        self.waited_start = _waited_seconds(self.pid)
        self.peak = 0

    def ask(self, request: dict[str, Any], tensors: list[Any]) -> tuple[dict[str, Any], list[Any]]:
        """Send one request and return the reply, or raise HostDied."""
        if not self.alive:
            raise HostDied("killed", "the process of an earlier request is gone")
        self.count += 1
        data = wire.frame({"id": self.count, **request}, tensors, wire.MAX_REQUEST)
        try:
            head, blob = self._exchange(data)
            reply = wire.header(head)
            if reply.pop("id", None) != self.count:
                raise wire.BrokenFrame("an answer to another question")
            return reply, wire.unpack(blob)
        except wire.BrokenFrame as error:
            fate: Fate = "flooded" if error.too_long else "killed"
            raise self._end(fate, f"the program wrote {error} to the grader") from error

    def output(self) -> str:
        """The end of what the program printed since the check began."""
        self._drain()
        return self.printed.decode("utf-8", "replace")

    def close(self) -> None:
        """Kill the host, reap it, remove its scratch folder."""
        if self.alive:
            self._kill()
        self._let_go()

    # --- one exchange

    def _greet(self) -> None:
        """Wait for the first frame, which a host sends when its wall is up and before any student code."""
        try:
            self._exchange(b"")
        except (HostDied, wire.BrokenFrame) as error:
            words = self.printed.decode(errors="replace").strip().splitlines()
            self.close()
            raise GraderError(f"the sandbox could not be closed: {words[-1] if words else error}") from error
        self.start_memory, _ = _memory_and_threads(self.pid)
        self.begin()

    def _exchange(self, data: bytes) -> tuple[bytes, bytes]:
        received = bytearray()
        wanted: tuple[int, int] | None = None
        view = memoryview(data)
        poller = select.poll()
        poller.register(self.pipe, select.POLLIN)
        poller.register(self.wire, select.POLLIN | (select.POLLOUT if view else 0))
        now = time.monotonic()
        start, next_look = now - self.wall_used, now + TICK
        while True:
            events = dict(poller.poll(TICK * 1000))
            now = time.monotonic()
            self.wall_used = now - start
            if now >= next_look:
                self._watch()
                next_look = now + TICK
            if events.get(self.pipe, 0) and not self._drain():
                poller.unregister(self.pipe)
            event = events.get(self.wire.fileno(), 0)
            if event & select.POLLOUT and view:
                try:
                    view = view[self.wire.send(view) :]
                except OSError:
                    raise self._died() from None
                if not view:
                    poller.modify(self.wire, select.POLLIN)
            if event & (select.POLLIN | select.POLLHUP | select.POLLERR):
                try:
                    part = self.wire.recv(1 << 20)
                except BlockingIOError:
                    continue
                except OSError:
                    part = b""
                if not part:
                    raise self._died()
                received += part
                if wanted is None and len(received) >= wire.LENGTHS.size:
                    wanted = wire.lengths(bytes(received[: wire.LENGTHS.size]))
                if wanted is not None:
                    whole = wire.LENGTHS.size + sum(wanted)
                    if len(received) > whole or (view and len(received) == whole):
                        raise wire.BrokenFrame("bytes that nobody asked for")
                    if len(received) == whole:
                        middle = wire.LENGTHS.size + wanted[0]
                        return bytes(received[wire.LENGTHS.size : middle]), bytes(received[middle:])

    def _drain(self) -> bool:
        """Read what was printed; keep the end of it. False when the pipe is closed."""
        for _ in range(64):
            try:
                part = os.read(self.pipe, 65536)
            except BlockingIOError:
                return True
            except OSError:
                return False
            if not part:
                return False
            self.printed += part
            if len(self.printed) > 2 * KEPT_OUTPUT:
                del self.printed[:-KEPT_OUTPUT]
        return True

    # --- limits and ends

    def _watch(self) -> None:
        """Kill the host when it is over a limit that the kernel does not hold for us."""
        cpu = _cpu_seconds(self.pid)
        if cpu is None:
            return
        seconds, limit = cpu - self.cpu_start, self.bounds.cpu_seconds
        memory, threads = _memory_and_threads(self.pid)
        grown = memory - self.start_memory
        self.peak = max(self.peak, grown)
        allowed = self.bounds.memory_mb * 1024 * 1024
        if grown > allowed * MEMORY_SLACK:
            raise self._end("out-of-memory", f"it used more than {self.bounds.memory_mb} MB of memory")
        idle = self.wall_used - (_waited_seconds(self.pid) - self.waited_start)
        if seconds > limit or idle > limit * WALL_FACTOR:
            full = " and had used all its memory" if self.peak > 0.9 * allowed else ""
            used = (
                f"{limit:g} seconds of computing" if seconds > limit else f"{limit * WALL_FACTOR:g} seconds"
            )
            raise self._end("timed-out", f"it was still running after {used}{full}")
        if threads > MAX_THREADS:
            raise self._end("killed", f"it started more than {MAX_THREADS} threads")
        if _over_scratch(self.scratch):
            raise self._end("killed", "it filled its scratch folder")

    def _died(self) -> HostDied:
        """The wire is closed: wait a moment for the end, then say how it ended."""
        deadline = time.monotonic() + 1
        while time.monotonic() < deadline and _state(self.pid) not in ("Z", ""):
            self._drain()
            time.sleep(0.002)
        self._drain()
        status = self._kill()
        if status >= 0:
            return HostDied(
                "exited", f"it ended the whole process (exit status {status}) instead of answering"
            )
        known = {number.value: number.name for number in signal.Signals}
        name = known.get(-status, f"signal {-status}")
        if b"MemoryError" in self.printed[-2000:] or b"bad_alloc" in self.printed[-2000:]:
            return HostDied("out-of-memory", f"it used all its {self.bounds.memory_mb} MB of memory")
        return HostDied("killed", f"it crashed the Python process ({name})", shot=-status == signal.SIGKILL)

    def _end(self, fate: Fate, why: str) -> HostDied:
        self._kill()
        return HostDied(fate, why)

    def _kill(self) -> int:
        self.alive = False
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)
        return self.warm.reap(self.pid_inside)

    def _let_go(self) -> None:
        self.wire.close()
        with contextlib.suppress(OSError):
            os.close(self.pipe)
        shutil.rmtree(self.scratch, ignore_errors=True)


def _process_behind(handle: int) -> int:
    """The pid of the process that a descriptor stands for, in this process's numbers."""
    facts = Path(f"/proc/self/fdinfo/{handle}").read_text().split()
    return int(facts[facts.index("Pid:") + 1])


def _refuse_full_disk(folder: Path) -> None:
    """Raise GraderError where a program could not write as much as it may: it would not be its fault."""
    if shutil.disk_usage(folder).free < MAX_SCRATCH_BYTES:
        what = (
            f"there is no room for the files of a program: less than {MAX_SCRATCH_BYTES >> 20} MiB are free"
        )
        fix = "Make room there, or set TMPDIR to another folder, and run it again"
        raise GraderError(what, where=folder, fix=fix)


def _cpu_seconds(pid: int) -> float | None:
    """CPU time of a process, all its threads, user and system; None when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return None
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _waited_seconds(pid: int) -> float:
    """How long a process was ready to run and had no core."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""


def _memory_and_threads(pid: int) -> tuple[int, int]:
    """Bytes of private and shared memory with its page tables, and the number of threads."""
    wanted = {"RssAnon": 0, "RssShmem": 0, "VmPTE": 0, "Threads": 0}
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            name, _, rest = line.partition(":")
            if name in wanted:
                wanted[name] = int(rest.split()[0])
    except (OSError, ValueError, IndexError):
        return 0, 0
    return (wanted["RssAnon"] + wanted["RssShmem"] + wanted["VmPTE"]) * 1024, wanted["Threads"]


def _over_scratch(scratch: Path) -> bool:
    names = blocks = 0
    with contextlib.suppress(OSError), os.scandir(scratch) as entries:
        for entry in entries:
            names += 1
            blocks += entry.stat(follow_symlinks=False).st_blocks
    return names > MAX_SCRATCH_NAMES or blocks * 512 > MAX_SCRATCH_BYTES
