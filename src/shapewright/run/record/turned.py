"""Asks the user's data sets whether a picture is mirrored and what belongs to it is not.

A sample is read with several seeds. Where one of its parts comes out mirrored against another reading and a map of the
same extent, or a place within the picture, comes out the same, the two no longer belong together. The line is the one
that ran in one of the two readings alone. It judges nothing beyond that.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any

import torch

from ...trace import Site, Turned
from .functions import Called, copied
from .readable import holds
from .seeds import seed_all
from .stepping import stepped

SEEDS, ITEMS, LEAST, WIDTH, FEW = 10, 32, 12, 4, 16
CLEAR, APART = 0.9, 0.3  # correlation of a noisy picture with its own mirror image, and how much less without
TELLING, TELLING_OF_MANY = 0.6, 0.75  # correlation with the place of what the picture shows, by chance of many numbers
POINTS, OTHERS, EXACT, MOVING, HALF = 64, 4, 1e-4, 1e-2, 0.5


def turned(dataset: object, display: Callable[[str], str]) -> Turned | None:
    """The first part that is mirrored alone, of a data set that may be asked once more."""
    read = [reading(dataset, 0, seed) for seed in range(SEEDS)]
    for first, seed in itertools.combinations(range(SEEDS), 2):  # two that are mirrored otherwise alike tell, too
        one, other = read[first], read[seed]
        for place, axis in _mirrored(one, other, exactly=first > 0):
            kept = [k for k in range(len(one)) if k != place and _same(one, other, k)]
            still = [k for k in kept if all(_same(one, another, k) for another in read)]
            # what takes few values is no second view of the picture: once it stays behind, it is not mirrored with it
            apart = [k for k in kept if k in still or len(one[k].unique()) <= FEW]
            maps = [k for k in apart if _map(one[k], one[place].shape, axis)]
            places = [
                k
                for k in range(len(one))
                if not maps
                and k != place
                and len(fixed := _kept(dataset, read, k))
                and _places(dataset, one, place, axis, k, fixed)
            ]
            site = _apart(dataset, first, seed, display) if maps or places else None
            sided = None if site is not None else _sided(dataset, first, seed, place, axis)
            if sided is not None and (line := _apart(dataset, first, seed, display)) is not None:
                return Turned("sides", _name(dataset), line, place, sided)
            if site is not None:
                return Turned("map" if maps else "place", _name(dataset), site, place, (maps or places)[0])
    apart = [
        (first, seed, *pair)
        for first, seed in itertools.combinations(range(SEEDS), 2)
        for pair in itertools.islice(_otherwise(read[first], read[seed]), 1)
    ]
    if apart:
        first, seed, place, beside = min(apart, key=lambda one: _differ(dataset, *one[:2]))
        site = _apart(dataset, first, seed, display, (read[seed][place], read[seed][beside]))
        return Turned("otherwise", _name(dataset), site, place, beside)
    return None


class Collated:
    """A data set as a user's function for batches gives out its samples, one in each batch."""

    def __init__(self, dataset: Any, collate: Callable[[list], Any]) -> None:
        self.dataset, self.collate = dataset, collate

    def __len__(self) -> int:
        return len(self.dataset)

    def __getitem__(self, index: int) -> Any:
        return self.collate([self.dataset[index]])


class Replayed:
    """Calls of a user's function that is given samples, played again."""

    def __init__(self, calls: list[Called]) -> None:
        self.calls = calls

    def __len__(self) -> int:
        return len(self.calls)

    def __getitem__(self, index: int) -> Any:
        call = self.calls[index]
        return call.play({name: copied(value) for name, value in call.given.items()})


def _name(dataset: Any) -> str:
    """What the reader calls what was asked: the function, or the class."""
    if isinstance(dataset, Replayed):
        return dataset.calls[0].code.co_name
    named = dataset.collate if isinstance(dataset, Collated) else type(dataset)
    return getattr(named, "__name__", type(named).__name__)


def _same(one: list[torch.Tensor], other: list[torch.Tensor], part: int) -> bool:
    return part < len(other) and one[part].shape == other[part].shape and torch.equal(one[part], other[part])


def reading(dataset: Any, index: int, seed: int) -> list[torch.Tensor]:
    """The numbers of one sample, part by part."""
    seed_all(seed)
    return list(parts(dataset[index]))


def parts(value: Any) -> Iterator[torch.Tensor]:
    """The numbers of a sample, part by part."""
    if isinstance(value, torch.Tensor):
        yield value.detach().double()
    elif holds(value, "fiub"):
        yield torch.as_tensor(value.copy()).double()
    elif isinstance(value, dict):
        for part in value.values():
            yield from parts(part)
    elif isinstance(value, (list, tuple)):
        if value and all(isinstance(part, (int, float)) for part in value):
            yield torch.tensor(value).double()
        else:
            for part in value:
                yield from parts(part)
    elif isinstance(value, (int, float)):
        yield torch.tensor(float(value)).double()


def _mirrored(one: list[torch.Tensor], other: list[torch.Tensor], exactly: bool) -> Iterator[tuple[int, int]]:
    """`(part, axis from the end)` of every part that is the other reading's, mirrored; unless `exactly`, also through
    noise."""
    for place, (left, right) in enumerate(zip(one, other)):
        if left.shape == right.shape and left.dim() >= 2 and not torch.equal(left, right):
            for axis in range(-left.dim(), 0):
                if left.shape[axis] < WIDTH:
                    continue
                mirrored = left.flip(axis)
                if torch.equal(mirrored, right) or (not exactly and _shows(mirrored, left, right)):
                    yield place, axis


def _otherwise(one: list[torch.Tensor], other: list[torch.Tensor]) -> Iterator[tuple[int, int]]:
    """`(picture, map)` of every two parts of one extent that were turned or mirrored, each in a way of its own, the
    picture also through noise."""
    few = [1 < len(part.unique()) <= FEW for part in one]
    for place, beside in itertools.permutations(range(min(len(one), len(other))), 2):
        if few[beside] and not few[place] and _plane(one[place])[1:] == _plane(one[beside])[1:]:
            if turned_apart(one[place], other[place], one[beside], other[beside]):
                yield place, beside


def turned_apart(picture: torch.Tensor, shown: torch.Tensor, own: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether a picture, perhaps with noise, is shown in another way than its map `own` became the `other` one."""
    ways = _moves(own, other)
    moved = _moves(picture, shown) or (_seen(picture, shown) if ways else set())
    return bool(ways and moved) and not ways & moved


def _plane(part: torch.Tensor) -> tuple[tuple[int, ...], ...]:
    """The axes along which a picture is laid out, and their sizes."""
    axes = tuple(axis for axis, size in enumerate(part.shape) if size >= WIDTH)
    return axes, tuple(part.shape[axis] for axis in axes)


def _moves(left: torch.Tensor, right: torch.Tensor) -> set[tuple[int, bool]]:
    """The quarter turns, and whether a mirroring goes before them, that make one reading of a picture the other."""
    return {way for way, image in _ways(left, right) if torch.equal(image, right)}


def _seen(left: torch.Tensor, right: torch.Tensor) -> set[tuple[int, bool]]:
    """The one of these ways in which a reading shows the other, with noise or in another light; none where another way
    might do."""
    ways = list(_ways(left, right))
    return {way for way, image in ways if all(_shows(image, other, right) for at, other in ways if at != way)}


def _ways(left: torch.Tensor, right: torch.Tensor) -> Iterator[tuple[tuple[int, bool], torch.Tensor]]:
    """A picture turned and mirrored in every way that leaves its extent as it is."""
    axes, sizes = _plane(left)
    for turns in range(4) if len(axes) == 2 and left.shape == right.shape else ():
        if turns % 2 == 0 or sizes[0] == sizes[1]:
            for mirror in (False, True):
                yield (turns, mirror), torch.rot90(left.flip(axes[1]) if mirror else left, turns, axes)


def _shows(own: torch.Tensor, other: torch.Tensor, right: torch.Tensor) -> bool:
    """Whether a reading shows one image, with noise or in another light, and not the other."""
    if right.numel() < WIDTH * WIDTH or min(float(one.std()) for one in (other, right)) < 1e-6:
        return False
    near, far = (float(torch.corrcoef(torch.stack([one.flatten(), right.flatten()]))[0, 1]) for one in (own, other))
    return near > CLEAR and far < near - APART


def _map(part: torch.Tensor, shape: torch.Size, axis: int) -> bool:
    """Whether a part is laid out as the picture is, and is not its own mirror image."""
    spatial = {n for n in shape if n >= WIDTH}
    own = [k for k in range(-part.dim(), 0) if part.shape[k] == shape[axis]]
    return part.dim() >= 2 and spatial <= set(part.shape) and not any(torch.equal(part.flip(k), part) for k in own)


def _few(part: torch.Tensor) -> bool:
    """Whether a part is a few numbers, or a few points."""
    points = part.dim() == 2 and 2 <= part.shape[1] <= 4 and part.numel() <= POINTS
    return points or (part.dim() == 1 and 2 <= len(part) <= 8)


def _kept(dataset: Any, read: list[list[torch.Tensor]], part: int) -> torch.Tensor:
    """Which of a few numbers are the same in every reading of each of a few samples."""
    fixed = _fixed(read, part)
    for index in range(1, min(OTHERS, len(dataset))) if len(fixed) else ():
        again = _fixed([reading(dataset, index, seed) for seed in range(SEEDS)], part)
        fixed = fixed[torch.isin(fixed, again)]
    return fixed


def _fixed(read: list[list[torch.Tensor]], part: int) -> torch.Tensor:
    """Which of a few numbers are the same in every reading."""
    held = [one[part] for one in read if part < len(one)]
    if len(held) < len(read) or not _few(held[0]) or any(one.shape != held[0].shape for one in held):
        return torch.zeros(0, dtype=torch.long)
    return (torch.stack(held) == held[0]).all(0).flatten().nonzero().flatten()


def _sided(dataset: Any, first: int, seed: int, place: int, axis: int) -> int | None:
    """A part whose numbers are mirrored with the picture, each where it was, though of two of them one is always on the
    same side of the other: they are left and right, and were not exchanged."""
    count = min(ITEMS, len(dataset))
    if count < LEAST or isinstance(dataset, Replayed):
        return None
    pairs = [(reading(dataset, index, first), reading(dataset, index, seed)) for index in range(count)]
    pairs = [(one, two) for one, two in pairs if torch.equal(one[place].flip(axis), two[place])]
    if len(pairs) < LEAST:
        return None
    for part in range(len(pairs[0][0])):
        held = [(one[part], two[part]) for one, two in pairs]
        if part == place or any(one.shape != held[0][0].shape or one.shape != two.shape for one, two in held):
            continue
        if not _few(held[0][0]):
            continue
        own, other = (torch.stack([pair[at].flatten() for pair in held]) for at in (0, 1))
        total, wide = own + other, float(own.std(0).max())
        turned = (total.std(0) < EXACT * wide) & (own.std(0) > MOVING * wide) & ((own != other).double().mean(0) > HALF)
        for a, b in itertools.combinations(turned.nonzero().flatten().tolist(), 2):
            apart = own[:, a] - own[:, b]
            if abs(float(total[0, a] - total[0, b])) < EXACT * wide and bool((apart.sign() == apart[0].sign()).all()):
                return part if float(apart[0]) else None
    return None


def _places(dataset: Any, one: list[torch.Tensor], place: int, axis: int, part: int, fixed: torch.Tensor) -> bool:
    """Whether one of a few numbers, of those that are `fixed`, follows what the picture shows along the mirrored
    axis."""
    count = min(ITEMS, len(dataset))
    read = [_unmoved(dataset, index, one, place, part) for index in range(count)] if count >= LEAST else []
    if not read or any(pair is None for pair in read) or len({pair[1].shape for pair in read if pair}) != 1:
        return False
    pictures, told = zip(*(pair for pair in read if pair))
    numbers = torch.stack([numbers.flatten() for numbers in told])[:, fixed]
    if len(one[part].flatten()) < 2:
        return False
    across = [at for at in _plane(pictures[0])[0] if at != axis % pictures[0].dim()]
    own, *others = (_following(pictures, numbers, at) for at in (axis, *across))
    least = TELLING if numbers.shape[1] <= 8 else TELLING_OF_MANY
    best = torch.stack(others).max(0).values if others else torch.zeros_like(own)  # of positions along another axis
    return bool(((own > least) & (own > best)).any())


def _following(pictures: Sequence[torch.Tensor], numbers: torch.Tensor, axis: int) -> torch.Tensor:
    """How closely each number follows what the pictures show along an axis."""
    centres = []
    for picture in pictures:
        shown = (picture - picture.median()).abs().pow(2).movedim(axis, 0).reshape(picture.shape[axis], -1).sum(1)
        centres.append(float((shown * torch.arange(len(shown))).sum() / shown.sum().clamp(min=1e-9)))
    around = torch.tensor(centres).double()
    around = around - around.mean()
    off = numbers - numbers.mean(0)
    norms = (off.norm(dim=0) * around.norm()).clamp(min=1e-9)
    return (off * around[:, None]).sum(0).abs() / norms


def _unmoved(
    dataset: Any, index: int, one: list[torch.Tensor], place: int, part: int
) -> tuple[torch.Tensor, torch.Tensor] | None:
    """The picture and the numbers of one sample, neither mirrored: as a function is given them, or always from one
    seed."""
    if not isinstance(dataset, Replayed):
        read = reading(dataset, index, 0)
        return read[place], read[part]
    given = list(parts(list(dataset.calls[index].given.values())))
    found = [next((g for g in given if g.shape == one[k].shape), None) for k in (place, part)]
    return (found[0], found[1]) if found[0] is not None and found[1] is not None else None


def _code(dataset: Any) -> Any:
    """The code that reads a sample."""
    asked = dataset.collate if isinstance(dataset, Collated) else type(dataset).__getitem__
    code = getattr(asked, "__code__", None) or type(asked).__call__.__code__
    return dataset.calls[0].code if isinstance(dataset, Replayed) else code


def _ran(dataset: object, seed: int, made: Sequence[torch.Tensor] = ()) -> tuple[dict[int, None], int | None]:
    """The lines of the user's file that a reading ran, and the one after which variables held all of `made`."""
    code, ran, missing = _code(dataset), dict[int, None](), list(made)
    last, found = list[int](), list[int]()

    def look(frame: FrameType, event: str) -> None:
        if missing and ran:
            held = [part for value in list(frame.f_locals.values()) for part in itertools.islice(parts(value), FEW)]
            missing[:] = [one for one in missing if not any(_alike(part, one) for part in held)]
            found.extend([] if missing else last)
        if event == "line":
            ran[frame.f_lineno], last[:] = None, [frame.f_lineno]

    with stepped(code, look):
        reading(dataset, 0, seed)
    return ran, next(iter(found), None)


def _alike(part: torch.Tensor, made: torch.Tensor) -> bool:
    """Whether two hold the same picture, its colors first or last."""
    if part.numel() != made.numel() or part.dim() != made.dim():
        return False
    return torch.equal(part, made) or (part.dim() == 3 and torch.equal(part.movedim(-1, 0), made))


def _differ(dataset: object, first: int, seed: int) -> int:
    """How many lines ran in one of two readings alone."""
    return len(_ran(dataset, first)[0].keys() ^ _ran(dataset, seed)[0].keys())


def _apart(
    dataset: object, first: int, seed: int, display: Callable[[str], str], made: Sequence[torch.Tensor] = ()
) -> Site | None:
    """The first of the user's lines that runs in one of two readings alone, else the one that made what came out, else
    where reading begins."""
    code = _code(dataset)
    lines = [_ran(dataset, first)[0]]
    for more in range(SEEDS):  # a generator of the script's own cannot be seeded
        lines[1:] = [_ran(dataset, seed + more)[0]]
        if lines[0].keys() != lines[1].keys():
            break
    alone = [at for ran, other in (lines, lines[::-1]) for at in ran if at not in other]
    line = alone[0] if alone else (_ran(dataset, seed, made)[1] if made else None) or code.co_firstlineno
    return Site(display(code.co_filename), line, 1, line, 1)
