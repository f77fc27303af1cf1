"""Frames between the trusted side and a host: two lengths, a JSON header, tensors as safetensors has them.

That is the length of a JSON table of types, shapes and offsets, the table, and the bytes. Never pickle. A
frame from a host is parsed with limits, by `header` and `unpack`; whatever is wrong with it is a
`BrokenFrame`, never another error.
"""

from __future__ import annotations

import ctypes
import json
import math
import struct
from typing import Any

from softmarks.sandbox.values import DTYPES, torch_module

LENGTHS = struct.Struct(">II")
MAX_HEADER = 1024 * 1024  # of what a host says
MAX_REQUEST = 32 * 1024 * 1024  # of what it is told: whole programs
MAX_BLOB = 64 * 1024 * 1024
MAX_TENSORS = 1000
MAX_DIMENSIONS = 8

_SAFETENSORS_DTYPES = {
    "F64": "float64",
    "F32": "float32",
    "F16": "float16",
    "BF16": "bfloat16",
    "I64": "int64",
    "I32": "int32",
    "I16": "int16",
    "I8": "int8",
    "U8": "uint8",
    "BOOL": "bool",
}
assert set(_SAFETENSORS_DTYPES.values()) == set(DTYPES)
_NAMES = {dtype: name for name, dtype in _SAFETENSORS_DTYPES.items()}


class BrokenFrame(Exception):
    """Bytes that are no frame. ``too_long`` tells a flood from mere nonsense."""

    def __init__(self, what: str, *, too_long: bool = False) -> None:
        super().__init__(what)
        self.too_long = too_long


def frame(head: dict[str, Any], tensors: list[Any], limit: int = MAX_HEADER) -> bytes:
    """One frame, ready to send."""
    plain = json.dumps(head, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    text = plain.encode("utf-8", "replace")
    blob = pack(tensors)
    if len(text) > limit or len(blob) > MAX_BLOB:
        raise BrokenFrame("an answer that is too long to send", too_long=True)
    return LENGTHS.pack(len(text), len(blob)) + text + blob


def lengths(prefix: bytes, limit: int = MAX_HEADER) -> tuple[int, int]:
    """The two lengths of a frame, within their limits."""
    header_length, blob_length = LENGTHS.unpack(prefix)
    if header_length > limit or blob_length > MAX_BLOB:
        raise BrokenFrame("a frame that is too long", too_long=True)
    return header_length, blob_length


def header(text: bytes) -> dict[str, Any]:
    """The JSON object of a frame."""
    head = _json(text)
    if not isinstance(head, dict):
        raise BrokenFrame("a header that is no object")
    return head


def _json(text: bytes) -> Any:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        return json.loads(text.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise BrokenFrame("a header that is not JSON") from error


def pack(tensors: list[Any]) -> bytes:
    """Contiguous tensors as the bytes of one safetensors file; no tensor is no byte."""
    if not tensors:
        return b""
    table, parts, start = {}, [], 0
    for index, tensor in enumerate(tensors):
        data = ctypes.string_at(tensor.data_ptr(), tensor.nbytes) if tensor.nbytes else b""
        kind = _NAMES[str(tensor.dtype).removeprefix("torch.")]
        end = start + len(data)
        table[str(index)] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [start, end]}
        parts.append(data)
        start = end
    head = json.dumps(table, separators=(",", ":")).encode()
    return b"".join([struct.pack("<Q", len(head)), head, *parts])


def unpack(blob: bytes) -> list[Any]:
    """The tensors of a safetensors file, in order; every count, shape and offset is checked first."""
    if not blob:
        return []
    torch = torch_module()
    if torch is None or len(blob) < 8:
        raise BrokenFrame("tensors where none can be")
    (length,) = struct.unpack("<Q", blob[:8])
    if length > min(len(blob) - 8, MAX_HEADER):
        raise BrokenFrame("a table of tensors that is too long")
    table = _json(blob[8 : 8 + length])
    if not isinstance(table, dict) or len(table) > MAX_TENSORS:
        raise BrokenFrame("a table of tensors that is none")
    body = bytearray(blob[8 + length :])
    tensors = [_tensor(torch, table.pop(str(index), None), body) for index in range(len(table))]
    claimed = sum(tensor.numel() * tensor.element_size() for tensor in tensors)
    if claimed != len(body):
        raise BrokenFrame("tensors that overlap or leave gaps")
    return tensors


def _tensor(torch: Any, entry: Any, body: bytearray) -> Any:
    if not isinstance(entry, dict):
        raise BrokenFrame("a tensor that is not in the table")
    name, shape, offsets = entry.get("dtype"), entry.get("shape"), entry.get("data_offsets")
    dtype = _SAFETENSORS_DTYPES.get(name) if isinstance(name, str) else None
    if dtype is None:
        raise BrokenFrame("an unknown dtype")
    if not isinstance(shape, list) or len(shape) > MAX_DIMENSIONS or not all(map(_size, shape)):
        raise BrokenFrame("a broken shape")
    if not isinstance(offsets, list) or len(offsets) != 2 or not all(map(_size, offsets)):
        raise BrokenFrame("broken offsets")
    start, end = offsets
    kind = getattr(torch, dtype)
    count = math.prod(shape)
    if end > len(body) or end - start != count * kind.itemsize:
        raise BrokenFrame("bytes that do not match the shape")
    if math.prod(max(size, 1) for size in shape) > MAX_BLOB:
        raise BrokenFrame("a shape that is too large")
    if not count:
        return torch.empty(shape, dtype=kind)
    if dtype == "bool" and max(body[start:end]) > 1:
        raise BrokenFrame("a bool that is neither true nor false")
    # a copy, so that the tensor is aligned and owns its bytes
    return (
        torch.frombuffer(body, dtype=torch.uint8, count=end - start, offset=start)
        .clone()
        .view(kind)
        .reshape(shape)
    )


def _size(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**53
