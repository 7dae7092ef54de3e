"""Notes that derivatives are asked for without `backward`: by `torch.autograd.grad` and by the transforms of
`torch.func`, with which scripts write their own steps."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

TRANSFORMS = "torch._functorch.eager_transforms"
GIVING = (
    ("torch.autograd", "grad"),
    (TRANSFORMS, "grad_and_value_impl"),
    (TRANSFORMS, "_vjp_with_argnums"),
    (TRANSFORMS, "_jvp_with_argnums"),
)


class ByHand:
    """`asked` tells whether the script asked for a derivative itself."""

    def __init__(self) -> None:
        self.asked = False

    def _noting(self, derive: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(derive)
        def run(*args: Any, **kwargs: Any) -> Any:
            self.asked = True
            return derive(*args, **kwargs)

        return run

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Look at what gives derivatives while the body runs."""
        kept = []
        for home, name in GIVING:
            module = sys.modules.get(home)
            if (derive := getattr(module, name, None)) is not None:
                kept.append((module, name, derive))
                setattr(module, name, self._noting(derive))
        try:
            yield
        finally:
            for module, name, derive in kept:
                setattr(module, name, derive)
