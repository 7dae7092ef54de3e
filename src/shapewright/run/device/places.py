"""Which device a tensor is on as the script believes: its attribute `_claimed_device`."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import torch

from .agreement import refusal

if TYPE_CHECKING:
    from .simulated import Devices

SIMULATED = ("cuda", "mps", "xpu", "npu", "hpu", "privateuseone")
CPU = torch.device("cpu")
Tensor = torch.Tensor


def simulated(device: Any) -> torch.device | None:
    """The full absent device that `device` (string, number, `torch.device`) names, with its index; `None` where it is
    the CPU or no device."""
    if isinstance(device, bool) or device is None:
        return None
    if isinstance(device, int):
        return torch.device("cuda", device)
    if isinstance(device, str):
        if device.split(":")[0] not in SIMULATED:
            return None
        device = torch.device(device)
    if not isinstance(device, torch.device) or device.type not in SIMULATED:
        return None
    return device if device.index is not None else torch.device(device.type, 0)


def known_place(tensor: Tensor) -> torch.device | None:
    """Where the script put `tensor`; `None` where that was not seen."""
    kept = getattr(tensor, "_claimed_device", None)
    return None if kept is None else CPU if kept == "cpu" else torch.device(kept)


def claimed(tensor: Tensor, mode: Devices | None = None) -> torch.device:
    """Where the script believes `tensor` to be; of what was not seen, the accelerator that `mode` has used."""
    place = known_place(tensor)
    if place is None:
        return torch.device(mode.kind, 0) if mode is not None and mode.used else CPU
    return place


def claim(value: Any, device: torch.device) -> None:
    """Put every tensor of `value` (nested sequences and dicts) on `device`, as far as the script can tell."""
    if isinstance(value, Tensor):
        value._claimed_device = str(device)
    elif isinstance(value, (list, tuple)):
        for part in value:
            claim(part, device)
    elif isinstance(value, dict):
        for part in value.values():
            claim(part, device)


@functools.cache
def name_of(func: object) -> str:
    """The call's short name."""
    return getattr(func, "__name__", "")


def places_of(args: tuple, kwargs: dict) -> list[tuple[Tensor, torch.device | None]]:
    """The tensors among the operands, with their devices as far as they are known."""
    found: list[tuple[Tensor, torch.device | None]] = []

    def look(values: Any, depth: int) -> None:
        for value in values:
            if isinstance(value, Tensor):
                found.append((value, known_place(value)))
            elif isinstance(value, (list, tuple)) and depth < 2:
                look(value, depth + 1)

    look(args, 0)
    if kwargs:
        look(kwargs.values(), 0)
    return found


def pinned(tensor: Tensor) -> None:
    """Raises `RuntimeError` as pinning does where the tensor is on an accelerator already."""
    place = known_place(tensor) or CPU
    if place.type != "cpu":
        kind = f"torch.{place.type}.{tensor.type().rpartition('.')[2]}"
        raise refusal(f"cannot pin '{kind}' only dense CPU tensors can be pinned")
