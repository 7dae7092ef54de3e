"""Fully sharded training in one process shards nothing."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..context import Context, wrapped
from ..launcher import Passing


def patch(module: ModuleType, context: Context) -> None:
    """Replace the wrapper class and `fully_shard`."""
    module.FullyShardedDataParallel = type("FullyShardedDataParallel", (Passing,), {})

    def fully_shard(model: Any, *args: Any, **options: Any) -> Any:
        wrapped()
        return model

    module.fully_shard = fully_shard
