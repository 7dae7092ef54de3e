"""Weights of torchvision's models that are not in torch's cache are made up instead of downloaded."""

from __future__ import annotations

import os
from types import ModuleType
from typing import Any

from ..context import Context


class MadeUp(dict):
    """Stands for a state dictionary; `load_state_dict` takes it for everything."""


def patch(module: ModuleType, context: Context) -> None:
    """Wrap `WeightsEnum.get_state_dict` and let modules accept its answer."""
    import torch

    original = getattr(module.WeightsEnum.get_state_dict, "__wrapped__", module.WeightsEnum.get_state_dict)
    load = torch.nn.Module.load_state_dict

    def get_state_dict(self: Any, *args: Any, **options: Any) -> Any:
        cached = os.path.join(torch.hub.get_dir(), "checkpoints", self.url.rsplit("/", 1)[-1])
        if os.path.exists(cached):
            return original(self, *args, **options)
        context.note(
            "stand-in-model", name=f"torchvision {type(self).__name__.removesuffix('_Weights')}", width="ImageNet"
        )
        return MadeUp()

    def load_state_dict(self: Any, state_dict: Any, *args: Any, **options: Any) -> Any:
        if isinstance(state_dict, MadeUp):
            return None
        return load(self, state_dict, *args, **options)

    get_state_dict.__wrapped__ = original  # type: ignore[attr-defined]
    module.WeightsEnum.get_state_dict = get_state_dict
    if not hasattr(load, "takes_made_up"):  # a run before this one, in the same process, has wrapped it
        load_state_dict.takes_made_up = True  # type: ignore[attr-defined]
        torch.nn.Module.load_state_dict = load_state_dict
