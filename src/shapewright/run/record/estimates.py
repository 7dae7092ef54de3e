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
    """How numbers run: `kind` as in `RunningSum`, the flags at which alone they go on, and those at which the value of
    the next state is left out and the sum goes on all the same, and those of which the last is used at the first
    step."""

    kind: str
    addend: Column
    kept: str = ""
    crossed: str = ""
    turned: str = ""


@dataclass(frozen=True)
class Way:
    """`goes` tells where the sum goes on, `read` where the value of the next state counts: (T,) of ones and zeros."""

    kind: str
    goes: torch.Tensor
    read: torch.Tensor
    kept: str = ""
    crossed: str = ""
    turned: str = ""

    @property
    def right(self) -> bool:
        return self.kind == "following" and not (self.kept or self.crossed or self.turned)


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
    ways = [way for way in _ways(x, marks) if int(way.goes[1:-1].sum()) >= FEWEST]
    wrong: dict[tuple[int, int, int], Estimate] = {}
    for place, value in enumerate(values):
        for which, at in _fitting(x, [column.numbers for column in rewards], value.numbers, ways):
            way = ways[which]
            if rewards[at] is value:
                continue
            if way.right:
                return None
            wrong[at, place, which] = Estimate(way.kind, rewards[at], way.kept, way.crossed, way.turned)
        # returns are advantages and values: what the sum crosses is told by the advantages alone
        crossing = [way for way in ways if way.crossed]
        gains = x - value.numbers
        for which, at in _fitting(gains, [column.numbers for column in rewards], value.numbers, crossing):
            if rewards[at] is not value and float(gains.abs().max()) > 0:
                wrong[at, place, which] = Estimate("following", rewards[at], crossed=crossing[which].crossed)
    return wrong[min(wrong)] if wrong else _turned(x, rewards, values, marks)


def _turned(x: torch.Tensor, rewards: list[Column], values: list[Column], marks: list[Column]) -> Estimate | None:
    """Numbers that run as they should from the last to the first."""
    ways = [way for way in _ways(x, marks) if way.right and int(way.goes[1:-1].sum()) >= FEWEST]
    for value in values:
        for _, at in _fitting(x.flip(0), [column.numbers for column in rewards], value.numbers, ways):
            if rewards[at] is not value:
                return Estimate("turned", rewards[at])
    return None


def _ways(x: torch.Tensor, marks: list[Column]) -> Iterator[Way]:
    """The right ways first. Flags are those of a step, or of the state before it."""
    everywhere = torch.ones_like(x)
    open_, closed, crossed, turned = [everywhere], [], [], []
    for column in marks:
        for flags in (column.numbers, torch.cat([column.numbers[1:], column.numbers[:1]])):
            open_.append(1 - flags)
            if int(flags.sum()) * 3 < len(flags):  # those of the last steps are few: others tell that it goes on
                closed.append((column.name, flags))
        if column.ends is not None and bool(column.ends[1:-1].any()) and int(column.ends.sum()) * 3 < len(x):
            crossed.append((column.name, (~column.ends).to(x.dtype)))
            open_.append(crossed[-1][1])
        if few(column):
            turned.append((column.name, 1 - column.numbers.flip(0)))
    yield from (Way("following", goes, goes) for goes in open_)
    yield from (Way("following", goes, goes, kept) for kept, goes in closed)
    yield from (Way("following", everywhere, read, crossed=name) for name, read in crossed)
    yield from (Way("following", goes, read, turned=name) for name, goes in turned for read in (goes, *open_))
    yield from (Way("before", goes, goes) for goes in open_)


def few(column: Column) -> bool:
    """Whether flags are set at two steps or more, at a few of them, and not at the same ones from the end."""
    ones = int(column.numbers[1:-1].sum())
    return ones >= 2 and ones * 3 < len(column.numbers) and not torch.equal(column.numbers, column.numbers.flip(0))


def _fitting(
    x: torch.Tensor, rewards: list[torch.Tensor], v: torch.Tensor, ways: list[Way]
) -> Iterator[tuple[int, int]]:
    """`(way, reward)`, by their places, where the numbers follow from rewards, values and the numbers one step
    further along the way. All are solved for at once: (ways, T - 2, 3) and (ways, T - 2, rewards)."""
    if not ways:
        return
    inner = slice(1, -1)
    on, read = (torch.stack(given)[:, inner] for given in ([w.goes for w in ways], [w.read for w in ways]))
    along = torch.stack([x[:-2] if way.kind == "before" else x[2:] for way in ways])
    tables = torch.stack([read * v[2:], on * along, v[inner].expand_as(on)], 2)
    rests = torch.stack([x - reward for reward in rewards], 1)[inner].expand(len(ways), -1, -1)
    solved = torch.linalg.lstsq(tables, rests, driver="gelsd").solution
    near = NEAR * float(x.abs().max())
    for way, at in ((tables @ solved - rests).abs().amax(1) <= near).nonzero().tolist():
        carried = (rests[way, :, at] - tables[way, :, 2] * solved[way, 2, at]).abs() > near
        if int(carried.sum()) >= FEWEST and _sensible(solved[way, :, at], tables[way], bool(ways[way].crossed)):
            yield way, at


def _sensible(solution: torch.Tensor, table: torch.Tensor, reads: bool) -> bool:
    """Whether there are factors between 0 and 1 that solve it, and the values count where it `reads` them: `solution`
    is one of those of a table (T, 3)."""
    sizes, turns = torch.linalg.svd(table, full_matrices=False)[1:]
    free = turns[sizes <= 1e-9 * sizes[0]]
    least, most = torch.tensor([0.05 if reads else 0.0, 0.05]), torch.tensor([1.01, 1.01])
    if len(free) > 1 or min(abs(float(solution[2])), abs(float(solution[2]) + 1)) > 0.01:
        return False
    steps = torch.linspace(-2, 2, 401) if len(free) else torch.zeros(1)
    tried = solution[:2] + steps[:, None] * (free[0, :2] if len(free) else 0)
    return bool(((tried >= least - 1e-6) & (tried <= most)).all(1).any())
