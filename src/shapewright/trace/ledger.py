"""One parameter of the run, as the ledger of parameters knows it, and running averages of them."""

from __future__ import annotations

from ..dataclass import dataclass
from .site import Site


@dataclass(frozen=True, slots=True)
class ParameterFact:
    """`uid` is that of its `TensorFact`s; `name` its path in the outermost module that holds it, `module` the uid of
    its own layer, `models` those of the outermost modules that were called and hold it, `root` that of the module that
    holds it and that no other holds, called itself or not.

    `storage` is equal for parameters that share memory; `learns` is its `requires_grad` at the end; `began` and `ended`
    are marks of its values when training began and at the end (0 where it was too large to ask), equal for equal
    values; `sums` are the sum of its values and their norm at the end;
    `idle`: it was all zeros, and so was its gradient at every one of several steps; `site` is where its layer
    was made."""

    uid: int
    name: str
    module: int
    models: tuple[int, ...]
    shape: tuple[int, ...]
    storage: int
    learns: bool
    began: int = 0
    ended: int = 0
    site: Site | None = None
    root: int = -1
    idle: bool = False
    sums: tuple[float, float] = (0.0, 0.0)

    @property
    def holders(self) -> tuple[int, ...]:
        """The called modules that hold it; where only layers of a model are called, the model."""
        return self.models or (self.root,)


@dataclass(frozen=True, slots=True)
class Averaged:
    """A running average of a trained parameter, updated at the last of `stack`: `shares` of the parameter that the
    updates took, in order, between 0 and 1; `again` tells where a copy of the parameter took the average's place, each
    with the count of updates until then; `resumed`, in order, before which event a step of an optimizer began with the
    average's very numbers in the parameter `uid`, each with the count of updates since the last such step."""

    stack: tuple[Site, ...]
    shares: tuple[float, ...]
    again: tuple[tuple[int, tuple[Site, ...]], ...] = ()
    resumed: tuple[tuple[int, int], ...] = ()
    uid: int = 0
