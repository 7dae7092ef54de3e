"""Keeps how numbers were read off from what models answered without gradients, so that a probe can read them again from
other answers.

A tape that runs where no gradient is kept, once a model has learned: it holds the calls outside of models, and the
models' own, up to each `.item()` of something that descends from an answer or a parameter. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

import torch
from torch import nn

from ...dataclass import dataclass
from .facts import tensor_fact
from .nested import tensors
from .tape import COPIED, ELEMENTS, ENTRIES, Entry, Leaf, Tape, Written, writes

READINGS = 256


@dataclass
class Reading:
    """How one number was read: the entries that it descends from, in order, and the slot that it was read from."""

    entries: list[Entry]
    slot: int


@dataclass
class Metered(Tape):
    """Fed as a tape is. `readings` are how the numbers that some events read came about; `lost` are events that read a
    number of which that is not known; `hot` the slots that descend from an answer or a parameter."""

    recorder: Any = None
    readings: dict[int, Reading] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)
    hot: set[int] = field(default_factory=set)
    _held: int = 0
    _parts: dict[int, int] = field(default_factory=dict)  # tables of which a part was added to: the slot of that part

    def held(self, slot: int) -> torch.Tensor:
        """The tensor in a slot, whatever became of it."""
        return self._alive[slot]

    def value(self, slot: int) -> torch.Tensor | None:
        """What a slot holds; `None` where it was written into since."""
        if slot in self._before:
            return self._before[slot].value
        tensor = self._alive[slot]
        changed = not tensor.is_inference() and tensor._version != self._versions[slot]
        return None if changed or slot in self._written else tensor

    def _listens(self) -> bool:
        """Whether something is judged: a model has learned, and no sample is being fetched."""
        learned = self.recorder.iteration > 0 and self.recorder.fetched is None
        return self.active and not self.inside and not torch.is_grad_enabled() and learned

    def _hears(self, args: object, result: object = None) -> bool:
        """Whether a call is told of: while something is judged, or of what was judged then, as after a block without
        gradients."""
        if self._listens():
            return True
        heard = self.active and not self.inside and self.recorder.fetched is None
        return (
            heard
            and any(self._slots.get(id(leaf)) in self.hot for _, leaf in tensors(args))
            and not any(leaf.requires_grad for _, leaf in tensors((args, result)))
        )

    def writing(self, op: str, args: tuple) -> None:
        """A call is about to begin: what a part of a table is added to in place was in that table before."""
        super().writing(op, args)
        base = args[0]._base if writes(op) and args and isinstance(args[0], torch.Tensor) else None
        slot = self._slots.get(id(base)) if base is not None and self._hears(args) else None
        if slot is not None and slot not in self._before and self._copied + base.numel() <= COPIED:
            with torch._C.DisableTorchFunction():
                self._copied += base.numel()
                self._before[slot] = Leaf(base.detach().clone(), tensor_fact(base, self.notes))

    def skipped(self, args: tuple) -> None:
        """A call was not told of: what it is given may go on in what is not known."""
        if self._hears(args) and any(id(leaf) in self._slots for _, leaf in tensors(args)):
            self.active = False

    def note(
        self, call: Callable, op: str, args: tuple, kwargs: dict, result: object, stack: tuple, event: int
    ) -> None:
        """A call has ended."""
        if op == "item" and args and not self.active and event >= 0:
            self.lost.add(event)
        if op == "item" and self.active:
            self._read_off(args[0], stack, event)
        if op == "item" or not self._hears((args, kwargs), result):
            return
        if writes(op):
            if args and isinstance(args[0], torch.Tensor):
                self._overwritten(call, op, args, kwargs, stack, event)
            return
        made = dict(tensors(result))
        given = self._given(args), self._given(kwargs)
        results = {path: self._slot(leaf) for path, leaf in made.items()}
        entry = Entry(call, op, *given, results, stack, event)
        self._keep(entry)
        self._warm(entry)

    def _warm(self, entry: Entry) -> None:
        held = any(at in self.hot or isinstance(self._alive[at], nn.Parameter) for at in entry.reads)
        if held or isinstance(entry.call, nn.Module):
            self.hot.update(entry.results.values())
        self._held += sum(self._alive[at].numel() for at in entry.results.values())
        if len(self._entries) > ENTRIES or self._held > ELEMENTS:
            self.active = False

    def _overwritten(self, call: Callable, op: str, args: tuple, kwargs: dict, stack: tuple, event: int) -> None:
        """A call wrote into its first operand, which goes on in another slot, unless others look at the same memory."""
        slot = self._slot(args[0])
        if self._part(call, op, args, kwargs, stack, event, slot):
            return
        made_here = any(slot in entry.results.values() for entry in self._entries)
        known = made_here or slot in self._before
        if (entry := self._goes_on(call, op, args, kwargs, stack, event, known=known)) is not None:
            self._warm(entry)

    def _part(self, call: Callable, op: str, args: tuple, kwargs: dict, stack: tuple, event: int, slot: int) -> bool:
        """Whether a call added to a part of a table, or put that part back: `table[k] += x` is both."""
        target = args[0]
        base = self._slots.get(id(target._base)) if target._is_view() else None
        back = self._slots.get(id(args[2])) if op == "setitem" and len(args) > 2 else None
        if base is not None and base not in self._parts and op != "setitem":
            if not any(slot in one.results.values() and base in one.reads for one in self._entries):
                return False
        elif slot not in self._parts or back is None or back != self._parts[slot]:
            return False
        given = self._given(args), self._given(kwargs)
        del self._slots[id(target)]
        entry = Entry(Written(call), op, *given, {(): self._slot(target)}, stack, event)
        self._keep(entry)
        self._warm(entry)
        if op == "setitem":
            del self._parts[slot]
        elif base is not None:
            self._parts[base] = self._slot(target)
        return True

    def _read_off(self, value: torch.Tensor, stack: tuple, event: int) -> None:
        """A number was read."""
        slot = self._slots.get(id(value), -1)
        if event < 0 or slot not in self.hot:
            return
        made = self._made(slot) if len(self.readings) < READINGS else None
        if made is None:
            self.lost.add(event)
        else:
            self.readings[event] = made

    def _made(self, slot: int) -> Reading | None:
        """The entries behind a slot; `None` where one of their values was written into."""
        wanted, needed = {slot}, []
        for entry in reversed(self._entries):
            if not wanted.isdisjoint(entry.results.values()):
                needed.append(entry)
                wanted.update(entry.reads)
        return None if wanted & (self._written | self._parts.keys()) else Reading(needed[::-1], slot)
