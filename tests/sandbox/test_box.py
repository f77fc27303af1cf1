"""A box around the warm process: what it adds, what it stands in for, and how everything goes without one."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import psutil
import pytest

from softmarks.grading.proof import prove
from softmarks.sandbox import box, breakout, client, installed
from softmarks.sandbox.client import Bounds, HostProcess, Warm
from tests.conftest import ROOT, TOY

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="confinement is for Linux")

# A kernel without Landlock, for this process and all that it starts.
NO_LANDLOCK = """
import errno
from softmarks.sandbox import confinement
seccomp = confinement._pyseccomp()
rules = seccomp.SyscallFilter(seccomp.ALLOW)
for number in (444, 445, 446):
    rules.add_rule(seccomp.ERRNO(errno.ENOSYS), number)
rules.load()
"""

START = """
import json
from softmarks.sandbox.client import Bounds, HostDied, HostProcess, Warm
warm = Warm([])
warm.wait()
"""

PROVE = """
from softmarks.grading.proof import prove
failures = prove(warm) if warm.confined else None
print(json.dumps([warm.rung, warm.why, failures]))
warm.close()
"""


def run_script(*parts, path=os.environ["PATH"], **more):
    """What a Python script prints as JSON, in a process of its own."""
    script = "".join(map(textwrap.dedent, parts))
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path, **more},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def boxes(in_a_box):
    """Skips a test where no box starts."""
    return in_a_box or pytest.skip("needs bubblewrap, and that it starts")


# --- the ladder


def test_a_box_and_landlock_are_proved(boxes):
    """The upper rung: names, sizes and link targets of hidden files are gone too."""
    rung, why, failures = run_script(START, PROVE)
    assert rung.startswith("bubblewrap, Landlock ABI ")
    assert (why, failures) == ("", [])
    assert len(breakout.attempts(rung)) > len(breakout.attempts("Landlock ABI 7, seccomp"))


def test_a_box_stands_in_for_landlock(boxes):
    """On a kernel without Landlock, a box and seccomp together are proved to confine."""
    assert run_script(NO_LANDLOCK, START, PROVE) == ["bubblewrap, seccomp", "", []]


def test_without_a_box_landlock_is_proved():
    """Where bubblewrap is not on the path, it is as if there were no such thing."""
    rung, why, failures = run_script(START, PROVE, path="/nowhere")
    assert rung.startswith("Landlock ABI ")
    assert (why, failures) == ("", [])


def test_a_box_that_hosts_cannot_divide_is_not_enough(boxes):
    """Where hosts could see each other's scratch folders, a box does not stand in for Landlock."""
    no_namespaces = 'rules.add_rule(seccomp.ERRNO(errno.EPERM), "unshare")\nrules.load()\n'
    rung, why, failures = run_script(NO_LANDLOCK, no_namespaces, START, PROVE)
    assert (rung, failures) == ("none", None)
    assert "Landlock" in why


def test_without_landlock_and_a_box_nothing_is_graded():
    """With neither, other people's work is refused."""
    refused = f"""
        import json
        from pathlib import Path
        from softmarks.errors import NotConfined
        from softmarks.grading.workers import Worker
        with Worker(Path({str(TOY)!r}), "proved") as worker:
            try:
                worker.wait()
                print(json.dumps("graded"))
            except NotConfined as error:
                print(json.dumps(str(error)))
    """
    assert "the kernel offers no Landlock" in run_script(NO_LANDLOCK, refused, path="/nowhere")


def test_a_container_is_a_word_in_the_report():
    """Whoever grades in a container of ours is told so."""
    rung, _why, _failures = run_script(START, "failures = None", PROVE, SOFTMARKS_CONTAINER="1")
    assert rung.startswith("container, ")


def test_a_box_that_shows_too_much_is_found_out(boxes, monkeypatch):
    """With all files in it, the attempts that a box alone stops succeed, and nothing counts as confined."""
    view = [
        "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--as-pid-1",
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
    ]
    view += ["--dev-bind", "/dev", "/dev"]
    monkeypatch.setattr(
        client,
        "in_box",
        lambda command, _libraries, scratch: [*view, "--bind", str(scratch), str(scratch), "--", *command],
    )
    warm = Warm([])
    warm.wait()
    assert warm.boxed
    assert set(prove(warm)) == {
        "could see that a hidden file is there",
        "could see where a hidden link leads",
    }
    warm.close()


# --- what is in a box

LOOK = """
import os

def entries(path):
    return sorted(os.listdir(path))

def there(path):
    return os.path.lexists(path)

def makes(path):
    open(path, "w").close()
    return True
"""


def test_hidden_files_are_not_there(boxes, program_in):
    """Not a name, neither of the engine's other modules nor of installed packages that no course asks for."""
    inside = program_in(boxes, LOOK, confined=False)
    hidden = [
        ROOT / "graders",
        TOY / "course.yml",
        os.__file__.replace("os.py", "no_such_file"),
        "/etc/passwd",
    ]
    hidden += [ROOT / "src" / "softmarks" / "grading", pytest.__file__, "/home", "/tmp/.X11-unix"]
    assert [str(path) for path in hidden if inside.call("there", str(path))["value"]] == []
    assert inside.call("there", os.__file__)["value"], "this finds what is there"
    assert inside.call("entries", "/dev")["value"] == ["null", "urandom"]
    processes = [name for name in inside.call("entries", "/proc")["value"] if name.isdigit()]
    assert len(processes) == 2, "the warm process and its host"


def test_a_box_is_read_only(boxes, program_in):
    """Whoever is not confined can write into scratch folders alone."""
    inside = program_in(boxes, LOOK, confined=False)
    for folder in (
        "/",
        "/dev",
        "/etc",
        "/usr",
        Path(os.__file__).parent,
        Path(pytest.__file__).parents[1],
    ):
        assert "raised" in inside.call("makes", f"{folder}/new"), folder
    assert inside.call("makes", f"{inside.host.scratch}/new") == {"value": True}


def test_without_landlock_each_host_has_a_scratch_folder_of_its_own(boxes):
    """Two hosts at once see nothing of each other, nor of the processes; and the folder has an end."""
    found = run_script(
        NO_LANDLOCK,
        START,
        '''
        SOURCE = """
        import os

        def make():
            for place in (".", ".."):
                open(f"{place}/mine", "w").close()
            return set(os.listdir("..")) == {"mine", os.path.basename(os.getcwd())}

        def look():
            return os.listdir(".") + os.listdir("..") + os.listdir("/proc")

        def fill():
            for number in range(2000):
                open(str(number), "w").close()

        def fill_more():
            held = [open(f"held{n}", "wb") for n in range(12)]
            for file in held:
                os.unlink(file.name)
                file.write(bytes(8 << 20))
                file.flush()
        """
        import textwrap
        hosts = [HostProcess(warm, Bounds(5, 256)) for _ in range(2)]
        call = {"op": "call", "of": {"space": "p"}, "args": [], "kwargs": {"dict": []}, "seed": None}
        call |= {"times": None, "upstream": None, "watch": False, "inputs": False}
        said = []
        for host in hosts:
            host.ask({"op": "load", "space": "p", "filename": "p.py", "cells": [textwrap.dedent(SOURCE)]}, [])
        for host, name in zip((hosts[0], hosts[1], *hosts), ("make", "look", "fill_more", "fill")):
            said.append(host.ask(call | {"name": name}, [])[0])
        outside = [path.name for path in warm.scratch.rglob("*") if "host-" not in path.name]
        names = [host.scratch.name for host in hosts]
        for host in hosts:
            host.close()
        warm.close()
        print(json.dumps([said, outside, names]))
        ''',
    )
    (made, looked, filled, crowded), outside, names = found
    assert made == {"value": True}
    assert looked == {"value": [names[1]]}
    assert "No space left" in filled["raised"]["message"]
    assert "No space left" in crowded["raised"]["message"]
    assert outside == []


@pytest.fixture
def program_in():
    """Start a program in a host of a warm process; ended after the test."""
    from tests.sandbox.conftest import Running

    started = []

    def start(warm, source, *, confined):
        started.append(Running(warm, source, Bounds(5, 256), confined))
        return started[-1]

    yield start
    for running in started:
        running.host.close()


# --- how it ends


def left(processes):
    """Those that still run after a moment. What is dead and not yet reaped by anybody does not run."""
    deadline = time.monotonic() + 1.5
    while (running := [one for one in processes if _runs(one)]) and time.monotonic() < deadline:
        time.sleep(0.01)
    return running


def _runs(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("moment", [0.0, 0.02, 0.1, 0.5, None])
def test_nothing_outlives_a_grader_that_is_killed(moment, tmp_path):
    """The box and the hosts in it end with the process that started them, also in the middle of the start."""
    script = START.replace("[]", "['torch']" if moment else "[]")  # that takes seconds
    script += 'host = HostProcess(warm, Bounds(5, 256)); print("ready", flush=True); input()'
    more = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "env": {**os.environ, "TMPDIR": str(tmp_path)},
    }
    with subprocess.Popen([sys.executable, "-P", "-c", script], **more) as grader:
        if moment is None:
            assert grader.stdout.readline() == b"ready\n"
        else:
            while not psutil.Process(grader.pid).children():
                time.sleep(0.001)
            time.sleep(moment)
        inside = psutil.Process(grader.pid).children(recursive=True)
        grader.send_signal(signal.SIGKILL)
        assert left(inside) == []


def test_closing_ends_all_at_once(boxes):
    """When `close` returns, nothing that was in the box is left, and no folder."""
    warm = Warm([])
    warm.wait()
    host = HostProcess(warm, Bounds(5, 256))
    inside = psutil.Process(warm.process.pid).children(recursive=True)
    assert host.pid in [process.pid for process in inside]
    warm.close()
    assert [process for process in inside if process.is_running()] == []
    assert not warm.scratch.exists()
    host.alive = False
    host.close()


# --- where there is none


@pytest.mark.parametrize("words", ["exit 1", "sleep 0.1; exit 1"])
def test_a_bubblewrap_that_does_not_start_is_none(tmp_path, words):
    """In a container, for one: everything is as without it, and nothing is said of it."""
    fake = tmp_path / "bwrap"
    fake.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{words}\n")
    fake.chmod(0o755)
    rung, why, failures = run_script(START, PROVE, path=str(tmp_path))
    assert rung.startswith("Landlock ABI ")
    assert (why, failures) == ("", [])


def test_what_is_missing_in_a_box_is_found_without_one(boxes, monkeypatch):
    """A package that the metadata do not lead to is no reason not to grade."""
    monkeypatch.setattr(installed, "distributions_of", lambda _package: [])
    warm = Warm(["click", "no_such_package_here"])
    warm.wait()
    assert (warm.boxed, warm.missing) == (False, ("no_such_package_here",))
    warm.close()


def test_a_package_comes_with_what_it_needs(boxes):
    """An import in a box finds a package, the ones that it needs, and no other."""
    warm = Warm(["jinja2"])
    warm.wait()
    assert (warm.boxed, warm.missing) == (True, ())
    warm.close()
    shown = box.boxed([], installed.installed(["jinja2"]), TOY)
    assert any(word.endswith("/markupsafe") for word in shown)
    assert not [word for word in shown if "click" in word or "softmarks-" in word]
