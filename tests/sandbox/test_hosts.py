"""A host answers, or ends with its reason; whatever it does, the next one is right."""

import os
from pathlib import Path

import psutil
import pytest

from softmarks.errors import GraderError
from softmarks.sandbox.client import Bounds, HostDied, HostProcess, InProcess, Warm
from tests.sandbox.conftest import Running

RIGHT = "def double(x):\n    return 2 * x\n"


def test_a_program_is_loaded_and_called(program):
    """Nothing is raised, and a call brings its value."""
    running = program(RIGHT)
    assert running.loaded["raised"] == []
    assert running.call("double", 21) == {"value": 42}


ENDINGS = {
    "endless loop": ("while True: pass", "timed-out"),
    "loop that catches everything": (
        "\n".join(["while True:", "  try:", "    while True: pass", "  except BaseException:", "    pass"]),
        "timed-out",
    ),
    "sleep": ("import time; time.sleep(1e9)", "timed-out"),
    "all signals blocked": (
        "import signal, time; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)); time.sleep(1e9)",
        "timed-out",
    ),
    "exit status 0": ("import os; os._exit(0)", "exited"),
    "exit status 70": ("import os; os._exit(70)", "exited"),
    "null pointer": ("import ctypes; ctypes.string_at(0)", "killed"),
    "abort": ("import os; os.abort()", "killed"),
    "garbage on the wire": ("import os; os.write(3, bytes(64)); import time; time.sleep(1e9)", "killed"),
    "endless frame": ("import os; os.write(3, b'\\xff' * 64); import time; time.sleep(1e9)", "flooded"),
    "wire closed": ("import os; os.close(3)", "exited"),
    "a wire that trickles": (
        "import os, time\nos.write(3, bytes([0, 0, 1, 0, 0, 0, 0, 0]))\n"
        "while True:\n    time.sleep(0.1)\n    os.write(3, b' ')",
        "timed-out",
    ),
    "too many files": (
        "[open(f'f{i}', 'w').close() for i in range(1500)]; import time; time.sleep(9)",
        "killed",
    ),
}


@pytest.mark.parametrize("body", ENDINGS, ids=str)
def test_an_end_has_a_name(program, body):
    """A host that does not answer ends with the outcome that fits."""
    source, fate = ENDINGS[body]
    lines = "\n".join("    " + line for line in source.splitlines())
    running = program(f"def f():\n{lines}\n", seconds=0.5 if fate == "timed-out" else 5)
    with pytest.raises(HostDied) as caught:
        running.call("f")
    assert caught.value.fate == fate
    assert program(RIGHT).call("double", 4) == {"value": 8}


RAISES = {
    "SystemExit": "raise SystemExit",
    "KeyboardInterrupt": "raise KeyboardInterrupt",
    "GeneratorExit": "raise GeneratorExit",
    "EOFError": "input()",
    "RecursionError": "return f()",
    "MemoryError": "return len(bytearray(2**33))",
}


@pytest.mark.parametrize("kind", RAISES)
def test_what_is_raised_is_told_in_words(program, kind):
    """Every exception, of any base, comes back as its type, message and line, and the host lives on."""
    running = program(f"def f():\n    {RAISES[kind]}\n\n{RIGHT}")
    raised = running.call("f")["raised"]
    assert (raised["type"], raised["line"]) == (kind, 2)
    assert running.call("double", 1) == {"value": 2}


def test_memory_that_grows_in_small_steps_ends(program):
    """A program that swallows MemoryError cannot hold more than its limit, and its time ends it."""
    source = (
        "def f():\n    kept = []\n    while True:\n"
        "        try:\n            kept.append(bytearray(2**20))\n"
        "        except MemoryError:\n            pass\n"
    )
    with pytest.raises(HostDied) as caught:
        program(source, memory_mb=128).call("f")
    assert caught.value.fate in ("timed-out", "out-of-memory")
    assert "memory" in caught.value.why


def test_a_loop_while_loading_ends(warm):
    """Work at module level has the same limit."""
    host = HostProcess(warm, Bounds(0.5, 256))
    with pytest.raises(HostDied) as caught:
        host.ask({"op": "load", "space": "p", "filename": "p.py", "cells": ["while True: pass"]}, [])
    assert caught.value.fate == "timed-out"
    host.close()


def test_much_output_costs_nothing(program):
    """Two hundred thousand printed lines neither block nor lose the answer; the end of them is kept."""
    running = program(
        "def f():\n    for i in range(200_000):\n        print('line', i)\n    return 7\n", seconds=5
    )
    assert running.call("f") == {"value": 7}
    assert running.host.output().endswith("line 199999\n")
    assert len(running.host.output()) <= 2 * 64 * 1024


def test_the_output_is_that_of_a_pipe(program):
    """A program may set another encoding for its output, as anywhere; what it prints is kept in order."""
    source = "import sys\ndef f():\n    print('a')\n    sys.stdout.reconfigure(encoding='latin-1')\n"
    running = program(source + "    print('b')\n    return sys.stdout.seekable()\n")
    assert running.call("f") == {"value": False}
    assert running.host.output() == "a\nb\n"


def test_a_cell_that_raises_does_not_stop_the_next(warm):
    """Cells run in turn in one namespace; the first failure is told with its line in the whole text."""
    host = HostProcess(warm, Bounds(1, 256))
    cells = ["a = 1", "b = a / 0", "def c():\n    return a + 1"]
    reply, _ = host.ask({"op": "load", "space": "p", "filename": "p.py", "cells": cells}, [])
    assert (reply["raised"][0]["type"], reply["raised"][0]["line"]) == ("ZeroDivisionError", 3)
    call = {"op": "call", "of": {"space": "p"}, "name": "c", "args": [], "kwargs": {"dict": []}}
    reply, _ = host.ask(
        {**call, "seed": 0, "times": None, "upstream": None, "watch": False, "inputs": False}, []
    )
    assert reply["value"] == 2
    host.close()


def test_a_missing_name_comes_with_near_ones(program):
    """A name that is not there is told with those that look like it."""
    running = program("class CasualAttention: pass\n")
    assert running.call("CausalAttention") == {"missing": "CausalAttention", "near": ["CasualAttention"]}


SECRET = "S3CRET-" + "42" * 8  # also written, backwards, in the search below

HUNT = """
import ctypes, gc, os, sys

def frames():
    frame, seen = sys._getframe(), []
    while frame:
        seen.append(repr(frame.f_locals))
        frame = frame.f_back
    return repr(seen)

def objects():
    return repr([o for o in gc.get_objects() if isinstance(o, (str, bytes, dict, list))])[:10**7]

def environment():
    return repr(dict(os.environ)) + repr(sys.argv) + repr(sys.orig_argv)

def memory():
    # Every page that can be written to a pipe is read, outwards from known objects. The secret is known
    # here only backwards, so that the search does not find itself.
    start, rest = b"S3CR", list(reversed(b"2424242424242424-TE"))
    reader, writer = os.pipe()
    libc = ctypes.CDLL(None)
    found = pages = 0
    for around in {id(start), id(sys), id(gc), ctypes.addressof(ctypes.c_int.in_dll(libc, "optind"))}:
        for step in range(4000):
            for sign in (1, -1):
                at = (around & ~4095) + sign * step * 4096
                if libc.write(writer, ctypes.c_void_p(at), ctypes.c_size_t(4096)) == 4096:
                    pages += 1
                    page = os.read(reader, 4096)
                    place = page.find(start)
                    while place >= 0:
                        found += list(page[place + 4 : place + 23]) == rest
                        place = page.find(start, place + 1)
    return [pages > 1000, found]
"""


def test_a_secret_of_the_trusted_side_is_not_in_a_host(program):
    """What this process knows is neither in the objects, frames, environment nor memory of a host."""
    kept = [SECRET, SECRET.encode() * 100]
    os.environ["SOFTMARKS_TEST_SECRET"] = SECRET
    try:
        running = program(HUNT, seconds=20)
        for name in ("frames", "objects", "environment"):
            assert SECRET not in running.call(name)["value"]
        assert running.call("memory") == {"value": [True, 0]}
    finally:
        del os.environ["SOFTMARKS_TEST_SECRET"]
    assert kept


def test_the_search_for_a_secret_can_find_one(program):
    """The same search finds what a host was given: it is no search that cannot succeed."""
    running = program(HUNT, seconds=20)
    cells = [f"told = {SECRET!r} * 50"]
    running.ask({"op": "load", "space": "told", "filename": "told.py", "cells": cells})
    looked, found = running.call("memory")["value"]
    assert looked
    assert found > 0


FILES = """
def read(path):
    return open(path).read()

def write(path):
    open(path, "w").write("broken in")
    return True
"""


def test_files_are_out_of_reach(warm, program, tmp_path):
    """A host neither reads nor writes outside its scratch; the same lines do both without the wall."""
    secret = tmp_path / "test_hidden.py"
    secret.write_text("expected = 42")
    secret.chmod(0o666)
    tmp_path.chmod(0o777)
    inside, free = program(FILES), program(FILES, confined=False)
    refused = "FileNotFoundError" if warm.boxed else "PermissionError"
    assert inside.call("read", str(secret))["raised"]["type"] == refused
    assert inside.call("write", str(tmp_path / "new"))["raised"]["type"] == refused
    assert inside.call("write", "mine") == {"value": True}
    assert free.call("read", str(secret)) == {"value": "expected = 42"}
    assert free.call("write", str(tmp_path / "new")) == {"value": True}


def test_scratch_is_gone_afterwards(warm):
    """A host's scratch folder is removed with it."""
    host = HostProcess(warm, Bounds(1, 256))
    scratch = host.scratch
    assert scratch.is_dir()
    host.close()
    assert not scratch.exists()


def test_many_hosts_leave_nothing_behind(warm):
    """Thirty hosts in a row: no descriptor, child or folder stays."""
    descriptors = len(list(Path("/proc/self/fd").iterdir()))
    processes = psutil.Process(warm.process.pid).children(recursive=True)
    for _ in range(30):
        HostProcess(warm, Bounds(1, 256)).close()
    assert len(list(Path("/proc/self/fd").iterdir())) == descriptors
    assert psutil.Process(warm.process.pid).children(recursive=True) == processes
    assert list(warm.scratch.glob("host-*")) == []


@pytest.mark.parametrize("box", [True, False])
def test_hosts_end_with_their_warm_process(box):
    """When the warm process is killed, its hosts die, and asking says that the grader is at fault."""
    warm = Warm([], box=box)
    warm.wait()
    host = HostProcess(warm, Bounds(1, 256))
    inside = psutil.Process(warm.process.pid).children(recursive=True)
    assert host.pid in [process.pid for process in inside]
    warm.process.kill()
    warm.process.wait()
    assert psutil.wait_procs(inside, timeout=5)[1] == []
    with pytest.raises((HostDied, GraderError)):
        host.ask({"op": "get", "of": {"space": "a"}, "name": "b"}, [])
    with pytest.raises(GraderError):
        HostProcess(warm, Bounds(1, 256))
    host.alive = False
    host.close()
    warm.close()


def test_a_package_that_is_not_there_is_told():
    """A course may name a package that this machine lacks."""
    warm = Warm(["json", "no_such_package_here"])
    warm.wait()
    assert warm.missing == ("no_such_package_here",)
    warm.close()


def test_in_process_speaks_the_same_language():
    """The stand-in for plain pytest answers as a host does."""
    stand_in = InProcess()
    stand_in.ask({"op": "load", "space": "softmarks_given", "filename": "g.py", "cells": [RIGHT]}, [])
    request = {"op": "call", "of": {"space": "softmarks_given"}, "name": "double", "args": [{"tuple": [1]}]}
    request |= {"kwargs": {"dict": []}, "seed": None, "times": None, "upstream": None}
    reply, _ = stand_in.ask(request | {"watch": False, "inputs": False}, [])
    assert reply == {"value": {"tuple": [1, 1]}}


LATE = "from rich.syntax import Syntax\nimport pygments\n"
PLOTS = (
    "import matplotlib.pyplot as plt\nfor _ in range(30):\n    plt.figure()\n    plt.plot([1])\nplt.show()\n"
)


@pytest.mark.parametrize(
    ("package", "uses"), [("rich", LATE), pytest.param("matplotlib", PLOTS, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("box", [True, False])
def test_what_a_package_imports_late_is_there(package, uses, box):
    """It needs other packages, and not all at once; plots are left open, and nobody waits for a window."""
    warm = Warm([package], box=box)
    try:
        warm.wait()
        running = Running(warm, uses + RIGHT, Bounds(30, 1024), confined=True)
        assert running.loaded["raised"] == []
        assert running.call("double", 4) == {"value": 8}
        running.host.close()
        other = Running(warm, "import psutil", Bounds(5, 256), confined=True)
        assert [one["type"] for one in other.loaded["raised"]] == ["ModuleNotFoundError"]
        other.host.close()
    finally:
        warm.close()
