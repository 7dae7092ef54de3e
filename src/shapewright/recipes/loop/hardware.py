"""The device, the precision and the processes of a run, as an `Accelerator`; and one line that names the machine under a result."""

from __future__ import annotations

import os
import platform

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState
from accelerate.utils import DistributedType

from ...run.quicken import quicken
from ..settings import CommonArgs, UsageError
from . import processes


def accelerator(args: CommonArgs) -> Accelerator:
    """The `Accelerator` for the settings' `device` and `precision`.

    Under `torchrun` or `accelerate launch` it joins the other processes (gloo on CPU, nccl on GPU) and follows that launcher's
    configuration, FSDP included, and leaves their group when Python ends. Raises `UsageError` where the device is not there.
    """
    quicken()
    available = {"cpu": True, "auto": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not available[args.device]:
        raise UsageError(f"--device {args.device} was asked for, but this machine has no such device that torch {torch.__version__} can use")
    on_cpu = args.device == "cpu" or not (available["cuda"] or available["mps"])
    precision = args.precision
    if precision == "auto":
        precision = "bf16" if not on_cpu and available["cuda"] and torch.cuda.is_bf16_supported() else "no"
    if AcceleratorState._shared_state and int(os.environ.get("WORLD_SIZE", "1")) == 1:
        AcceleratorState._reset_state(reset_partial_state=True)
    with processes.left_at_exit():
        return Accelerator(cpu=on_cpu, mixed_precision=precision, step_scheduler_with_optimizer=False)


def prepared(accelerator: Accelerator, *parts: object) -> tuple:
    """`accelerator.prepare`, left out where it has nothing to do: one process in full precision. It imports distributed tensors, most of a second."""
    alone = accelerator.distributed_type == DistributedType.NO and accelerator.mixed_precision == "no"
    return parts if alone else accelerator.prepare(*parts)


def stamp() -> str:
    """`Intel Xeon · 2 threads · torch 2.13.0`, or the GPU's name in place of the processor's."""
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else _processor()
    return f"{device} · {torch.get_num_threads()} threads · Python {platform.python_version()} · torch {torch.__version__}"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return " ".join(line.split(":", 1)[1].split())
    except OSError:
        pass
    return platform.processor() or platform.machine()
