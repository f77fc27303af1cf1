"""What a host can see of a call: torch operations, mixed devices, gradients, the tensors of a module.

Everything here works on plain Python too: without torch there is nothing to see.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import Any

from softmarks.sandbox.values import torch_module

MAX_SEEN = 100_000
LEFT = "the result"
ELSEWHERE = ("cpu", "numpy", "tolist", "item", "__array__", "cuda")  # what they give has a place of its own
BETWEEN = ("to", "copy_", "type_as")  # they may meet tensors of two devices


class Watch:
    """Records the torch functions that are called while it is entered, and the calls that mix devices.

    A call mixes devices when a tensor on the meta device meets one that has a place elsewhere. As on
    a GPU, single numbers on the CPU may meet anything, and CPU tensors may be used as an index.

    ``there`` holds arguments and a module that are taken to be on another device, although they are not:
    for programs that need the numbers of their tensors. What is made from them, or for a device that is
    named, is taken to be there too.
    """

    def __init__(self, files: set[str], *, active: bool, there: Any = None) -> None:
        self.files = files
        self.active = active
        self.operations: list[str] = []
        self.mixed: list[str] = []
        self.stack = ExitStack()
        self.there: dict[int, Any] | None = None
        if there is not None:
            args, module = there
            held = [*module.parameters(), *module.buffers()] if is_module(module) else []
            self.there = {id(tensor): tensor for tensor in (*tensors(args), *held)}

    def __enter__(self) -> Watch:
        torch = torch_module()
        if self.active and torch is not None:
            self.stack.enter_context(_mode(torch, self))
        return self

    def __exit__(self, *error: object) -> None:
        self.stack.close()

    def saw(self, name: str, args: Any, kwargs: Any) -> None:
        """One torch function is about to be called."""
        if name in ("__get__", "__set__", "dim", "size") or len(self.operations) > MAX_SEEN:
            return
        self.operations.append(name)
        met = tensors((args[:1] if name in ("__getitem__", "__setitem__") else args, kwargs))
        places = {self._place(tensor) for tensor in met if tensor.dim() or self._place(tensor) == "there"}
        if len(places) > 1 and name not in BETWEEN:
            self.mixed.append(f"{name} in line {self._line()}")

    def gave(self, name: str, args: Any, kwargs: Any, result: Any) -> Any:
        """What a torch function gives. It is there when made from what is there, or for that device."""
        if self.there is None or len(self.there) > MAX_SEEN:
            return result
        named = [*args, kwargs.get("device")]
        if name in ELSEWHERE or any(isinstance(one, str) and one.startswith("cpu") for one in named):
            # a tensor that is here already is given back as it is, and it must not count as there
            return result.view_as(result) if any(result is tensor for tensor in tensors(args)) else result
        asked = kwargs.get("device") is not None or name in BETWEEN
        if asked or any(id(tensor) in self.there for tensor in tensors((args, kwargs))):
            self.there.update({id(tensor): tensor for tensor in tensors(result)})
        return result

    def result(self, value: object) -> None:
        """The value of the call is not there: as a mix, for a person."""
        if self.there is not None and any(id(tensor) not in self.there for tensor in tensors(value)):
            self.mixed.append(LEFT)

    def _place(self, tensor: Any) -> str:
        if self.there is None:
            return "there" if tensor.device.type == "meta" else str(tensor.device.type)
        return "there" if id(tensor) in self.there else "here"

    def _line(self) -> int:
        frame = sys._getframe(1)
        found = 0
        while frame is not None and not found:
            found = frame.f_lineno if frame.f_code.co_filename in self.files else 0
            frame = frame.f_back  # type: ignore[assignment]
        return found


def _mode(torch: Any, seen: Watch) -> Any:
    class Mode(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, function: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
            name = getattr(function, "__name__", "?")
            seen.saw(name, args, kwargs or {})
            return seen.gave(name, args, kwargs or {}, function(*args, **(kwargs or {})))

    return Mode()


def tensors(value: Any, depth: int = 0) -> list[Any]:
    """The tensors in a value, in lists, tuples and dicts of it too."""
    torch = torch_module()
    if torch is None or depth > 4:
        return []
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in tensors(item, depth + 1)]
    return []


def is_module(value: object) -> bool:
    """Whether ``value`` is a torch module."""
    torch = torch_module()
    return torch is not None and isinstance(value, torch.nn.Module)


def owner(target: object) -> object:
    """The object whose parameters a call is about: the module itself, or the one whose method it is."""
    return target if is_module(target) else getattr(target, "__self__", None)


def repeated(target: Any, args: Any, kwargs: Any, times: int | None) -> object:
    """The result of a call; of ``times`` calls, their results, stacked where they are tensors."""
    if times is None:
        return target(*args, **kwargs)
    results = [target(*args, **kwargs) for _ in range(times)]
    torch = torch_module()
    if torch is not None and results and all(isinstance(result, torch.Tensor) for result in results):
        return torch.stack(results)
    return results


def want_gradients(args: Any, module: object) -> None:
    """Ask for the gradients of every floating input, and clear those of the parameters."""
    for tensor in tensors(args):
        if tensor.is_floating_point() and tensor.is_leaf:
            tensor.requires_grad_()
    if is_module(module):
        for parameter in module.parameters():  # type: ignore[attr-defined]
            parameter.grad = None


def gradients(value: object, upstream: Any, args: Any, module: object) -> tuple[list[Any], dict[str, Any]]:
    """Gradients of the inputs and parameters for a given gradient of the output; None where none arrives."""
    found = tensors(value)
    if found and found[0].requires_grad and found[0].shape == upstream.shape:
        found[0].backward(upstream.to(found[0].dtype))
    parameters = {}
    if is_module(module):
        named = module.named_parameters(remove_duplicate=False)  # type: ignore[attr-defined]
        parameters = {name: parameter.grad for name, parameter in named}
    return [tensor.grad for tensor in tensors(args)], parameters


def description(value: Any) -> dict[str, Any]:
    """The tensors and submodules of a module, as plain facts."""
    if not is_module(value):
        return {"parameters": {}, "buffers": {}, "plain": {}, "modules": {}, "training": False}
    plain: dict[str, Any] = {}
    held = {id(tensor) for tensor in (*value.parameters(), *value.buffers())}
    for path, module in value.named_modules():
        for name, attribute in vars(module).items():
            if name in ("_parameters", "_buffers", "_modules"):
                continue
            for tensor in tensors(attribute):
                if id(tensor) not in held:
                    plain[f"{path}.{name}".lstrip(".")] = _facts(tensor)
    return {
        "parameters": {name: _facts(p) for name, p in _without_aliases(value)},
        "buffers": {name: _facts(b) for name, b in value.named_buffers(remove_duplicate=False)},
        "plain": plain,
        "modules": {path: _kind(module) for path, module in value.named_modules(remove_duplicate=False)},
        "training": bool(value.training),
    }


def _without_aliases(module: Any) -> list[tuple[str, Any]]:
    """The parameters by name; one with several names, as in a list beside the layers, by its shortest.

    Two names that are equally short stay: then two parts share what each should have for itself.
    """
    named = list(module.named_parameters(remove_duplicate=False))
    shortest: dict[int, int] = {}
    for name, parameter in named:
        depth = name.count(".")
        shortest[id(parameter)] = min(depth, shortest.get(id(parameter), depth))
    return [(name, parameter) for name, parameter in named if name.count(".") == shortest[id(parameter)]]


def _kind(module: Any) -> str:
    """The class of a module; of one that is derived from a layer of torch, that layer's."""
    own = type(module)
    torchs = next((kind for kind in own.__mro__ if kind.__module__.startswith("torch.nn.")), own)
    return own.__name__ if torchs.__name__ == "Module" else torchs.__name__


def _facts(tensor: Any) -> dict[str, Any]:
    return {
        "shape": list(tensor.shape),
        "dtype": str(tensor.dtype).removeprefix("torch."),
        "device": tensor.device.type,
        "requires_grad": bool(tensor.requires_grad),
    }
