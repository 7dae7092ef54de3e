"""What stands for a module that is not installed: it takes what a script does beside its tensors, and is named when a
tensor depends on it.

Nothing of any library is imitated. Attributes, calls and contexts of it are again unknown; a function given to it alone
comes back (a decorator), what is computed from it is unknown too, and it is taken apart into as many parts as the
script takes. What would have to be known (a number, a length, an item to go through, which of two is larger) raises
`ModuleNotFoundError` with the module's name, and so does any use of what it made out of tensors or modules.
"""

from __future__ import annotations

import dis
import sys
from abc import ABCMeta
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from types import FrameType, FunctionType, ModuleType
from typing import Any, ClassVar

import torch

from .context import is_user_file


def _refuse(self: Any, *args: Any, **options: Any) -> Any:
    raise ModuleNotFoundError(f"No module named {self._module!r}", name=self._module)


def _computed(self: Any, *others: Any) -> Any:
    return _refuse(self) if self._fed or _of_tensors(others) else _made(self._module)


class _Class(ABCMeta):
    """Classes of what is not there give up anything too (`Repo.clone_from`), and may be mixed with abstract ones."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return _made(cls._module)


class UnknownThing(metaclass=_Class):
    """An attribute, a call or an instance of what is not there. `_module` is to be named; what was made out of tensors
    or modules is `_fed`: nothing may be done with it."""

    _module = ""
    _fed = False

    def __init__(self, *args: Any, **options: Any) -> None:
        self.__dict__["_fed"] = _of_tensors(args) or _of_tensors(options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _refuse(self) if self._fed else _made(self._module)

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value

    def __call__(self, *args: Any, **options: Any) -> Any:
        if self._fed:
            _refuse(self)
        if len(args) == 1 and not options and _decorated(args[0]):
            return args[0]
        return _made(self._module, _of_tensors(args) or _of_tensors(options))

    def __getitem__(self, key: Any) -> Any:
        return _refuse(self) if self._fed else _made(self._module)

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __bool__(self) -> bool:
        return not self._fed or _refuse(self)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *raised: Any) -> None:
        pass

    def __repr__(self) -> str:
        return f"<{self._module}>"

    def __format__(self, form: str) -> str:
        return repr(self)

    def __fspath__(self) -> str:
        return self._module

    def __iter__(self) -> Iterator[Any]:
        count = parts(sys._getframe(1))
        return iter([_made(self._module, self._fed) for _ in range(count)]) if count else _refuse(self)

    __hash__ = object.__hash__
    __len__ = __int__ = __float__ = __index__ = __array__ = __contains__ = __next__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _computed
    __neg__ = __pow__ = __mod__ = __floordiv__ = _computed
    __lt__ = __le__ = __gt__ = __ge__ = __matmul__ = _refuse


def _made(module: str, fed: bool = False) -> UnknownThing:
    thing = UnknownThing()
    thing.__dict__.update(_module=module, _fed=fed)
    return thing


class UnknownModule(ModuleType):
    """The module: names in capitals are classes, which a script may derive its own from."""

    __path__: ClassVar[list[str]] = []
    __version__ = "0"

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            self.__dict__["_starred"] = True
            return []
        if name.startswith("__"):
            raise AttributeError(name)
        made = unknown_name(name, self.__name__.partition(".")[0])
        setattr(self, name, made)
        return made


def unknown_name(name: str, owner: str) -> Any:
    """What stands for a name of `owner`, which is to be named: a class where the name begins with a capital."""
    return type(name, (UnknownThing,), {"_module": owner}) if name[:1].isupper() else _made(owner)


class Loader:
    """Makes an `UnknownModule` of any name."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return UnknownModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is run."""


def unknown(name: str) -> ModuleSpec:
    """The specification of a stand-in for module `name`."""
    return ModuleSpec(name, Loader(), is_package=True)  # type: ignore[arg-type]


def stands_for(name: str) -> bool:
    """Whether the package of `name` is one of these stand-ins."""
    return isinstance(sys.modules.get(name.partition(".")[0]), UnknownModule)


def absent_names() -> tuple[str, ...]:
    """The top-level modules that a stand-in answers for now, in order of their import."""
    return tuple(name for name, module in sys.modules.items() if isinstance(module, UnknownModule) and "." not in name)


def starred() -> bool:
    """Whether a script imported all names of a module that is not there: any name may have been one of them."""
    return any(isinstance(module, UnknownModule) and "_starred" in vars(module) for module in sys.modules.values())


def parts(frame: FrameType) -> int:
    """Into how many parts the statement under way takes a value apart; 0 where it goes through it."""
    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at + 1] if dis.opname[code[at]] == "UNPACK_SEQUENCE" else 0


def _decorated(value: Any) -> bool:
    """Whether a function or class of the script's own is given, not one such as `np.float32`."""
    module = getattr(value, "__module__", None) or ""
    home = getattr(sys.modules.get(module), "__file__", None)
    return isinstance(value, (type, FunctionType)) and module != "builtins" and (home is None or is_user_file(home))


def _of_tensors(values: Any, depth: int = 0) -> bool:
    if isinstance(values, UnknownThing):
        return bool(values.__dict__.get("_fed"))
    if isinstance(values, (torch.Tensor, torch.nn.Module, torch.optim.Optimizer, Iterator)):  # `model.parameters()`
        return True
    if depth < 3 and isinstance(values, dict):
        values = tuple(values.values())
    return depth < 3 and isinstance(values, (list, tuple)) and any(_of_tensors(part, depth + 1) for part in values[:64])
