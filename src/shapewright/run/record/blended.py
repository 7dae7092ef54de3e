"""Notes class indices that an operator has averaged with their neighbors, and that were then made whole numbers again,
by their values: few whole numbers go in, others come out. It judges nothing."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import torch

from ... import ops
from ...dataclass import dataclass
from ...trace import Blended
from ..script.sources import UserSources
from .readable import readable

KINDS, LARGEST, CALLS, HELD = (3, 256), 1 << 18, 12, 8
BLENDING = ops.named("interpolates") | {"grid_sample", "grid_sampler"} | ops.named("averages_space")
KEEPING = ops.named("casts") | {"round", "floor", "ceil", "trunc", "clamp", "flip", "clone", "contiguous", "add", "mul"}
WATCHED = BLENDING | KEEPING


@dataclass(slots=True)
class _Made:
    """What an operator made of few whole numbers, and where."""

    alive: Any
    stack: tuple
    op: str
    values: tuple[int, ...]
    share: float


class Blends:
    """Told by the recorder of operators that blend, and of those that keep what was blended."""

    def __init__(self, sources: UserSources) -> None:
        self.sources = sources
        self._made: OrderedDict[int, _Made] = OrderedDict()
        self._calls: dict[Any, int] = {}
        self._found: dict[tuple, Blended] = {}

    def note(self, op: str, args: tuple, result: Any, stack: tuple) -> None:
        """An operator was called and made `result`."""
        given = args[0] if args else None
        if not isinstance(given, torch.Tensor) or not isinstance(result, torch.Tensor) or not stack:
            return
        if op in BLENDING:
            calls = self._calls[stack[-1]] = self._calls.get(stack[-1], 0) + 1
            if calls <= CALLS:
                self._blends(op, given, result, stack)
            return
        if not self._made or given.is_meta or given.layout is not torch.strided:
            return
        made = self._made.get(given.untyped_storage().data_ptr())
        if made is None:
            return
        if result.dtype.is_floating_point:
            self._keep(result, made)
        elif given.dtype.is_floating_point and result.dtype is not torch.bool and readable(result, LARGEST):
            new = tuple(int(one) for one in result.unique().tolist() if int(one) not in made.values)
            blended, cast = self.sources.sites(made.stack)[-1], self.sources.sites(stack)[-1]
            key = blended, cast
            if key not in self._found or len(new) > len(self._found[key].new):
                shape = tuple(result.shape)
                self._found[key] = Blended(blended, cast, made.op, made.values, new[:4], made.share, shape)

    def _blends(self, op: str, given: torch.Tensor, result: torch.Tensor, stack: tuple) -> None:
        if not (given.is_floating_point() and result.is_floating_point()) or given.requires_grad:
            return
        if not (readable(given, LARGEST) and readable(result, LARGEST)):
            return
        with torch.no_grad():
            values = given.unique()
            if not KINDS[0] <= len(values) <= KINDS[1] or not bool((values == values.round()).all()):
                return
            share = float((result != result.round()).float().mean())
        if share:
            told = tuple(int(one) for one in values.tolist())
            self._keep(result, _Made(None, stack, op, told, share))

    def _keep(self, result: torch.Tensor, made: _Made) -> None:
        """Remember a result by its memory, which is kept so that nothing else comes to lie there."""
        storage = result.untyped_storage()
        kept = _Made(result, made.stack, made.op, made.values, made.share)
        self._made[storage.data_ptr()] = kept
        while len(self._made) > HELD:
            self._made.popitem(last=False)

    def found(self) -> tuple[Blended, ...]:
        """Each pair of places once."""
        return tuple(self._found.values())
