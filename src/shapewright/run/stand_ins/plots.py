"""What a library that only draws answers with where it is not installed: it takes tensors too, for nothing that is
trained comes back from a plot. Asked for numbers it names its module, as any other that is absent."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from .expected import parts
from .unknown import UnknownThing


class Plot(UnknownThing):
    """An axis, a figure, a line: any attribute, call or item of it is one again; gone through, it holds nothing."""

    _module: ClassVar[str] = "matplotlib"

    def __init__(self, *args: object, **options: object) -> None:
        """Nothing is kept."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return type(self)()

    def __call__(self, *args: object, **options: object) -> Any:
        return type(self)()

    def __getitem__(self, key: object) -> Any:
        return type(self)()

    __len__ = None  # type: ignore[assignment]  # `list(…)` asks for it first

    def __iter__(self) -> Iterator[Any]:
        return iter([type(self)() for _ in range(parts(sys._getframe(1)))])


def plotting(module: str) -> Callable[[str], Any]:
    """A module's `__getattr__`: names in capitals are classes, which a script may derive its own from."""
    kind = type("Plot", (Plot,), {"_module": module})

    def __getattr__(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (kind,), {}) if name[:1].isupper() else kind()

    return __getattr__
