"""Asks the user's data sets whether a picture is mirrored and what belongs to it is not.

A sample is read with several seeds. Where one of its parts comes out mirrored against another reading and a map of the
same extent, or a place within the picture, comes out the same, the two no longer belong together. The line is the one
that ran in one of the two readings alone. It judges nothing beyond that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...trace import Site, Turned
from .seeds import seed_all

SEEDS, ITEMS, LEAST, WIDTH = 6, 32, 12, 4
TELLING = 0.6  # correlation with the place of what the picture shows


def turned(dataset: Any, display: Callable[[str], str]) -> Turned | None:
    """The first part that is mirrored alone, of a data set that may be asked once more."""
    one, *others = (_read(dataset, 0, seed) for seed in range(SEEDS))
    for seed, other in enumerate(others, 1):
        for place, axis in _mirrored(one, other):
            kept = [k for k in range(len(one)) if k != place and all(_same(one, another, k) for another in others)]
            maps = [k for k in kept if _map(one[k], one[place].shape, axis)]
            places = [k for k in kept if not maps and one[k].dim() == 1 and _places(dataset, place, axis, k)]
            site = _apart(dataset, seed, display) if maps or places else None
            if site is not None:
                return Turned("map" if maps else "place", type(dataset).__name__, site, place, (maps or places)[0])
    return None


def _same(one: list[torch.Tensor], other: list[torch.Tensor], part: int) -> bool:
    return part < len(other) and one[part].shape == other[part].shape and torch.equal(one[part], other[part])


def _read(dataset: Any, index: int, seed: int) -> list[torch.Tensor]:
    """The numbers of one sample, part by part."""
    seed_all(seed)
    return list(_parts(dataset[index]))


def _parts(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value.detach().double()
    elif type(value).__module__ == "numpy" and getattr(getattr(value, "dtype", None), "kind", "") in "fiub":
        yield torch.as_tensor(value.copy()).double()
    elif isinstance(value, dict):
        for part in value.values():
            yield from _parts(part)
    elif isinstance(value, (list, tuple)):
        if value and all(isinstance(part, (int, float)) for part in value):
            yield torch.tensor(value).double()
        else:
            for part in value:
                yield from _parts(part)
    elif isinstance(value, (int, float)):
        yield torch.tensor(float(value)).double()


def _mirrored(one: list[torch.Tensor], other: list[torch.Tensor]) -> Iterator[tuple[int, int]]:
    """`(part, axis from the end)` of every part that is the other reading's, mirrored."""
    for place, (left, right) in enumerate(zip(one, other)):
        if left.shape == right.shape and left.dim() >= 2 and not torch.equal(left, right):
            for axis in range(-left.dim(), 0):
                if left.shape[axis] >= WIDTH and torch.equal(left.flip(axis), right):
                    yield place, axis


def _map(part: torch.Tensor, shape: torch.Size, axis: int) -> bool:
    """Whether a part is laid out as the picture is, and is not its own mirror image."""
    spatial = {n for n in shape if n >= WIDTH}
    own = next((k for k in range(-part.dim(), 0) if part.shape[k] == shape[axis]), None)
    return part.dim() >= 2 and own is not None and spatial <= set(part.shape) and not torch.equal(part.flip(own), part)


def _places(dataset: Any, place: int, axis: int, part: int) -> bool:
    """Whether one of a few numbers follows what the picture shows along the mirrored axis."""
    count = min(ITEMS, len(dataset))
    read = [_read(dataset, index, 0) for index in range(count)] if count >= LEAST else []
    numbers = torch.stack([one[part] for one in read]) if read and len({one[part].shape for one in read}) == 1 else None
    if numbers is None or not 2 <= numbers.shape[1] <= 8:
        return False
    centres = []
    for one in read:
        shown = (
            (one[place] - one[place].median()).abs().pow(2).movedim(axis, 0).reshape(one[place].shape[axis], -1).sum(1)
        )
        centres.append(float((shown * torch.arange(len(shown))).sum() / shown.sum().clamp(min=1e-9)))
    around = torch.tensor(centres).double()
    around = around - around.mean()
    told = numbers - numbers.mean(0)
    norms = (told.norm(dim=0) * around.norm()).clamp(min=1e-9)
    return bool(((told * around[:, None]).sum(0).abs() / norms > TELLING).any())


def _apart(dataset: Any, seed: int, display: Callable[[str], str]) -> Site | None:
    """The first line that runs in one of two readings alone, else where reading begins."""
    code = type(dataset).__getitem__.__code__
    lines = []
    for given in (0, seed):
        ran: set[int] = set()

        def follow(frame: Any, event: str, argument: Any, ran: set[int] = ran) -> Any:
            if frame.f_code is code and event == "line":
                ran.add(frame.f_lineno)
            return follow if frame.f_code is code else None

        before = sys.gettrace()
        sys.settrace(follow)
        try:
            _read(dataset, 0, given)
        finally:
            sys.settrace(before)
        lines.append(ran)
    alone = sorted(lines[0] ^ lines[1]) or [code.co_firstlineno]
    return Site(display(code.co_filename), alone[0], 1, alone[0], 1)
