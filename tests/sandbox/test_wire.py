"""Bytes from a host are parsed with limits: a value comes out, or a named refusal, never anything else."""

import contextlib
import json
import math
import struct

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from softmarks.sandbox import wire
from softmarks.sandbox.values import BrokenValue, decode, encode


def over(value):
    """A value after its way over the wire; handles become the word "handle"."""
    tensors = []
    form = encode(value, tensors, lambda _value: {"object": {"id": 1}})
    frame = wire.frame({"v": form}, tensors)
    start = wire.LENGTHS.size
    header_length, _ = wire.lengths(frame[:start])
    head = wire.header(frame[start : start + header_length])
    return decode(head["v"], wire.unpack(frame[start + header_length :]), lambda _content: "handle")


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        | st.tuples(inner, inner)
    ),
    max_leaves=10,
)


@given(plain)
@settings(max_examples=100, deadline=None)
def test_plain_values_arrive_as_they_are(value):
    """Numbers, texts and containers are the same on the other side, big integers too."""
    assert over(value) == value


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_odd_floats_arrive(number):
    """NaN and infinity are values too, though JSON has none."""
    assert over(number) == number or math.isnan(over(number))


@pytest.mark.parametrize(
    "dtype", [torch.float64, torch.float32, torch.bfloat16, torch.int64, torch.uint8, torch.bool]
)
def test_tensors_arrive(dtype):
    """Shape, dtype and every number of a tensor survive, views and shared storage included."""
    tensor = torch.arange(12).reshape(3, 4).to(dtype)
    first, again, turned, empty = over([tensor, tensor, tensor.T, tensor[:0]])
    assert torch.equal(first, tensor)
    assert torch.equal(again, tensor)
    assert torch.equal(turned, tensor.T)
    assert empty.shape == (0, 4)
    assert first.dtype == dtype


def test_meta_tensors_arrive_without_bytes():
    """A meta tensor keeps its shape and dtype."""
    arrived = over(torch.empty(5, 2, dtype=torch.float64, device="meta"))
    assert (arrived.shape, arrived.dtype, arrived.device.type) == ((5, 2), torch.float64, "meta")


def test_clever_subclasses_are_stripped():
    """A float that is equal to everything arrives as the plain number it holds."""

    class Chameleon(float):
        def __eq__(self, other):
            return True

        __hash__ = float.__hash__

    class Tensor(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            return torch.tensor(0.5)

    number, tensor = over([Chameleon(2.0), torch.ones(2).as_subclass(Tensor)])
    assert type(number) is float
    assert number != 3.0
    assert type(tensor) is torch.Tensor
    assert torch.equal(tensor, torch.ones(2))


def table(entry):
    """The bytes of a safetensors file with one entry and eight bytes of data."""
    text = json.dumps({"0": entry}).encode()
    return struct.pack("<Q", len(text)) + text + b"\0" * 8


GOOD = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


def test_the_good_table_is_read():
    """The table that the broken ones differ from is itself right."""
    assert torch.equal(wire.unpack(table(GOOD))[0], torch.zeros(2))


@pytest.mark.parametrize(
    "change",
    [
        {"shape": [2**63]},
        {"shape": [0, 2**62], "data_offsets": [0, 0]},
        {"shape": [3]},
        {"shape": [2.0]},
        {"shape": [-2]},
        {"shape": [True, 2]},
        {"shape": [1] * 9 + [2]},
        {"data_offsets": [-8, 0]},
        {"data_offsets": [4, 12]},
        {"data_offsets": [0]},
        {"dtype": "O"},
        {"dtype": ["F32"]},
        {"dtype": "C64", "shape": [1]},
        {"dtype": "BOOL", "shape": [4], "data_offsets": [0, 4]},
    ],
    ids=str,
)
def test_broken_tables_are_refused(change):
    """A count, a dtype, a shape or an offset that does not fit is refused before anything is made of it."""
    with pytest.raises(wire.BrokenFrame):
        wire.unpack(table(GOOD | change))


def test_a_bool_is_zero_or_one():
    """A byte of 7 is no bool."""
    data = table({"dtype": "BOOL", "shape": [8], "data_offsets": [0, 8]})
    assert not wire.unpack(data)[0].any()
    with pytest.raises(wire.BrokenFrame, match="neither true nor false"):
        wire.unpack(data[:-1] + b"\x07")


@pytest.mark.parametrize(
    "text",
    [b"[]", b"{", b'{"a": NaN}', b"\xff", b"[" * 100_000, b'{"a": ' + b"9" * 5000 + b"}"],
    ids=["list", "cut", "nan", "bytes", "deep", "digits"],
)
def test_broken_headers_are_refused(text):
    """A header is a JSON object in UTF-8, not too deep, without NaN and without endless digits."""
    with pytest.raises(wire.BrokenFrame):
        wire.header(text)


@pytest.mark.parametrize(
    "form",
    [
        {"tensor": {"bytes": 0}},
        {"tensor": {"bytes": True}},
        {"tensor": {"meta": [2**60], "dtype": "float32"}},
        {"tensor": {"meta": [2], "dtype": "object"}},
        {"dict": [[[], 1]]},
        {"dict": 3},
        {"float": "1e5"},
        {"int": "not hexadecimal"},
        {"dtype": "load"},
        {"device": "x" * 50},
        {"nothing": 1},
        {"a": 1, "b": 2},
        "\ud800",
    ],
    ids=str,
)
def test_broken_values_are_refused(form):
    """A tag with a content that does not fit is refused."""
    with pytest.raises(BrokenValue):
        decode(form, [], lambda _content: None)


def test_deep_values_are_refused():
    """Nesting has an end."""
    form = 1
    for _ in range(60):
        form = [form]
    with pytest.raises(BrokenValue, match="too deep"):
        decode(form, [], lambda _content: None)


def test_lengths_have_an_end():
    """A frame that claims four gigabytes is a flood."""
    with pytest.raises(wire.BrokenFrame) as caught:
        wire.lengths(b"\xff" * 8)
    assert caught.value.too_long


@given(st.binary(max_size=300), st.integers(0, 40))
@settings(max_examples=300, deadline=None)
def test_mutated_bytes_give_a_value_or_a_refusal(noise, at):
    """Whatever the bytes are, nothing but BrokenFrame comes out of the parser."""
    data = bytearray(table(GOOD))
    data[at : at + len(noise)] = noise
    for parse in (wire.unpack, wire.header):
        with contextlib.suppress(wire.BrokenFrame):
            parse(bytes(data))
