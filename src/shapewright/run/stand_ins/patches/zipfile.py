"""Members of archives that are not on this machine: those that the script asks for by name."""

from __future__ import annotations

import functools
import io
import os
from types import ModuleType
from typing import Any

from ..context import Context
from ..files.contents import named

NAMES = ("open", "extract", "extractall", "namelist")


def patch(module: ModuleType, context: Context) -> None:
    """An archive of nothing that was made up has the member that is asked for."""
    kind: Any = module.ZipFile
    kept = {name: getattr(one := getattr(kind, name), "__wrapped__", one) for name in NAMES}

    def made_up(self: Any) -> bool:
        return context.active and context.made is not None and not self.NameToInfo and self.mode == "r"

    @functools.wraps(kept["open"])
    def open(self: Any, name: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
        if mode != "r" or not made_up(self):
            return kept["open"](self, name, mode, *args, **options)
        return io.BytesIO(named(getattr(name, "filename", name), context))

    @functools.wraps(kept["extract"])
    def extract(self: Any, member: Any, path: Any = None, *args: Any, **options: Any) -> Any:
        if not made_up(self):
            return kept["extract"](self, member, path, *args, **options)
        return os.path.join(path or os.getcwd(), getattr(member, "filename", member))

    @functools.wraps(kept["extractall"])
    def extractall(self: Any, *args: Any, **options: Any) -> Any:
        return None if made_up(self) else kept["extractall"](self, *args, **options)

    @functools.wraps(kept["namelist"])
    def namelist(self: Any) -> Any:
        told = context.usage.endings
        return [f"data{told[0] if told else '.txt'}"] if made_up(self) else kept["namelist"](self)

    kind.open, kind.extract, kind.extractall, kind.namelist = open, extract, extractall, namelist
