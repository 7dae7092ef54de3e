"""A simulated accelerator: tensors live on the CPU (or are shapes) and carry the device that the script gave them.

A run is in one world: there is no accelerator, or there is one from the first line on (`worlds` decides). With one,
`Devices` is a mode below the recorder. A tensor's claimed device is an attribute (`places`); results inherit it
from operands, and operands on different devices raise what torch raises there. A tensor without the attribute came from
where the mode does not look (gradients in hooks, what autograd kept): it is combined with any other. Without an
accelerator the first thing that cannot be had without one raises `Demanded`. Its numbers, memory and speed are not
imitated. `torch.cuda.*` itself is answered by `patches`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._device import _device_constructors

from ... import ops
from ...trace import Site
from ..record.assume import Assumptions
from .agreement import agreed, refusal, rows_agree
from .answers import handler
from .places import CPU, Tensor, claim, known_place, name_of, places_of, simulated

PACKING = frozenset({"_pack_padded_sequence", "_pad_packed_sequence"})
RECURRENT = ops.named("recurrent")


class Demanded(BaseException):
    """Without an accelerator the script asked for one unconditionally. No `Exception`: scripts do not catch it."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Devices(TorchFunctionMode):
    """The mode.

    Args:
        assumptions: where `cuda-simulated` is noted, once.
        place: the user's place now.
        kind: the accelerator of this run's world, `cuda:8` where there are several; empty where there is none.
    """

    def __init__(self, assumptions: Assumptions, place: Callable[[], Site | None], kind: str = "cuda") -> None:
        super().__init__()
        self.assumptions, self.place = assumptions, place
        self.kind, _, count = kind.partition(":")
        self.used = False
        self.asked = ""  # the first kind that the script asked for
        self.counted = False  # whether it asked how many there are
        self.count = int(count or 1)
        self.autocasting = False  # within autocast on CUDA
        self.default: torch.device | None = (
            None  # an absent device on which tensors are made unless a call names another
        )

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Simulate while the body runs."""
        from .patches import patched

        with patched(self), self if self.kind else contextlib.nullcontext():
            yield

    def use(self, device: torch.device) -> None:
        """The script put something on an absent device. Raises `Demanded` where the run has none."""
        if not self.kind:
            raise Demanded(device.type)
        self.count = max(self.count, (device.index or 0) + 1)
        if not self.used:
            self.used = True
            self.assumptions.add("cuda-simulated", site=self.place(), device=str(device))

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        answer = handler(func)
        if answer is not None:
            return answer(self, func, args, kwargs)
        device = None
        if self.default is not None and kwargs.get("device") is None and func in _device_constructors():
            kwargs = {**kwargs, "device": self.default}
        if kwargs:
            asked = kwargs.get("device")
            device = None if asked is None else simulated(asked)
            if device is not None:
                self.use(device)
                kwargs = {**kwargs, "device": CPU}
            elif asked is not None:
                device = CPU
            if kwargs.get("pin_memory"):
                kwargs = {**kwargs, "pin_memory": False}
        if device is None and func in _device_constructors():  # wherever the numbers were that it is made of
            copied = args and isinstance(args[0], Tensor) and ops.is_a(name_of(func), "takes_data")
            device = known_place(args[0]) if copied else CPU
        return self.claiming(func, args, kwargs, device)

    def claiming(self, func: Any, args: tuple, kwargs: dict, device: torch.device | None) -> Any:
        """Run a call whose operands may claim devices."""
        name = name_of(func)
        if kwargs.get("generator") is not None:
            _drawn_by(kwargs["generator"], device, args)
        if name.startswith(("_foreach", "_fused")):
            return _by_rows(name, func, args, kwargs)
        if name == "_pack_padded_sequence":
            _lengths_here(args[1])
        if device is None:
            places = places_of(args, kwargs)
            known = [(tensor, place) for tensor, place in places if place is not None]
            device = agreed(name, known) if known else None if places else CPU
        result = func(*args, **kwargs)
        if device is not None:
            claim(result, device)
            if name in PACKING:  # lengths and batch sizes of packed sequences stay on the CPU
                claim(result[1], CPU)
        return result


def _drawn_by(generator: torch.Generator, device: torch.device | None, args: tuple) -> None:
    """Raises `RuntimeError` where numbers are drawn on another device than their generator's."""
    place = device or next((known_place(value) for value in args if isinstance(value, Tensor)), CPU)
    if place is not None and place.type != generator.device.type:
        raise refusal(f"Expected a '{place.type}' device type for generator but found '{generator.device.type}'")


def _lengths_here(lengths: Tensor) -> None:
    """Raises `RuntimeError` where the lengths of a packed sequence are not on the CPU."""
    place = known_place(lengths) or CPU
    if place.type != "cpu":
        raise refusal(
            f"'lengths' argument should be a 1D CPU int64 tensor, but got {lengths.dim()}D {place} Long tensor"
        )


def _by_rows(name: str, func: Any, args: tuple, kwargs: dict) -> Any:
    """A call over lists of tensors, each row of which is where its first one is."""
    lists = [
        [(value, known_place(value)) for value in values]
        for values in args
        if isinstance(values, (list, tuple)) and values and all(isinstance(value, Tensor) for value in values)
    ]
    rows_agree(name, lists)
    results = func(*args, **kwargs)
    for result, (_, place) in zip(results or (), lists[0] if lists else ()):
        if place is not None:
            claim(result, place)
    return results
