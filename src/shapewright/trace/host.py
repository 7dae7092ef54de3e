"""A Python number that came from tensors or counts them."""

from __future__ import annotations

from ..dataclass import dataclass
from .site import Site


@dataclass(frozen=True, slots=True)
class HostFact:
    """`op` is `item` (read from a tensor by `event`), `len` or `size` (a count; `kind` is the class of what was
    counted), the arithmetic that made the number (`add`, `sub`, `mul`, `div`), or `compare`: the script asked which of
    two is less, or has a scheduler ask it (`kind` `plateau`); `operands` are the indices of the followed
    numbers among its operands, and plain numbers as they are. `hits` is how many of `operands[0]`
    comparisons of arrays match (`kind` `hits`), or their share (`means`). `loop` is the uid of the innermost
    loop, `caller` where the function at `site` was called."""

    index: int
    op: str
    site: Site | None
    operands: tuple[int | float, ...]
    followed: tuple[bool, ...]
    value: float
    event: int = -1
    kind: str = ""
    loop: int = -1
    iteration: int = 0
    caller: Site | None = None

    @property
    def parents(self) -> tuple[int, ...]:
        """The numbers, by their indices, that it was computed from and that were followed."""
        return tuple(int(part) for part, own in zip(self.operands, self.followed) if own)
