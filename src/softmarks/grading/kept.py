"""Keep how misconceptions fared between runs, beside a hash of everything that it depends on.

The file holds outcomes and replies, as one frame of the wire: JSON and safetensors, parsed with limits. A
file that is missing, broken or of another version is not an error: its content is played again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import struct
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from softmarks.grading.record import Case, Record
from softmarks.grading.student import Conversation, Exchange, Names
from softmarks.sandbox import wire
from softmarks.sandbox.values import BrokenValue, decode, encode

_HANDLE: dict[str, Any] = {"object": {}}


def folder() -> Path:
    """Where this user's cache lies."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "softmarks"


def key(parts: Iterable[str]) -> str:
    """A name for everything that a conversation depends on."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:32]


def load(path: Path) -> Record | None:
    """What was kept in ``path``; None when there is nothing that can be read."""
    try:
        data = path.read_bytes()
        start = wire.LENGTHS.size
        header_length, blob_length = wire.lengths(data[:start])
        middle = start + header_length
        tensors = wire.unpack(data[middle : middle + blob_length])
        form = wire.header(data[start:middle])["kept"]
        return _record(decode(form, tensors, lambda _content: Names(None, {}, "")))  # type: ignore[arg-type]
    except (OSError, KeyError, TypeError, ValueError, AttributeError, struct.error):
        return None
    except (wire.BrokenFrame, BrokenValue):
        return None


def save(path: Path, record: Record) -> None:
    """Keep the record of a suite in ``path``. A cache that cannot be written is none."""
    tensors: list[Any] = []
    with contextlib.suppress(OSError, wire.BrokenFrame):
        data = wire.frame({"kept": encode(_rows(record), tensors, lambda _value: _HANDLE)}, tensors)
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(name).replace(path)


def _rows(record: Record) -> dict[str, Any]:
    return {
        node: (
            record.cases[node].model_dump(mode="json"),
            said.facts,
            [(exchange.raised, exchange.reply) for exchange in said.exchanges],
        )
        for node, said in record.conversations.items()
    }


def _record(rows: dict[str, Any]) -> Record:
    record = Record({}, {})
    for node, (case, facts, exchanges) in rows.items():
        record.cases[node] = Case.model_validate(case)
        heard = [Exchange("", reply, raised) for raised, reply in exchanges]
        record.conversations[node] = Conversation(heard, record.cases[node].outcome, facts)
    return record
