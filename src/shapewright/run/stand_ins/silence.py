"""An object that takes everything and does nothing: what a logger that is not installed answers with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Silent:
    """Any attribute, call, item or context of it is silent again; as a number it is 0, as a sequence empty."""

    def __init__(self, name: str = "silent") -> None:
        self.__dict__["_name"] = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Silent(f"{self._name}.{name}")

    def __setattr__(self, name: str, value: object) -> None:
        self.__dict__[name] = value

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and callable(args[0]) and not isinstance(args[0], Silent):
            return args[0]  # used as a decorator
        return self

    def __getitem__(self, key: object) -> Any:
        return Silent(f"{self._name}[{key!r}]")

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def __int__(self) -> int:
        return 0

    __index__ = __int__

    def __float__(self) -> float:
        return 0.0

    def __repr__(self) -> str:
        return f"<{self._name}>"

    __str__ = __repr__
    __fspath__ = __repr__


def silent_getattr(module: str) -> Any:
    """A module's `__getattr__` that makes everything silent; names that begin with an upper case letter become
    classes."""

    def __getattr__(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name[0].isupper():
            return type(
                name, (Silent,), {"__init__": lambda self, *args, **kwargs: Silent.__init__(self, f"{module}.{name}")}
            )
        return Silent(f"{module}.{name}")

    return __getattr__
