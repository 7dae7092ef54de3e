"""How often the chosen answer scores higher: counted over pairs, never averaged over batches, with ties and an
interval."""

import math
from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class Accuracy:
    """`right` of `pairs` were ordered as the person ordered them; `ties` scored exactly the same and count half."""

    right: int
    ties: int
    pairs: int

    @property
    def value(self) -> float:
        """Between 0 and 1; 0.5 for a model that scores everything alike."""
        return (self.right + 0.5 * self.ties) / max(self.pairs, 1)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval.

        >>> tuple(round(end, 3) for end in Accuracy(60, 0, 100).interval)
        (0.502, 0.691)
        """
        if not self.pairs:
            return 0.0, 1.0
        z, n, p = 1.959964, self.pairs, self.value
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(centre - half, 0.0), min(centre + half, 1.0)

    def __str__(self) -> str:
        low, high = self.interval
        ties = f", {self.ties} ties" if self.ties else ""
        return f"{self.value:.1%} of {self.pairs} pairs (95 % interval {low:.1%} to {high:.1%}{ties})"


def judge(chosen_P: Tensor, rejected_P: Tensor) -> Accuracy:
    """Count the pairs of two score vectors. Shape: (pairs,) each.

    Raises:
        ValueError: the shapes are not one and the same `(pairs,)`.
    """
    if chosen_P.shape != rejected_P.shape or chosen_P.dim() != 1:
        raise ValueError(f"scores must both be (pairs,), but are {tuple(chosen_P.shape)} and {tuple(rejected_P.shape)}")
    return Accuracy(int((chosen_P > rejected_P).sum()), int((chosen_P == rejected_P).sum()), chosen_P.numel())
