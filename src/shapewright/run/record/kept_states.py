"""Follows what `state_dict()` gave: its tensors are the module's own, so that what is kept of it changes as the module
learns."""

from __future__ import annotations

import contextlib
import functools
import sys
import weakref
from collections.abc import Iterator
from types import FrameType
from typing import Any

import torch
from torch import nn

MOST = 20_000


class KeptStates:
    """Notes a landmark `state` wherever the user asks a module for its state, and tells what a state that is loaded has
    become.

    Args:
        marks: the `Landmarks` of the run.
    """

    def __init__(self, marks: Any) -> None:
        self.marks = marks
        self._tensors: dict[int, tuple[weakref.ref, tuple, int]] = {}
        self._inside = False

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Watch `Module.state_dict` while the body runs."""
        taken, states = nn.Module.state_dict, self

        @functools.wraps(taken)
        def state_dict(self, *args, **kwargs):
            if states._inside or args or kwargs:
                return taken(self, *args, **kwargs)
            states._inside = True
            try:
                state = taken(self)
            finally:
                states._inside = False
            states.note(self, state, sys._getframe(1))
            return state

        nn.Module.state_dict = state_dict
        try:
            yield
        finally:
            nn.Module.state_dict = taken

    def note(self, module: nn.Module, state: dict, frame: FrameType) -> None:
        """The user was given a module's state."""
        stack = self.marks.recorder.sources.stack(frame)
        with torch._C.DisableTorchFunction():
            for tensor in state.values():
                if isinstance(tensor, torch.Tensor) and len(self._tensors) < MOST:
                    self._tensors[id(tensor)] = (weakref.ref(tensor), stack, tensor._version)
        self.marks.note("state", stack, {"module": self.marks.uid(module)})

    def given(self, module: nn.Module, state: Any) -> dict[str, Any]:
        """What a state that `module` is about to load says of itself, where all of it is the module's own memory:
        `kept`, the stack at which it was taken, and `changed`, whether it was written to since then. Nothing where it
        is a copy, or another module's."""
        if not isinstance(state, dict) or not state:
            return {}
        with torch._C.DisableTorchFunction():
            own = {
                name: tensor.data_ptr()
                for name, tensor in (*nn.Module.named_parameters(module), *module.named_buffers())
                if tensor.numel() and not tensor.is_meta
            }
            shared = {
                name: tensor
                for name, tensor in state.items()
                if isinstance(tensor, torch.Tensor) and tensor.numel() and not tensor.is_meta
            }
            if not own or set(own) - set(shared) or any(shared[name].data_ptr() != at for name, at in own.items()):
                return {}
            known = [self._tensors.get(id(tensor)) for tensor in shared.values()]
            if any(entry is None or entry[0]() is None for entry in known):
                return {}
            return {
                "kept": known[0][1],
                "changed": any(tensor._version != entry[2] for tensor, entry in zip(shared.values(), known)),
            }

    def loaded(self, module: nn.Module, result: object) -> dict[str, Any]:
        """What a load has left out: `missing` and `unexpected` of `own` entries, the `first` of each, and the `prefix`
        that the given names carry too much, or that the module's names carry more (`added`)."""
        missing, unexpected = list(getattr(result, "missing_keys", ())), list(getattr(result, "unexpected_keys", ()))
        if not missing or not unexpected:
            return {}
        own = set(module.state_dict(keep_vars=True))
        first = unexpected[0]
        prefix = next(
            (
                first[:at]
                for at in range(1, len(first))
                if first[at:] in own and all(name[:at] == first[:at] and name[at:] in own for name in unexpected)
            ),
            "",
        )
        added = next(
            (
                missing[0][:at]
                for at in range(1, len(missing[0]))
                if missing[0][at:] in unexpected and all(missing[0][:at] + name in own for name in unexpected)
            ),
            "",
        )
        return {
            "missing": len(missing),
            "unexpected": len(unexpected),
            "own": len(own),
            "first": (first, missing[0]),
            "prefix": prefix,
            "added": added,
        }
