"""What a student's program must not reach stays out of reach, in a checkout and installed from wheels."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

# Runs under the Python of an installation: each attempt in a confined host and in one without a wall.
SCRIPT = r'''
import json, os, sys, time
from softmarks.course.finding import find_course
from softmarks.sandbox.client import Bounds, HostProcess, Warm

ATTEMPTS = """
import ctypes, os, socket, subprocess, sys

def read(path):
    return len(open(path, "rb").read()) > 0

def list_folder(path):
    return len(os.listdir(path)) > 0

def memory(pid):
    descriptor = os.open(f"/proc/{pid}/mem", os.O_RDONLY)
    return descriptor > 0

def arguments(pid):
    return len(open(f"/proc/{pid}/environ", "rb").read()) > 0

def connect(port):
    socket.create_connection(("127.0.0.1", port), timeout=2).close()
    return True

def start():
    return subprocess.run([sys.executable, "-c", "pass"]).returncode == 0

def write(path):
    open(path, "w").write("was here")
    return True

def imports(name):
    __import__(name)
    return True

def sees(path):
    return os.path.lexists(path)
"""

targets = json.loads(sys.argv[1])
warm = Warm(targets["packages"])
free = Warm([], box=False)
warm.wait()
free.wait()
found = {"rung": warm.rung, "root": str(find_course(None, targets["course"]))}
root = found["root"]
tries = [
    ("read", f"{root}/solutions/4_causal/causal_mask.py"),
    ("read", f"{root}/graders/4_causal/causal_mask/test_hidden.py"),
    ("read", f"{root}/graders/oracle.py"),
    ("read", f"{root}/course.yml"),
    ("read", targets["neighbour"]),
    ("read", "/etc/passwd"),
    ("list_folder", f"{root}/graders"),
    ("list_folder", os.path.dirname(targets["neighbour"])),
    ("memory", os.getpid()),
    ("memory", free.process.pid),
    ("arguments", os.getpid()),
    ("connect", targets["port"]),
    ("start",),
    ("write", targets["written"]),
    ("imports", "softmarks.grading.worker"),
]
if warm.boxed:
    tries += [("sees", f"{root}/course.yml"), ("sees", os.path.dirname(targets["neighbour"]))]
found["tries"] = []
for confined in (True, False):
    for name, *arguments in tries:
        host = HostProcess(warm if confined else free, Bounds(5, 512), confined=confined)
        host.ask({"op": "load", "space": "a", "filename": "a.py", "cells": [ATTEMPTS]}, [])
        request = {"op": "call", "of": {"space": "a"}, "name": name, "args": arguments, "seed": None}
        request |= {"kwargs": {"dict": []}, "times": None, "upstream": None, "watch": False, "inputs": False}
        reply, _ = host.ask(request, [])
        found["tries"].append([confined, name, arguments, reply.get("value") is True])
        host.close()
warm.close()
free.close()
print(json.dumps(found))
'''


def attempts(python, course, tmp_path, listener):
    neighbour = tmp_path / "submissions" / "neighbour" / "causal_mask.py"
    neighbour.parent.mkdir(parents=True)
    neighbour.write_text("my_answer = 1\n")
    written = tmp_path / "written"
    targets = {"course": course, "neighbour": str(neighbour), "written": str(written)}
    targets |= {"packages": ["torch", "numpy"], "port": listener}
    done = subprocess.run(
        [str(python), "-P", "-c", SCRIPT, json.dumps(targets)], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def listener():
    """The port of a server on this machine that accepts whoever comes."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize("installation", ["checkout", "wheels"])
def test_nothing_gets_through(request, tmp_path, listener, installation):
    """Each attempt fails behind the wall and succeeds without it."""
    if installation == "checkout":
        found = attempts(sys.executable, str(ROOT), tmp_path, listener)
        assert found["root"] == str(ROOT)
    else:
        python = request.getfixturevalue("wheels")
        found = attempts(python, "attention", tmp_path, listener)
        assert Path(found["root"]).is_relative_to(python.parent.parent)
    assert [row for row in found["tries"] if row[0] and row[3]] == [], "got through the wall"
    dumpable = [row for row in found["tries"] if not row[0] and not row[3]]
    # the warm process is not dumpable, so its memory is closed even without the wall, unless one is root
    assert all(row[1] == "memory" for row in dumpable), "an attempt that cannot succeed proves nothing"
    assert (tmp_path / "written").exists()


def test_the_engine_holds_no_byte_of_a_course(wheels):
    """The engine's wheel has no exercise, suite or solution, and not a word of this course."""
    site = next((wheels.parent.parent / "lib").glob("python3*/site-packages"))
    engine = [path for path in (site / "softmarks").rglob("*") if path.is_file()]
    begun = site / "softmarks" / "course" / "templates"  # what a new exercise begins with
    suites = [path for path in engine if path.name.startswith("test_") or path.name == "oracle.py"]
    assert [path for path in suites if path.parent != begun] == []
    texts = {path: path.read_text(encoding="utf-8").lower() for path in engine if path.suffix != ".pyc"}
    course_words = ("attention", "causal", "transformer", "positional", "softmax")
    assert [path for path, text in texts.items() if any(word in text for word in course_words)] == []
    assert (site / "softmarks" / "py.typed").is_file()


def test_the_installed_course_grades(wheels, tmp_path):
    """From the wheels alone, outside of any checkout, a right answer gets full marks."""
    answer = tmp_path / "causal_mask.py"
    shutil.copy(next((ROOT / "graders/4_causal/causal_mask/alternatives").glob("*.py")), answer)
    command = [str(wheels.parent / "softmarks"), "mark", "causal_mask", str(answer), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["confined"] is True
