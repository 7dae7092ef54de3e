"""Members of archives that are not on this machine: those that the script asks for by name."""

from __future__ import annotations

import functools
import io
from types import ModuleType
from typing import Any

from ..context import Context
from ..files.contents import named


def patch(module: ModuleType, context: Context) -> None:
    """An archive of nothing that was made up has the member that is asked for."""
    kind: Any = module.TarFile
    kept = {name: getattr(one := getattr(kind, name), "__wrapped__", one) for name in ("extractfile", "getmember")}

    def made_up(self: Any) -> bool:
        return context.active and context.made is not None and self.mode == "r" and not self.getmembers()

    @functools.wraps(kept["extractfile"])
    def extractfile(self: Any, member: Any) -> Any:
        if not made_up(self):
            return kept["extractfile"](self, member)
        return io.BytesIO(named(getattr(member, "name", member), context))

    @functools.wraps(kept["getmember"])
    def getmember(self: Any, name: str) -> Any:
        return module.TarInfo(name) if made_up(self) else kept["getmember"](self, name)

    kind.extractfile, kind.getmember = extractfile, getmember
