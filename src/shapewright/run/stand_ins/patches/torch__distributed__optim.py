"""Optimizers over parameters that lie on several ranks step those of this process."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..context import Context


class DistributedOptimizer:
    """An optimizer over remote references to parameters."""

    def __init__(self, optimizer_class: Any, params_rref: list[Any], *args: Any, **options: Any) -> None:
        self.optimizer = optimizer_class([reference.local_value() for reference in params_rref], *args, **options)

    def step(self, context_id: int) -> None:
        """A step with the gradients of the context, which is the one under way."""
        self.optimizer.step()


def patch(module: ModuleType, context: Context) -> None:
    """Replace the optimizers."""

    def divided(params: object, optimizer_class: Any, *_: object, **options: Any) -> Any:
        ours = ("process_group", "parameters_as_bucket_view", "overlap_with_ddp")
        optimizer = optimizer_class(params, **{name: value for name, value in options.items() if name not in ours})
        optimizer.consolidate_state_dict = lambda to=0: None
        return optimizer

    module.DistributedOptimizer = DistributedOptimizer
    module.ZeroRedundancyOptimizer = divided
