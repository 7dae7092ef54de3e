"""What an environment shows and takes: drawn from, and asked whether something lies within."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from shapewright.run.stand_ins.unknown import UnknownThing


class _Kind(type):
    def __instancecheck__(cls, value: object) -> bool:
        """What an environment of an absent library shows may be a space of any kind."""
        return super().__instancecheck__(value) or isinstance(value, UnknownThing)


class Space(metaclass=_Kind):
    """Something that can be drawn from."""

    def __init__(self, shape: Sequence[int] | None = None, dtype: Any = None, seed: int | None = None) -> None:
        self._shape = None if shape is None else tuple(int(size) for size in shape)
        self.dtype = None if dtype is None else numpy.dtype(dtype)
        self.np_random = numpy.random.default_rng(0 if seed is None else seed)

    def __class_getitem__(cls, kind: object) -> Any:
        return cls

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of what is drawn."""
        return self._shape

    def seed(self, seed: int | None = None) -> list[int]:
        """Draw anew from a seed."""
        self.np_random = numpy.random.default_rng(seed)
        return [seed or 0]

    def sample(self, mask: object = None, probability: object = None) -> Any:
        """One element."""
        raise NotImplementedError

    def contains(self, x: Any) -> bool:
        """Whether `x` has the shape of an element."""
        return numpy.shape(x) == self.shape

    def __contains__(self, x: object) -> bool:
        return self.contains(x)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.shape})"


class Box(Space):
    """Numbers between bounds."""

    def __init__(self, low: Any, high: Any, shape: Any = None, dtype: Any = numpy.float32, seed: Any = None) -> None:
        shape = numpy.broadcast_shapes(numpy.shape(low), numpy.shape(high)) if shape is None else tuple(shape)
        super().__init__(shape or (1,), dtype, seed)
        self.low, self.high = (numpy.broadcast_to(bound, self._shape).astype(dtype) for bound in (low, high))

    def sample(self, mask: object = None, probability: object = None) -> Any:
        if self.dtype.kind in "iu":
            return self.np_random.integers(self.low, self.high, endpoint=True, dtype="int64").astype(self.dtype)
        low, high = numpy.maximum(self.low, -5.0), numpy.minimum(self.high, 5.0)
        return self.np_random.uniform(low, high).astype(self.dtype)

    def is_bounded(self, manner: str = "both") -> bool:
        """Whether the bounds are finite."""
        return bool(numpy.isfinite(self.low).all() and numpy.isfinite(self.high).all())


class Discrete(Space):
    """Whole numbers from `start` on."""

    def __init__(self, n: int, seed: int | None = None, start: int = 0, dtype: object = numpy.int64) -> None:
        super().__init__((), dtype, seed)
        self.n, self.start = numpy.int64(n), numpy.int64(start)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        allowed = numpy.flatnonzero(mask) if mask is not None else numpy.arange(self.n)
        return self.start + self.np_random.choice(allowed)

    def contains(self, x: Any) -> bool:
        return numpy.ndim(x) == 0 and bool(self.start <= x < self.start + self.n)


class MultiDiscrete(Space):
    """Several whole numbers, each below its own bound."""

    def __init__(self, nvec: object, dtype: object = numpy.int64, seed: int | None = None) -> None:
        self.nvec = numpy.asarray(nvec)
        super().__init__(self.nvec.shape, dtype, seed)

    def sample(self, mask: object = None, probability: object = None) -> Any:
        return self.np_random.integers(0, self.nvec).astype(self.dtype)


class MultiBinary(MultiDiscrete):
    """Zeros and ones."""

    def __init__(self, n: Any, seed: int | None = None) -> None:
        super().__init__(numpy.full(n, 2), numpy.int8, seed)
        self.n = n


class Tuple(Space):
    """Spaces one after another."""

    def __init__(self, spaces: Sequence[Space], seed: Any = None) -> None:
        super().__init__(seed=seed)
        self.spaces = tuple(spaces)

    def sample(self, mask: object = None, probability: object = None) -> Any:
        return tuple(space.sample() for space in self.spaces)

    def __getitem__(self, index: int) -> Space:
        return self.spaces[index]

    def __len__(self) -> int:
        return len(self.spaces)


class Dict(Space):
    """Spaces by name."""

    def __init__(self, spaces: Mapping[str, Space] | None = None, seed: Any = None, **named: Space) -> None:
        super().__init__(seed=seed)
        self.spaces = {**dict(spaces or {}), **named}

    def sample(self, mask: object = None, probability: object = None) -> Any:
        return {name: space.sample() for name, space in self.spaces.items()}

    def __getitem__(self, name: str) -> Space:
        return self.spaces[name]

    def keys(self) -> Any:
        """Their names."""
        return self.spaces.keys()

    def items(self) -> Any:
        """Their names and themselves."""
        return self.spaces.items()


def flatdim(space: Space) -> int:
    """How many numbers an element is, flat; as many as there are choices where it is one of them."""
    parts = getattr(space, "spaces", None)
    if parts is not None:
        return sum(flatdim(part) for part in (parts.values() if isinstance(parts, dict) else parts))
    return int(space.n) if isinstance(space, Discrete) else int(numpy.prod(space.shape))


for _name in ("box", "discrete", "dict", "multi_discrete", "multi_binary", "tuple", "space", "utils"):
    sys.modules[f"{__name__}.{_name}"] = sys.modules[__name__]
