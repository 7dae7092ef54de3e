"""Names of parts of an absent package that lie in another part of what stands for it: libraries move them from version
to version (`old.datasets.translation`, `datasets`). A part that an installed library gave up was another thing.
"""

from __future__ import annotations

import itertools
import os
import sys
from typing import Any

OURS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "absent") + os.sep


def moved(module: str, name: str) -> Any:
    """A name of a module as another one has it whose path leaves out some of its parts; `None` where none does."""
    first, *rest = module.split(".")
    for count in range(len(rest) - 1, -1, -1):
        for kept in itertools.combinations(rest, count):
            found = vars(sys.modules.get(".".join((first, *kept)), object())) if _is_there(first, kept) else {}
            if name in found and found[name] is not sys.modules[module]:  # `part.part`
                return found[name]
    return None


def _is_there(first: str, parts: tuple[str, ...]) -> bool:
    return (getattr(sys.modules.get(".".join((first, *parts))), "__file__", None) or "").startswith(OURS)
