"""Splits and parts of data that were made up: the lengths that a script asks for are those of the real data. Samplers
that give their data on, as they once did."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from ..context import Context


def patch(module: ModuleType, context: Context) -> None:
    """`random_split` keeps its shares of fewer rows than the script counts on, where rows were made up, and `Subset`
    those that there are; `Sampler` takes its data."""
    original = getattr(module.random_split, "__wrapped__", module.random_split)

    @functools.wraps(original)
    def random_split(dataset: Any, lengths: Sequence[Any], *args: Any, **options: Any) -> Any:
        whole, known = len(dataset), all(type(part) is int and part >= 0 for part in lengths)
        if context.active and context.few and known and sum(lengths) != whole and sum(lengths):
            context.note("rows-left-out", count=whole, total=sum(lengths))
            kept = [max(1, part * whole // sum(lengths)) if part else 0 for part in lengths[:-1]]
            lengths = [*kept, whole - sum(kept)]
        return original(dataset, lengths, *args, **options)

    module.random_split = module.dataset.random_split = random_split  # type: ignore[attr-defined]

    choose = getattr(module.Subset.__init__, "__wrapped__", module.Subset.__init__)

    @functools.wraps(choose)
    def chosen(self: Any, dataset: Any, indices: Sequence[Any]) -> None:
        if context.active and context.few and isinstance(indices, (list, range)) and indices:
            there = [at for at in indices if type(at) is int and at < len(dataset)]
            if 0 < len(there) < len(indices):
                context.note("rows-left-out", count=len(there), total=len(indices))
                indices = there
        choose(self, dataset, indices)

    module.Subset.__init__ = chosen  # type: ignore[attr-defined]

    def __init__(self: Any, *data: Any, **named: Any) -> None:
        if data or named.keys() == {"data_source"}:
            context.note("old-interface", old="Sampler(data_source)", new="Sampler()")
            data, named = (), {}
        super(module.Sampler, self).__init__(*data, **named)

    module.Sampler.__init__ = __init__  # type: ignore[attr-defined]
