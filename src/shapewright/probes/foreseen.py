"""Is a model given numbers that were computed from its own target: do they change where the number to predict does?

Rows that the script computed of a series (a moving average, an interpolation) are looked for among the inputs that met
targets in training. Where the target is a later row of that series, the statement that made them is played again with
that one number changed. It judges nothing beyond that.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch

from ..run.record.rederived import Made, table
from ..run.record.rows import Rows
from ..trace import Site

CUT = 64  # rows that windows and gaps leave out
NUMBERS = 1 << 20  # of pieces that are compared at once
SAME = 1 - 1e-6  # correlation of a column with itself, rescaled
TRIES, SHARE, FELT, MOST = 16, 0.25, 0.05, 0.9
WIDELY = 0.5  # of the rows: what moves more of them is a measure of the whole series


def foreseen(kept: list[Made], rows: Rows) -> tuple[Made, int, int, int] | None:
    """`(what made the first rows that change with their target, rows to the target, tries, samples)`."""
    pairs = list(_pairs(rows)) if kept else []
    for made in kept if pairs else ():
        with contextlib.suppress(Exception):  # the user's own code, which need not be repeatable
            for inputs, targets in pairs:
                told = _foreseen(made, inputs, targets)
                if told is not None:
                    return made, *told
    return None


def making(kept: list[Made], rows: Rows, column: int) -> Iterator[Site]:
    """Where the statements stand whose rows are this column of a model's inputs: of the shifted copies of one series
    those that begin with it."""
    inputs = [given[:, [column]] for given, _ in _pairs(rows) if column < given.shape[1]] if kept else []
    found = [
        (len(part), int(at[0]), made.site)
        for made in kept
        for part in made.rows.unbind(1)
        for given in inputs
        for _, at in (places(given, part) if len(part) >= len(given) else ())
    ]
    for length, start, site in found:
        if start == min(first for other, first, _ in found if other == length):
            yield site


def _pairs(rows: Rows) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """The tables of inputs and of targets that met in training, row by row: (rows, columns) and (rows)."""
    seen = set()
    for given, asked, _ in rows.met:
        ours = [one for one in rows.tables if one.telling and one.holds(given)]
        theirs = [one for one in rows.tables if one.holds(asked)]
        for left in ours:
            for right in theirs:
                pair = (left.born, right.born)
                if left is right or len(left.keys) != len(right.keys) or pair in seen:
                    continue
                seen.add(pair)
                inputs, targets = table(left.live), table(right.live)
                if inputs is not None and targets is not None and len(inputs) == len(targets):
                    yield inputs, targets[:, 0]


def _foreseen(made: Made, inputs: torch.Tensor, targets: torch.Tensor) -> tuple[int, int, int] | None:
    """Whether some of the inputs are rows of what was made, and change with the row that is the target."""
    count = len(made.rows)
    read = [(name, held) for name, value in made.given.items() if (held := table(value)) is not None]
    for column in range(made.rows.shape[1]):
        own = dict(places(inputs, made.rows[:, column]))
        for name, held in read if own else ():
            for source in range(held.shape[1]) if len(held) == count else ():
                asked = next((at for _, at in places(targets[:, None], held[:, source])), None)
                if asked is None:
                    continue
                last = torch.stack([at for at in own.values()]).amax(0)
                raw = [at for _, at in places(inputs, held[:, source])]
                shown = torch.stack([last, *raw]).amax(0)
                if float((shown >= asked).double().mean()) > 1 - MOST:
                    continue  # the target is no later than what is read: nothing is forecast
                told = _felt(made, name, source, column, asked, list(own.values()))
                if told:
                    ahead = int((asked - last).median())
                    return ahead, told, len(targets)
    return None


def _felt(made: Made, name: str, source: int, column: int, asked: torch.Tensor, own: list[torch.Tensor]) -> int:
    """How many of `TRIES` targets change an input of their own sample."""
    same = made.again()
    if same is None or not torch.allclose(same, made.rows, rtol=1e-5, equal_nan=True):
        return 0
    felt = 0
    for sample in torch.linspace(0, len(asked) - 1, TRIES + 2).long()[1:-1].tolist():
        other = made.again(name, int(asked[sample]), source)
        if other is None:
            return 0
        moved = (other[:, column] - same[:, column]).abs().nan_to_num()
        if float((moved > FELT * moved.max()).double().mean()) > WIDELY:
            continue
        before = [float(moved[int(at[sample])]) for at in own if at[sample] < asked[sample]]
        felt += bool(before) and max(before) > FELT * float(moved.max()) > 0
    return felt if felt >= SHARE * TRIES else 0


def places(columns: torch.Tensor, series: torch.Tensor) -> Iterator[tuple[int, torch.Tensor]]:
    """`(column, rows of the series)` of the columns that are cut from a series as they are, or in one piece on another
    scale."""
    ordered, order = series.float().sort()
    at = torch.searchsorted(ordered, columns.float().contiguous()).clamp(max=len(ordered) - 1)
    twice = torch.zeros_like(ordered, dtype=torch.bool)
    twice[1:] |= ordered[1:] == ordered[:-1]
    twice[:-1] |= ordered[1:] == ordered[:-1]
    exact = ((ordered[at] == columns.float()) & ~twice[at]).double().mean(0) == 1
    yield from ((column, order[at[:, column]]) for column in exact.nonzero().flatten().tolist())
    varied = (columns.std(0) > 0) & ~exact
    centred = columns - columns.mean(0)
    lengths = centred.norm(dim=0).clamp_min(1e-30)
    starts = min(len(series) - len(columns), CUT) + 1 if bool(varied.any()) else 0
    block = max(1, NUMBERS // len(columns))
    for first in range(0, starts, block):
        last = min(first + block, starts)
        pieces = series[first : last + len(columns) - 1].unfold(0, len(columns), 1)  # (starts, rows)
        pieces = pieces - pieces.mean(1, keepdim=True)
        alike = pieces @ centred / (lengths * pieces.norm(dim=1, keepdim=True).clamp_min(1e-30))
        for start, column in (varied & (alike > SAME)).nonzero().tolist():
            yield column, torch.arange(first + start, first + start + len(columns))
