"""The answers of the probes that ask whether a loss compares every sample with what belongs to it."""

from __future__ import annotations

from typing import ClassVar

from ..dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Pairing:
    """What became of the loss (`before`, `after`) when the samples came in another order. `kind` is empty where it is
    as it should be; `order` (reordered together, the loss moves), `crossed` or `averaged` (the targets fit any sample),
    `partner` (labels of other samples' columns; `cells`: a row, its label, its own column, such rows, of how many) or
    `deaf` (`rows`: as many without two of the samples). `op` is where the pairing is lost, `a` and `b` how its
    operands run; `ops` are all calls between models and loss."""

    QUESTION: ClassVar = "pairing"
    batch: int
    certain: bool
    before: float
    model: str
    ops: tuple[str, ...] = ()
    after: float = 0.0
    alone: float = 0.0
    kind: str = ""
    rows: int | None = None
    cells: tuple[int, ...] = ()
    op: str = ""
    a: str = ""
    b: str = ""
