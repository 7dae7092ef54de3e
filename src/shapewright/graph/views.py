"""How a view deals the axes of a tensor out to new sizes: which parts each new axis covers, which axes were wanted
elsewhere. It judges nothing."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

from ..trace import Axis, TensorFact

Part = tuple[
    int, int, int, int
]  # old axis, offset and size of the cut within it (in units of its inner rest), its whole size


def unmerged(old: TensorFact) -> Iterator[TensorFact]:
    """The tensor as it would be with one of its merged axes apart, or all: `(batch * time, features)` as `(batch, time,
    features)`."""
    merged = [
        at
        for at, axis in enumerate(old.axes)
        if len(axis.uids) > 1 and math.prod(size for _, size in axis.uids) == axis.size
    ]
    for apart in [*([at] for at in merged), *([merged] if len(merged) > 1 else [])]:
        axes = [
            part
            for at, axis in enumerate(old.axes)
            for part in (
                (Axis(size, "", axis.origin, ((uid, size),)) for uid, size in axis.uids) if at in apart else (axis,)
            )
        ]
        yield dataclasses.replace(old, shape=tuple(axis.size for axis in axes), axes=tuple(axes))


def channels_moved(old: TensorFact, new: tuple[int, ...]) -> tuple[int, int] | None:
    """`(channels, place)`: the channels of a convolution, axis 1 of `(B, C, ...)`, are wanted last, `(..., C)`, but a
    view leaves them where they are: the new shape is that of the moved axes merged, and its last axis is a piece of
    another one."""
    if (
        old.rank < 3
        or len(new) < 2
        or old.axes[1].role != "channel"
        or not old.axes[1].origin
        or old.axes[1].origin.kind != "constructor"
    ):
        return None
    channels, rest = old.sizes[1], (old.sizes[0], *old.sizes[2:])
    if new[-1] != channels or channels < 2 or old.sizes[-1] == channels or max(rest[1:]) == 1:
        return None  # after axes of size one the channels are last already
    return (1, old.rank - 1) if merges(rest, new[:-1]) and not merges(old.sizes, new) else None


def classes_moved(old: TensorFact, new: tuple[int, ...]) -> tuple[int, int] | None:
    """`(place, classes)`: the one-hot classes, or the features that a layer made, are the last axis of `(B, H, W, C)`
    and wanted second, `(B, C, …)`."""
    if old.rank < 4 or len(new) < 3 or old.axes[-1].role not in ("vocabulary", "feature") or old.sizes[-1] < 2:
        return None
    classes, rest = old.sizes[-1], (old.sizes[0], *old.sizes[1:-1])
    if (
        new[0] != old.sizes[0]
        or new[1] != classes
        or old.sizes[1] == classes
        or math.prod(new[2:]) != math.prod(rest[1:])
        or merges(old.sizes, new)
    ):
        return None
    return (1, old.rank - 1)


def merges(old: tuple[int, ...], new: tuple[int, ...]) -> bool:
    """Whether each new axis is made of whole old ones, in their order: nothing is cut, whatever the sizes."""
    dealt = deal(list(old), new)
    return dealt is not None and all(part[2] == part[3] for parts in dealt for part in parts)


def deal(old: list[int], new: tuple[int, ...]) -> list[list[Part]] | None:
    """Which parts of the old axes each new axis covers, in memory order; `None` where a cut is not at a whole
    number."""
    left = [(i, n, n) for i, n in enumerate(old) if n > 1]
    made: list[list[Part]] = []
    for size in new:
        parts: list[Part] = []
        want = size
        while want > 1:
            if not left:
                return None
            i, rest, whole = left.pop(0)
            if want % rest == 0:
                parts.append((i, 0, rest, whole))
                want //= rest
            elif rest % want == 0:
                parts.append((i, 0, want, whole))
                left.insert(0, (i, rest // want, whole))
                want = 1
            else:
                return None
        made.append(parts)
    return made
