"""What a suite may assert. A failure is a `CheckFailed`: it says where, never what would be right."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn
from zlib import crc32

from softmarks.errors import lookalikes
from softmarks.grading.student import (
    Asked,
    Bound,
    CheckFailed,
    Names,
    Observation,
    Remote,
    StudentRaised,
    call,
    describe_raw,
    get,
    parsing,
    session,
)
from softmarks.sandbox import wire
from softmarks.sandbox.values import torch_module
from softmarks.sandbox.watch import LEFT
from softmarks.verdict import Outcome

__tracebackhide__ = True  # of a failed check pytest shows the line in the suite

MAX_NUMBERS = wire.MAX_BLOB // 4  # of all tensors of a module: more cannot be pushed


# --- what a suite brings


def _generator(*key: object) -> Any:
    import torch

    return torch.Generator().manual_seed(crc32(repr((session().seed, *key)).encode()))


def sample(*shape: int, seed: int = 0, scale: float = 1.0, dtype: Any = None) -> Any:
    """A normal tensor, fixed by the run's seed, the shape and ``seed``."""
    import torch

    drawn = torch.randn(*shape, generator=_generator("sample", shape, seed)) * scale
    return drawn if dtype is None else drawn.to(dtype)


def with_weights(module: Remote, scale: float = 2.0) -> dict[str, Any]:
    """Set every parameter of ``module``, drawn by its name, and return them.

    A matrix gets standard deviation ``scale / sqrt(fan_in)``, a vector ``scale / 4``; so scale faults
    and forgotten biases show, and the order in which a program makes its layers does not matter.
    """
    import torch

    weights = {}
    for name, facts in describe(module).parameters.items():
        shape = facts.shape
        drawn = torch.randn(shape, generator=_generator("weights", name, shape))
        deviation = scale / math.sqrt(shape[-1]) if len(shape) > 1 else scale / 4
        weights[name] = drawn * deviation
    push(module, weights)
    return weights


def push(module: Remote, weights: dict[str, Any]) -> None:
    """Set just these parameters and buffers of ``module``."""
    call(module, "load_state_dict", (weights,), {"strict": False})
    pushed = session().conversation.exchanges[-1]
    pushed.reply = None  # which of a module's names were not set is no behaviour


# --- what a suite looks at


def read(owner: Asked, name: str) -> Any:
    """The value of an attribute, or of a program's global."""
    return get(owner, name)


def observe(
    target: Remote | Bound,
    *args: Any,
    seed: int | None = None,
    times: int | None = None,
    upstream: Any = None,
    watch: bool | Literal["here"] = False,
    inputs: bool = False,
    **kwargs: Any,
) -> Observation:
    """Call ``target`` and see more than its value.

    ``seed`` sets the random state first; ``times`` stacks that many results along a new first axis;
    ``upstream`` is the gradient of the (first) output, and brings the gradients of inputs and
    parameters; ``watch`` records torch functions and calls that mix devices ("here": that would mix them if
    arguments and module were on another one); ``inputs`` returns the tensor arguments as they are after it.
    """
    owner, name = (target.owner, target.name) if isinstance(target, Bound) else (target, None)
    return call(
        owner, name, args, kwargs, seed=seed, times=times, upstream=upstream, watch=watch, inputs=inputs
    )


@dataclass(frozen=True)
class TensorFacts:
    """What is known of a tensor of a module without its numbers."""

    shape: tuple[int, ...]
    dtype: str
    device: str
    requires_grad: bool


@dataclass(frozen=True)
class Description:
    """The parts of a module, as the host tells them."""

    parameters: dict[str, TensorFacts]
    buffers: dict[str, TensorFacts]
    plain: dict[str, TensorFacts]
    modules: dict[str, str]
    training: bool


def describe(module: Remote) -> Description:
    """The parameters, buffers, plain tensors and submodules of ``module``."""
    raw = describe_raw(module)
    with parsing():
        return Description(
            parameters=_facts(raw["parameters"]),
            buffers=_facts(raw["buffers"]),
            plain=_facts(raw["plain"]),
            modules={str(path): str(kind) for path, kind in raw["modules"].items()},
            training=raw["training"] is True,
        )


def _facts(raw: dict[str, Any]) -> dict[str, TensorFacts]:
    found: dict[str, TensorFacts] = {}
    numbers = 0
    for name, facts in raw.items():
        shape = tuple(int(size) for size in facts["shape"])
        numbers += math.prod(shape)
        if len(shape) > wire.MAX_DIMENSIONS or any(size < 0 for size in shape) or numbers > MAX_NUMBERS:
            raise ValueError(f"{name} has shape {shape}")
        found[str(name)] = TensorFacts(
            shape, str(facts["dtype"]), str(facts["device"]), facts["requires_grad"] is True
        )
    return found


# --- what a suite asserts


def fail(outcome: Outcome, says: str, *facts: Any) -> NoReturn:
    """Fail the check with an outcome and a sentence for the student."""
    raise CheckFailed(outcome, says, facts=facts)


def check(
    condition: bool, says: str, outcome: str = Outcome.WRONG_VALUE, facts: tuple[Any, ...] = ()
) -> None:
    """Anything else: ``says`` is shown when ``condition`` does not hold; ``facts`` tell faults apart."""
    if not condition:
        raise CheckFailed(Outcome(outcome), says, facts=facts or (says,))


def assert_shape(actual: Any, shape: Sequence[int], what: str = "the result") -> None:
    """``actual`` is a tensor of this shape."""
    import torch

    if not isinstance(actual, torch.Tensor):
        fail(Outcome.WRONG_SHAPE, f"{what} should be a tensor; yours is {_kind(actual)}", _kind(actual))
    if tuple(actual.shape) != tuple(shape):
        says = f"{what} should have shape {tuple(shape)}; yours has {tuple(actual.shape)}"
        fail(Outcome.WRONG_SHAPE, says, tuple(actual.shape))


def assert_names(module: Remote, parameters: Sequence[str] = (), buffers: Sequence[str] = ()) -> Description:
    """``module`` has parameters and buffers of these names. Returns its description."""
    parts = describe(module)
    for kind, wanted, has in (
        ("parameter", parameters, parts.parameters),
        ("buffer", buffers, parts.buffers),
    ):
        missing = [name for name in wanted if name not in has]
        if missing:
            like = lookalikes(missing[0], [name for name in has if name not in wanted])
            instead = f"; yours has {like[0]}, which looks like it" if like else ""
            says = f"the module has no {kind} {' and no '.join(missing)}{instead}"
            fail(Outcome.WRONG_VALUE, says, kind, tuple(missing), len(has))
    return parts


def assert_dtype(actual: Any, dtype: Any, what: str = "the result") -> None:
    """``actual`` is a tensor of this dtype."""
    import torch

    if not isinstance(actual, torch.Tensor):
        fail(Outcome.WRONG_DTYPE, f"{what} should be a tensor; yours is {_kind(actual)}", _kind(actual))
    if actual.dtype != dtype:
        says = f"{what} should be {_name(dtype)}; yours is {_name(actual.dtype)}"
        fail(Outcome.WRONG_DTYPE, says, _name(actual.dtype))


def assert_finite(actual: Any, what: str = "the result") -> None:
    """``actual`` holds neither NaN nor infinity."""
    _finite(actual, None, None, what)


def assert_close(
    actual: Any,
    expected: Any,
    rtol: float = 1e-4,
    atol: float = 1e-4,
    dims: Sequence[str] | None = None,
    what: str = "the result",
) -> None:
    """``actual`` has the shape and, within the tolerance, the values of ``expected``."""
    torch = torch_module()
    if torch is None:
        _close_numbers(actual, expected, rtol, atol, what)
        return
    wanted = torch.as_tensor(expected)
    if isinstance(actual, (int, float)) and not isinstance(actual, bool):
        actual = torch.tensor(float(actual), dtype=torch.float64)
    assert_shape(actual, wanted.shape, what)
    if actual.device.type == "meta":
        fail(Outcome.WRONG_DEVICE, f"{what} is on the meta device and has no values", "meta")
    _finite(actual, wanted, dims, what)
    mine, right = actual.detach().double(), wanted.detach().double()
    if mine.numel():
        gap = ((mine - right).abs() / (atol + rtol * right.abs())).nan_to_num().max()
        session().conversation.gap = max(session().conversation.gap, float(gap))
    same = torch.isclose(mine, right, rtol=rtol, atol=atol, equal_nan=True)
    if not bool(same.all()):
        _differs(actual.detach(), ~same, dims, what)


def _close_numbers(actual: Any, expected: float, rtol: float, atol: float, what: str) -> None:
    """The same of plain numbers, in a course that has no tensors."""
    if isinstance(actual, bool) or not isinstance(actual, (int, float)):
        fail(Outcome.WRONG_SHAPE, f"{what} should be a number; yours is {_kind(actual)}", _kind(actual))
    if not math.isfinite(actual) and math.isfinite(expected):
        fail(Outcome.NOT_FINITE, f"{what} is {actual}", "not finite")
    gap = 0.0 if actual == expected else abs(actual - expected) / (atol + rtol * abs(expected))
    session().conversation.gap = max(session().conversation.gap, gap)
    if not gap <= 1:
        fail(Outcome.WRONG_VALUE, f"{what} is not right: your code gives {actual:.4g}")


def assert_equal(
    actual: Any, expected: Any, dims: Sequence[str] | None = None, what: str = "the result"
) -> None:
    """``actual`` is exactly ``expected``: tensors, numbers, strings, containers."""
    if type(expected).__module__.startswith("torch"):
        import torch

        if isinstance(expected, torch.Tensor):
            assert_shape(actual, expected.shape, what)
            differs = actual.detach().double() != expected.detach().double()
            if bool(differs.any()):
                _differs(actual.detach(), differs, dims, what)
            return
    if isinstance(actual, (Remote, Bound)) or type(actual) is not type(expected) or actual != expected:
        says = f"{what} is not right: your code gave {_short(actual)}"
        fail(Outcome.WRONG_VALUE, says, _comparable(actual))


def assert_rate(observed: float, p: float, n: int, what: str = "the rate") -> None:
    """A proportion seen in ``n`` independent draws is compatible with ``p``: within five sigma."""
    sigma = math.sqrt(max(p * (1 - p), 1e-12) / n)
    if not abs(observed - p) <= 5 * sigma:
        says = f"{what} should be {p:g} of {n} draws; in yours it is {observed:.3f}"
        fail(Outcome.WRONG_VALUE, says, round(observed, 1))


def assert_unmodified(observation: Observation, *inputs: Any) -> None:
    """The tensor arguments of an observed call are what they were before it."""
    import torch

    other = next((type(one).__name__ for one in inputs if not isinstance(one, torch.Tensor)), None)
    if other is not None:
        raise TypeError(f"assert_unmodified takes tensors, not a {other}; use student.define for others")
    if len(observation.inputs_after) != len(inputs):
        fail(Outcome.INPUT_MODIFIED, "what your code was given cannot be found afterwards", "lost")
    for index, (after, before) in enumerate(zip(observation.inputs_after, inputs, strict=True)):
        if not torch.equal(after.detach(), before.detach()):
            says = f"your code changes its input in place (tensor argument {index + 1})"
            fail(Outcome.INPUT_MODIFIED, says, index)


def assert_follows_device(target: Remote | Bound, *inputs: Any, **kwargs: Any) -> None:
    """Everything that ``target`` owns or makes follows the device of the module or of the input.

    Found without a GPU: no tensor is a plain attribute; after ``.to("meta")`` parameters and buffers are
    there; in a watched run on meta inputs no call mixes devices, and the result is there too. A program that
    needs the numbers of its tensors is watched on plain inputs instead, as if they were on another device.
    """
    here: Observation | None = None
    if isinstance(target, Remote):
        plain = {name: facts for name, facts in describe(target).plain.items() if facts.shape}
        if plain:
            names = ", ".join(sorted(plain))
            says = f"{names} is a plain tensor attribute: .to(device) does not move it"
            fail(Outcome.WRONG_DEVICE, says, "plain", sorted(facts.shape for facts in plain.values()))
        with contextlib.suppress(StudentRaised):
            here = observe(target, *inputs, watch="here", **kwargs)
        call(target, "to", ("meta",), {})
        moved = describe(target)
        left = [
            name for name, facts in {**moved.parameters, **moved.buffers}.items() if facts.device != "meta"
        ]
        if left:
            fail(
                Outcome.WRONG_DEVICE,
                f"{', '.join(left)} stays behind when the module moves",
                "stays",
                len(left),
            )
    try:
        seen = observe(target, *(_to_meta(value) for value in inputs), watch=True, **kwargs)
    except StudentRaised as error:  # right code may need the numbers, which a meta tensor has not
        if "meta" not in error.message:
            raise
        if isinstance(target, Bound):
            here = observe(target, *inputs, watch="here", **kwargs)
        if here is None:
            raise
        seen = here
    mixed = [name for name in seen.mixed if name != LEFT]
    if mixed:
        says = f"{mixed[0]} mixes tensors of two devices: on a GPU it would stop there"
        fail(Outcome.WRONG_DEVICE, says, "mixed", [name.split(" ")[0] for name in mixed])
    values = seen.value if isinstance(seen.value, (tuple, list)) else [seen.value]
    devices = {value.device.type for value in values if hasattr(value, "device")}
    if LEFT in seen.mixed or (seen is not here and devices - {"meta"}):
        fail(Outcome.WRONG_DEVICE, "the result is not on the device of the input", "result")


def assert_gradients_reach(observation: Observation, *names: str) -> None:
    """Every parameter (or each of ``names``) gets a finite gradient that is not zero everywhere."""
    wanted = names or tuple(observation.parameter_gradients)
    if not wanted:
        fail(Outcome.WRONG_VALUE, "there is no parameter that a gradient could reach", "none")
    lost = []
    for name in wanted:
        gradient = observation.parameter_gradients.get(name)
        if gradient is None or not bool(gradient.isfinite().all()) or not bool(gradient.any()):
            lost.append(name)
    if lost:
        fail(
            Outcome.WRONG_VALUE,
            f"no usable gradient reaches {', '.join(lost)}",
            "gradient",
            tuple(sorted(lost)),
        )


def must_raise(target: Remote | Bound, *args: Any, what: str = "this", **kwargs: Any) -> None:
    """The student's code refuses these arguments by raising an exception of any ordinary kind."""
    try:
        observe(target, *args, **kwargs)
    except StudentRaised as error:
        if "Exception" not in error.bases or error.unwritten:
            raise
        return
    fail(Outcome.WRONG_VALUE, f"{what} should raise an error; your code accepted it", "accepted")


# --- words for differences


def _finite(actual: Any, expected: Any, dims: Sequence[str] | None, what: str) -> None:
    bad = ~actual.isfinite()
    if expected is not None:
        bad = bad & expected.isfinite()
    if bool(bad.any()):
        kind = "NaN" if bool(actual[bad].isnan().any()) else "infinity"
        says = f"{what}: {kind} {where(bad, dims)}"
        fail(Outcome.NOT_FINITE, says, "not finite")


def _differs(mine: Any, differs: Any, dims: Sequence[str] | None, what: str) -> NoReturn:
    if not differs.numel() or not differs.dim():
        fail(Outcome.WRONG_VALUE, f"{what} is not right: your code gives {_number(mine)}")
    first = differs.nonzero()[0].tolist()
    names = _dims(dims, len(first))
    place = ", ".join(f"{name} {index}" for name, index in zip(names, first, strict=True))
    given = _number(mine[tuple(first)])
    says = f"{what}: wrong {where(differs, dims)}; first at {place}, where your code gives {given}"
    fail(Outcome.WRONG_VALUE, says)


def _number(value: Any) -> str:
    number = value.item()
    return str(number) if isinstance(number, bool) else f"{number:.4g}"


def where(differs: Any, dims: Sequence[str] | None = None) -> str:
    """Which entries differ, in words: those along each dimension, or how many. Indices start at 0."""
    count = differs.dim()
    names = _dims(dims, count)
    parts = []
    inside = 1
    for axis, name in enumerate(names):
        others = [other for other in range(count) if other != axis]
        flat = differs.permute(axis, *others).reshape(differs.shape[axis], -1).any(dim=1)
        hit = flat.nonzero().flatten().tolist()
        inside *= len(hit)
        if len(hit) < len(flat):
            parts.append(f"{name} {_ranges(hit)}")
    wrong = int(differs.sum())
    if wrong < inside:  # the ranges hold right entries too
        parts.insert(0, f"{wrong} of {differs.numel()} entries")
        return f"in {parts[0]}{', all at ' if parts[1:] else ''}{', '.join(parts[1:])}"
    return f"at {', '.join(parts)}" if parts else "everywhere"


def _dims(dims: Sequence[str] | None, count: int) -> list[str]:
    """Names for ``count`` dimensions: the last of those given, or of the course's own."""
    dims = session().axes if dims is None else dims
    extra = [f"dimension {index}" for index in range(max(0, count - len(dims)))]
    return extra + list(dims)[max(0, len(dims) - count) :]


def _ranges(hit: list[int]) -> str:
    runs: list[list[int]] = []
    for index in hit:
        if runs and runs[-1][1] == index - 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    words = [str(a) if a == b else f"{a}-{b}" for a, b in runs[:4]]
    return ", ".join(words) + (" …" if len(runs) > 4 else "")


def _kind(value: Any) -> str:
    if isinstance(value, (Remote, Bound, Names)):
        return "an object"
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _short(value: Any) -> str:
    if isinstance(value, (Remote, Bound, Names)):
        return "an object"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"


def _comparable(value: Any) -> Any:
    return "an object" if isinstance(value, (Remote, Bound, Names)) else repr(value)[:200]


def _name(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.")


def _to_meta(value: Any) -> Any:
    to = getattr(value, "to", None)
    return value if isinstance(value, Asked) or to is None else to("meta")
