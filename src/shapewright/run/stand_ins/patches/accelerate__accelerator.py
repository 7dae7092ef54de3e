"""Accelerate in one process on the CPU: half precision that needs a GPU and trackers are turned off."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

from ..context import Context


def patch(module: ModuleType, context: Context) -> None:
    """Wrap `Accelerator.__init__` and what writes."""
    import torch

    kind = module.Accelerator
    make = kind.__init__
    names = list(inspect.signature(make).parameters)[1:]

    def __init__(self: Any, *args: Any, **options: Any) -> None:
        options.update(zip(names, args))
        if options.get("mixed_precision") in ("fp16", "fp8") and not torch.cuda.is_available():
            options["mixed_precision"] = "no"
        for name in (
            "log_with",
            "deepspeed_plugin",
            "fsdp_plugin",
            "megatron_lm_plugin",
            "dynamo_backend",
            "dynamo_plugin",
        ):
            options.pop(name, None)
        make(self, **options)

    kind.__init__ = __init__
    kind.init_trackers = lambda self, *args, **options: None
    kind.log = lambda self, *args, **options: None
