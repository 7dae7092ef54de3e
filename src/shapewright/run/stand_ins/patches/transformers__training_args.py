"""Training arguments of Hugging Face trainers: what would need a GPU, another process, a network or a log folder is
turned off."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from ..context import Context
from ..one_process import supply

_OFF: dict[str, Any] = {
    "push_to_hub": False,
    "load_best_model_at_end": False,
    "torch_compile": False,
    "deepspeed": None,
    "fsdp": "",
    "disable_tqdm": True,
    "dataloader_num_workers": 0,
    "dataloader_prefetch_factor": None,
    "dataloader_persistent_workers": False,
    "auto_find_batch_size": False,
    "report_to": "none",
    "tf32": None,
}


def patch(module: ModuleType, context: Context) -> None:
    """Wrap `TrainingArguments.__post_init__`; classes derived from it (TRL's too) pass there."""
    import torch

    if supply(module, context):
        pieces = importlib.import_module(f"{module.__package__}.trainer_pt_utils")
        module.__dict__.setdefault("AcceleratorConfig", pieces.AcceleratorConfig)
        module.__dict__["is_accelerate_available"] = lambda *_: True
    kind = module.TrainingArguments
    finish = kind.__post_init__

    def __post_init__(self: Any) -> None:
        if getattr(self, "load_best_model_at_end", False) and self.metric_for_best_model is None:
            self.metric_for_best_model = "loss"  # as it would be chosen
        for name, value in _OFF.items():
            if hasattr(self, name):
                setattr(self, name, value)
        if not torch.cuda.is_available():
            for name in ("fp16", "bf16", "fp16_full_eval", "bf16_full_eval"):
                if getattr(self, name, None):
                    setattr(self, name, False)
            if hasattr(self, "use_cpu"):
                self.use_cpu = True
        if "8bit" in str(self.optim) or "paged" in str(self.optim) or "4bit" in str(self.optim):
            self.optim = "adamw_torch"
        finish(self)

    kind.__post_init__ = __post_init__
