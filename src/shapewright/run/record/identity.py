"""A set of tensors by identity. An address alone is no identity: what is freed leaves its address to the next
tensor."""

from __future__ import annotations

import weakref
from collections.abc import Iterable

import torch


class Identities:
    """Tensors that are the very same object, kept alive by nobody here.

    >>> seen, one = Identities(), torch.ones(2)
    >>> seen.update([one])
    >>> one in seen, torch.ones(2) in seen
    (True, False)
    """

    def __init__(self) -> None:
        self._by_address: dict[int, weakref.ref] = {}

    def update(self, tensors: Iterable[torch.Tensor]) -> None:
        """Put tensors into the set."""
        for tensor in tensors:
            if tensor not in self:
                self._by_address[id(tensor)] = weakref.ref(tensor)

    def __contains__(self, tensor: torch.Tensor) -> bool:
        known = self._by_address.get(id(tensor))
        return known is not None and known() is tensor
