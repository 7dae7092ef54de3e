"""A simulated accelerator: tensors live on the CPU (or are shapes) and carry the device that the script gave them.

A run is in one world: there is no accelerator, or there is one from the first line on (`worlds` decides). With one,
`Devices` is a mode below the recorder. A tensor's claimed device is its attribute `_claimed_device`; results inherit it
from operands, and operands on different devices raise what torch raises there. A tensor without the attribute came from
where the mode does not look (gradients in hooks, what autograd kept): it is combined with any other. Without an
accelerator the first thing that cannot be had without one raises `Demanded`. Its numbers, memory and speed are not
imitated. `torch.cuda.*` itself is answered by `patches`.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._device import _device_constructors

from ... import ops
from ...trace import Site
from ..record.assume import Assumptions
from .agreement import agreed

SIMULATED = ("cuda", "mps", "xpu", "npu", "hpu", "privateuseone")
CPU = torch.device("cpu")
Tensor = torch.Tensor

PACKING = frozenset({"_pack_padded_sequence", "_pad_packed_sequence"})
RECURRENT = ops.named("recurrent")


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
def name_of(func: Any) -> str:
    """The call's short name."""
    return getattr(func, "__name__", "")


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
        kind: the accelerator of this run's world; empty where there is none.
    """

    def __init__(self, assumptions: Assumptions, place: Callable[[], Site | None], kind: str = "cuda") -> None:
        super().__init__()
        self.assumptions, self.place, self.kind = assumptions, place, kind
        self.used = False
        self.asked = ""  # the first kind that the script asked for
        self.count = 1
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
        handler = HANDLERS.get(func)
        if handler is not None:
            return handler(self, func, args, kwargs)
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
        return self._claiming(func, args, kwargs, device)

    def _claiming(self, func: Any, args: tuple, kwargs: dict, device: torch.device | None) -> Any:
        """Run a call whose operands may claim devices."""
        name = name_of(func)
        if device is None:
            places = _places(args, kwargs)
            known = [(tensor, place) for tensor, place in places if place is not None]
            device = agreed(name, known) if known else None if places else CPU
        result = func(*args, **kwargs)
        if device is not None:
            claim(result, device)
            if name in PACKING:  # lengths and batch sizes of packed sequences stay on the CPU
                claim(result[1], CPU)
        return result


def _places(args: tuple, kwargs: dict) -> list[tuple[Tensor, torch.device | None]]:
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


def _get_device(mode: Devices, func: Any, args: tuple, kwargs: dict) -> torch.device:
    place = claimed(args[0], mode)
    return place if place.type != "cpu" or args[0].is_meta else func(*args)


def _is_cuda(mode: Devices, func: Any, args: tuple, kwargs: dict) -> bool:
    return claimed(args[0]).type == "cuda"


def _is_cpu(mode: Devices, func: Any, args: tuple, kwargs: dict) -> bool:
    return claimed(args[0]).type == "cpu"


def _index_of_device(mode: Devices, func: Any, args: tuple, kwargs: dict) -> int:
    place = claimed(args[0])
    return -1 if place.type == "cpu" else place.index


def _numpy(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    place = known_place(args[0]) or CPU
    forced = kwargs.get("force", False)
    if place.type != "cpu" and not forced:
        raise TypeError(
            f"can't convert {place} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory "
            f"first."
        )
    return func(*args, **kwargs)


def _to(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Tensor:
    """`t.to(device)`, `t.to(dtype)`, `t.to(other)`, `t.to(device, dtype, non_blocking, copy)`."""
    tensor, rest = args[0], list(args[1:])
    wanted = kwargs.get("device")
    other = kwargs.get("other")
    if (rest and isinstance(rest[0], (str, torch.device))) or (
        rest and isinstance(rest[0], int) and not isinstance(rest[0], bool)
    ):
        wanted = rest.pop(0)
    elif rest and isinstance(rest[0], Tensor):
        other = rest.pop(0)
    elif rest and rest[0] is None:
        rest.pop(0)
    if rest and rest[0] is None:  # .to(device, None, non_blocking)
        rest[0] = tensor.dtype
    if other is not None:
        target, rest = claimed(other), [other.dtype, *rest]
    elif wanted is None:
        target = None
    else:
        target = simulated(wanted) or torch.device(wanted)
    return moved(mode, tensor, target, func, rest, {k: v for k, v in kwargs.items() if k not in ("device", "other")})


def moved(mode: Devices, tensor: Tensor, target: torch.device | None, to: Any, rest: list, kwargs: dict) -> Tensor:
    """`tensor` on `target` (`None`: where it is), after `to(tensor, *rest, **kwargs)` for dtype and format."""
    here = known_place(tensor)
    if target is not None and target.type == "meta":
        return to(tensor, target, *rest, **kwargs)
    target = here if target is None else target
    if target is not None and target.type != "cpu":
        mode.use(target)
    if rest and isinstance(rest[0], bool):  # .to(device, non_blocking)
        rest = [tensor.dtype, *rest]
    result = to(tensor, *rest, **kwargs) if rest or kwargs else tensor
    if target != here and result is tensor:
        # a move is a copy; a parameter moved by Module.to keeps its memory
        result = (
            tensor.detach()
            if isinstance(tensor, torch.nn.Parameter) and not torch.is_grad_enabled()
            else tensor.clone()
        )
    if target is not None:
        claim(result, target)
    return result


def _cuda(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Tensor:
    device = kwargs.get("device", args[1] if len(args) > 1 else None)
    return moved(mode, args[0], simulated(func.__name__ if device is None else device), Tensor.to, [], {})


def _cpu(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Tensor:
    return moved(mode, args[0], CPU, Tensor.to, [], {})


def _type(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    wanted = args[1] if len(args) > 1 else kwargs.get("dtype")
    here = claimed(args[0])
    if wanted is None:
        text = func(args[0])
        return text if here.type == "cpu" else text.replace("torch.", f"torch.{here.type}.", 1)
    if isinstance(wanted, str) and wanted.startswith("torch.cuda."):
        return moved(mode, func(args[0], wanted.replace("cuda.", "")), simulated("cuda"), Tensor.to, [], {})
    result = func(*args, **kwargs)
    if result is not args[0]:
        claim(result, here)
    return result


def _new(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    """`t.new(...)`, which is not a call of torch's tables: it makes a tensor where `t` is."""
    result = func(*args, **kwargs)
    claim(result, claimed(args[0], mode))
    return result


def _parse_to(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    """What `Module.to` was given; a number is an accelerator."""

    def full(value: Any) -> Any:
        return torch.device(mode.kind, value) if isinstance(value, int) and not isinstance(value, bool) else value

    kwargs = {key: full(value) if key == "device" else value for key, value in kwargs.items()}
    return func(*(map(full, args[:1])), *args[1:], **kwargs)


def _same(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    return args[0]


def _set_data(mode: Devices, func: Any, args: tuple, kwargs: dict) -> None:
    func(*args)
    if (place := known_place(args[1])) is not None:
        claim(args[0], place)


def _gradient(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    result = func(*args)
    if isinstance(result, Tensor) and (place := known_place(args[0])) is not None:
        claim(result, place)
    return result


def _backward(mode: Devices, func: Any, args: tuple, kwargs: dict) -> None:
    """The body of `Tensor.backward`, with this mode on: hooks and recomputation are the script's code."""

    def body(tensor, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        torch.autograd.backward(tensor, gradient, retain_graph, create_graph, inputs=inputs)

    with mode:
        body(*args, **kwargs)


def _plain(mode: Devices, func: Any, args: tuple, kwargs: dict) -> Any:
    return func(*args, **kwargs)


HANDLERS: dict[Any, Callable] = {
    Tensor.device.__get__: _get_device,
    Tensor.is_cuda.__get__: _is_cuda,
    Tensor.is_cpu.__get__: _is_cpu,
    Tensor.get_device: _index_of_device,
    Tensor.numpy: _numpy,
    Tensor.__array__: _numpy,
    Tensor.to: _to,
    torch._C._nn._parse_to: _parse_to,
    Tensor.cuda: _cuda,
    Tensor.cpu: _cpu,
    Tensor.xpu: _cuda,
    Tensor.type: _type,
    Tensor.new: _new,
    Tensor.pin_memory: _same,
    Tensor.data.__set__: _set_data,
    Tensor.grad.__get__: _gradient,
    Tensor.grad.__set__: _plain,
    Tensor.record_stream: _same,
    Tensor.shape.__get__: _plain,
    Tensor.dtype.__get__: _plain,
    Tensor.requires_grad.__get__: _plain,
    Tensor.is_leaf.__get__: _plain,
    Tensor.grad_fn.__get__: _plain,
    Tensor.ndim.__get__: _plain,
    Tensor.dim: _plain,
    Tensor.size: _plain,
    Tensor.numel: _plain,
    Tensor.backward: _backward,
}
