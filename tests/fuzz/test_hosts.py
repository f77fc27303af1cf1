"""A host that says anything, in any way: an answer or a named end comes of it, soon."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from softmarks.grading.checks import ending
from softmarks.grading.signature import signature
from softmarks.grading.student import (
    CheckFailed,
    MissingName,
    Names,
    Remote,
    Session,
    StudentRaised,
    call,
    describe_raw,
    get,
)
from softmarks.sandbox import wire
from softmarks.sandbox.client import Bounds, HostDied, HostProcess
from softmarks.verdict import Outcome
from tests.fuzz.trying import anything, damaged, leaves, nearly, numbers, tried, within, words

READY = wire.frame({"ready": True}, [])


class Liar:
    """In the place of a warm process: its hosts are scripts, each of bytes and pauses. They stay alive."""

    def __init__(self, script, trickles):
        self.script = script
        self.trickles = trickles
        self.host = None
        self.scratch = Path(tempfile.gettempdir())

    def reap(self, _pid):
        return self.host.wait()

    def fork(self, _request, descriptors):
        self.host = subprocess.Popen(["sleep", "60"], start_new_session=True)
        ends = [os.dup(descriptor) for descriptor in descriptors]
        self.thread = threading.Thread(target=self._talk, args=(socket.socket(fileno=ends[0]), ends[1]))
        self.thread.start()
        return self.host.pid, self.host.pid

    def _talk(self, line, output):
        """Greet, hear some of a question, say what the script has, and stay."""
        with line, contextlib.suppress(OSError):
            line.sendall(READY)
            line.recv(1 << 16)
            for step in self.script:
                if step == "question":
                    line.recv(1 << 16)
                elif step == "print":
                    os.write(output, b"x" * 5000)
                elif step == "close":
                    self.host.kill()
                    break
                elif step == "flood":
                    while True:
                        line.sendall(b"{" * 65536)
                elif self.trickles:
                    for byte in step[:400]:
                        line.sendall(bytes([byte]))
                else:
                    line.sendall(step)
            else:
                line.recv(1)  # until the other side has had enough
        os.close(output)


def table(entries, body=b"\0" * 8):
    """The bytes of a safetensors file that says so of itself."""
    text = json.dumps(entries).encode()
    return struct.pack("<Q", len(text)) + text + body


sizes = st.sampled_from([0, 1, 2, 4, 8, 2**31, 2**53, 2**62, 2**63, 2**64, -1, True, 2.0])
entries = nearly(
    {
        "dtype": st.sampled_from(["F32", "F64", "BOOL", "U8", "I64", "BF16", "C64", "F8_E4M3"]),
        "shape": st.lists(sizes, max_size=10),
        "data_offsets": st.lists(sizes, min_size=2, max_size=2),
    }
)
tables = st.dictionaries(st.sampled_from(["0", "1", "2", "__metadata__", "00"]), entries, max_size=4)
blobs = (
    st.just(b"")
    | st.just(wire.pack([torch.ones(2), torch.zeros(3, dtype=torch.bool)]))
    | st.builds(table, tables, st.binary(max_size=16))
    | st.binary(max_size=40)
)
headers = st.builds(
    lambda reply: json.dumps(reply).encode(), nearly({"id": st.integers(0, 3), "value": leaves})
)
deep = st.sampled_from([900, 990, 5000]).map(
    lambda depth: b'{"id": 1, "value": ' + b"[" * depth + b"]" * depth + b"}"
)
lengths = st.sampled_from([None, None, None, 0, 1, 2**20, 2**20 + 1, 2**31, 2**32 - 1])


@st.composite
def frames(draw):
    """A frame, whose two lengths may be lies."""
    head, blob = draw(headers | deep | st.binary(max_size=20)), draw(blobs)
    said = [draw(lengths), draw(lengths)]
    said = [real if lie is None else lie for lie, real in zip(said, (len(head), len(blob)), strict=True)]
    return wire.LENGTHS.pack(*said) + head + blob


steps = st.sampled_from(["question", "print", "close", "flood"]) | frames() | damaged(frames())


@given(st.lists(steps, max_size=4), st.booleans())
@tried(25)
def test_whatever_a_host_writes(script, trickles):
    """Garbage, lies about sizes, byte by byte, without end, late, twice, to another question, silence."""
    liar = Liar(script, trickles)
    start = time.monotonic()
    host = HostProcess(liar, Bounds(cpu_seconds=0.03, memory_mb=64))
    try:
        for question in range(2):
            try:
                reply, tensors = host.ask({"op": "forget", "padding": "x" * 300_000 * question}, [])
            except HostDied as error:
                died = error
            else:
                died = None
                assert isinstance(reply, dict)
                assert all(isinstance(tensor, torch.Tensor) for tensor in tensors)
            if died:
                assert died.fate in ("timed-out", "exited", "killed", "flooded")
                assert died.why
                assert not host.alive
        assert len(host.output()) < 200_000
    finally:
        host.close()
        liar.thread.join(10)
    assert not liar.thread.is_alive()
    assert liar.host.poll() is not None
    assert time.monotonic() - start < 20
    assert not host.scratch.exists()


@given(damaged(frames()) | blobs | st.builds(lambda head: head, headers))
@tried(150)
def test_the_parser_gives_a_value_or_a_refusal(data):
    """Tables that overlap, claim 2^63 elements, nest, or are cut: BrokenFrame and nothing else."""
    for parse in (wire.unpack, wire.header, lambda data: wire.lengths(data[:8].ljust(8, b"\0"))):
        with within(2), contextlib.suppress(wire.BrokenFrame):
            parse(data)


handles = nearly({"id": numbers, "type": words, "module": st.booleans()})
meta = nearly({"meta": st.lists(sizes, max_size=9), "dtype": st.sampled_from(["float32", "int64", "load"])})
held = nearly({"bytes": st.integers(-1, 3), "grad": st.booleans()})
forms = st.recursive(
    leaves
    | st.builds(lambda content: {"tensor": content}, meta | held)
    | st.builds(lambda content: {"object": content}, handles)
    | st.builds(lambda content: {"int": content}, words | st.just("f" * 2000))
    | st.builds(lambda tag, content: {tag: content}, st.sampled_from(["float", "dtype", "device"]), words),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.builds(
            lambda tag, content: {tag: content},
            st.sampled_from(["tuple", "set", "dict", "slice", "tensor", "object"]),
            st.lists(inner, max_size=4)
            | st.lists(st.lists(inner, min_size=2, max_size=2), max_size=3)
            | inner,
        )
    ),
    max_leaves=8,
)
raised = nearly(
    {
        "type": words,
        "bases": st.lists(words, max_size=3),
        "message": words,
        "line": numbers,
        "text": words,
    }
)
replies = nearly(
    {
        "value": forms,
        "operations": forms,
        "mixed": forms,
        "inputs": forms,
        "input_gradients": forms,
        "parameter_gradients": forms,
    }
) | st.fixed_dictionaries(
    {},
    optional={
        "value": forms,
        "missing": words | anything,
        "near": st.lists(words) | anything,
        "too_long": anything,
        "raised": raised | st.lists(raised, max_size=2) | anything,
        "description": anything,
    },
)
received = st.lists(
    st.sampled_from(
        [
            torch.ones(2, 3),
            torch.full((40, 40), float("nan")),
            torch.zeros(0),
            torch.tensor(float("-inf"), dtype=torch.bfloat16),
            torch.ones(30, 40, dtype=torch.float16),
            torch.ones(3, dtype=torch.bool),
            torch.full((5,), 2**62, dtype=torch.int64),
        ]
    ),
    max_size=3,
)


class Says:
    """A host that gives the same reply to every question."""

    def __init__(self, reply, tensors):
        self.reply = reply
        self.tensors = tensors

    def begin(self):
        pass

    def output(self):
        return ""

    def ask(self, _request, _tensors):
        return dict(self.reply), [tensor.clone() for tensor in self.tensors]


@given(replies, received, st.sampled_from([None, 3]), st.booleans())
@tried(120)
def test_whatever_a_reply_says(reply, tensors, seed, watch):
    """A well-formed frame with any content: a value or an end that is not the grader's fault; a signature."""
    with contextlib.suppress(ValueError):  # NaN is no JSON: the parser refuses it before
        reply = json.loads(json.dumps(reply, allow_nan=False))
    session = Session(Says(reply, tensors), 0)
    program = Names(session, {"space": "p"}, "")
    questions = (
        lambda: session.load("p", ["pass"]),
        lambda: call(program, "f", (1,), {}, seed=seed, watch=watch, inputs=True, upstream=torch.ones(2)),
        lambda: get(program, "x"),
        lambda: describe_raw(Remote(session, {"id": 1}, "x")),
    )
    for question in questions:
        try:
            with within(3):
                question()
        except (CheckFailed, StudentRaised, MissingName) as error:
            end = ending(error)
            assert end.outcome is not Outcome.GRADER_ERROR
            session.conversation.outcome, session.conversation.facts = end.outcome, end.facts
    session.conversation.outcome = max(
        session.conversation.outcome, Outcome.RAISED, key=lambda one: one != "passed"
    )
    with within(3):
        signature(session.conversation).model_dump_json()


def deepest():
    """A list in a list in a list, as deep as it can be parsed here."""
    for depth in range(1000, 0, -1):
        with contextlib.suppress(RecursionError):
            return json.loads("[" * depth + "]" * depth)
    raise AssertionError("nothing can be parsed")


@pytest.mark.parametrize("where", ["type", "message", "bases", "value", "missing", "near", "description"])
def test_a_reply_that_is_nested_as_deep_as_can_be_parsed(where):
    """It can be looked at no deeper than it was parsed: no answer, and nobody's fault but the host's."""
    nest = deepest()
    reply = {"raised": {where: nest}} if where in ("type", "message", "bases") else {where: nest}
    if where == "near":
        reply = {"missing": "x", "near": [nest]}
    session = Session(Says(reply, []), 0)
    questions = (
        lambda: get(Names(session, {"space": "p"}, ""), "x"),
        lambda: describe_raw(Remote(session, {"id": 1}, "x")),
    )
    for question in questions:
        with contextlib.suppress(CheckFailed, StudentRaised, MissingName):
            question()


@pytest.mark.parametrize("name", ["inputs", "input_gradients", "parameter_gradients", "operations"])
def test_a_tensor_where_a_list_belongs(name):
    """It is no answer; that a tensor is neither true nor false does not matter."""
    reply = {"value": None, name: {"tensor": {"meta": [0], "dtype": "float32"}}}
    session = Session(Says(reply, []), 0)
    with pytest.raises(CheckFailed) as caught:
        call(Names(session, {"space": "p"}, ""), "f", (), {}, watch=True, inputs=True, upstream=torch.ones(2))
    assert caught.value.outcome is Outcome.KILLED
