"""The program that forks hosts. It holds no secret: each host is its copy, and can read all that it holds.

So it is started by exec with a bare environment, and it never opens a suite, a solution or a
submission; a host gets its program over a socket of its own. It imports the course's packages,
uses torch once (the first meta tensor alone would cost every host more than a second),
freezes its heap, says "ready", and then forks on request.

Messages are JSON packets on the control socket: it says {"started": …} and {"ready": …}; {"fork": …} with the
descriptors of a host's wire and output is answered by {"pid": n}; {"reap": pid} by {"status": n}. In a box
(`softmarks.sandbox.box`) pids are other ones than outside, so a descriptor of the process goes along with
its pid.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from softmarks.sandbox import confinement, host, wire
from softmarks.sandbox.values import torch_module

MAX_MESSAGE = 65536
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
EXIT_NOT_CONFINED = 70
WIRE = 3
LARGE = 2 << 20
MADV_COLLAPSE = 25


def main() -> None:
    """Warm up, and serve.

    Arguments: the control socket's descriptor, "boxed" or "unboxed", where libraries lie, as JSON, packages.
    """
    control = socket.socket(fileno=int(sys.argv[1]))
    boxed, libraries, packages = sys.argv[2] == "boxed", json.loads(sys.argv[3]), sys.argv[4:]
    _say(control, {"started": True}, [os.pidfd_open(os.getpid())] if boxed else [])
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    gc.disable()  # until all is imported: there is nothing to collect
    missing = _import(packages)
    warm_up_torch()
    plan = confinement.prepare(confinement.readable_paths(map(Path, libraries)), boxed=boxed)
    tasks = len(list(Path("/proc/self/task").iterdir()))
    why = f"{tasks} threads are running before the first host" if tasks > 1 else plan.why
    gc.collect()
    gc.freeze()
    gc.enable()
    _in_large_pages(libc)
    ready = {"ready": True, "missing": missing, "confined": plan.available and tasks == 1}
    _say(control, {**ready, "rung": plan.rung, "why": why})
    while True:
        data, descriptors, _flags, _address = socket.recv_fds(control, MAX_MESSAGE, 2)
        if not data:
            return
        message = json.loads(data)
        if "reap" in message:
            _pid, status = os.waitpid(message["reap"], 0)
            _say(control, {"status": os.waitstatus_to_exitcode(status)})
            continue
        pid = os.fork()
        if pid == 0:
            _become_host(message["fork"], descriptors, plan, libc)
        for descriptor in descriptors:
            os.close(descriptor)
        _say(control, {"pid": pid}, [os.pidfd_open(pid)] if boxed else [])


def _say(control: socket.socket, message: dict[str, Any], handles: Sequence[int] = ()) -> None:
    """Send a message, and descriptors that are then closed here."""
    socket.send_fds(control, [json.dumps(message).encode()], handles)
    for handle in handles:
        os.close(handle)


def _in_large_pages(libc: Any) -> None:
    """Hold memory in pages of 2 MiB, where the kernel can do that: a fork copies an entry for each page."""
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/self/maps").read_text().splitlines():
            place, rights, _offset, _device, inode, *_name = line.split()
            start, end = (int(edge, 16) for edge in place.split("-"))
            if inode == "0" and rights == "rw-p" and end - start >= LARGE:
                libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), MADV_COLLAPSE)


def _import(packages: list[str]) -> list[str]:
    missing = []
    for package in packages:
        try:
            importlib.import_module(package)
        except ImportError:
            missing.append(package)
    return missing


def warm_up_torch() -> None:
    """Everything that torch imports late is imported now."""
    torch = torch_module()
    if torch is None:
        return
    torch.set_num_threads(1)
    importlib.import_module("torch._dynamo")
    from torch import nn

    layer = nn.Linear(2, 2)
    layer(torch.ones(1, 2)).sum().backward()
    layer.zero_grad()
    layer.load_state_dict(layer.state_dict())
    meta = nn.Linear(2, 2).to("meta")
    meta(torch.ones(1, 2, device="meta")).masked_fill(torch.ones(1, 2, dtype=torch.bool, device="meta"), 0.0)
    wire.unpack(wire.pack([torch.ones(2)]))
    # every operation of a host, on a program that is nobody's
    warm_up = host.Host()
    cells = ["import torch\ndef double(x):\n    return (x * 2).exp()\nModule = torch.nn.Linear\n"]
    warm_up.handle({"op": "load", "space": "warm_up", "filename": "warm_up.py", "cells": cells}, [])
    space = {"space": "warm_up"}
    tensor = {"tensor": {"bytes": 0, "grad": False}}
    call: dict[str, Any] = {
        "op": "call",
        "of": space,
        "name": "double",
        "args": [tensor],
        "kwargs": {"dict": []},
    }
    call |= {"seed": 0, "times": 2, "upstream": None, "watch": True, "inputs": True}
    warm_up.handle(call, [torch.ones(2)])
    built, _ = warm_up.handle({**call, "name": "Module", "args": [2, 2], "times": None}, [])
    warm_up.handle({"op": "describe", "of": {"id": built["value"]["object"]["id"]}}, [])
    del sys.modules["warm_up"]


def _become_host(request: dict[str, Any], descriptors: list[int], plan: confinement.Plan, libc: Any) -> None:
    """In the child: let go of everything, put up the wall, serve. Never returns."""
    status = EXIT_NOT_CONFINED
    try:
        parent = os.getppid()
        os.setsid()
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(status)
        _take(descriptors)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        scratch = request["scratch"]
        os.umask(0o077)
        os.chdir(scratch)
        os.environ.update(TMPDIR=scratch, HOME=scratch, MPLCONFIGDIR=scratch)
        tempfile.tempdir = None
        sys.argv = [""]
        sys.breakpointhook = lambda *_words, **_named: None  # one that was left stops nothing
        sys.path[:] = [entry for entry in sys.path if entry]
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # else the next file is root's, whoever we are
        Path("/proc/self/oom_score_adj").write_text("1000")
        libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        if request["confined"]:
            confinement.confine(plan, Path(scratch), request["memory_mb"])
        host.serve(WIRE)
        status = 0
    except BaseException:
        if request["confined"]:
            traceback.print_exc()
    finally:
        os._exit(status)


def _take(descriptors: list[int]) -> None:
    """Descriptors become: 0 nothing, 1 and 2 the output pipe, 3 the wire, and no more."""
    wire_end, output = (os.dup(descriptor) for descriptor in descriptors)
    # out of the way, so that none is overwritten before it has been moved
    high = [os.dup2(wire_end, 200), os.dup2(output, 201), os.open(os.devnull, os.O_RDONLY)]
    os.dup2(high[2], 0)
    os.dup2(high[1], 1)
    os.dup2(high[1], 2)
    os.dup2(high[0], WIRE)
    os.closerange(WIRE + 1, 1 << 20)
    # what is there was made for /dev/null, which can be sought in: a pipe cannot
    sys.stdout = open(1, "w", encoding="utf-8", errors=sys.stdout.errors, closefd=False)  # noqa: SIM115


if __name__ == "__main__":
    main()
