"""Fully sharded training in one process shards nothing."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..context import Context, wrapped
from ..launcher import Passing


def patch(module: ModuleType, context: Context) -> None:
    """Replace the wrapper class and `fully_shard`."""
    module.FullyShardedDataParallel = type("FullyShardedDataParallel", (Passing,), {})

    def fully_shard(model: object, *args: object, **options: object) -> Any:
        wrapped()
        _renewed(model)
        return model

    module.fully_shard = fully_shard


def _renewed(model: Any) -> None:
    """Give every parameter that was not divided before a new one with the same values, as the real one does: an
    optimizer that was built earlier holds the old ones."""
    import torch

    made: dict[Any, Any] = {}
    for part in model.modules():
        for name, old in list(part._parameters.items()):
            if old is None or hasattr(old, "_divided"):
                continue
            if old not in made:
                made[old] = torch.nn.Parameter(old.detach(), requires_grad=old.requires_grad)
                made[old]._divided = True
            part._parameters[name] = made[old]
