"""What `torch.cuda`, `torch.accelerator`, `torch.mps`, `torch.xpu` and all that makes tensors outside the mode answer:
in a run that simulates an accelerator, and in one that has none.

Only the user's code is told that there is one: libraries would go on to the device itself.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import types
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch

from ..stand_ins.context import is_user_file
from .makers import KINDS, defaults, makers, typed

if TYPE_CHECKING:
    from .simulated import Devices

MEMORY = 80 << 30
NAME = "simulated accelerator"


class Event:
    """Stands for `torch.cuda.Event`; every span takes one millisecond."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        pass

    def record(self, *args: object) -> None:
        """Nothing runs asynchronously here."""

    wait = synchronize = record

    def query(self) -> bool:
        return True

    def elapsed_time(self, end: Event) -> float:
        return 1.0


class Stream(Event):
    """Stands for `torch.cuda.Stream`."""

    def wait_stream(self, *args: object) -> None:
        """Nothing to wait for."""

    wait_event = wait_stream

    def record_event(self, event: Event | None = None) -> Event:
        return event or Event()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *args: object) -> None:
        pass


def _nothing() -> Any:
    """A function that accepts any call. Each name has its own: torch._dynamo's tables refuse one function under two
    names."""
    return _answers(None)


def _answers(value: object) -> Any:
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


def _told(devices: Devices) -> list[tuple[Any, str, Any]]:
    """The questions whether there is an accelerator, and which."""

    def answer(original: Any, kind: str, here: Any) -> Any:
        @functools.wraps(original)
        def asked(*args: Any, **kwargs: Any) -> Any:
            if not is_user_file(sys._getframe(1).f_code.co_filename):
                return original(*args, **kwargs)
            devices.asked = devices.asked or kind
            devices.counted |= original.__name__ == "device_count"
            return here() if devices.kind else original(*args, **kwargs)

        return asked

    questions: list[tuple[Any, str, str, Any]] = []
    for kind, owner in (("cuda", torch.cuda), ("xpu", torch.xpu), ("mps", torch.mps)):
        questions.append((owner, "is_available", kind, lambda kind=kind: devices.kind == kind))
        questions.append((owner, "device_count", kind, lambda kind=kind: devices.count if devices.kind == kind else 0))
    questions += [
        (torch.backends.mps, "is_available", "mps", lambda: devices.kind == "mps"),
        (torch.backends.mps, "is_built", "mps", lambda: devices.kind == "mps"),
        (torch.accelerator, "is_available", "cuda", lambda: True),
        (torch.accelerator, "device_count", "cuda", lambda: devices.count),
        (torch.accelerator, "current_accelerator", "cuda", lambda: torch.device(devices.kind)),
    ]
    return [
        (owner, name, answer(getattr(owner, name), kind, here))
        for owner, name, kind, here in questions
        if hasattr(owner, name)
    ]


def _without(devices: Devices) -> list[tuple[Any, str, Any]]:
    """Where there is no accelerator: what of `torch.cuda` cannot be had without one demands it."""
    from .places import simulated
    from .simulated import Demanded

    def demanding(original: Any) -> Any:
        def tried(args: tuple, kwargs: dict[str, object]) -> Any:
            try:
                return original(*args, **kwargs)
            except (AssertionError, AttributeError, RuntimeError, TypeError):
                if is_user_file(sys._getframe(2).f_code.co_filename):
                    raise Demanded("cuda") from None
                raise

        if isinstance(original, type):  # it stays a class: annotations name it
            return type(original.__name__, (original,), {"__new__": lambda cls, *args, **kwargs: tried(args, kwargs)})
        return functools.wraps(original)(lambda *args, **kwargs: tried(args, kwargs))

    def lazy_init() -> None:
        raise Demanded("cuda")

    def typed(*args: object, **kwargs: object) -> None:
        raise Demanded("cuda")

    set_device, set_type, load = torch.set_default_device, torch.set_default_tensor_type, torch.load

    def put(device: Any) -> None:
        if (wanted := simulated(device)) is not None:
            raise Demanded(wanted.type)
        set_device(device)

    def default(kind: Any) -> None:
        if isinstance(kind, str) and kind.startswith("torch.cuda."):
            raise Demanded("cuda")
        set_type(kind)

    @functools.wraps(load)
    def load_to(f: Any, map_location: Any = None, *args: Any, **kwargs: Any) -> Any:
        wanted = simulated(map_location) if isinstance(map_location, (str, torch.device)) else None
        if wanted is not None and is_user_file(sys._getframe(1).f_code.co_filename):
            raise Demanded(wanted.type)
        return load(f, map_location, *args, **kwargs)

    def spawn(fn: object, args: tuple = (), nprocs: int = 1, *more: Any, **options: Any) -> Any:
        if nprocs < 1:  # as many as there are accelerators
            raise Demanded("cuda")
        return processes(fn, args, nprocs, *more, **options)

    processes = torch.multiprocessing.spawn
    names = ("current_device", "synchronize", "get_device_name", "get_device_properties", "get_device_capability")
    names += ("Event", "Stream", "current_stream", "default_stream", "set_device", "mem_get_info")
    return [
        (torch.cuda, "_lazy_init", lazy_init),
        (torch, "set_default_device", put),
        (torch, "set_default_tensor_type", default),
        (torch, "load", load_to),
        (torch.multiprocessing, "spawn", spawn),
        *((torch.cuda, name, demanding(getattr(torch.cuda, name))) for name in names if hasattr(torch.cuda, name)),
    ]


def _autocast(devices: Devices) -> list[tuple[Any, str, Any]]:
    """Contexts of autocast on CUDA, which torch turns off where there is none, are counted: what they refuse is
    refused."""
    kind = torch.amp.autocast
    make, enter, leave = kind.__init__, kind.__enter__, kind.__exit__

    @functools.wraps(make)
    def made(self: Any, device_type: str, dtype: Any = None, enabled: bool = True, *args: Any, **options: Any) -> None:
        make(self, device_type, dtype, enabled, *args, **options)
        self._asked = bool(enabled) and device_type == "cuda"

    @functools.wraps(enter)
    def entered(self: Any) -> Any:
        self._outer, devices.autocasting = devices.autocasting, self._asked
        return enter(self)

    @functools.wraps(leave)
    def left(self: Any, *args: Any) -> Any:
        devices.autocasting = self._outer
        return leave(self, *args)

    return [(kind, "__init__", made), (kind, "__enter__", entered), (kind, "__exit__", left)]


class _Synced:
    """What normalizes over the batches of all ranks by kernels that only a build for CUDA has: over this rank's."""

    @staticmethod
    def apply(
        input: Any, weight: Any, bias: Any, mean: Any, var: Any, eps: float, momentum: float, *ranks: object
    ) -> Any:
        """The normalized input; the running statistics are updated."""
        return torch.nn.functional.batch_norm(input, mean, var, weight, bias, True, momentum, eps)


def _with(devices: Devices) -> list[tuple[Any, str, Any]]:
    """Where there is one: what of `torch.cuda` and its kin answers for it."""
    quiet = ("synchronize", "empty_cache", "manual_seed", "manual_seed_all", "set_device", "set_device_index")
    quiet += ("set_device_idx", "set_stream", "reset_peak_memory_stats", "reset_accumulated_memory_stats")
    numbers = ("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved")
    numbers += ("current_device_index", "current_device_idx", "current_device", "current_allocated_memory")
    numbers += ("driver_allocated_memory", "recommended_max_memory")
    changes: list[tuple[Any, str, Any]] = [(torch.cuda, name, value) for name, value in _cuda().items()]
    for owner in (torch.accelerator, torch.mps, torch.xpu):
        changes += [(owner, name, _nothing()) for name in quiet]
        changes += [(owner, name, _answers(0)) for name in numbers]
    changes += [(torch.accelerator, "current_stream", lambda *args: Stream())]
    changes += _autocast(devices)
    changes += [(torch.backends.cudnn, "is_acceptable", _answers(False))]  # the kernels of a build for CUDA
    changes += [(torch.nn.modules.batchnorm, "sync_batch_norm", _Synced)]
    changes += [(torch.cuda.nvtx, name, _nothing()) for name in ("range_push", "range_pop", "mark")]
    for name in KINDS:
        changes.append((torch.cuda, f"{name}Tensor", typed(devices, getattr(torch, f"{name}Tensor"), "torch.cuda")))
    return [change for change in changes if hasattr(change[0], change[1])]


def hide() -> None:
    """From now on this process has no accelerator, whatever the machine has: a check uses none, and its sandbox would
    refuse the drivers."""
    for name in ("_cuda_getDeviceCount", "_xpu_getDeviceCount"):
        if hasattr(torch._C, name):
            setattr(torch._C, name, lambda: 0)
    torch.cuda._cached_device_count = 0
    warnings.filterwarnings("ignore", message="CUDA initialization")  # the backward pass counts devices once more
    torch._C._mps_is_available = lambda: False


@contextlib.contextmanager
def patched(devices: Devices) -> Iterator[None]:
    """Replace the names while the body runs."""
    real = torch.cuda.is_available()
    changes = [] if real else _told(devices)
    if devices.kind:
        if not real:
            changes += _with(devices)
        changes += makers(devices)
        changes += [(torch, name, value) for name, value in defaults(devices).items()]
    elif not real:
        changes += _without(devices)
    missing = object()
    with contextlib.ExitStack() as stack:
        for owner, name, value in changes:
            kept = vars(owner).get(name, missing) if isinstance(owner, type) else getattr(owner, name, missing)
            stack.callback(*((delattr, owner, name) if kept is missing else (setattr, owner, name, kept)))
            setattr(owner, name, value)
        yield
