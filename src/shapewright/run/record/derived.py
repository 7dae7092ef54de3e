"""Keeps what the user's own `autograd.Function`s were first given, for the probe that asks whether `backward` is the
derivative of `forward`. It judges nothing."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch

from ...dataclass import dataclass

if TYPE_CHECKING:
    from ..script.sources import UserSources

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

    def __init__(self, sources: UserSources) -> None:
        self.sources = sources
        self.calls: list[Applied] = []
        self._seen: set[type] = set()

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Note calls while the body runs."""
        base, noting = torch.autograd.Function, self._note
        own = base.__dict__["apply"]

        def apply(cls: type, *args: Any, **kwargs: Any) -> Any:
            if cls not in noting.__self__._seen and not kwargs:
                with torch._C.DisableTorchFunction():
                    noting(cls, args)
            return own.__func__(cls, *args, **kwargs)

        base.apply = classmethod(apply)
        try:
            yield
        finally:
            base.apply = own

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
