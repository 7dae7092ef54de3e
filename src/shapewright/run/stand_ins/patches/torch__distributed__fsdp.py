"""Fully sharded training in one process shards nothing."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..context import Context, wrapped
from ..launcher import Passing

WHOLE = ("full_tensor", "to_local")  # what a divided tensor gives


class _Handle:
    """What an asynchronous `unshard` gives."""

    def wait(self) -> None:
        """Nothing is under way."""


def patch(module: ModuleType, context: Context) -> None:
    """Replace the wrapper class, `fully_shard` and the class that it makes modules of."""
    kinds: dict[type, type] = {}
    module.FullyShardedDataParallel = type("FullyShardedDataParallel", (Passing,), {})

    def fully_shard(model: object, *args: object, **options: object) -> Any:
        wrapped()
        _renewed(model)
        for part in model if isinstance(model, (list, tuple)) else [model]:
            kind = type(part)
            if not issubclass(kind, sharded):
                part.__class__ = kinds.setdefault(kind, type(kind.__name__, (sharded, kind), {}))
        return model

    module.fully_shard = fully_shard
    if (real := getattr(module, "FSDPModule", None)) is not None:
        sharded = module.FSDPModule = type("FSDPModule", (), dict.fromkeys(_told(real), _does_nothing))
        sharded.unshard = lambda self, async_op=False: _Handle() if async_op else None
    else:  # of an older torch
        sharded = type("FSDPModule", (), {})


def _told(real: type) -> list[str]:
    """What a sharded module can be told: when to gather, reduce and prefetch."""
    return [name for name, value in vars(real).items() if callable(value) and not name.startswith("_")]


def _does_nothing(self: object, *args: object, **options: object) -> None:
    """Nothing is sharded."""


def _itself(self: object) -> object:
    """The whole of a tensor that was not divided, and this process's part of it."""
    return self


def _renewed(model: Any) -> None:
    """Give every parameter that was not divided before a new one with the same values, as the real one does: an
    optimizer that was built earlier holds the old ones."""
    import torch
    from torch.distributed.tensor import Shard

    for name in WHOLE:  # also of what a state dict holds
        if not hasattr(torch.Tensor, name):
            setattr(torch.Tensor, name, _itself)
    made: dict[Any, Any] = {}
    models = model if isinstance(model, (list, tuple)) else [model]
    for part in (part for model in models for part in model.modules()):
        for name, old in list(part._parameters.items()):
            if old is None or hasattr(old, "_divided"):
                continue
            if old not in made:
                made[old] = torch.nn.Parameter(old.detach(), requires_grad=old.requires_grad)
                made[old]._divided = True
                made[old].placements = (Shard(0),)
            part._parameters[name] = made[old]
