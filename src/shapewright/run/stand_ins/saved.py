"""Tensors that `torch.save` wrote and that are not on this machine: made up as what a pickled file held (`forms`), of
single precision. They are told, and no evidence (`Context.loose`)."""

from __future__ import annotations

import sys
from typing import Any

import numpy
import torch
from torch.utils.data._utils import collate as _collate

from .how import HELD, How
from .standing import Standing, asked_of_tensors
from .unknown import RECORDERS, UnknownThing, forms, thing_of

PLACES = (int, slice, type(None), type(Ellipsis))


class Saved(Standing, UnknownThing):
    """What a file held, or a part of it."""

    def _tensor(self) -> torch.Tensor:
        if "_made" not in self.__dict__:
            self.__dict__["_made"] = _tensor_of(forms().array(self))
        return self.__dict__["_made"]

    def __getattr__(self, name: str) -> Any:
        if asked_of_tensors(name) and not sys._getframe(1).f_code.co_filename.startswith(RECORDERS):
            return getattr(self._tensor(), name)
        return super().__getattr__(name)

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        if not isinstance(key, (str, int)) and all(isinstance(part, PLACES) for part in parts):
            return thing_of(self._module, How("item", self, given=(key,)), self._fed)  # arrays are saved too
        if not isinstance(key, (str, int)):
            return self._tensor()[key]
        found = super().__getitem__(key)
        return _tensor_of(found) if isinstance(found, (numpy.ndarray, int, float)) else found


def _tensor_of(found: Any) -> torch.Tensor:
    made = torch.as_tensor(found)
    return made.float() if made.dtype == torch.float64 else made


Saved._kind = Saved
_collate.default_collate_fn_map[Saved] = lambda batch, *, collate_fn_map=None: torch.stack(
    [one._tensor() if isinstance(one, Saved) else _tensor_of(one) for one in batch]
)


def saved_in(path: str) -> Saved:
    """What a file that is not there held."""
    HELD.add(path)
    thing = Saved()
    thing.__dict__.update(_module=path, _how=How("call", name="load"), _fed="")
    return thing
