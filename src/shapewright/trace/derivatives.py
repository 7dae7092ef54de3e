"""What functions and layers say of their own derivatives, and what these are."""

from __future__ import annotations

from typing import ClassVar

from ..dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Derivative:
    """Along one direction of argument `at`, of this shape, what the autograd function `name` gives changes by `change`;
    its `backward` says by `told`. `through` tells that it hands gradients on as they come."""

    QUESTION: ClassVar = "derivative"
    name: str
    at: int
    shape: tuple[int, ...]
    change: float
    told: float
    through: bool = False


@dataclass(frozen=True, slots=True)
class Volume:
    """The layer `model` gives a number beside its result that changed by `given` while the logarithm of the determinant
    of its Jacobian, for an input of this `shape`, changed by `right`. `kind` is `scaled` (always too small by one whole
    `factor`, or too large where that is below one), `other` (the layer `like` of the same model gives the logarithm at
    the same place) or `added` (it is the logarithm, up to this `sign`)."""

    QUESTION: ClassVar = "volume"
    kind: str = ""
    model: str = ""
    given: float = 0.0
    right: float = 0.0
    shape: tuple[int, ...] = ()
    like: str = ""
    factor: float = 0.0
    sign: int = 1
