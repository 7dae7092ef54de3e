"""Patches libraries when they are imported, and answers for libraries that are not installed.

Discovery is the folder: `patches/a__b.py` patches module `a.b` through its `patch(module, context)`; `absent/name.py`
is what `import name` gives to the *user's* code when `name` is not installed. Any other module that is not there is
looked for in the script's project (`beside`), and is an unknown one else (`unknown`). Libraries that probe for an
optional dependency never see a stand-in, nor does a script that is prepared for its absence.
"""

from __future__ import annotations

import dis
import functools
import importlib
import importlib.util
import os
import sys
from importlib import metadata
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from . import ages, removed
from .beside import folder_of
from .checkpoints import prepared_at
from .context import Context, is_user_file
from .not_installed import NEWEST, Partial, stands_for, unknown

_FOLDER = Path(__file__).parent
ABSENT = str(_FOLDER / "absent") + os.sep
OWN = (__file__, removed.__file__)  # the frames of an import that are ours


def _discover(folder: str) -> dict[str, str]:
    """Module name → file that serves it, from the names in a folder."""
    found = {}
    for entry in os.scandir(_FOLDER / folder):
        stem = entry.name.removesuffix(".py")
        if entry.name.endswith(".py") and stem != "__init__":
            found[stem.replace("__", ".")] = stem
        elif entry.is_dir() and not entry.name.startswith("_"):
            found[stem] = stem
    return found


def loaded() -> list[str]:
    """Our modules that patch what is imported by now."""
    return [f"{__package__}.patches.{stem}" for name, stem in _discover("patches").items() if name in sys.modules]


def _requiring(frame: FrameType, name: str) -> FrameType | None:
    """The frame of the script's own code that asks for a distribution, itself or by giving a library's function what is
    required of it (`require_version("datasets>=1.8")`); `None` where a library asks for itself."""
    if not is_user_file(frame.f_code.co_filename):
        given = [frame.f_locals.get(one) for one in frame.f_code.co_varnames[: frame.f_code.co_argcount]]
        named = any(isinstance(one, str) and one.startswith(name) for one in given)
        frame = frame.f_back if named and frame.f_back is not None else frame
    return frame if is_user_file(frame.f_code.co_filename) else None


class Finder(MetaPathFinder):
    """First of the meta-path finders: it only looks at names that it has a patch or a stand-in for."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.patches = _discover("patches")
        self.absent = _discover("absent")
        self._busy: set[str] = set()

    def install(self) -> None:
        """Become the first finder, and patch what is imported already."""
        # one alone: finders of earlier runs in this process would ask each other, twice as often with each of them
        sys.meta_path[:] = [self, *(finder for finder in sys.meta_path if not isinstance(finder, Finder))]
        self._versions()
        for name in (*self.patches, *ages.NAMES):
            module = sys.modules.get(name)
            if module is not None:
                self._patch(module, name)

    def _versions(self) -> None:
        """What is not installed has a version too where the script itself asks for it."""
        told = getattr(metadata.version, "__wrapped__", metadata.version)

        @functools.wraps(told)
        def version(distribution_name: str) -> str:
            try:
                return told(distribution_name)
            except metadata.PackageNotFoundError:
                frame = _requiring(sys._getframe(1), distribution_name)
                if frame is None or prepared_at(frame, ImportError):
                    raise
                self.context.note("stand-in-module", module=distribution_name)
                return NEWEST

        metadata.version = version

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        patched, replaceable = name in self.patches or name in ages.NAMES, name in self.absent
        if name in self._busy:
            return None
        if not (patched or replaceable):
            return self._unfound(name, path, target)
        self._busy.add(name)
        try:
            spec = self._ask_others(name, path, target)
        finally:
            self._busy.discard(name)
        if spec is None and not replaceable:
            return self._unfound(name, path, target)
        if spec is None or spec.loader is None:
            if not replaceable:
                return spec
            found = self._beside(name, path, target)
            only_data = found is not None and found.loader is None and not _has_modules(found)  # a folder of that name
            return (self._stand_in(name) if found is None or only_data else None) or found
        if replaceable and "." in name and self._lacks_needs(name):
            return self._stand_in(name)
        if patched and not (spec.origin and is_user_file(spec.origin) and "." not in name):
            self._wrap(spec, name)
        return _goes_on(spec)

    def _below_stand_in(self, name: str) -> bool:
        """Whether a part of a package is asked for whose top is a stand-in."""
        top = getattr(sys.modules.get(name.partition(".")[0]), "__file__", None) or ""
        return stands_for(name) or top.startswith(ABSENT)

    def _unfound(self, name: str, path: object, target: object) -> ModuleSpec | None:
        """What answers for a module of no patch of ours where nobody else has it and the user's code imports it."""
        asking = _asking()
        if asking is not None and asking.f_code.co_filename.startswith(ABSENT):
            return _goes_on(self._beside(name, path, target))
        if asking is None:
            return None
        if not is_user_file(asking.f_code.co_filename):  # a library that the script has handed the stand-in to
            return unknown(name) if stands_for(name) and not prepared_at(asking, ImportError) else None
        if (spec := self._beside(name, path, target)) is not None or prepared_at(asking, ImportError):
            return _goes_on(spec)
        if (spec := ages.present(name, self.context)) is not None:
            return spec
        if "." not in name:
            self.context.note("stand-in-module", module=name)
        elif not self._below_stand_in(name):  # a part that an installed library does not have
            top = getattr(sys.modules.get(name.partition(".")[0]), "__file__", None)
            stated = f"{_statement(asking)}.".startswith(f"{name}.")  # else it may be a name in a module
            if top is None or is_user_file(top) or not stated:
                return None
            self.context.note("name-absent", name=name)
        return unknown(name)

    def _beside(self, name: str, path: object, target: object) -> ModuleSpec | None:
        """A module that others have, or that the script's own project has where its import path does not reach."""
        asking = _asking()
        self._busy.add(name)
        try:
            spec = self._ask_others(name, path, target)
            if spec is None and "." not in name and asking is not None and is_user_file(asking.f_code.co_filename):
                whole, names = _statement(asking), _named(asking)
                if folder := folder_of(name, self.context.script, whole, asking.f_code.co_filename, names):
                    self.context.note("import-path", module=name, folder=folder)
                    sys.path.append(folder)
                    spec = self._ask_others(name, path, target)
        finally:
            self._busy.discard(name)
        return spec

    def _lacks_needs(self, name: str) -> bool:
        """Whether a part of an installed library needs another one that is not: its stand-in says which in `NEEDS`."""
        file = (_FOLDER / "absent" / self.absent[name]).with_suffix(".py")
        for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
            if line.startswith("NEEDS = "):
                needed = line.split('"')[1]
                return stands_for(needed) or importlib.util.find_spec(needed) is None
        return False

    def _ask_others(self, name: str, path: Any, target: Any) -> ModuleSpec | None:
        for finder in list(sys.meta_path):
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                return spec
        return None

    def _wrap(self, spec: ModuleSpec, name: str) -> None:
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            self._patch(module, name)

        loader.exec_module = exec_module

    def _patch(self, module: ModuleType, name: str) -> None:
        ages.renamed(module, name, self.context)
        if name not in self.patches:
            return
        patch = importlib.import_module(f"{__package__}.patches.{self.patches[name]}")
        patch.patch(module, self.context)

    def _stand_in(self, name: str) -> ModuleSpec | None:
        if not _asked_by_user():
            return None
        stem = self.absent[name]
        folder = _FOLDER / "absent" / stem
        if not stands_for(name):  # else its package was told already
            self.context.note("stand-in-module", module=name)
        if folder.is_dir():
            spec = spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=[str(folder)])
        else:
            spec = spec_from_file_location(name, folder.with_suffix(".py"))
        return _goes_on(spec)


def _goes_on(spec: ModuleSpec | None) -> ModuleSpec | None:
    """A module; one of ours that stands for a library may have parts, and has what it lacks as an unknown library."""
    if spec is None or spec.loader is None or not (spec.origin or "").startswith(ABSENT):
        return spec
    loader: Any = spec.loader
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        execute(module)
        module.__class__ = Partial
        vars(module).setdefault("__path__", [])

    loader.exec_module = exec_module
    return spec


def _has_modules(spec: ModuleSpec) -> bool:
    """Whether the folders of a package without a file of its own hold modules."""
    return any(name.endswith(".py") for place in spec.submodule_search_locations or () for name in os.listdir(place))


def _asked_by_user() -> bool:
    """Whether the import statement that is being served stands in the user's code or in a stand-in, not in an installed
    library."""
    frame = _asking()
    return frame is not None and (
        is_user_file(frame.f_code.co_filename) or frame.f_code.co_filename.startswith(str(_FOLDER))
    )


def _statement(frame: Any) -> str:
    """The module that the import statement of a frame names, with the packages that it lies in; empty where it is no
    statement."""
    at = next((step for step in dis.get_instructions(frame.f_code) if step.offset == frame.f_lasti), None)
    return at.argval if at is not None and at.opname == "IMPORT_NAME" else ""


def _named(frame: Any) -> tuple[str, ...]:
    """What the import statement of a frame takes from the module; nothing where it takes all, or the module."""
    before = None
    for step in dis.get_instructions(frame.f_code):
        if step.offset == frame.f_lasti:
            return tuple(name for name in before if name != "*") if isinstance(before, tuple) else ()
        before = step.argval
    return ()


def _asking() -> Any:
    """The frame whose import statement is being served; `None` where a module is only looked for."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.endswith((f"importlib{os.sep}util.py", "<frozen importlib.util>")):
            return None
        if file not in OWN and not file.startswith("<frozen") and os.sep + "importlib" + os.sep not in file:
            return frame
        frame = frame.f_back
    return None
