"""Whether numbers are estimates of advantages or returns from rewards and values, and which way these run:
`x[t] = r[t] + m[t] * (b * v[t + 1] + c * x[t + 1]) + d * v[t]`, with d = -1 for advantages and 0 for returns
(Schulman et al., High-Dimensional Continuous Control Using Generalized Advantage Estimation, 2016, eq. 16).

Everything is solved for by least squares over the columns that the script holds; no name is looked at."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from ...dataclass import dataclass
from .beside import Column

NEAR = 4e-4  # of the largest number
COLUMNS, MARKS, LEAST, FEWEST = 8, 4, 12, 4


@dataclass(frozen=True)
class Estimate:
    """How numbers run: `kind` as in `RunningSum`, and the flags at which alone they go on."""

    kind: str
    addend: Column
    kept: str = ""


def estimated(x: torch.Tensor, held: list[Column]) -> Estimate | None:
    """The wrong way in which numbers run; `None` where they run as they should, or are something else.

    Args:
        x: (T,) numbers, one a step.
        held: columns of T numbers each.
    """
    if len(x) < LEAST:
        return None
    numbers = [column for column in held if not column.truth and not torch.equal(column.numbers, x)]
    rewards = [column for column in numbers if not column.flags][:COLUMNS]
    values = [column for column in rewards if float(column.numbers.std()) > 0]
    marks = [column for column in held if column.flags][:MARKS]
    wrong: Estimate | None = None
    for reward in rewards:
        for value in (column for column in values if column is not reward):
            for kind, kept, goes in _ways(x, marks):
                if not _fits(x, reward.numbers, value.numbers, goes, -1 if kind == "before" else 1):
                    continue
                if kind == "following" and not kept:
                    return None
                wrong = wrong or Estimate(kind, reward, kept)
    return wrong


def _ways(x: torch.Tensor, marks: list[Column]) -> Iterator[tuple[str, str, torch.Tensor]]:
    """`(kind, flags at which alone it goes on, where it goes on)`: the right ways first. Flags are those of a step, or
    of the state before it."""
    open_ = [("", torch.ones_like(x))]
    closed = []
    for column in marks:
        for flags in (column.numbers, torch.cat([column.numbers[1:], column.numbers[:1]])):
            open_.append(("", 1 - flags))
            closed.append((column.name, flags))
    for kind, ways in (("following", open_), ("following", closed), ("before", open_)):
        for kept, goes in ways:
            yield kind, kept, goes


def _fits(x: torch.Tensor, r: torch.Tensor, v: torch.Tensor, goes: torch.Tensor, way: int) -> bool:
    """Whether the numbers follow from rewards, values and the numbers one step further along `way`."""
    inner = slice(1, -1)
    along = x[2:] if way > 0 else x[:-2]
    on = goes[inner]
    if int(on.sum()) < FEWEST:
        return False
    table = torch.stack([on * v[2:], on * along, v[inner]], 1)
    rest = (x - r)[inner, None]
    solved = torch.linalg.lstsq(table, rest, driver="gelsd").solution
    near = NEAR * float(x.abs().max())
    if float((table @ solved - rest).abs().max()) > near:
        return False
    carried = (rest - table[:, 2:] * solved[2]).abs().squeeze(1) > near
    return int(carried.sum()) >= FEWEST and _sensible(solved.squeeze(1), table)


def _sensible(solution: torch.Tensor, table: torch.Tensor) -> bool:
    """Whether there are factors between 0 and 1 that solve it: `solution` is one of those of a table (T, 3)."""
    sizes, turns = torch.linalg.svd(table, full_matrices=False)[1:]
    free = turns[sizes <= 1e-9 * sizes[0]]
    least, most = torch.tensor([0.0, 0.05]), torch.tensor([1.01, 1.01])
    if len(free) > 1 or min(abs(float(solution[2])), abs(float(solution[2]) + 1)) > 0.01:
        return False
    steps = torch.linspace(-2, 2, 401) if len(free) else torch.zeros(1)
    tried = solution[:2] + steps[:, None] * (free[0, :2] if len(free) else 0)
    return bool(((tried >= least - 1e-6) & (tried <= most)).all(1).any())
