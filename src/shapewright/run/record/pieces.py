"""What variables of a few numbers are bound to, and lists that are filled: where the rows of a batch were cut out.

Rows are known by their values. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from ...trace import Site
from .readable import readable

MOST, LISTS, WIDEST, LONGEST = 64, 24, 512, 4096
LEAST = 2  # numbers that tell which row it is


class Pieces:
    """Fed with bindings, the first one of each place."""

    def __init__(self) -> None:
        self.held: list[tuple[Site, torch.Tensor]] = []
        self.lists: list[tuple[Site, list]] = []

    def bound(self, site: Site, value: object) -> None:
        """A variable was bound."""
        if type(value) is list and len(self.lists) < LISTS:
            self.lists.append((site, value))
        made = _numbers(value) if len(self.held) < MOST else None
        if made is not None:
            self.held.append((site, made))

    def holding(self, data: Iterable[torch.Tensor]) -> list[Site]:
        """Where a row of such a batch was bound by itself, or the list that was filled with its rows."""
        found = []
        for value in data:
            rows = [row for row in map(_numbers, value[:WIDEST] if value.dim() > 1 else ()) if row is not None]
            found += [site for site, piece in self.held if any(_same(piece, row) for row in rows)][:1]
            for site, entries in self.lists if rows else ():
                parts = map(_numbers, entries[:LONGEST])
                if any(part is not None and _same(part, rows[0]) for part in parts):
                    found.append(site)
                    break
        return found


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.shape == other.shape and torch.equal(one, other)


def _numbers(value: Any) -> torch.Tensor | None:
    """A few numbers of a tensor, an array or a list, without axes of one; `None` of anything else."""
    with torch._C.DisableTorchFunction(), torch.no_grad():
        if type(value).__module__ == "numpy" and getattr(value, "ndim", 0) and value.dtype.kind in "fiu":
            made = torch.from_numpy(value.astype("float32")) if LEAST <= value.size <= WIDEST else None
        elif isinstance(value, torch.Tensor) and not value.requires_grad and not value.is_complex():
            made = value.detach().to(torch.float32, copy=True) if value.dim() and readable(value, WIDEST) else None
        elif type(value) is list and LEAST <= len(value) <= WIDEST and all(type(one) in (int, float) for one in value):
            made = torch.tensor(value, dtype=torch.float32)
        else:
            return None
        return made.squeeze() if made is not None and made.numel() >= LEAST else None
