"""The UNTRUSTED side: four operations on the names of a student's program.

A host lives in a confined process and owns nothing but what the student wrote and what checks send.
Whatever it says about itself (operation counts, devices, names) is the testimony of a process
that the student's code shares; values are judged outside.

    load      space, cells, filename         run a program; reply: how it failed, if it did
    get       of, name                       an attribute, or a program's global
    call      of, name, args, kwargs, …      call it; reply: the value, or what was raised
    describe  of                             parameters, buffers, plain tensors, modules

A request that is ``fresh`` is the first of a check: it drops every handle before.
"""

from __future__ import annotations

import contextlib
import copy
import linecache
import os
import random
import sys
import traceback
from types import ModuleType
from typing import Any

from softmarks.errors import lookalikes
from softmarks.sandbox import watch, wire
from softmarks.sandbox.values import decode, encode, torch_module

MAX_TEXT = 2000
MAX_OBJECTS = 10_000


class Missing(Exception):
    """A name that the program does not have; ``near`` are names that look like it."""

    def __init__(self, name: str, among: list[str]) -> None:
        super().__init__(name)
        self.name = name
        self.near = lookalikes(name, among)


class Host:
    """The programs and objects of one host. `handle` answers one request."""

    def __init__(self) -> None:
        self.spaces: dict[str, ModuleType] = {}
        self.files: set[str] = set()
        self.objects: dict[int, object] = {}
        self.handles: dict[int, int] = {}  # id(object) -> handle

    def handle(self, request: dict[str, Any], tensors: list[Any]) -> tuple[dict[str, Any], list[Any]]:
        """Answer one request. What the student's code raises is part of the answer."""
        replies: list[Any] = []
        operations = {
            "load": self.load,
            "get": self.get,
            "call": self.call,
            "describe": self.describe,
        }
        if request.get("fresh"):
            self.objects.clear()
            self.handles.clear()
        try:
            reply = operations[request["op"]](request, tensors, replies)
        except Missing as missing:
            reply = {"missing": _clip(missing.name), "near": [_clip(name) for name in missing.near]}
        return reply, replies

    # --- the four operations

    def load(self, request: dict[str, Any], _tensors: list[Any], _replies: list[Any]) -> dict[str, Any]:
        space, filename, cells = request["space"], request["filename"], request["cells"]
        torch = torch_module()
        if torch is not None and not self.spaces:
            torch.manual_seed(0)  # what a program draws without a seed is the same in every run
        module = ModuleType(space)
        module.__dict__.update(__file__=filename, display=_display)
        self.spaces[space] = sys.modules[space] = module
        if not filename.startswith("<"):  # what is given is not the student's own
            self.files.add(filename)
        text = "\n\n".join(cells)
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
        failures = []
        line = 0
        for cell in cells:
            try:
                # blank lines before a cell keep the line numbers of the whole program
                exec(compile("\n" * line + cell, filename, "exec", dont_inherit=True), module.__dict__)
            except BaseException as error:
                failures.append(self._raised(error))
            line += cell.count("\n") + 2
        return {"raised": failures[:1]}

    def get(self, request: dict[str, Any], _tensors: list[Any], replies: list[Any]) -> dict[str, Any]:
        try:
            value = self._find(request["of"], request["name"])
            return {"value": encode(value, replies, self._refer)}
        except Missing:
            raise
        except BaseException as error:
            return {"raised": self._raised(error)}

    def call(self, request: dict[str, Any], tensors: list[Any], replies: list[Any]) -> dict[str, Any]:
        target = self._target(request["of"]) if request["name"] is None else None
        if target is None:
            target = self._find(request["of"], request["name"])
        args, kwargs = (
            decode(request["args"], tensors, self._resolve),
            decode(request["kwargs"], tensors, self._resolve),
        )
        upstream = decode(request["upstream"], tensors, self._resolve)
        if request["seed"] is not None:
            _seed(request["seed"])
        owner = watch.owner(target)
        if upstream is not None:
            watch.want_gradients(args, owner)
        reply: dict[str, Any] = {}
        there = None
        if request["watch"] == "here":
            if watch.is_module(target):
                # what it keeps from this call is not of the other ones
                target = owner = copy.deepcopy(target)
            there = args, owner
        with watch.Watch(self.files, active=bool(request["watch"]), there=there) as seen:
            try:
                value = watch.repeated(target, args, kwargs, request["times"])
                seen.result(value)
            except BaseException as error:
                reply["raised"] = self._raised(error)
                value = None
        if "raised" not in reply:
            try:
                if upstream is not None:
                    reply.update(self._gradients(value, upstream, args, owner, replies))
                reply["value"] = encode(value, replies, self._refer)
            except BaseException as error:
                reply["raised"] = self._raised(error)
        if request["watch"]:
            reply["operations"], reply["mixed"] = seen.operations[:MAX_OBJECTS], seen.mixed[:20]
        if request["inputs"]:
            reply["inputs"] = encode(watch.tensors(args), replies, self._refer)
        return reply

    def describe(self, request: dict[str, Any], _tensors: list[Any], _replies: list[Any]) -> dict[str, Any]:
        try:
            return {"description": watch.description(self._target(request["of"]))}
        except BaseException as error:
            return {"raised": self._raised(error)}

    # --- names and handles

    def _target(self, of: dict[str, Any]) -> object:
        return self.spaces[of["space"]] if "space" in of else self.objects[of["id"]]

    def _find(self, of: dict[str, Any], name: str) -> object:
        owner = self._target(of)
        try:
            return getattr(owner, name)
        except AttributeError:
            raise Missing(name, [other for other in dir(owner) if not other.startswith("__")]) from None

    def _resolve(self, content: dict[str, Any]) -> object:
        return self.objects[content["id"]]

    def _refer(self, value: object) -> dict[str, Any]:
        handle = self.handles.get(id(value))
        if handle is None:
            if len(self.objects) >= MAX_OBJECTS:
                raise MemoryError("too many objects")
            handle = len(self.objects) + 1
            self.objects[handle], self.handles[id(value)] = value, handle
        return {"object": {"id": handle}}

    def _gradients(
        self, value: object, upstream: Any, args: Any, owner: object, replies: list[Any]
    ) -> dict[str, Any]:
        inputs, parameters = watch.gradients(value, upstream, args, owner)
        return {
            "input_gradients": encode(inputs, replies, self._refer),
            "parameter_gradients": encode(parameters, replies, self._refer),
        }

    def _raised(self, error: BaseException) -> dict[str, Any]:
        """An exception as words: its type, message, and the student's own line."""
        try:
            message = _clip(str(error))
        except BaseException:
            message = "(its message cannot be printed)"
        line, text = 0, ""
        if isinstance(error, SyntaxError):
            line, text, message = error.lineno or 0, error.text or "", _clip(str(error.msg))
        for frame in reversed(traceback.extract_tb(error.__traceback__)[-1000:]):
            if frame.filename in self.files:
                line, text = frame.lineno or 0, frame.line or ""
                break
        bases = [base.__name__ for base in type(error).__mro__ if issubclass(base, BaseException)]
        return {
            "type": _clip(type(error).__name__),
            "bases": [_clip(base) for base in bases[:20]],
            "message": message,
            "line": line,
            "text": _clip(text.strip()),
        }


def _clip(text: str) -> str:
    return str.__str__(text)[:MAX_TEXT].encode("utf-8", "replace").decode("utf-8")


def _seed(seed: int) -> None:
    random.seed(seed)
    torch = torch_module()
    if torch is not None:
        torch.manual_seed(seed)


def _display(*values: object) -> None:
    """What a notebook calls `display`: print, no more."""
    print(*values)


def serve(descriptor: int) -> None:
    """Answer requests on ``descriptor`` until the trusted side closes it."""
    host = Host()
    os.write(descriptor, wire.frame({"ready": True}, []))
    while True:
        prefix = _read(descriptor, wire.LENGTHS.size)
        if not prefix:
            return
        header_length, blob_length = wire.lengths(prefix, wire.MAX_REQUEST)
        request = wire.header(_read(descriptor, header_length))
        tensors = wire.unpack(_read(descriptor, blob_length))
        reply, replies = host.handle(request, tensors)
        try:
            data = wire.frame({"id": request["id"], **reply}, replies)
        except wire.BrokenFrame as error:
            data = wire.frame({"id": request["id"], "too_long": str(error)}, [])
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):
                stream.flush()
        while data:
            data = data[os.write(descriptor, data) :]


def _read(descriptor: int, count: int) -> bytes:
    parts = []
    while count:
        part = os.read(descriptor, min(count, 1 << 20))
        if not part:
            return b""
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
