"""What a suite sees of a student's program: names, handles, observations. And the record of it all.

A `Names` stands for a program, a `Remote` for an object that stays in the host, a `Bound` for a name
of one of them; calling sends an exchange. Every exchange is written into a `Conversation`, in a form
that can be compared with another program's: private names, handles and object types are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal

from softmarks.grading.laws import laws
from softmarks.sandbox.client import Asks
from softmarks.sandbox.values import BrokenValue, decode, encode
from softmarks.verdict import Outcome

__tracebackhide__ = True  # of a failed check pytest shows the line in the suite


class CheckFailed(AssertionError):
    """A check did not pass: its outcome, what a student is told, and ``facts`` that tell faults apart."""

    def __init__(self, outcome: Outcome, says: str, *, facts: tuple[Any, ...] = ()) -> None:
        super().__init__(says)
        self.outcome = outcome
        self.says = says
        self.facts = facts


class StudentRaised(Exception):
    """The student's code raised an exception. Only words of it are here."""

    def __init__(self, raised: dict[str, Any]) -> None:
        self.type = _clip(raised.get("type", "Exception"))
        self.bases = tuple(_clip(base) for base in raised.get("bases", ()))
        self.message = _clip(raised.get("message", ""))
        self.line = int(raised.get("line") or 0)
        self.text = _clip(raised.get("text", ""))
        super().__init__(f"{self.type}: {self.message}")

    @property
    def unwritten(self) -> bool:
        """Whether this is the error of a stub; libraries raise NotImplementedError too."""
        return self.text.lstrip().startswith("raise NotImplementedError")


class MissingName(Exception):
    """The program has no such name; ``near`` are names that look like it."""

    def __init__(self, name: str, near: tuple[str, ...], load_error: StudentRaised | None) -> None:
        super().__init__(name)
        self.name = name
        self.near = near
        self.load_error = load_error


@dataclass
class Exchange:
    """One question and its answer, in comparable form; ``asked`` is it in words."""

    asked: str
    reply: Any  # a plain value with tensors inside, large ones condensed
    raised: tuple[str, str] | None = None  # type and message
    laws: tuple[float, ...] | None = None  # how random numbers are distributed, after a call with a seed


@dataclass
class Conversation:
    """All that one check asked and heard, and how it ended."""

    exchanges: list[Exchange] = field(default_factory=list)
    outcome: Outcome = Outcome.PASSED
    facts: tuple[Any, ...] = ()
    gap: float = 0.0  # the largest difference of compared numbers, in tolerances


MANNER = ("operations", "mixed")  # of a reply: with line numbers and names, which style alone changes
MAX_WORDS = 2000
MAX_KEPT = 512  # numbers of a tensor that are kept for comparison


def condensed(value: Any) -> Any:
    """A value as it is kept: of a large tensor its shape and every n-th number."""
    if isinstance(value, (list, tuple)):
        return [condensed(item) for item in value]
    if isinstance(value, dict):
        return {str(key): condensed(item) for key, item in value.items()}
    numel = getattr(value, "numel", None)
    if numel is None or isinstance(value, Asked) or value.device.type == "meta":
        return value
    plain = value.detach()
    if numel() <= MAX_KEPT:
        return plain
    return [list(value.shape), plain.flatten()[:: -(-numel() // MAX_KEPT)].clone()]


_current: ContextVar[Session] = ContextVar("current")


class Session:
    """One program in one host, asked by one check at a time."""

    def __init__(self, ask: Asks, seed: int, axes: tuple[str, ...] = ()) -> None:
        self.host = ask
        self.axes = axes  # how messages name the dimensions of a tensor
        self.seed = seed
        self.conversation = Conversation()
        self.load_error: StudentRaised | None = None
        self.fresh = False  # whether a check has begun and nothing has been asked in it
        self.spaces = 0
        self.labels: dict[int, str] = {}  # how a person reads a handle: the call that made it

    def load(self, space: str, cells: list[str], *, given: bool = False) -> StudentRaised | None:
        """Run a program in a space of its own; return what it raised, if it did.

        The lines of a ``given`` one are not told as the student's.
        """
        filename = f"<{space}>" if given else f"{space}.py"
        request = {"op": "load", "space": space, "filename": filename, "cells": cells}
        reply, _ = self._ask(request, [])
        with parsing():
            return next((StudentRaised(raised) for raised in reply["raised"]), None)

    def begin(self) -> None:
        """Start a check: its time begins, handles are forgotten, a new conversation is open."""
        self.host.begin()
        self.conversation = Conversation()
        self.fresh = True
        self.spaces = 0
        self.labels.clear()

    @contextmanager
    def current(self) -> Iterator[None]:
        """While entered, `sample` and `with_weights` draw from this session's run seed."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)

    def exchange(
        self, request: dict[str, Any], values: tuple[Any, ...], asked: str, keys: tuple[str, ...]
    ) -> dict[str, Any]:
        """Send a request with ``values`` under "args" and so on; return the decoded reply, or raise."""
        tensors: list[Any] = []
        names = ("args", "kwargs", "upstream")
        for name, value in zip(names, values, strict=False):
            request[name] = encode(value, tensors, _refer)
        entry = Exchange(asked, None)
        self.conversation.exchanges.append(entry)  # before the answer: there may be none
        reply, received = self._ask(request, tensors)
        with parsing():
            problem = self._problem(reply)
            answers = () if problem else keys
            decoded = {
                key: decode(reply[key], received, lambda content: self._remote(content, asked))
                for key in answers
                if key in reply
            }
        if isinstance(problem, StudentRaised):
            entry.raised = (problem.type, problem.message)
        if problem:
            raise problem
        entry.reply = {key: condensed(value) for key, value in decoded.items() if key not in MANNER}
        if request.get("seed") is not None:
            entry.laws = laws(decoded)
        decoded["description"] = reply.get("description")
        return decoded

    def _problem(self, reply: dict[str, Any]) -> Exception | None:
        """What a reply says instead of a value."""
        if "missing" in reply:
            near = tuple(_clip(name) for name in reply.get("near", [])[:3])
            return MissingName(_clip(reply["missing"]), near, self.load_error)
        if "too_long" in reply:
            return CheckFailed(Outcome.FLOODED, "the answer is too long to be sent", facts=("too long",))
        return StudentRaised(reply["raised"]) if "raised" in reply else None

    def _ask(self, request: dict[str, Any], tensors: list[Any]) -> tuple[dict[str, Any], list[Any]]:
        if self.fresh:
            request["fresh"] = True
            self.fresh = False
        return self.host.ask(request, tensors)

    def _remote(self, content: dict[str, Any], asked: str) -> Remote:
        handle = content.get("id")
        if type(handle) is not int or not 0 < handle < 2**31:
            raise BrokenValue("a broken handle")
        return Remote(self, {"id": handle}, self.labels.setdefault(handle, asked))


def _clip(text: object) -> str:
    """Words of a host, which may claim anything, cut to what a person reads."""
    return str(text)[:MAX_WORDS]


@contextmanager
def parsing() -> Iterator[None]:
    """While entered, whatever is wrong with an answer is the host's fault, with an outcome of its own."""
    try:
        yield
    except (
        BrokenValue,
        TypeError,
        ValueError,
        KeyError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        says = "the program wrote something to the grader that is no answer"
        raise CheckFailed(Outcome.KILLED, says, facts=("broken",)) from error


def session() -> Session:
    """The session of the check that is running now."""
    return _current.get()


class Asked:
    """Something that can be asked: its session, how the host knows it, how a person reads it."""

    _asked: tuple[Session, dict[str, Any], str]

    def __init__(self, session: Session, of: dict[str, Any], label: str) -> None:
        object.__setattr__(self, "_asked", (session, of, label))

    def __getattr__(self, name: str) -> Bound:
        if name.startswith("__") or name.startswith("pytest"):
            raise AttributeError(name)
        return Bound(self, name)

    __eq__ = None  # type: ignore[assignment]  # a test that compares a handle is wrong
    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise TypeError("a suite asked whether a remote object is true; read a value of it instead")


class Names(Asked):
    """A program: its functions, classes and values."""

    def define(self, source: str) -> Names:
        """Load another program, which the suite brings, into a space of its own in the same host."""
        session, _, _ = self._asked
        session.spaces += 1
        space = f"given_{session.spaces}"
        error = session.load(space, [source], given=True)
        if error:
            raise RuntimeError(f"the suite's own program failed: {error}")
        return Names(session, {"space": space}, "")


class Remote(Asked):
    """An object that stays in the host. Calling it sends an exchange."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call(self, None, args, kwargs).value


class Bound:
    """A name of a program or of an object; nothing is asked before it is called or read."""

    def __init__(self, owner: Asked, name: str) -> None:
        self.owner = owner
        self.name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call(self.owner, self.name, args, kwargs).value


@dataclass(frozen=True)
class Observation:
    """A call and all that was seen of it."""

    value: Any
    operations: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()
    input_gradients: tuple[Any, ...] = ()
    parameter_gradients: dict[str, Any] = field(default_factory=dict)
    inputs_after: tuple[Any, ...] = ()


def call(
    owner: Asked,
    name: str | None,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    *,
    seed: int | None = None,
    times: int | None = None,
    upstream: Any = None,
    watch: bool | Literal["here"] = False,
    inputs: bool = False,
) -> Observation:
    """One call over the wire."""
    session, of, label = owner._asked
    asked = f"{'.'.join(part for part in (label, name) if part)}({_words(args, kwargs)})"
    request: dict[str, Any] = {"op": "call", "of": of, "name": name, "seed": seed, "times": times}
    request |= {"watch": watch, "inputs": inputs}
    keys = ("value", *(("operations", "mixed") if watch else ()), *(("inputs",) if inputs else ()))
    keys += () if upstream is None else ("input_gradients", "parameter_gradients")
    reply = session.exchange(request, (list(args), kwargs, upstream), asked, keys)
    with parsing():
        return Observation(
            value=reply["value"],
            operations=tuple(map(_clip, _part(reply, "operations", list))),
            mixed=tuple(map(_clip, _part(reply, "mixed", list))),
            input_gradients=tuple(_part(reply, "input_gradients", list)),
            parameter_gradients=_part(reply, "parameter_gradients", dict),
            inputs_after=tuple(_part(reply, "inputs", list)),
        )


def _part(reply: dict[str, Any], name: str, kind: type[Any]) -> Any:
    """A list or dictionary in a reply, empty where there is none: anything else is no answer."""
    part = reply.get(name)
    if part is not None and type(part) is not kind:
        raise BrokenValue(f"the {name} are no {kind.__name__}")
    return kind() if part is None else part


def get(owner: Asked, name: str) -> Any:
    """The value of an attribute or of a program's global."""
    session, of, label = owner._asked
    asked = ".".join(part for part in (label, name) if part)
    reply = session.exchange({"op": "get", "of": of, "name": name}, (), asked, ("value",))
    with parsing():
        return reply["value"]


def describe_raw(remote: Remote) -> dict[str, Any]:
    """The host's description of a module, as it sent it."""
    session, of, label = remote._asked
    reply = session.exchange({"op": "describe", "of": of}, (), f"the parts of {label}", ())
    found = reply["description"]
    return found if isinstance(found, dict) else {}


def _refer(value: object) -> dict[str, Any]:
    if isinstance(value, Bound):
        value = get(value.owner, value.name)
    if isinstance(value, Remote):
        _, of, _ = value._asked
        return {"object": of}
    raise TypeError(f"a suite cannot send a {type(value).__name__}")


def _words(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Arguments as a student reads them: names and sizes, never the numbers of a tensor."""
    words = [_word(value) for value in args] + [f"{key}={_word(value)}" for key, value in kwargs.items()]
    return ", ".join(words)


def _word(value: Any) -> str:
    if isinstance(value, Remote):
        return str(value._asked[2])
    if isinstance(value, Bound):
        return value.name
    shape = getattr(value, "shape", None)
    if shape is not None:
        return f"tensor of shape {tuple(shape)}"
    if isinstance(value, (dict, list, tuple)) and any(
        getattr(item, "shape", None) is not None for item in _items(value)
    ):
        return f"{type(value).__name__} of {len(value)} tensors"
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _items(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value
