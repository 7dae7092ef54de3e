"""What Hugging Face's `Trainer` asks of accelerate, where that is not installed: the plain facts of one process, and
nothing that is computed."""

from __future__ import annotations

import contextlib
import enum
from importlib.machinery import PathFinder
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import torch

from .context import Context
from .handed_on import declared

_PLUGINS = ("DataLoaderConfiguration", "DistributedDataParallelKwargs", "GradientAccumulationPlugin")


def supply(module: ModuleType, context: Context) -> bool:
    """Give one of the modules of the trainer the names that it would have imported; whether accelerate is absent."""
    if PathFinder.find_spec("accelerate") is not None:
        return False
    names = {"Accelerator": Accelerator, "AcceleratorState": ProcessState, "PartialState": ProcessState}
    kinds = {name: SimpleNamespace for name in _PLUGINS}
    for name, value in {**names, **kinds, "DistributedType": DistributedType, "release_memory": _released}.items():
        module.__dict__.setdefault(name, value)
    module.__dict__.setdefault("clear_device_cache", lambda *_, **__: None)
    module.__dict__.setdefault("skip_first_batches", lambda loader, *_: loader)
    context.note("stand-in-module", module="accelerate")
    return True


class DistributedType(enum.Enum):
    """One process is of the first kind."""

    NO = "NO"
    MULTI_CPU = "MULTI_CPU"
    MULTI_GPU = "MULTI_GPU"
    DEEPSPEED = "DEEPSPEED"
    FSDP = "FSDP"
    XLA = "XLA"


class ProcessState:
    """Where a process is."""

    _shared_state: ClassVar[dict[str, Any]] = {"process": 0}
    distributed_type = DistributedType.NO
    deepspeed_plugin = fsdp_plugin = None
    process_index = local_process_index = 0
    num_processes = 1
    is_main_process = is_local_main_process = is_last_process = True
    main_process_first = local_main_process_first = staticmethod(contextlib.nullcontext)

    def __init__(self, cpu: bool = False, **_: Any) -> None:
        self.device = torch.device("cuda" if torch.cuda.is_available() and not cpu else "cpu")

    @staticmethod
    def _reset_state(*_: object, **__: object) -> None:
        """Nothing is shared."""

    def wait_for_everyone(self) -> None:
        """Nobody else is there."""


class Accelerator(ProcessState):
    """Hands on models, optimizers, loaders and tensors as they are; what else it does is declared in `handed_on`."""

    optimizer_step_was_skipped = False
    parallelism_config = scaler = None
    sync_gradients = True

    def __init__(self, **_: Any) -> None:
        super().__init__()
        self.state, self._models = ProcessState(), list[Any]()
        self.gradient_state = SimpleNamespace(
            plugin_kwargs={}, end_of_dataloader=True, _set_sync_gradients=lambda do: setattr(self, "sync_gradients", do)
        )

    def __getattr__(self, name: str) -> Any:
        if (known := declared("accelerate", name)) is None:
            raise AttributeError(name)
        return known

    def free_memory(self, *given: Any) -> Any:
        """Nothing is kept."""
        return given

    def end_training(self) -> None:
        """Nothing is open."""


def _released(*given: object) -> list[None]:
    return [None for _ in given]
