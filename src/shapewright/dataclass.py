"""`dataclass` as in the standard library, at a twentieth of its price when a module is imported.

The standard decorator writes and compiles seven methods for each class, a millisecond in all, and a check declares some
two hundred classes of which it makes a quarter. Here `__init__` is compiled when the first object is made and the other
methods read the fields' names. What it does not know: `order`, `kw_only`, `InitVar`.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import reprlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False):
        """A class of named fields, as `dataclasses.dataclass` makes it; what the class itself defines stays.

        >>> @dataclass(frozen=True)
        ... class Size:
        ...     height: int
        ...     width: int = 1
        >>> Size(2), Size(2) == Size(2, 1), {Size(2, 3): "found"}[Size(2, width=3)]
        (Size(height=2, width=1), True, 'found')
        """
        if cls is None:
            return functools.partial(dataclass, frozen=frozen, slots=slots)
        own, hashed = frozenset(vars(cls)), vars(cls).get("__hash__") is not None
        made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
        methods = _methods(made, frozen)
        methods["__hash__"] = methods["__hash__"] if frozen else None
        for name, method in methods.items():
            if name not in own or (name == "__hash__" and not hashed):
                setattr(made, name, method)
        if frozen:
            made.__setattr__ = made.__delattr__ = _refuse
            if slots and "__setstate__" not in own:
                made.__getstate__, made.__setstate__ = _state, _restore
        return made


def is_frozen(kind: type) -> bool:
    """Whether the objects of a class of fields cannot be changed."""
    return kind.__setattr__ is _refuse


def compiled(kind: type) -> None:
    """Compile a class's `__init__` now: for processes that are forked later."""
    make = getattr(kind.__init__, "compiled", None)
    if make is not None:
        make()


def _methods(cls: Any, frozen: bool) -> dict[str, Callable[..., Any]]:
    fields = dataclasses.fields(cls)
    key = _reader([field.name for field in fields if field.compare])
    shown = [field.name for field in fields if field.repr]

    def compile_() -> None:
        cls.__init__ = _initializer(cls, frozen)

    @functools.wraps(object.__init__)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        compile_()
        cls.__init__(self, *args, **kwargs)

    def __eq__(self: Any, other: object) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(key(self))

    @reprlib.recursive_repr()
    def __repr__(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

    __init__.compiled = compile_  # type: ignore[attr-defined]
    return {"__init__": __init__, "__eq__": __eq__, "__hash__": __hash__, "__repr__": __repr__}


def _reader(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What reads the values of the named fields."""
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _initializer(cls: Any, frozen: bool) -> Callable[..., None]:
    """The `__init__` that the standard library would write."""
    known: dict[str, Any] = {"_put": object.__setattr__, "_missing": dataclasses.MISSING}
    parameters, body = ["self"], []
    for field in dataclasses.fields(cls):
        name, value = field.name, field.name
        if field.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = field.default_factory
            value = f"_make_{name}() if {name} is _missing else {name}" if field.init else f"_make_{name}()"
            parameters += [f"{name}=_missing"] * field.init
        elif field.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = field.default
            value = name if field.init else f"_default_{name}"
            parameters += [f"{name}=_default_{name}"] * field.init
        elif field.init:
            parameters.append(name)
        else:
            continue
        body.append(f"_put(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    body += ["self.__post_init__()"] * hasattr(cls, "__post_init__")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(body or ["pass"]), known)
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _refuse(self: object, name: str, value: object = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state):
        object.__setattr__(self, field.name, value)
