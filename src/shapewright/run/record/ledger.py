"""The ledger of parameters: which of them every `backward` reached, what they were when training began and at the end.

It notes; what that means is asked in `graph/ledger.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn
from torch.nn.parameter import is_lazy

from ...trace import ParameterFact, Site
from .notes import Note, Notes
from .readable import readable

PASSES = 400
LARGEST = 4_000_000
SAMPLE = 16
LOADED = 8


class Ledger:
    """Kept by the landmarks of a run.

    Args:
        notes: gives every parameter its identity.
    """

    def __init__(self, notes: Notes) -> None:
        self.notes, self.modules = notes, None
        self.began: dict[int, int] = {}
        self._idle: dict[int, int] = {}  # of what began as zeros and has had no other gradient: its steps
        self._loaded: dict[int, nn.Module] = {}  # kept, though a function that used them has returned
        self._passes = 0

    def uid(self, p: torch.Tensor) -> int:
        """The identity that every fact of a parameter carries."""
        note = self.notes.get(p)
        return (note if note is not None else self.notes.put(p, Note(kind="parameter"))).uid

    def before(self, optimizers: dict[int, torch.optim.Optimizer]) -> list[tuple[nn.Parameter, Any, int]] | None:
        """The gradients as they are before a `backward`; `None` where enough passes have been seen."""
        self._passes += 1
        if self._passes > PASSES:
            return None
        if self._passes & (self._passes - 1) == 0:  # in the first, the second, the fourth … pass
            self._keep()
        known = {id(p): p for p in (*self._own(), *_held(optimizers)) if not is_lazy(p)}
        for p in known.values():
            self.begin(p)
        return [(p, p.grad, p.grad._version if p.grad is not None else -1) for p in known.values() if p.is_leaf]

    def after(self, before: list[tuple[nn.Parameter, object, int]] | None) -> tuple[int, ...]:
        """The parameters whose gradient a `backward` has made or added to."""
        return tuple(
            self.uid(p)
            for p, gradient, version in before or ()
            if p.grad is not None and (p.grad is not gradient or p.grad._version != version)
        )

    def held(self, before: list[tuple[nn.Parameter, object, int]] | None) -> tuple[int, ...]:
        """The parameters that had a gradient before a `backward`."""
        return tuple(self.uid(p) for p, gradient, _ in before or () if gradient is not None)

    def begin(self, p: nn.Parameter) -> None:
        """Remember what a parameter was when training began."""
        uid = self.uid(p)
        if uid not in self.began:
            self.began[uid] = mark(p)
            if not self.began[uid] and _zeros(p):
                self._idle[uid] = 0

    def stepping(self, p: torch.Tensor) -> None:
        """A step uses the gradient that a parameter has now."""
        uid = self.uid(p) if self._idle else 0
        if uid in self._idle:
            self._idle[uid] += 1
            if not _zeros(p.grad):
                del self._idle[uid]

    def loaded(self, module: nn.Module) -> None:
        """A module that is kept: it is given the values of others, or only parts of it are called."""
        if (
            len(self._loaded) < LOADED
            and sum(p.numel() for p in nn.Module.parameters(module) if not is_lazy(p)) <= LARGEST
        ):
            self._loaded.setdefault(id(module), module)

    def _keep(self) -> None:
        """Models of which only parts are called are there at the end too."""
        known = list(self.modules.known.values()) if self.modules is not None else ()
        alive = [(entry, module) for entry in known if (module := entry.module()) is not None]
        inner = {id(child) for _, module in alive for child in module.children()}
        for entry, module in alive:
            if not entry.outermost and id(module) not in inner and next(nn.Module.parameters(module), None) is not None:
                self.loaded(module)
        copies = [
            module for copied in (self.modules.copied if self.modules is not None else ()) if (module := copied())
        ]
        within = {id(child) for module in copies for child in module.children()}
        for module in copies:  # called or not
            if id(module) not in within and next(nn.Module.parameters(module), None) is not None:
                self.loaded(module)

    def facts(self, known: dict[int, Any], sites: Callable[[tuple], tuple[Site, ...]]) -> dict[int, ParameterFact]:
        """Every parameter of the modules that still exist, by uid; of copies that nobody called there is no module."""
        alive = [(entry, module) for entry in known.values() if (module := entry.module()) is not None]
        names: dict[int, tuple[str, tuple[int, ...], int]] = {}
        for entry, module in alive:
            for name, p in nn.Module.named_parameters(module, remove_duplicate=False):
                longest, models, root = names.get(id(p), ("", (), -1))
                called = (entry.uid,) if entry.outermost and entry.uid not in models else ()
                names[id(p)] = (
                    max(name, longest, key=len),
                    models + called,
                    entry.uid if len(name) > len(longest) else root,
                )
        found = {}
        for entry, module in alive:
            for p in module._parameters.values():
                if p is None or is_lazy(p) or self.uid(p) in found:
                    continue
                name, models, root = names[id(p)]
                uid = self.uid(p)
                found[uid] = ParameterFact(
                    uid,
                    name,
                    entry.uid,
                    models,
                    tuple(p.shape),
                    0 if p.is_meta else p.data_ptr(),
                    p.requires_grad,
                    self.began.get(uid, 0),
                    mark(p),
                    (sites(entry.stack) or (None,))[-1],
                    root,
                    self._idle.get(uid, 0) > 1,
                    _sums(p),
                )
        copies = [copied() for copied in (self.modules.copied if self.modules is not None else ())]
        for module in copies:
            for name, p in module._parameters.items() if module is not None else ():
                if p is not None and not is_lazy(p) and (uid := self.uid(p)) not in found:
                    shape, storage = tuple(p.shape), 0 if p.is_meta else p.data_ptr()
                    found[uid] = ParameterFact(uid, name, -1, (), shape, storage, p.requires_grad, 0, mark(p))
        return found

    def _own(self) -> Iterator[nn.Parameter]:
        for entry in list(self.modules.known.values()) if self.modules is not None else ():
            module = entry.module()
            if module is not None:
                yield from (p for p in module._parameters.values() if p is not None)


def _held(optimizers: dict[int, torch.optim.Optimizer]) -> Iterator[nn.Parameter]:
    for optimizer in optimizers.values():
        for group in optimizer.param_groups:
            yield from group["params"]


def _zeros(tensor: torch.Tensor) -> bool:
    """Whether all values of a tensor can be read and are zero; of a sparse one, those that it holds."""
    tensor = tensor.detach()._values() if tensor.is_sparse else tensor
    return readable(tensor, LARGEST) and not bool(tensor.detach().any())


def _sums(p: torch.Tensor) -> tuple[float, float]:
    """The sum of the values of a parameter and their norm; zeros where they cannot be had."""
    if not readable(p, LARGEST) or p.dtype.is_complex:
        return 0.0, 0.0
    with torch._C.DisableTorchFunction(), torch.no_grad():
        flat = p.detach().reshape(-1).double()
        return float(flat.sum()), float(flat.norm())


def mark(p: torch.Tensor, largest: int = LARGEST) -> int:
    """A number that equal values share; 0 where they cannot be had, or are all the same."""
    if not readable(p, largest):
        return 0
    with torch._C.DisableTorchFunction(), torch.no_grad():
        flat = p.detach().reshape(-1)
        if not flat.numel() or flat.dtype.is_complex or bool((flat == flat[0]).all()):
            return 0
        return hash((tuple(p.shape), float(flat.double().sum()), *flat[:SAMPLE].tolist())) or 1
