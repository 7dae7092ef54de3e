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
    ways = [way for way in _ways(x, marks) if int(way[2][1:-1].sum()) >= FEWEST]
    wrong: dict[tuple[int, int, int], Estimate] = {}
    for place, value in enumerate(values):
        for which, at in _fitting(x, [column.numbers for column in rewards], value.numbers, ways):
            kind, kept, _ = ways[which]
            if rewards[at] is value:
                continue
            if kind == "following" and not kept:
                return None
            wrong[at, place, which] = Estimate(kind, rewards[at], kept)
    return wrong[min(wrong)] if wrong else None


def _ways(x: torch.Tensor, marks: list[Column]) -> Iterator[tuple[str, str, torch.Tensor]]:
    """`(kind, flags at which alone it goes on, where it goes on)`: the right ways first. Flags are those of a step, or
    of the state before it."""
    open_ = [("", torch.ones_like(x))]
    closed = []
    for column in marks:
        for flags in (column.numbers, torch.cat([column.numbers[1:], column.numbers[:1]])):
            open_.append(("", 1 - flags))
            if int(flags.sum()) * 3 < len(flags):  # those of the last steps are few: others tell that it goes on
                closed.append((column.name, flags))
    for kind, ways in (("following", open_), ("following", closed), ("before", open_)):
        for kept, goes in ways:
            yield kind, kept, goes


def _fitting(
    x: torch.Tensor, rewards: list[torch.Tensor], v: torch.Tensor, ways: list[tuple[str, str, torch.Tensor]]
) -> Iterator[tuple[int, int]]:
    """`(way, reward)`, by their places, where the numbers follow from rewards, values and the numbers one step
    further along the way. All are solved for at once: (ways, T - 2, 3) and (ways, T - 2, rewards)."""
    if not ways:
        return
    inner = slice(1, -1)
    on = torch.stack([goes for _, _, goes in ways])[:, inner]
    along = torch.stack([x[:-2] if kind == "before" else x[2:] for kind, _, _ in ways])
    tables = torch.stack([on * v[2:], on * along, v[inner].expand_as(on)], 2)
    rests = torch.stack([x - reward for reward in rewards], 1)[inner].expand(len(ways), -1, -1)
    solved = torch.linalg.lstsq(tables, rests, driver="gelsd").solution
    near = NEAR * float(x.abs().max())
    for way, at in ((tables @ solved - rests).abs().amax(1) <= near).nonzero().tolist():
        carried = (rests[way, :, at] - tables[way, :, 2] * solved[way, 2, at]).abs() > near
        if int(carried.sum()) >= FEWEST and _sensible(solved[way, :, at], tables[way]):
            yield way, at


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
