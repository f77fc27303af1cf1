"""The proof that a host is confined: attempts to break out, judged by what is seen from outside.

Each attempt runs twice, in a confined host and in a plain child process. It must fail in the first
and succeed in the second: an attempt that could not succeed anywhere proves nothing. What must
still work in a host is tried too, because a wall that breaks right programs is no use.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Target = dict[str, Any]
Run = Callable[[str, Target], str | None]

SETTLES = 0.05  # seconds in which a packet arrives on this machine


@dataclass(frozen=True)
class Proof:
    """What the attempts showed."""

    confined: bool
    rung: str
    failures: tuple[str, ...]  # what a host could do and must not, or must do and could not
    void: tuple[str, ...]  # attempts that failed in the plain child as well, and so prove nothing


def prove(run_confined: Run, run_free: Run, *, rung: str) -> Proof:
    """Try every attempt in a confined host and in a plain child, and every need in a host.

    Both functions run a source that defines ``attempt(target)``, call it with the target (a flat
    dictionary of strings and integers), and give back the string that it replied; or None, or any
    other string, if it replied none, raised or died.
    """
    tried = attempts(rung)
    escaped, controls = _effects(run_confined, tried), _effects(run_free, tried)
    met = _replies(run_confined, {name: (source, {}) for name, source in NEEDS.items()})
    failures = [f"could {name}" for name in tried if name in escaped]
    failures += [f"could not {name}" for name in NEEDS if met[name] != "done"]
    void = [name for name in tried if name not in controls]
    return Proof(not failures and WITHHELD.issuperset(void), rung, tuple(failures), tuple(void))


def attempts(rung: str) -> dict[str, Attempt]:
    """Those that a wall with the layers of ``rung`` must stop."""
    return {name: attempt for name, attempt in ATTEMPTS.items() if attempt.layer in rung}


def in_plain_child(source: str, target: Target) -> str | None:
    """Run an attempt in an ordinary child process: the control of a proof."""
    command = [sys.executable, "-ISc", PLAIN_CHILD]
    child = subprocess.run(
        command, input=json.dumps([source, target]), capture_output=True, text=True, timeout=60
    )
    reply = json.loads(child.stdout) if child.stdout else None
    return reply if isinstance(reply, str) else None


def _effects(run: Run, tried: Mapping[str, Attempt]) -> set[str]:
    """The names of the attempts whose effect is seen when ``run`` runs them."""
    with ExitStack() as stack:
        bystander = stack.enter_context(_bystander())
        canaries = {name: stack.enter_context(_canary(bystander)) for name in tried}
        stack.enter_context(_lookout(list(canaries.values())))
        together, alone = ({n: a for n, a in tried.items() if a.alone is flag} for flag in (False, True))
        replies = _replies(
            run, {name: (attempt.source, canaries[name].target()) for name, attempt in together.items()}
        )
        replies |= {
            name: run(attempt.source, canaries[name].target()) or "" for name, attempt in alone.items()
        }
        _end_marked(list(canaries.values()))
        return {name for name, attempt in tried.items() if attempt.seen(canaries[name], replies[name])}


def _replies(run: Run, programs: Mapping[str, tuple[str, Target]]) -> dict[str, str]:
    """What each program replies, all of them in one process where that is possible."""
    try:
        replies = dict(json.loads(run(TOGETHER, {"programs": json.dumps(programs)}) or "{}"))
    except (ValueError, TypeError):
        replies = {}
    # One that ends its process takes the others' replies along: then each has a process of its own.
    if replies.keys() != programs.keys():
        replies = {name: run(source, target) for name, (source, target) in programs.items()}
    return {name: str(reply) for name, reply in replies.items()}


# --- what an attempt aims at, and what is seen of it


@dataclass(frozen=True)
class Bystander:
    """A process of this user, with a secret in its memory, that answers each line it reads."""

    process: subprocess.Popen[str]
    token: str
    address: int

    def answers(self) -> bool:
        """Whether it is alive; a signal that was sent arrives before it can answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write("there?\n")
            self.process.stdin.flush()
        return self.process.stdout.readline() != ""


@dataclass
class Canary:
    """Things made for one attempt, which a host must neither read nor change."""

    bystander: Bystander
    folder: Path
    listeners: dict[str, socket.socket]
    mark: str  # in the name or the arguments of each process that the attempt starts
    started: bool = False

    @property
    def token(self) -> str:
        return self.bystander.token

    @property
    def file(self) -> Path:
        return self.folder / "canary"

    @property
    def new(self) -> Path:
        return self.folder / "new"

    @property
    def link(self) -> Path:
        return self.folder / "link"

    def target(self) -> Target:
        """What an attempt is told: where things are, never the token."""
        return {
            "file": str(self.file),
            "folder": str(self.folder),
            "new": str(self.new),
            "link": str(self.link),
            "tcp": self.listeners["tcp"].getsockname()[1],
            "udp": self.listeners["udp"].getsockname()[1],
            "abstract": self.listeners["abstract"].getsockname()[1:].decode(),
            "pid": self.bystander.process.pid,
            "address": self.bystander.address,
            "length": len(self.token),
            "python": sys.executable,
            "mark": self.mark,
        }


@contextmanager
def _bystander() -> Iterator[Bystander]:
    token = secrets.token_hex(8)
    command = [sys.executable, "-ISc", BYSTANDER, token]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield Bystander(process, token, int(process.stdout.readline()))
    finally:
        process.kill()
        with suppress(BrokenPipeError):
            process.communicate()


@contextmanager
def _canary(bystander: Bystander) -> Iterator[Canary]:
    mark = secrets.token_hex(6)
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="softmarks-proof-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        listeners = {
            "tcp": stack.enter_context(socket.create_server(("127.0.0.1", 0))),
            "udp": stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)),
            "abstract": stack.enter_context(socket.socket(socket.AF_UNIX)),
        }
        listeners["udp"].bind(("127.0.0.1", 0))
        listeners["abstract"].bind(f"\0softmarks-{mark}")
        listeners["abstract"].listen()
        canary = Canary(bystander, folder, listeners, mark)
        canary.file.write_text(canary.token)
        (folder / f"hidden-{canary.token}").touch()
        canary.link.symlink_to(canary.token)
        # The worst case: nothing but the wall protects them.
        folder.chmod(0o777)
        canary.file.chmod(0o666)
        yield canary


@contextmanager
def _lookout(canaries: list[Canary]) -> Iterator[None]:
    """Meanwhile, end every process that an attempt starts: one that became another program never replies."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(SETTLES):
            _end_marked(canaries)

    lookout = threading.Thread(target=look)
    lookout.start()
    try:
        yield
    finally:
        over.set()
        lookout.join()


def _end_marked(canaries: list[Canary]) -> None:
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            names = (process / "comm").read_bytes() + (process / "cmdline").read_bytes()
            for canary in canaries:
                if canary.mark.encode() in names:
                    canary.started = True
                    os.kill(int(process.name), signal.SIGKILL)


def _token_came_back(canary: Canary, reply: str) -> bool:
    return canary.token in reply


def _told(_canary: Canary, reply: str) -> bool:
    """Our own source says so."""
    return reply == "told"


def _file_changed(canary: Canary, _reply: str) -> bool:
    return canary.file.read_text() != canary.token


def _file_made(canary: Canary, _reply: str) -> bool:
    return canary.new.exists()


def _mode_changed(canary: Canary, _reply: str) -> bool:
    return canary.file.stat().st_mode & 0o777 != 0o666


def _bystander_died(canary: Canary, _reply: str) -> bool:
    return not canary.bystander.answers()


def _bystander_limited(canary: Canary, _reply: str) -> bool:
    import resource  # not on Windows

    return resource.prlimit(canary.bystander.process.pid, resource.RLIMIT_NOFILE) == (99, 99)


def _reached(canary: Canary, _reply: str) -> bool:
    return bool(select.select(list(canary.listeners.values()), [], [], SETTLES)[0])


def _process_started(canary: Canary, _reply: str) -> bool:
    return canary.started


def _memory_held(_canary: Canary, reply: str) -> bool:
    """Our own source says so: memory cannot be seen from outside once its process has answered."""
    return reply == "held"


# --- the programs


@dataclass(frozen=True)
class Attempt:
    """A program that defines ``attempt(target)``, and whether its effect is seen."""

    seen: Callable[[Canary, str], bool]
    source: str
    alone: bool = False  # it ends its process
    layer: str = ""  # the only one that stops it; it is tried where the wall has it


ATTEMPTS = {
    "read a hidden file": Attempt(
        _token_came_back,
        """
def attempt(target):
    return open(target["file"]).read()
""",
    ),
    "list a hidden folder": Attempt(
        _token_came_back,
        """
def attempt(target):
    import os
    return " ".join(os.listdir(target["folder"]))
""",
    ),
    "see that a hidden file is there": Attempt(
        _told,
        """
def attempt(target):
    import os
    return "told" if os.stat(target["file"]).st_size else None
""",
        layer="bubblewrap",
    ),
    "see where a hidden link leads": Attempt(
        _token_came_back,
        """
def attempt(target):
    import os
    return os.readlink(target["link"])
""",
        layer="bubblewrap",
    ),
    "write a hidden file": Attempt(
        _file_changed,
        """
def attempt(target):
    with open(target["file"], "r+") as file:
        file.write("changed")
""",
    ),
    "truncate a hidden file": Attempt(
        _file_changed,
        """
def attempt(target):
    import os
    os.truncate(target["file"], 0)
""",
    ),
    "create a file outside": Attempt(
        _file_made,
        """
def attempt(target):
    open(target["new"], "w").close()
""",
    ),
    "change a file's mode": Attempt(
        _mode_changed,
        """
def attempt(target):
    import os
    os.chmod(target["file"], 0o640)
""",
    ),
    "limit another process": Attempt(
        _bystander_limited,
        """
def attempt(target):
    import resource
    resource.prlimit(target["pid"], resource.RLIMIT_NOFILE, (99, 99))
""",
    ),
    "open another process's memory": Attempt(
        _token_came_back,
        """
def attempt(target):
    with open("/proc/%d/mem" % target["pid"], "rb", 0) as memory:
        memory.seek(target["address"])
        return memory.read(target["length"]).decode()
""",
    ),
    "copy another process's memory": Attempt(
        _token_came_back,
        """
def attempt(target):
    import ctypes
    length, one = target["length"], ctypes.c_ulong(1)
    copy = ctypes.create_string_buffer(length)
    here = (ctypes.c_size_t * 2)(ctypes.addressof(copy), length)
    there = (ctypes.c_size_t * 2)(target["address"], length)
    ctypes.CDLL(None).process_vm_readv(target["pid"], here, one, there, one, ctypes.c_ulong(0))
    return copy.raw.decode()
""",
    ),
    # The bystander does not survive this one.
    "send a signal": Attempt(
        _bystander_died,
        """
def attempt(target):
    import os
    os.kill(target["pid"], 15)
""",
    ),
    "connect by TCP": Attempt(
        _reached,
        """
def attempt(target):
    import socket
    socket.create_connection(("127.0.0.1", target["tcp"]), 5).close()
""",
    ),
    "send a UDP packet": Attempt(
        _reached,
        """
def attempt(target):
    import socket
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"out", ("127.0.0.1", target["udp"]))
""",
    ),
    "connect to an abstract socket": Attempt(
        _reached,
        """
def attempt(target):
    import socket
    socket.socket(socket.AF_UNIX).connect(chr(0) + target["abstract"])
""",
    ),
    "fork": Attempt(
        _process_started,
        """
def attempt(target):
    import ctypes, os, time
    read, write = os.pipe()
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(15, target["mark"].encode(), 0, 0, 0)
        os.write(write, b".")
        os.closerange(0, 256)
        time.sleep(20)
        os._exit(0)
    os.read(read, 1)
""",
    ),
    "start another program": Attempt(
        _process_started,
        """
def attempt(target):
    import os
    sleep = "import time; time.sleep(20)"
    os.execv(target["python"], [target["python"], "-ISc", sleep, target["mark"]])
""",
        alone=True,
    ),
    "hold 256 GiB": Attempt(
        _memory_held,
        """
def attempt(target):
    import mmap
    memory = mmap.mmap(-1, 256 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)
    memory[-1] = 1
    return "held"
""",
    ),
    "share memory": Attempt(
        _memory_held,
        """
def attempt(target):
    import mmap
    memory = mmap.mmap(-1, 16 << 20, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    memory[-1] = 1
    return "held"
""",
    ),
}

# Programs that must reply "done" in a host.
NEEDS = {
    "start a thread": """
def attempt(target):
    import threading
    seen = []
    threads = [threading.Thread(target=seen.append, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return "done" if len(seen) == 4 else "lost"
""",
    "compute with torch": """
def attempt(target):
    import sys
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(4)
        x = torch.ones(200, 200, requires_grad=True)
        (x @ x).sum().backward()
        assert float(x.grad[0, 0]) == 400.0
    return "done"
""",
    "use its scratch folder": """
def attempt(target):
    import os
    with open("softmarks-proof", "w") as file:
        file.write("done")
    os.rename("softmarks-proof", "softmarks-proof-2")
    assert "softmarks-proof-2" in os.listdir(".")
    with open("softmarks-proof-2") as file:
        text = file.read()
    os.remove("softmarks-proof-2")
    return text
""",
    "import from the standard library": """
def attempt(target):
    import importlib, sys
    for name in ("colorsys", "netrc", "plistlib", "sched", "wave", "xmlrpc.client", "cProfile"):
        sys.modules.pop(name, None)
        importlib.import_module(name)
    return "done"
""",
}

# A machine may withhold these from everybody: no loopback, no ptrace, memory never overcommitted.
WITHHELD = frozenset(
    {
        "open another process's memory",
        "copy another process's memory",
        "connect by TCP",
        "send a UDP packet",
        "hold 256 GiB",
    }
)

# Lets every process of its user look into its memory, says where to look, answers each line.
BYSTANDER = """
import ctypes, sys
ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)
token = ctypes.create_string_buffer(sys.argv[1].encode())
print(ctypes.addressof(token), flush=True)
for line in sys.stdin:
    print("here", flush=True)
"""

# Runs several programs in one process.
TOGETHER = """
def attempt(target):
    import json
    replies = {}
    for name, (source, its_target) in json.loads(target["programs"]).items():
        try:
            space = {}
            exec(source, space)
            replies[name] = space["attempt"](its_target)
        except BaseException:
            replies[name] = None
    return json.dumps(replies)
"""

PLAIN_CHILD = """
import json, sys
source, target = json.load(sys.stdin)
space = {}
exec(source, space)
try:
    reply = space["attempt"](target)
except BaseException:
    reply = None
print(json.dumps(reply), flush=True)
"""
