"""Asks a data set whether a generator is made anew, with one seed, for every sample that is read, so that all samples
get the same random numbers.

A few samples are read with the user's seeds and with other ones. What the other seeds change is the same for each
sample where it is noise that is added, or takes few forms where a sample is turned or mirrored; a fixed order of
pixels and fixed weights are neither. It judges nothing beyond that.
"""

from __future__ import annotations

from typing import Any

import torch

from ...trace import Reseeded
from .seedings import Seedings
from .seeds import seed_all
from .turned import parts

ITEMS, SHIFTS, FORMS = 4, 12, 4
DIFFERENT = 8  # numbers in noise
SHARE = 0.3  # of the numbers of a part that got the same noise: the others may be cut off at an end
NEAR = 1e-3
Reading = tuple[list[tuple[Any, int]], list[torch.Tensor]]


def reseeded(dataset: Any, seedings: Seedings) -> Reseeded | None:
    """The first line that seeds in the same way for each of a few samples, and what that does to them."""
    if len(dataset) < ITEMS:
        return None
    heard, _ = _reading(dataset, 0, seedings, 0)
    own = [_reading(dataset, at, seedings, 0) for at in range(ITEMS)] if heard else []
    if not own or any(told != heard for told, _ in own):
        return None
    site = seedings.marks.recorder.sources.sites(heard[0][0])[-1]
    others = [_reading(dataset, at, seedings, 1)[1] for at in range(ITEMS)]
    for place in range(len(own[0][1])):
        moved = [other[place] - held[place] for (_, held), other in zip(own, others) if _alike(held, other, place)]
        if len(moved) == ITEMS and _noise(moved) and not _same([held[place] for _, held in own]):
            return Reseeded(site, heard[0][1], "noise")
    read = [own[0][1], others[0], *(_reading(dataset, 0, seedings, shift)[1] for shift in range(2, SHIFTS))]
    forms = {tuple((len(part), float(part.sum()), float(part @ _weights(part))) for part in one) for one in read}
    return Reseeded(site, heard[0][1], "form") if 1 < len(forms) <= FORMS else None


def _reading(dataset: Any, index: int, seedings: Seedings, shift: int) -> Reading:
    """What is seeded while a sample is read, and its numbers, part by part."""
    seed_all(0)
    with seedings.active(), seedings.shifted(shift) as heard:
        return heard, [part.reshape(-1) for part in parts(dataset[index])]


def _alike(held: list[torch.Tensor], other: list[torch.Tensor], place: int) -> bool:
    return place < min(len(held), len(other)) and held[place].shape == other[place].shape


def _same(one: list[torch.Tensor]) -> bool:
    return all(torch.equal(one[0], other) for other in one)


def _noise(moved: list[torch.Tensor]) -> bool:
    """Whether the same many different numbers were added to all."""
    first = moved[0]
    if any(part.shape != first.shape for part in moved) or len(first.unique()) < DIFFERENT:
        return False
    near = NEAR * float(first.abs().max())
    same = torch.stack([(part - first).abs() <= near for part in moved[1:]]).all(0) & (first.abs() > near)
    return float(same.double().mean()) >= SHARE


def _weights(part: torch.Tensor) -> torch.Tensor:
    return torch.arange(1, part.numel() + 1, dtype=torch.float64).sin()
