"""Keeps what the user's own `autograd.Function`s were first given, for the probe that asks whether `backward` is the
derivative of `forward`, and knows what a `Variable` of long ago is made of for the same tensor. It judges nothing."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch

from ...dataclass import dataclass
from .notes import Note

if TYPE_CHECKING:
    from ..script.sources import UserSources
    from .notes import Notes

MOST, LARGEST = 8, 1 << 20


@dataclass(frozen=True)
class Applied:
    """One call: the class, its arguments, copied, and where. `learning` tells which of them carry gradients."""

    function: Any
    args: tuple
    learning: tuple[int, ...]
    stack: tuple


class Derived:
    """Watches `apply` of every class that the user's files define."""

    def __init__(self, sources: UserSources, notes: Notes) -> None:
        self.sources, self.notes = sources, notes
        self.calls: list[Applied] = []
        self._seen: set[type] = set()

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Note calls while the body runs."""
        base, noting = torch.autograd.Function, self._note
        own = base.__dict__["apply"]

        def apply(cls: type, *args: object, **kwargs: object) -> Any:
            if cls not in noting.__self__._seen and not kwargs:
                with torch._C.DisableTorchFunction():
                    noting(cls, args)
            return own.__func__(cls, *args, **kwargs)

        notes, variable = self.notes, torch.autograd.Variable
        make, before = variable.__new__, variable.__dict__.get("__new__")

        def wrapped(cls: type, data: object = None, *args: Any, **kwargs: Any) -> Any:
            made = make(cls, data, *args, **kwargs)
            with torch._C.DisableTorchFunction():
                note = notes.get(data)
                if note is not None and not data.requires_grad:  # type: ignore[attr-defined]
                    notes.put(made, Note(note.axes, note.producer) if made.requires_grad else note)
            return made

        base.apply, variable.__new__ = classmethod(apply), staticmethod(wrapped)
        try:
            yield
        finally:
            base.apply = own
            if before is None:
                del variable.__new__
            else:
                variable.__new__ = before

    def _note(self, function: Any, args: tuple) -> None:
        code = getattr(function.forward, "__code__", None)
        if code is None or code.co_filename not in self.sources.texts or not torch.is_grad_enabled():
            return
        held = [arg for arg in args if isinstance(arg, torch.Tensor)]
        learning = tuple(
            at
            for at, arg in enumerate(args)
            if isinstance(arg, torch.Tensor) and arg.requires_grad and arg.is_floating_point()
        )
        if not learning or len(self.calls) >= MOST or any(one.is_meta or one.numel() > LARGEST for one in held):
            return
        self._seen.add(function)
        kept = tuple(arg.detach().clone() if isinstance(arg, torch.Tensor) else arg for arg in args)
        self.calls.append(Applied(function, kept, learning, self.sources.stack(sys._getframe(2))))
