"""Keeps how the first losses were computed from what the models gave, so that a probe can compute them again from other
values.

A tape holds the calls outside of models whose results carry gradients, and the models' calls themselves; what these
read and no such call made are its leaves: batches, targets, masks, parameters. It is closed at `backward` and then
keeps no graph alive. It judges nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import field
from typing import Any

import torch
from torch import nn

from ...dataclass import dataclass
from ...trace import Axis, TensorFact
from .facts import tensor_fact
from .nested import DEEPEST, tensors
from .notes import Notes

ENTRIES = 1500
TAPES = 3
ITERATIONS = 3
ELEMENTS = 1 << 23
COPIED = 1 << 22  # numbers that a play copies where a call writes in place


@dataclass(frozen=True)
class Slot:
    """Stands for a tensor in the arguments of a call."""

    index: int


@dataclass
class Entry:
    """One call: `call` is a function of torch's or a module; `results` the slots of its result's leaves, by path."""

    call: Callable
    op: str
    args: tuple
    kwargs: dict
    results: dict[tuple, int]
    stack: tuple
    event: int

    @functools.cached_property
    def reads(self) -> list[int]:
        """The slots among the arguments, in order."""
        return [slot.index for slot in slots((self.args, self.kwargs))]


@dataclass
class Leaf:
    """A value that no entry made, and what the run had noted of it."""

    value: torch.Tensor
    fact: TensorFact

    @property
    def axes(self) -> tuple[Axis, ...]:
        return self.fact.axes


@dataclass(frozen=True)
class Written:
    """A call that writes into its first operand, as one that gives back another tensor."""

    call: Callable

    def __call__(self, target: torch.Tensor, *args: object, **kwargs: object) -> torch.Tensor:
        made = target.clone()
        self.call(made, *args, **kwargs)
        return made


@dataclass
class Closed:
    """How one loss was computed: the entries that it descends from, in order, the leaves by slot, and the slot of the
    loss."""

    entries: list[Entry]
    leaves: dict[int, Leaf]
    loss: int
    stack: tuple
    iteration: int


@dataclass
class Tape:
    """Fed by the recorder and by the modules; `closed` holds at most one tape for each place of `backward`."""

    notes: Notes
    active: bool = True
    inside: int = 0
    began: int = 0
    closed: list[Closed] = field(default_factory=list)
    _entries: list[Entry] = field(default_factory=list)
    _slots: dict[int, int] = field(default_factory=dict)
    _alive: list[torch.Tensor] = field(default_factory=list)
    _versions: list[int] = field(default_factory=list)
    _written: set[int] = field(default_factory=set)
    _before: dict[int, Leaf] = field(default_factory=dict)
    _read: set[int] = field(default_factory=set)
    _copied: int = 0

    def writing(self, op: str, args: tuple) -> None:
        """A call is about to begin: what it is to write into and nobody has read is kept as it is now."""
        target = args[0] if args else None
        if not writes(op) or not isinstance(target, torch.Tensor) or id(target) in self._slots or not self._listens():
            return
        if not target.requires_grad and not target.is_meta and self._copied + target.numel() <= COPIED:
            with torch._C.DisableTorchFunction():
                self._before[self._slot(target)] = Leaf(target.detach().clone(), tensor_fact(target, self.notes))

    def _listens(self) -> bool:
        return self.active and not self.inside and torch.is_grad_enabled()

    def note(
        self, call: Callable, op: str, args: tuple, kwargs: dict, result: object, stack: tuple, event: int
    ) -> None:
        """A call has ended. Those within a model are that model's business."""
        if not self._listens():
            return
        if len(self._entries) >= ENTRIES:
            self.clear()
            self.active = False
            return
        if writes(op):
            if args and isinstance(args[0], torch.Tensor):
                self._overwritten(call, op, args, kwargs, stack, event)
            return
        made = dict(tensors(result))
        if not any(leaf.requires_grad for leaf in made.values()):
            return
        results = {path: self._slot(leaf) for path, leaf in made.items()}
        self._keep(Entry(call, op, self._given(args), self._given(kwargs), results, stack, event))
        if op == "module" and any(id(leaf) not in self._slots for _, leaf in tensors((args, kwargs))):
            self._written.update(results.values())  # an operand is hidden in an object that cannot be built again

    def _keep(self, entry: Entry) -> None:
        self._entries.append(entry)
        self._read.update(entry.reads)

    def _overwritten(self, call: Callable, op: str, args: tuple, kwargs: dict, stack: tuple, event: int) -> None:
        """A call wrote into its first operand. Data that nobody has read yet are as if made anew; what learns goes on
        in another slot, unless others look at the same memory."""
        target, slot = args[0], self._slot(args[0])
        if not target.requires_grad:
            if slot in self._read:
                self._written.add(slot)
            self._versions[slot] = target._version if not target.is_inference() else 0
            self._before.pop(slot, None)
            return
        self._goes_on(call, op, args, kwargs, stack, event, known=not target.is_leaf)

    def _goes_on(
        self, call: Callable, op: str, args: tuple, kwargs: dict, stack: tuple, event: int, *, known: bool
    ) -> Entry | None:
        """The entry of a call that wrote into its first operand, which goes on in another slot; `None`, and the operand
        is lost, where it is not `known` what it held, or others look at the same memory."""
        target, slot = args[0], self._slot(args[0])
        memory = target.untyped_storage().data_ptr()
        seen = [at for at, one in enumerate(self._alive) if one is not target and _memory(one) == memory]
        self._copied += target.numel()
        if seen or target._is_view() or not known or self._copied > COPIED:
            self._written.update((slot, *seen))
            return None
        given = self._given(args), self._given(kwargs)
        del self._slots[id(target)]
        entry = Entry(Written(call), op, *given, {(): self._slot(target)}, stack, event)
        self._keep(entry)
        return entry

    def close(self, loss: Any, stack: tuple, iteration: int) -> None:
        """`backward` runs from `loss`: keep how it was computed, once a place, and begin anew."""
        if not self.active:
            return
        if (
            isinstance(loss, torch.Tensor)
            and loss.numel() == 1
            and id(loss) in self._slots
            and all(tape.stack != stack for tape in self.closed)
        ):
            made = self._closed(self._slots[id(loss)], stack, iteration)
            if made is not None:
                self.closed.append(made)
        self.clear()
        self.active = len(self.closed) < TAPES and iteration - self.began < ITERATIONS

    def renew(self, iteration: int) -> None:
        """Another stage of training begins: listen again, as an earlier one has used up the iterations."""
        if not self.active and len(self.closed) < TAPES:
            self.clear()
            self.began, self.active = iteration, True

    def clear(self) -> None:
        """Forget the calls so far."""
        for part in (
            self._entries,
            self._slots,
            self._alive,
            self._versions,
            self._written,
            self._before,
            self._read,
        ):
            part.clear()
        self._copied = 0

    def _given(self, value: Any, depth: int = 0) -> Any:
        """Arguments with a slot for every tensor."""
        if isinstance(value, torch.Tensor):
            return Slot(self._slot(value))
        if type(value) in (tuple, list) and depth < DEEPEST:
            return type(value)(self._given(part, depth + 1) for part in value)
        if type(value) is dict and depth < DEEPEST:
            return {key: self._given(part, depth + 1) for key, part in value.items()}
        return value

    def _slot(self, tensor: torch.Tensor) -> int:
        slot = self._slots.get(id(tensor))
        if slot is None:
            slot = self._slots[id(tensor)] = len(self._alive)
            self._alive.append(tensor)
            self._versions.append(tensor._version if not tensor.is_inference() else 0)
        return slot

    def _closed(self, loss: int, stack: tuple, iteration: int) -> Closed | None:
        wanted, needed, made = {loss}, [], set()
        drawn = ((entry, slot) for entry in self._entries for slot in entry.results.values())
        weights = {  # of a model that is written as functions, or inputs that learn
            slot
            for entry, slot in drawn
            if self._alive[slot].is_leaf and (not entry.reads or self._alive[slot].requires_grad)
        }
        for entry in reversed(self._entries):
            if wanted & set(entry.results.values()) - weights:
                needed.append(entry)
                wanted.update(entry.reads)
                made.update(entry.results.values())
        if wanted & self._written:
            return None
        kept: dict[int, Leaf] = {}
        for slot in wanted - made:
            tensor = self._alive[slot]
            if slot in self._before:
                kept[slot] = self._before[slot]
                continue
            if not isinstance(tensor, nn.Parameter):
                if tensor.is_meta or tensor.is_inference() or tensor._version != self._versions[slot]:
                    return None
            value = tensor if isinstance(tensor, nn.Parameter) else tensor.detach().clone()
            value = nn.Parameter(value) if slot in weights and value is not tensor else value
            kept[slot] = Leaf(value, tensor_fact(tensor, self.notes))
        if sum(leaf.value.numel() for leaf in kept.values() if not isinstance(leaf.value, nn.Parameter)) > ELEMENTS:
            return None
        return Closed(needed[::-1], kept, loss, stack, iteration)


def writes(op: str) -> bool:
    """Whether an operator writes into its first operand."""
    return op == "setitem" or op.endswith("_")


def _memory(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr() if tensor.layout == torch.strided and not tensor.is_meta else -1


def slots(value: Any) -> list[Slot]:
    """Every slot in nested arguments, in order."""
    if isinstance(value, Slot):
        return [value]
    if isinstance(value, dict):
        return [slot for part in value.values() for slot in slots(part)]
    if isinstance(value, (tuple, list)):
        return [slot for part in value for slot in slots(part)]
    return []
