"""A variable of the user's that a tensor was bound to."""

from __future__ import annotations

from dataclasses import dataclass

from .event import TensorFact
from .site import Site


@dataclass(frozen=True, slots=True)
class Binding:
    """The first time that a tensor of this shape was bound to `name` at the lines of `site`.

    `fact` holds its axes as they were then; `caller` is the user's line that called the function in which it happened,
    if there is one."""

    site: Site
    name: str
    fact: TensorFact
    caller: Site | None = None
