"""What may cross the wire: plain values as JSON, tensors beside them, everything else as a handle.

Both sides use this module. The host is not believed: `decode` checks every tag, count and string,
and raises `BrokenValue` for anything else. JSON forms, beside None, bool, str, list, and numbers
that JSON keeps exactly:

    {"float": "nan"}  {"int": "123…"}  {"tuple": […]}  {"set": […]}  {"dict": [[key, value], …]}
    {"slice": [a, b, c]}  {"dtype": "float32"}  {"device": "cpu"}
    {"tensor": {"bytes": i, "grad": false}}        bytes in the frame's blob
    {"tensor": {"meta": [2, 3], "dtype": …}}       a tensor without bytes
    {"object": {"id": 7}}                          stays in the host
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from typing import Any

MAX_DEPTH = 16
MAX_ITEMS = 100_000
MAX_KEYS = 1000  # of a dict or set: a host may choose keys that collide
MAX_TEXT = 200_000
SAFE_INTEGER = 2**53
MAX_BITS = 4096  # of an integer
MAX_META_ELEMENTS = 2**40


class BrokenValue(Exception):
    """Bytes that are no value: the host is broken, or pretends."""


def torch_module() -> Any:
    """torch, if this process has imported it; the engine itself never does so for plain values."""
    return sys.modules.get("torch")


def encode(
    value: object, tensors: list[Any], refer: Callable[[object], dict[str, Any]], depth: int = 0
) -> Any:
    """The JSON form of ``value``; tensors are appended to ``tensors``, other objects named by ``refer``.

    Subclasses of numbers and strings are stripped, so that nothing clever crosses.
    """
    if depth > MAX_DEPTH:
        return refer(value)
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return str.__str__(value)[:MAX_TEXT].encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, int):
        plain = int.__int__(value)
        if -SAFE_INTEGER < plain < SAFE_INTEGER:
            return plain
        return {"int": hex(plain)} if plain.bit_length() <= MAX_BITS else refer(value)
    if isinstance(value, float):
        number = float.__float__(value)
        return number if math.isfinite(number) else {"float": str(number)}

    def inner(items: Any) -> list[Any]:
        return [encode(item, tensors, refer, depth + 1) for item in items]

    if isinstance(value, tuple):
        return {"tuple": inner(tuple.__iter__(value))}
    if isinstance(value, list):
        return inner(list.__iter__(value))
    if isinstance(value, (dict, set, frozenset)) and len(value) > MAX_KEYS:
        return refer(value)
    if isinstance(value, dict):
        return {"dict": [inner(pair) for pair in dict.items(value)]}
    if isinstance(value, (set, frozenset)):
        members = list(set.__iter__(value) if isinstance(value, set) else frozenset.__iter__(value))
        return {"set": sorted(inner(members), key=repr)}
    if isinstance(value, slice):
        return {"slice": inner((value.start, value.stop, value.step))}
    torch = torch_module()
    if torch is not None:
        if isinstance(value, torch.Tensor):
            return _encode_tensor(torch, value, tensors, refer)
        if isinstance(value, torch.dtype):
            return {"dtype": str(value).removeprefix("torch.")}
        if isinstance(value, torch.device):
            return {"device": str(value)}
    return refer(value)


def _encode_tensor(
    torch: Any, value: Any, tensors: list[Any], refer: Callable[[object], dict[str, Any]]
) -> Any:
    with torch._C.DisableTorchFunctionSubclass():
        dtype = str(value.dtype).removeprefix("torch.")
        grad = bool(value.requires_grad)
        if value.layout is not torch.strided or dtype not in DTYPES:
            return refer(value)
        if value.device.type == "meta":
            return {"tensor": {"meta": list(value.shape), "dtype": dtype, "grad": grad}}
        plain = value.detach().as_subclass(torch.Tensor).cpu().resolve_conj().resolve_neg()
        tensors.append(plain.contiguous().clone())
    return {"tensor": {"bytes": len(tensors) - 1, "grad": grad}}


DTYPES = (
    "float64",
    "float32",
    "float16",
    "bfloat16",
    "int64",
    "int32",
    "int16",
    "int8",
    "uint8",
    "bool",
)


def decode(form: Any, tensors: list[Any], resolve: Callable[[dict[str, Any]], object]) -> Any:
    """The value that a JSON form stands for; handles go through ``resolve``. Raises BrokenValue."""
    budget = [MAX_ITEMS]
    return _decode(form, tensors, resolve, 0, budget)


def _decode(
    form: Any, tensors: list[Any], resolve: Callable[[dict[str, Any]], object], depth: int, budget: list[int]
) -> Any:
    budget[0] -= 1
    if depth > MAX_DEPTH * 2 + 2 or budget[0] < 0:
        raise BrokenValue("a value that is too deep or too long")
    if type(form) is int and not -SAFE_INTEGER < form < SAFE_INTEGER:
        raise BrokenValue("a number that is too large for its form")
    if form is None or isinstance(form, (bool, int, float)):
        return form
    if isinstance(form, str):
        return _text(form)

    def inner(items: Any) -> list[Any]:
        if not isinstance(items, list):
            raise BrokenValue("a list was expected")
        return [_decode(item, tensors, resolve, depth + 1, budget) for item in items]

    if isinstance(form, list):
        return inner(form)
    if not isinstance(form, dict) or len(form) != 1:
        raise BrokenValue("an unknown form of value")
    ((tag, content),) = form.items()
    if tag == "object" and isinstance(content, dict):
        return resolve(content)
    if tag == "tensor" and isinstance(content, dict):
        return _decode_tensor(content, tensors)
    try:
        return _decode_tagged(tag, content, inner)
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise BrokenValue(f"a broken {tag!r:.20}") from error


def _decode_tagged(tag: str, content: Any, inner: Callable[[Any], list[Any]]) -> Any:
    match tag:
        case "tuple":
            return tuple(inner(content))
        case "set" | "dict" if len(content) > MAX_KEYS:
            raise BrokenValue("too many keys")
        case "set":
            return set(inner(content))
        case "dict":
            return {_hashable(key): value for key, value in (inner(pair) for pair in content)}
        case "slice":
            start, stop, step = inner(content)
            return slice(start, stop, step)
        case "float":
            return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[content]
        case "int":
            return int(content[: MAX_BITS // 4 + 3], 16)
        case "dtype" if content in (*DTYPES, "complex64", "complex128"):
            return getattr(_torch(), content)
        case "device" if isinstance(content, str) and re.fullmatch(r"(cpu|meta|cuda|mps)(:\d)?", content):
            return _torch().device(content)
    raise BrokenValue("an unknown form of value")


def _torch() -> Any:
    torch = torch_module()
    if torch is None:
        raise BrokenValue("a tensor where none can be")
    return torch


def _hashable(key: Any) -> Any:
    hash(key)
    return key


def _text(form: str) -> str:
    try:
        form.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BrokenValue("text that is not Unicode") from error
    return form


def _decode_tensor(content: dict[str, Any], tensors: list[Any]) -> Any:
    torch = _torch()
    grad = content.get("grad") is True
    if "bytes" in content:
        index = content["bytes"]
        if type(index) is not int or not 0 <= index < len(tensors):
            raise BrokenValue("a tensor without bytes")
        tensor = tensors[index]
    else:
        shape, dtype = content.get("meta"), content.get("dtype")
        if dtype not in DTYPES or not isinstance(shape, list) or len(shape) > 8:
            raise BrokenValue("a broken tensor")
        if not all(type(size) is int and 0 <= size < SAFE_INTEGER for size in shape):
            raise BrokenValue("a broken shape")
        if math.prod(max(size, 1) for size in shape) > MAX_META_ELEMENTS:
            raise BrokenValue("a shape that is too large")
        tensor = torch.empty(shape, dtype=getattr(torch, dtype), device="meta")
    if grad and tensor.is_floating_point():
        tensor.requires_grad_()
    return tensor
