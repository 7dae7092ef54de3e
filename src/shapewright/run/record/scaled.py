"""Tells from the numbers of a table over which rows it was scaled, and whether another table is the same one rescaled;
from those of pictures, on which scale they are.

Pictures of 8 bits stay on a grid of at most 256 numbers whatever they are scaled with, so the distance between two
neighbors tells their scale. Columns whose mean is 0 and whose deviation is 1 to four digits over all rows of a table
were scaled with all of them: no draw gives that. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch

MANY = 8  # different numbers in a column that is a measurement
NEAR = 1e-4
SAME = 1 - 1e-5  # correlation of a column with itself, rescaled
WIDEST = 512
ALIKE, ROUGHLY = 0.02, 0.15  # of one scale for all columns; of the mean and the deviation of what it left
APART = 50  # times the deviation of one column that another one has
SERIES, WIDE = 100, 16  # steps, and numbers per step
TINY, RARE = 2e-5, 1e-6  # of scaled numbers; of chances
LEVELS = (48, 256)  # different numbers in one channel of pictures
SPREAD = (127, 255)  # steps from the darkest to the brightest
PIXELS = 40_000


def standardized(table: torch.Tensor | None, ranges: bool = True) -> bool:
    """Whether most columns of measurements have the mean 0 and the deviation 1, or, with `ranges`, reach from 0 to 1,
    over all rows.

    >>> table = torch.arange(60.0).reshape(20, 3).sin()
    >>> standardized(table), standardized((table - table.mean(0)) / table.std(0))
    (False, True)
    """
    columns = _columns(table)
    if columns is None:
        return False
    real = [column for column in columns.unbind(1) if len(column.unique()) > MANY]
    centred = [column for column in real if float(column.mean().abs()) < NEAR and _unit(column)]
    ranged = [column for column in real if ranges and float(column.min()) == 0 and abs(float(column.max()) - 1) < 1e-6]
    ranged = [column for column in ranged if not bool(((column * 255).round() - column * 255).abs().max() < 1e-3)]
    return bool(real) and (2 * len(centred) > len(real) or (len(ranged) > 1 and 2 * len(ranged) > len(real)))


def rescaled(one: torch.Tensor | None, other: torch.Tensor | None) -> bool:
    """Whether two tables of one shape hold the same rows in the same order, each column on another scale."""
    left, right = _columns(one), _columns(other)
    if left is None or right is None or left.shape != right.shape:
        return False
    left, right = left - left.mean(0), right - right.mean(0)
    norms = left.norm(dim=0) * right.norm(dim=0)
    varied = norms > 1e-9
    return bool(varied.any()) and bool(((left * right).sum(0)[varied] / norms[varied] > SAME).all())


def scale_of(raw: torch.Tensor, scaled: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor] | None:
    """`(center, spread)` of every column with which one table was made of another: `(raw - center) / spread`.

    >>> center, spread = scale_of(torch.arange(10.0), torch.arange(10.0) / 4 - 1)
    >>> center.tolist(), spread.tolist()
    ([4.0], [4.0])
    """
    left, right = _columns(raw), _columns(scaled)
    if left is None or right is None or left.shape != right.shape:
        return None
    spread = left.std(0) / right.std(0).clamp_min(1e-12)
    return left.mean(0) - right.mean(0) * spread, spread


def one_scale(raw: torch.Tensor | None, scaled: torch.Tensor | None) -> tuple[int, float, int, float] | None:
    """Of a table that one mean and one deviation, and no round numbers, made of another one: the column that deviates
    least, by how much, and the one that deviates most; nothing where all deviate by amounts that are alike.

    >>> raw = torch.linspace(0, 9, 40)[:, None].sin() * torch.tensor([9000.0, 3.0]) + torch.tensor([30000.0, 40.0])
    >>> found = one_scale(raw, (raw - raw.mean()) / raw.std())
    >>> found[0], found[2], one_scale(raw, (raw - raw.mean(0)) / raw.std(0))
    (1, 0, None)
    """
    scale, columns = (
        (scale_of(raw, scaled), _columns(scaled)) if raw is not None and scaled is not None else (None,) * 2
    )
    if scale is None or columns is None or not 1 < columns.shape[1] <= WIDE:
        return None
    own = columns.std(0)
    own[own <= 0] = own.max()
    wide, narrow = int(own.argmax()), int(own.argmin())
    center, spread = (part / scale[1][wide] for part in scale)
    one = bool(((spread - 1).abs() < ALIKE).all()) and bool(((center - center[wide]).abs() < ALIKE).all())
    amount = float(scale[1][wide])
    fixed = abs(amount - float(f"{amount:.2g}")) < NEAR * amount
    centred = abs(float(columns.mean())) < ROUGHLY and abs(float(columns.std()) - 1) < ROUGHLY
    if not one or fixed or not centred or float(own[wide]) < APART * float(own[narrow]):
        return None
    return narrow, float(own[narrow]), wide, float(own[wide])


def scaled_by(table: torch.Tensor, scale: tuple[torch.Tensor, torch.Tensor]) -> bool:
    """Whether a table's own averages and deviations, or its ends, are a scale; round numbers tell nothing."""
    columns, (center, spread) = _columns(table), scale
    if columns is None or columns.shape[1] != len(center) or bool((spread <= 0).any()):
        return False
    near = NEAR * spread
    centred = ((columns.mean(0) - center).abs() < near) & any_of(
        [(columns.std(0, correction=lost) - spread).abs() < near for lost in (0, 1)]
    )
    least, most = columns.min(0).values, columns.max(0).values
    round_ends = (spread - spread.round()).abs() < near
    ranged = ((least - center).abs() < near) & ((most - least - spread).abs() < near) & ~round_ends
    return bool(centred.all()) or bool(ranged.all())


def forms(table: torch.Tensor) -> Iterator[torch.Tensor]:
    """A table, (rows, columns), scaled by the averages and deviations of its columns, and by their ends."""
    off = table - table.mean(0)
    for lost in (0, 1):
        yield off / table.std(0, correction=lost).clamp_min(1e-12)
    least, most = table.min(0).values, table.max(0).values
    yield (table - least) / (most - least).clamp_min(1e-12)


def windows_of(table: torch.Tensor, learned: list[torch.Tensor], judged: list[torch.Tensor]) -> bool:
    """Whether windows hold numbers of a series that was scaled by its own averages and deviations, or ends, and some
    that are judged lie before or after all that was learned from.

    >>> raw = torch.linspace(0, 9, 200).sin() * 4 + 20
    >>> cut = ((raw - raw.mean()) / raw.std()).unfold(0, 10, 1)
    >>> windows_of(raw, [cut[:150]], [cut[160:]]), windows_of(raw, [raw[:150, None]], [raw[160:, None]])
    (True, False)
    """
    columns = table.reshape(len(table), -1).double()
    width = columns.shape[1]
    if len(columns) < SERIES or width > WIDE or not bool(columns.isfinite().all()) or not (learned and judged):
        return False
    if any(part.shape[1] <= width for part in (*learned, *judged)):
        return False  # rows, not windows
    given = [torch.cat([part.flatten() for part in parts]).double() for parts in (learned, judged)]
    if any(_places(columns, part) is not None for part in given):
        return False  # as they were
    for form in forms(columns):
        places = [_places(form, part) for part in given]
        if places[0] is not None and places[1] is not None:
            own, asked = (part // width for part in places if part is not None)
            if len(asked[(asked < own.min()) | (asked > own.max())].unique()) >= MANY:
                return True
    return False


def _places(table: torch.Tensor, given: torch.Tensor) -> torch.Tensor | None:
    """Where each of some numbers lies in a table; `None` where any does not, or all may by chance."""
    ordered, order = table.flatten().sort()
    at = torch.searchsorted(ordered, given).clamp(1, len(ordered) - 1)
    at = torch.where((given - ordered[at - 1]).abs() < (given - ordered[at]).abs(), at - 1, at)
    chance = len(ordered) * 2 * TINY / max(float(ordered[-1] - ordered[0]), TINY)
    if not bool(((given - ordered[at]).abs() < TINY).all()) or chance ** len(given.unique()) > RARE:
        return None
    return order[at]


def any_of(parts: list[torch.Tensor]) -> torch.Tensor:
    """Where any of some conditions hold."""
    return torch.stack(parts).any(0)


def pixel_step(value: torch.Tensor) -> float:
    """The distance between neighboring numbers of 8-bit pictures, (B, C, H, W), (B, H, W) or (B, at least 64 pixels),
    in their first channel; 0 for what is no such grid.

    >>> pictures = torch.arange(512).remainder(256).reshape(2, 256)
    >>> pixel_step(pictures / 256), pixel_step(pictures / 512 - 1), pixel_step(pictures.sqrt())
    (0.00390625, 0.001953125, 0.0)
    """
    if not value.dtype.is_floating_point or value.dim() not in (2, 3, 4) or (value.dim() == 2 and value.shape[1] < 64):
        return 0.0
    plane = value.detach()[:, 0] if value.dim() == 4 else value.detach()
    levels = plane[: max(1, PIXELS // max(1, plane[0].numel()))].double().unique()
    if not LEVELS[0] <= len(levels) <= LEVELS[1] or not bool(levels.isfinite().all()):
        return 0.0
    span, step = float(levels[-1] - levels[0]), float(levels.diff().min())
    count = round(span / step)
    places = (levels - levels[0]) * (count / span)
    on_grid = SPREAD[0] <= count <= SPREAD[1] and float((places - places.round()).abs().max()) < 0.05
    return span / count if on_grid else 0.0


def _columns(table: torch.Tensor | None) -> torch.Tensor | None:
    if table is None or len(table) < MANY or table.dim() > 2:
        return None
    columns = table.reshape(len(table), -1).double()
    return columns if columns.shape[1] <= WIDEST and bool(columns.isfinite().all()) else None


def _unit(column: torch.Tensor) -> bool:
    return any(abs(float(column.std(correction=lost)) - 1) < NEAR for lost in (0, 1))
