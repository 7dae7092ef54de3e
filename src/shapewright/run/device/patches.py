"""What `torch.cuda`, `torch.mps`, `torch.Generator`, `torch.load`, `nn.Parameter` and torch's defaults answer while an
absent accelerator is simulated.

`torch.cuda.is_available()` and `device_count()` stay as the machine has them: a script that asks goes its CPU way, and
where it has none
(`assert torch.cuda.is_available()`) it is told what it demands.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from ..stand_ins.context import is_user_file
from .demanded import demanded

if TYPE_CHECKING:
    from .simulated import Devices

MEMORY = 80 << 30
NAME = "simulated accelerator"


class Event:
    """Stands for `torch.cuda.Event`; every span takes one millisecond."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def record(self, *args: Any) -> None:
        """Nothing runs asynchronously here."""

    wait = synchronize = record

    def query(self) -> bool:
        return True

    def elapsed_time(self, end: Event) -> float:
        return 1.0


class Stream(Event):
    """Stands for `torch.cuda.Stream`."""

    def wait_stream(self, *args: Any) -> None:
        """Nothing to wait for."""

    wait_event = wait_stream

    def record_event(self, event: Event | None = None) -> Event:
        return event or Event()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *args: Any) -> None:
        pass


def _nothing() -> Any:
    """A function that accepts any call. Each name has its own: torch._dynamo's tables refuse one function under two
    names."""
    return _answers(None)


def _answers(value: Any) -> Any:
    return lambda *args, **kwargs: value


def _cuda() -> dict[str, Any]:
    """Names of `torch.cuda` and what stands for them."""
    properties = types.SimpleNamespace(
        name=NAME,
        major=9,
        minor=0,
        total_memory=MEMORY,
        multi_processor_count=132,
        is_integrated=False,
        is_multi_gpu_board=False,
        warp_size=32,
    )
    table: dict[str, Any] = {
        name: _nothing()
        for name in (
            "synchronize",
            "empty_cache",
            "set_device",
            "init",
            "ipc_collect",
            "reset_peak_memory_stats",
            "reset_max_memory_allocated",
            "reset_max_memory_cached",
            "reset_accumulated_memory_stats",
            "set_per_process_memory_fraction",
            "set_stream",
            "manual_seed",
            "manual_seed_all",
            "seed",
            "seed_all",
            "set_rng_state",
            "set_rng_state_all",
        )
    }
    for name in (
        "memory_allocated",
        "max_memory_allocated",
        "memory_reserved",
        "max_memory_reserved",
        "memory_cached",
        "current_device",
        "utilization",
    ):
        table[name] = _answers(0)
    table |= {
        "get_device_name": _answers(NAME),
        "get_device_properties": _answers(properties),
        "get_device_capability": _answers((9, 0)),
        "mem_get_info": _answers((MEMORY, MEMORY)),
        "memory_stats": _answers({}),
        "memory_summary": _answers(""),
        "is_bf16_supported": _answers(True),
        "get_rng_state": lambda *args: torch.get_rng_state(),
        "get_rng_state_all": lambda: [],
        "initial_seed": _answers(0),
        "Event": Event,
        "Stream": Stream,
        "stream": lambda stream: stream or Stream(),
        "current_stream": lambda *args: Stream(),
        "default_stream": lambda *args: Stream(),
        "device": lambda *args: contextlib.nullcontext(),
        "device_of": lambda *args: contextlib.nullcontext(),
    }
    return table


def _typed(devices: Devices, kind: type) -> Any:
    """`torch.cuda.FloatTensor(...)` and its kin."""

    def make(*args: Any) -> torch.Tensor:
        return kind(*args).cuda()

    make.kind = kind
    return make


def _defaults(devices: Devices) -> dict[str, Any]:
    """`torch.set_default_device` and its kin, for a device that is absent."""
    from .simulated import simulated

    set_device, get_device, set_type = torch.set_default_device, torch.get_default_device, torch.set_default_tensor_type

    def put(device: Any) -> None:
        devices.default = simulated(device)
        if devices.default is not None:
            devices.use(devices.default)
        set_device(None if devices.default is not None else device)

    def make(kind: Any) -> None:
        if isinstance(kind, str) and kind.startswith("torch.cuda."):
            kind = getattr(torch.cuda, kind.removeprefix("torch.cuda."))
        plain = getattr(kind, "kind", None)
        set_type(plain or kind)
        put("cuda" if plain is not None else None)

    return {
        "set_default_device": put,
        "get_default_device": lambda: devices.default or get_device(),
        "set_default_tensor_type": make,
    }


@contextlib.contextmanager
def patched(devices: Devices) -> Iterator[None]:
    """Replace the names while the body runs."""
    from .simulated import CPU, claim, claimed, simulated

    class Generator(torch._C.Generator):
        """A CPU generator that says where the script wanted it."""

        def __new__(cls, device: Any = "cpu"):
            made = super().__new__(cls, CPU if simulated(device) else device)
            made._wanted = simulated(device)
            return made

        @property
        def device(self) -> torch.device:
            return self._wanted or CPU

    load = torch.load

    def load_to(file: Any, map_location: Any = None, *args: Any, **kwargs: Any) -> Any:
        target = simulated(map_location) if isinstance(map_location, (str, torch.device)) else None
        if target is not None:
            devices.use(target)
            map_location = "cpu"
        result = load(file, map_location, *args, **kwargs)
        if target is not None or isinstance(map_location, (str, torch.device)):
            claim(result, target or CPU)
        return result

    parameter = nn.Parameter.__new__

    def made(cls: type, data: Any = None, requires_grad: bool = True) -> nn.Parameter:
        result = parameter(cls, data, requires_grad)
        if devices.used and isinstance(data, torch.Tensor):
            claim(result, claimed(data))
        return result

    changes: list[tuple[Any, str, Any]] = [
        (torch, "Generator", Generator),
        (torch, "load", load_to),
        *((torch, *item) for item in _defaults(devices).items()),
    ]
    available, given = torch.cuda.is_available, []

    @functools.wraps(available)
    def is_available() -> bool:
        frame = sys._getframe(1)
        if not is_user_file(frame.f_code.co_filename):  # libraries would go on to the device itself
            return False
        if not given and demanded(frame):
            given.append(True)
            devices.use(torch.device("cuda"))
        return bool(given)  # from then on the script is told one and the same

    if not available():
        changes.append((torch.cuda, "is_available", is_available))
        changes += [(torch.cuda, name, value) for name, value in _cuda().items() if hasattr(torch.cuda, name)]
        for name in ("Float", "Double", "Half", "Long", "Int", "Byte", "Bool"):
            changes.append((torch.cuda, f"{name}Tensor", _typed(devices, getattr(torch, f"{name}Tensor"))))
        changes += [(torch.cuda.nvtx, name, _nothing()) for name in ("range_push", "range_pop", "mark")]
        changes += [(torch.mps, name, _nothing()) for name in ("synchronize", "empty_cache", "manual_seed")]
    with contextlib.ExitStack() as stack:
        stack.callback(setattr, nn.Parameter, "__new__", staticmethod(parameter))
        nn.Parameter.__new__ = staticmethod(made)  # type: ignore[assignment]
        for owner, name, value in changes:
            stack.callback(setattr, owner, name, getattr(owner, name, None))
            setattr(owner, name, value)
        yield
