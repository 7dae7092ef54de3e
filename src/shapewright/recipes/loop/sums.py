"""Running sums over an epoch, kept on the device and read only when someone looks.

A metric is a ratio of sums over *samples*, never a mean of batch means: a ragged last batch then weighs what it should.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping

import torch
from accelerate import Accelerator
from torch import Tensor


class Sums:
    """Named sums. `add(loss=Tensor of shape (), count=32)`; `mean("loss")` is `loss / count`."""

    def __init__(self, values: Mapping[str, float] | None = None) -> None:
        self.values: dict[str, Tensor | float] = dict(values or {})
        self.counting = True

    def add(self, **amounts: Tensor | float) -> None:
        """Add to each named sum. Tensors have shape () and are detached; nothing is copied from the device.

        Where `counting` is false the amounts are named but not counted (see `Batch.share`): every process keeps the
        same names.
        """
        for key, amount in amounts.items():
            amount = amount.detach() if isinstance(amount, Tensor) else amount
            if not self.counting:
                amount = 0.0
            old = self.values.get(key)
            self.values[key] = amount if old is None else old + amount

    @contextlib.contextmanager
    def uncounted(self) -> Iterator[None]:
        """Within, nothing that is added counts."""
        counted, self.counting = self.counting, False
        try:
            yield
        finally:
            self.counting = counted

    def read(self, key: str) -> float:
        """One sum as a number of this process."""
        return float(self.values.get(key, 0.0))

    def mean(self, key: str, count: str = "count") -> float:
        """`key / count` of this process; 0 before anything was counted."""
        return self.read(key) / max(self.read(count), 1e-12)

    def reduced(self, accelerator: Accelerator) -> dict[str, float]:
        """All sums, added up over the processes. Every process must call it with the same names."""
        names = sorted(self.values)
        numbers = torch.tensor([self.read(name) for name in names], dtype=torch.float64)
        if accelerator.num_processes > 1:
            if accelerator.device.type == "mps":  # it has no float64
                numbers = numbers.float()
            numbers = accelerator.reduce(numbers.to(accelerator.device), reduction="sum").cpu()
        return dict(zip(names, numbers.tolist()))

    def state_dict(self) -> dict[str, float]:
        """The sums as numbers."""
        return {key: self.read(key) for key in self.values}

    def clear(self) -> None:
        self.values.clear()
