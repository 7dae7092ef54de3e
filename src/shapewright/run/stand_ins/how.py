"""How what stands for something that is not there came to be, and how a run ends for want of it."""

from __future__ import annotations

import errno
import os
from dataclasses import field
from typing import Any

from ...dataclass import dataclass

HELD: set[str] = set()  # files that are not there and whose content is unknown


@dataclass(frozen=True)
class How:
    """How an unknown thing came to be: an `attribute`, an `item`, a `part` or a `row` of another or a `call` of it, or
    what an operator (`computed`) makes of others; `name` is that of the attribute."""

    kind: str = "name"
    of: Any = None
    name: str = ""
    given: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)


NAMED = How()


def refuse(self: Any, *args: object, **options: object) -> Any:
    """End the run for want of what is not there."""
    if self._module in HELD:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self._module)
    raise ModuleNotFoundError(f"No module named {self._module!r}", name=self._module)
