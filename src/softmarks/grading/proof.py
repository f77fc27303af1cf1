"""Prove the wall before other people's work runs behind it: try to break out of a host like any other."""

from __future__ import annotations

from typing import Any

from softmarks.sandbox import breakout
from softmarks.sandbox.client import Bounds, HostDied, HostProcess, Warm

PROBE = Bounds(cpu_seconds=20, memory_mb=512)


def prove(warm: Warm) -> tuple[str, ...]:
    """What got out, or could not be shown to be stopped; nothing when the wall holds."""

    def confined(source: str, target: dict[str, Any]) -> str | None:
        return _in_host(warm, source, target)

    proof = breakout.prove(confined, breakout.in_plain_child, rung=warm.rung)
    return () if proof.confined else (*proof.failures, *proof.void) or ("the wall could not be tested",)


def _in_host(warm: Warm, source: str, target: dict[str, Any]) -> str | None:
    """What ``attempt(target)`` of a program returns in a confined host; None when the host dies."""
    host = HostProcess(warm, PROBE)
    try:
        host.ask({"op": "load", "space": "probe", "filename": "probe.py", "cells": [source]}, [])
        request: dict[str, Any] = {
            "op": "call",
            "of": {"space": "probe"},
            "name": "attempt",
            "seed": None,
            "times": None,
        }
        request |= {
            "args": [{"dict": [[key, value] for key, value in target.items()]}],
            "kwargs": {"dict": []},
        }
        reply, _ = host.ask(request | {"upstream": None, "watch": False, "inputs": False}, [])
        return str(reply.get("value", ""))
    except HostDied:
        return None
    finally:
        host.close()
