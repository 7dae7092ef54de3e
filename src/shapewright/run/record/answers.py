"""What models answer in evaluation, row by row, and what the script compares it with: rows in another order, or on
another scale.

Answers are known by their values and by the order of the calls. It judges nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...dataclass import dataclass
from ...trace import OffScale, Site
from .losses import LOSSES
from .readable import readable
from .rows import Rows
from .scaled import NEAR, rescaled
from .tables import FEWEST, Keys, Table, fact_of, keys_of

HALF = 0.5
BITS = 16.0  # fewer are the answers to other rows by chance
CALLS, LARGEST, NUMBERS, MEETINGS, TRIES = 256, 200_000, 4_000_000, 64, 1000
LOGARITHMS = (
    (torch.log, torch.exp),
    (torch.log1p, torch.expm1),
    (torch.log2, torch.exp2),
    (torch.log10, lambda part: 10**part),
)
Meeting = tuple[torch.Tensor, torch.Tensor, Site | None]


@dataclass(frozen=True)
class Call:
    """The rows that a model was given, and its answers."""

    keys: Keys
    rows: torch.Tensor


class Answers:
    """Fed with the calls of outermost models, and with pairs of values that are compared."""

    def __init__(self, rows: Rows, place: Callable[[], Site | None]) -> None:
        self.rows, self.place = rows, place
        self.calls: list[Call] = []
        self._left, self._tries = NUMBERS, TRIES
        self.paired: list[tuple[Keys, Keys, Site | None]] = []
        self.beside: list[tuple[Meeting, Keys]] = []  # answers as they are, and rows that they were compared with

    def made(self, args: tuple[object, ...], output: object) -> None:
        """An outermost model answered, not to learn."""
        given = next((value for value in args if isinstance(value, torch.Tensor)), None)
        if given is None or len(self.calls) >= CALLS or not self.rows.tables or self._left < given.numel():
            return
        rows = _rows(output)
        keys = keys_of(given, fewest=1) if rows is not None else None
        if rows is not None and keys is not None and len(keys) == len(rows):
            self._left -= given.numel() + rows.numel()
            self.calls.append(Call(keys, rows))

    def note(self, op: str, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        """Called before every recorded operator."""
        if self.calls and (op in LOSSES or op in ("sub", "eq", "ne")):
            pair = [*args[:2], *(kwargs[name] for name in ("input", "target", "other") if name in kwargs)]
            learns = torch.is_grad_enabled() and any(getattr(one, "requires_grad", False) for one in pair)
            if len(pair) == 2 and not learns:
                self.compared(*pair)

    def compared(self, one: object, other: object) -> None:
        """Two values are laid beside each other."""
        if not self.calls or len(self.paired) + len(self.beside) >= MEETINGS:
            return
        shapes = [tuple(getattr(value, "shape", ())) for value in (one, other)]
        if not all(shapes) or shapes[0][0] != shapes[1][0] or shapes[0][0] < FEWEST or not self._tries:
            return
        self._tries -= 1
        with torch._C.DisableTorchFunction(), torch.no_grad():
            self._noted(one, other)
            self._noted(other, one)

    def _noted(self, answer: object, asked: object) -> None:
        """Keep what an answer was compared with, if it is one."""
        held, keys = _rows(answer), keys_of(asked)
        wanted = _rows(asked) if keys is not None else None
        if held is None or keys is None or wanted is None:
            return
        windows = [(calls, torch.cat([call.rows for call in calls])) for calls in self._windows(len(held))]
        self.rows.words.asked += [(keys, self.place())] if windows else []
        same = [pair for pair in windows if any(_equal(held, form) for form in _forms(pair[1], held.shape[1]))]
        rows = (same or windows or [((), held)])[0][1]
        if len(same) == 1 and _bits(held) >= BITS:
            self.paired.append((tuple(key for call in same[0][0] for key in call.keys), keys, self.place()))
        if windows and held.shape == wanted.shape == rows.shape and held.shape[1] == 1:
            self.beside.append(((held, rows, self.place()), keys))

    def _windows(self, count: int) -> Iterator[list[Call]]:
        """Calls after each other, the last ones first, that answered so many rows in all."""
        for end in range(len(self.calls), 0, -1):
            total = 0
            for start in range(end - 1, -1, -1):
                total += len(self.calls[start].rows)
                if total >= count:
                    break
            part = self.calls[start:end]
            if total == count and len({call.rows.shape[1] for call in part}) == 1:
                yield part

    def off_scale(self) -> OffScale | None:
        """Answers of a model that learned targets on one scale, compared with the same targets on another."""
        tables = [one for one in self.rows.tables if one.keys and isinstance(one.keys[0], float)] if self.beside else []
        asked = [keys for _, keys, _ in self.rows.met]
        learned = [table for table in tables if any(table.counts.keys() >= set(keys) for keys in asked)]
        values = {table.born: torch.tensor(table.keys, dtype=torch.float64) for table in tables}
        for table, raw in ((one, other) for one in learned for other in tables if other is not one):
            scale = _scale(values[raw.born], values[table.born])
            if scale is None or any(raw.holds(keys) for keys in asked):
                continue
            sides = [[one for one in tables if one.holds(side.keys)] for side in (table, raw)]
            for other, own in itertools.permutations(tables, 2):
                alike = _scale(values[other.born], values[own.born])
                if alike is not None and torch.allclose(torch.tensor(alike), torch.tensor(scale), NEAR):
                    sides[0].append(own)
                    sides[1].append(other)
            for (held, rows, where), keys in self.beside:
                here, there = (next((one for one in side if one.holds(keys)), None) for side in sides)
                back = scale[0] and torch.allclose(held, (rows - scale[2]) / scale[1], rtol=1e-3)
                if there is not None and here is None and torch.equal(held, rows):
                    return self._told(table, there, where, held, keys)
                if here is not None and there is None and back and not torch.equal(held, rows):
                    return self._told(raw, here, where, held, keys)
                free = here is None and there is None and _alike(keys, values[raw.born], values[table.born])
                there = raw if free else there
                right = _undone(rows, values[raw.born], values[table.born], scale) if there is not None else None
                if free and right is not None and float((held - right).std()) < NEAR * float(right.std()):
                    continue  # numbers that begin elsewhere, on both sides perhaps
                if right is not None and here is None and _otherwise(held, rows, right, linear=bool(scale[0])):
                    return self._told(table, there, where, held, keys, float(right.mean()))
        return None

    @staticmethod
    def _told(
        answers: Table, targets: Table, where: Site | None, held: torch.Tensor, keys: Keys, right: float | None = None
    ) -> OffScale:
        means = (float(held.mean()), float(torch.tensor(keys).mean()))
        return OffScale(fact_of(answers), fact_of(targets), where, *means, right)


def _scale(one: torch.Tensor, other: torch.Tensor) -> tuple[float, float, float] | None:
    """`(1, slope, offset)` where the numbers of `other` are those of `one` times a slope, and an offset; `(0, 0, 0)`
    where they are those of its logarithm."""
    if len(one) != len(other):
        return None
    if rescaled(one, other):
        slope = float(other.std() / one.std())
        offset = float(other.mean()) - slope * float(one.mean())
        same = abs(slope - 1) < NEAR and abs(offset) < NEAR * float(one.abs().mean())
        return None if same else (1.0, slope, offset)
    logarithms = (one.log(),) if float(one.min()) > 0 else ()
    logarithms += (one.log1p(),) if float(one.min()) >= 0 else ()
    return (0.0, 0.0, 0.0) if any(rescaled(part, other) for part in logarithms) else None


def _undone(
    rows: torch.Tensor, raw: torch.Tensor, scaled: torch.Tensor, scale: tuple[float, float, float]
) -> torch.Tensor | None:
    """Answers on the scale of the targets that they were learned from, where that can be told."""
    if scale[0]:
        return (rows - scale[2]) / scale[1]
    for forward, inverse in LOGARITHMS:
        one = forward(raw)
        if bool(one.isfinite().all()) and rescaled(one, scaled):  # a logarithm may be standardized
            slope = float(scaled.std() / one.std())
            right: torch.Tensor = inverse((rows - (float(scaled.mean()) - slope * float(one.mean()))) / slope)
            return right
    return None


def _alike(keys: Keys, raw: torch.Tensor, scaled: torch.Tensor) -> bool:
    """Whether numbers lie where those of a table do, and not where they do once scaled."""
    asked = torch.tensor(keys, dtype=torch.float64)
    near = [_near(asked, table) for table in (raw, scaled)]
    return near == [True, False]


def _near(asked: torch.Tensor, table: torch.Tensor) -> bool:
    """Whether some numbers have about the center and the spread of others."""
    spread = float(table.std())
    center = abs(float(asked.mean()) - float(table.mean()))
    return center < HALF * spread and HALF * spread < float(asked.std()) < spread / HALF


def _otherwise(held: torch.Tensor, rows: torch.Tensor, right: torch.Tensor, *, linear: bool) -> bool:
    """Whether answers were scaled back by a line, or by a power, that is another than the right one."""
    if len(rows) < FEWEST or torch.allclose(held, right, rtol=1e-2, atol=1e-2 * float(right.std())):
        return False
    if linear:
        return _on_a_line(rows, held)
    return any(bool((part > 0).all()) and _on_a_line(rows, part.log()) for part in (held, held + 1))


def _on_a_line(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether numbers are a slope times others, and an offset."""
    left, right = (part.double() - part.double().mean() for part in (one, other))
    slope = float((left * right).sum() / (left * left).sum().clamp_min(1e-12))
    return abs(slope) > NEAR and float((right - slope * left).norm()) < NEAR * float(right.norm())


def _bits(held: torch.Tensor) -> float:
    """How much a sequence of answers tells: nothing where all are one class."""
    counts = held[:, 0].unique(return_counts=True)[1].double()
    return float((counts * (counts.sum() / counts).log2()).sum())


def _equal(held: torch.Tensor, form: torch.Tensor) -> bool:
    """Whether numbers are what was computed of others, to a few digits; one column may be any of several."""
    if held.shape != form.shape and (held.shape[1] > 1 or len(held) != len(form)):
        return False
    return bool(torch.isclose(held, form, rtol=1e-5, atol=1e-7).all(0).view(-1, held.shape[1]).all(1).any())


def _rows(value: Any) -> torch.Tensor | None:
    """The numbers of each row of a tensor or an array, a copy in single precision."""
    with torch._C.DisableTorchFunction(), torch.no_grad():
        if type(value).__module__ == "numpy" and getattr(value, "ndim", 0) and value.dtype.kind in "fiub":
            made = torch.from_numpy(value.astype("float32")) if 0 < value.size <= LARGEST else None
        elif isinstance(value, torch.Tensor) and value.dim() and not value.is_complex():
            made = value.detach().to("cpu", torch.float32, copy=True) if readable(value, LARGEST) else None
        else:
            return None
        return made.reshape(len(made), -1) if made is not None else None


def _forms(rows: torch.Tensor, width: int) -> Iterator[torch.Tensor]:
    """What scripts make of answers: the answers themselves, the class of the greatest, which side of a threshold, or
    probabilities, those of one class by themselves: of the forms that may be so wide."""
    if rows.shape[1] > 1:
        if width == 1:
            yield rows.argmax(1, keepdim=True).float()
        if width in (1, rows.shape[1]):
            yield from (rows, rows.softmax(1), rows.sigmoid())
    elif width == 1:
        yield from (rows, (rows > 0).float(), (rows > 0.5).float(), rows.sigmoid(), rows.exp())
