"""What a run of several processes did: their collective calls, and where two ranks part."""

from __future__ import annotations

from ..dataclass import dataclass
from .site import Site


@dataclass(frozen=True)
class Collective:
    """A call that every rank has to make: its name, the shape of what it is given (empty where that is no tensor), the
    user's line."""

    op: str
    shape: tuple[int, ...]
    site: Site | None


@dataclass(frozen=True)
class Apart:
    """Where rank 0 and rank 1 first make different calls; `None` for one that makes no further call."""

    first: Collective | None
    second: Collective | None


@dataclass(frozen=True)
class Awaited:
    """A call of a model whose wrapper still waits for gradients: the user's line and the names of the parameters."""

    site: Site
    names: tuple[str, ...]


@dataclass(frozen=True)
class Ranks:
    """`grouped` tells that a process group was made, `calls` this rank's collective calls, `wrapped` where a model was
    given to what averages gradients, `averaging` that it has to be called for that (FSDP2 has not), `averaged` the
    parameters (uids) of the models that were called through it, `divided` that a library divided tensors among the
    ranks, `saved` the files that this rank wrote and `read` the loaders that it trained on with a mark of all their
    data, each with its line, `summed` where gradients are added up over the ranks that SGD then steps with as they are,
    `rates` its learning rates, `awaited` the parameters whose gradients a wrapper lacked, `guessed` that an answer was
    taken to be what this rank itself holds, `stuck` the call at which the other rank was at another, `failed` the rank
    whose run this is where a single process does not fail. `apart`, `twice` (files that both write) and `alike`
    (loaders that give both the same data) are known where two ranks were run."""

    grouped: bool = False
    calls: tuple[Collective, ...] = ()
    wrapped: tuple[Site, ...] = ()
    divided: bool = False
    averaging: bool = False
    averaged: frozenset[int] = frozenset()
    saved: tuple[tuple[str, Site], ...] = ()
    read: tuple[tuple[int, Site], ...] = ()
    summed: tuple[Site, ...] = ()
    rates: frozenset[float] = frozenset()
    awaited: tuple[Awaited, ...] = ()
    guessed: bool = False
    stuck: Collective | None = None
    failed: int | None = None
    apart: Apart | None = None
    twice: tuple[tuple[str, Site], ...] = ()
    alike: tuple[Site, ...] = ()
