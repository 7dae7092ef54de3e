"""Modules that are not installed: of one of which nothing is known, all names are unknown; one of which we have a
stand-in has these beside what that has."""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, ClassVar

from .checkpoints import prepared_at
from .context import is_user_file
from .expected import instruction
from .how import HELD
from .moved import moved
from .unknown import unknown_name

NEWEST = "999.0"  # a script that compares it asks for that version or a newer one

ABSENT = Path(__file__).parent / "absent"
NAMING = ("LOAD_ATTR", "LOAD_METHOD", "IMPORT")


class UnknownModule(ModuleType):
    """The module: names in capitals are classes, which a script may derive its own from."""

    __path__: ClassVar[list[str]] = []
    __version__ = NEWEST

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            self.__dict__["_starred"] = True
            return _starred_by(sys._getframe(1))
        if name.startswith("__"):
            raise AttributeError(name)
        if (ABSENT / f"{self.__name__}.{name}".replace(".", "__")).with_suffix(".py").is_file():  # a part with one
            return importlib.import_module(f"{self.__name__}.{name}")
        owner = self.__name__.partition(".")[0] if stands_for(self.__name__) else self.__name__
        made = moved(self.__name__, name) or unknown_name(name, owner)
        setattr(self, name, made)
        return made


class Partial(ModuleType):
    """A stand-in that has something of a library: what it lacks the user's code may name all the same. Whoever only
    asks whether it is there, or is prepared for its absence, is told that it is not."""

    def __getattr__(self, name: str) -> Any:
        asking = sys._getframe(1)
        while asking.f_code.co_filename.startswith("<frozen") and asking.f_back is not None:
            asking = asking.f_back
        named = instruction(asking).startswith(NAMING)
        own = named and not name.startswith("_") and is_user_file(asking.f_code.co_filename)
        if not own or prepared_at(asking, ImportError if instruction(asking).startswith("IMPORT") else AttributeError):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)
        return moved(self.__name__, name) or unknown_name(name, self.__name__.partition(".")[0])


class Loader:
    """Makes an `UnknownModule` of any name."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return UnknownModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is run; torch takes what stands for arrays."""
        from .pickled import take

        take()


def unknown(name: str) -> ModuleSpec:
    """The specification of a stand-in for module `name`."""
    return ModuleSpec(name, Loader(), is_package=True)  # type: ignore[arg-type]


def stands_for(name: str) -> bool:
    """Whether the package of `name` is one of these stand-ins."""
    return isinstance(sys.modules.get(name.partition(".")[0]), UnknownModule)


def absent_names() -> tuple[str, ...]:
    """The modules that a stand-in answers for now, in order of their import: packages, and parts that installed ones
    lack; then files."""
    unknowns = (name for name, module in sys.modules.items() if isinstance(module, UnknownModule))
    return (*(name for name in unknowns if "." not in name or not stands_for(name)), *HELD)


def _starred_by(frame: FrameType) -> list[str]:
    """The names that the file of a frame may have of a module of which it imports all: nothing else in it binds them
    yet."""
    from ..script.excerpt import unbound
    from ..script.reading import Script, read

    found = read(frame.f_code.co_filename)
    names = unbound(found.text, starred=True) if isinstance(found, Script) else ()
    return [name for name in names if name not in frame.f_globals]


def starred() -> bool:
    """Whether a script imported all names of a module that is not there: any name may have been one of them."""
    return any(isinstance(module, UnknownModule) and "_starred" in vars(module) for module in sys.modules.values())
