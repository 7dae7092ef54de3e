"""Of a stack of equal blocks two are kept, in a run that is made small. Widths are never changed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

from torch import nn

from ..record.assume import Assumptions

KEPT = 2
LEAST = 100_000  # parameters of a block that is worth it


@contextlib.contextmanager
def few_blocks(assumptions: Assumptions) -> Iterator[None]:
    """While the body runs, a `ModuleList` or a `Sequential` made of equal blocks at once holds the first two."""
    listed, chained = nn.ModuleList.__init__, nn.Sequential.__init__

    def make_list(self: nn.ModuleList, modules: Iterable[nn.Module] | None = None) -> None:
        listed(self, _kept(list(modules), assumptions) if modules is not None else None)

    def make_chain(self: nn.Sequential, *args: object) -> None:
        chained(self, *_kept(list(args), assumptions))

    nn.ModuleList.__init__, nn.Sequential.__init__ = make_list, make_chain  # type: ignore[method-assign]
    try:
        yield
    finally:
        nn.ModuleList.__init__, nn.Sequential.__init__ = listed, chained  # type: ignore[method-assign]


def _kept(blocks: list[nn.Module], assumptions: Assumptions) -> list[nn.Module]:
    if not all(isinstance(block, nn.Module) for block in blocks):
        return blocks  # `None` for a layer that is left out, or what torch is to refuse
    kinds = {(type(block), tuple((name, tuple(p.shape)) for name, p in block.named_parameters())) for block in blocks}
    if len(blocks) <= KEPT or len(kinds) != 1 or sum(p.numel() for p in blocks[0].parameters()) < LEAST:
        return blocks
    name = type(blocks[0]).__name__
    assumptions.add("fewer-layers", name=name, kept=str(KEPT), real=str(len(blocks)))
    return blocks[:KEPT]
