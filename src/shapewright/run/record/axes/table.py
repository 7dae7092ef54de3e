"""The table of operators whose axes are followed, and what a follower is given."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import torch

from ....trace import Axis, Origin, Site
from ..notes import Note, Notes

Axes = tuple[Axis, ...]
_followers: dict[str, Callable[[Call], Any]] = {}


@dataclass
class Call:
    """One finished call. `result` is the live result, `sites` gives the user's sites, outermost first."""

    op: str
    args: tuple
    kwargs: dict
    result: Any
    notes: Notes
    sites: Callable[[], tuple[Site, ...]]

    def axes(self, tensor: torch.Tensor) -> Axes:
        """The axes of an operand; one that was never seen gets fresh ones, which it keeps."""
        note = self.notes.get(tensor)
        if note is not None and len(note.axes) == tensor.dim():
            return note.axes
        kind = "parameter" if isinstance(tensor, torch.nn.Parameter) else ""
        axes = tuple(fresh(self.notes, size, Origin(kind) if kind else None) for size in tensor.shape)
        if note is None:
            note = self.notes.put(tensor, Note(kind=kind or "tensor"))
        note.axes = axes
        return axes

    def origin(self, kind: str, note: str = "") -> Origin:
        """An origin at this call."""
        sites = self.sites()
        return Origin(kind, note, sites[-1] if sites else None, sites)

    def fresh(self, size: int, kind: str = "operator", note: str = "", role: str = "") -> Axis:
        """A new axis that this call made."""
        return fresh(self.notes, size, self.origin(kind, note or self.op), role)

    def argument(self, position: int, name: str, default: Any = None) -> Any:
        """An argument by place or name."""
        return self.args[position] if len(self.args) > position else self.kwargs.get(name, default)

    @property
    def first(self) -> torch.Tensor:
        """The first operand (`input` or `self`)."""
        return self.args[0] if self.args else self.kwargs["input"]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.result.shape)


def fresh(notes: Notes, size: int, origin: Origin | None = None, role: str = "") -> Axis:
    """A new axis with an identity of its own; an axis of size one has no identity, only an origin."""
    return Axis(int(size), role, origin, ((notes.new_uid(), int(size)),) if size != 1 else ())


def follows(*ops: str) -> Callable:
    """Register the decorated function for the named operators. It returns the result's axes, or `None` where it cannot
    tell."""

    def register(function: Callable[[Call], Any]) -> Callable[[Call], Any]:
        for op in ops:
            _followers[op] = function
        return function

    return register


def follower(op: str) -> Callable[[Call], Any] | None:
    """The function that follows `op`, if any. In-place operators are followed as their plain form."""
    return _followers.get(op) or (_followers.get(op[:-1]) if op.endswith("_") and not op.endswith("__") else None)


def load(package: str, path: Iterable[str]) -> None:
    """Import every module beside this one, so that each registers its operators."""
    for info in pkgutil.iter_modules(path):
        importlib.import_module(f"{package}.{info.name}")


def dims(value: Any, rank: int) -> tuple[int, ...]:
    """A `dim` argument as non-negative numbers; `None` means all."""
    if value is None:
        return tuple(range(rank))
    if isinstance(value, int):
        value = (value,)
    return tuple(int(d) % max(rank, 1) for d in value)
