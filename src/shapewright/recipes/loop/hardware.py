"""The device, the precision and the processes of a run, as an `Accelerator`; and one line that names the machine under
a result."""

from __future__ import annotations

import contextlib
import os
import platform

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState
from accelerate.utils import DistributedType
from torch import nn

from ...run.process.quicken import plain_checks, quicken
from ..settings import CommonArgs, UsageError
from . import processes, sharding


def accelerator(args: CommonArgs, *, half_on_cpu: bool = False) -> Accelerator:
    """The `Accelerator` for the settings' `device` and `precision`.

    Under `torchrun` or `accelerate launch` it joins the other processes (gloo on CPU, nccl on GPU) and follows that
    launcher's configuration, FSDP included, and leaves their group when Python ends. Raises `UsageError` where the
    device is not there.

    Args:
        half_on_cpu: whether `--precision auto` takes bf16 on a processor with units for it, too; for models whose work
        is matrix products.
    """
    quicken()
    plain_checks()
    available = {"cpu": True, "auto": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not available[args.device]:
        raise UsageError(
            f"--device {args.device} was asked for, but this machine has no such device that torch {torch.__version__} "
            f"can use"
        )
    on_cpu = args.device == "cpu" or not (available["cuda"] or available["mps"])
    precision = args.precision
    if precision == "auto":
        halves = half_on_cpu and multiplies_bf16() if on_cpu else available["cuda"] and torch.cuda.is_bf16_supported()
        precision = "bf16" if halves else "no"
    if AcceleratorState._shared_state and int(os.environ.get("WORLD_SIZE", "1")) == 1:
        AcceleratorState._reset_state(reset_partial_state=True)
    with processes.left_at_exit():
        return Accelerator(cpu=on_cpu, mixed_precision=precision, step_scheduler_with_optimizer=False)


def multiplies_bf16() -> bool:
    """Whether the processor multiplies bfloat16 matrices itself (AVX-512 BF16, AMX); torch imitates it elsewhere, tens
    of times slower."""
    asks = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")  # not in every torch that is admitted
    return any(getattr(torch.cpu, name)() for name in asks if hasattr(torch.cpu, name))


def alone(accelerator: Accelerator) -> bool:
    """Whether one process trains on a CPU, where Accelerate has nothing to wrap: a scaler and other processes are not
    there."""
    single = accelerator.distributed_type == DistributedType.NO and accelerator.device.type == "cpu"
    return single and accelerator.mixed_precision in ("no", "bf16")


def prepared(accelerator: Accelerator, *parts: object) -> tuple:
    """`accelerator.prepare`, left out for a process alone (it imports distributed tensors, most of a second) and for a
    model that `sharding.shard` divided."""
    return parts if alone(accelerator) or any(map(sharding.sharded, parts)) else accelerator.prepare(*parts)


def unwrapped(accelerator: Accelerator, model: nn.Module) -> nn.Module:
    """`accelerator.unwrap_model`, left out where nothing is wrapped: it imports torch's compiler, a second and more."""
    return model if alone(accelerator) or sharding.sharded(model) else accelerator.unwrap_model(model)


def precision(accelerator: Accelerator, model: nn.Module | None = None) -> contextlib.AbstractContextManager:
    """What a forward pass runs under, where `prepared` wrapped nothing around the model that says so itself."""
    return (
        torch.autocast(accelerator.device.type, dtype=torch.bfloat16)
        if (alone(accelerator) or sharding.sharded(model)) and accelerator.mixed_precision == "bf16"
        else contextlib.nullcontext()
    )


def stamp() -> str:
    """`Intel Xeon · 2 threads · torch 2.13.0`, or the GPU's name in place of the processor's."""
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else _processor()
    return (
        f"{device} · {torch.get_num_threads()} threads · Python {platform.python_version()} · torch {torch.__version__}"
    )


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return " ".join(line.split(":", 1)[1].split())
    except OSError:
        pass
    return platform.processor() or platform.machine()
