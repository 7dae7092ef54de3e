"""Does a loss compare every sample with its own target?

A training loss is computed again from the tape of its calls: with samples and targets put in another order together,
which must leave it, and with the targets alone in another order, which must move it. Where the first moves it, the walk
along the calls names the one whose operands hold the samples in two different orders. Models are played in evaluation
mode; one that reads its samples in order is another probe's business.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from ..run.record.nested import tensors
from ..run.record.tape import Closed, Entry, Leaf, Slot
from ..trace import Answer, Pairing, ProbeFact, Unasked
from .orders import Order, orders_of, reordered
from .replay import play, settled
from .state import evaluating
from .subject import Subject, counted

QUESTION = "pairing"
ORDER = 15
LEAST = 4
LARGEST = 256
MOVED = 1e-4
PAIRING = frozenset(
    {  # operators that lay two operands beside each other, element by element
        "add",
        "sub",
        "mul",
        "div",
        "where",
        "maximum",
        "minimum",
        "eq",
        "ne",
        "mse_loss",
        "l1_loss",
        "smooth_l1_loss",
        "huber_loss",
        "cross_entropy",
        "nll_loss",
        "kl_div",
        "binary_cross_entropy",
        "binary_cross_entropy_with_logits",
        "poisson_nll_loss",
        "gaussian_nll_loss",
        "soft_margin_loss",
        "hinge_embedding_loss",
        "cosine_similarity",
    }
)


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """One answer for each loss that begins with this model; `event` is the call at which the pairing is lost."""
    tape = subject.run.tape
    for closed in tape.closed if tape is not None else ():
        models = [entry.call for entry in closed.entries if isinstance(entry.call, nn.Module)]
        if models and models[0] is subject.module:
            yield _asked(subject, closed)


def _asked(subject: Subject, closed: Closed) -> ProbeFact[Answer]:
    def unasked(why: str) -> ProbeFact[Answer]:
        return ProbeFact(QUESTION, None, Unasked(why), subject.uid)

    batch = _batch(closed, subject.run.recorder.drawn.uids)
    if batch is None or not LEAST <= batch[0] <= LARGEST:
        return unasked("no batch axis is certain")
    size, uid = batch
    places = {slot: _places(leaf, size, uid) for slot, leaf in closed.leaves.items()}
    if any(place is None for place in places.values()):
        return unasked("an operand may or may not count samples")
    whole = played(closed, {})
    loss = float(whole[closed.loss])
    if not _same(loss, float(played(closed, {}, seed=1)[closed.loss])) or loss != loss:
        return unasked("the loss is random")
    order = torch.randperm(size, generator=torch.Generator().manual_seed(3))
    values = {slot: _permuted(closed.leaves[slot].value, place, size, order) for slot, place in places.items() if place}
    together = played(closed, values)
    ops = tuple(sorted({entry.op for entry in closed.entries if entry.op != "module"}))
    after = float(together[closed.loss])
    told = Pairing(size, uid is not None, loss, subject.name, ops, after)

    def answer(holds: bool, entry: Entry | None = None, **data: Any) -> ProbeFact[Answer]:
        stack, event = (entry.stack, entry.event) if entry is not None else (closed.stack, -1)
        return subject.says(holds, replace(told, op=entry.op if entry is not None else "", **data), stack, event)

    if not _same(loss, after):
        found = _parting(closed, whole, together, places, size, order)
        if found is not None:
            return answer(False, found[0], kind="order", a=found[1], b=found[2])
        given = {slot for entry in closed.entries if isinstance(entry.call, nn.Module) for slot in entry.reads}
        moved = {
            slot: value
            for slot, value in values.items()
            if slot in given and _varies(closed.leaves[slot].value, places[slot], size)
        }
        if uid is not None and moved and _same(loss, float(played(closed, moved)[closed.loss])):
            return answer(False, kind="deaf")
        rows = _rows_without_two(subject, size) if uid is not None else None
        return answer(False, kind="deaf", rows=rows) if rows is not None else unasked("the order is lost elsewhere")
    read = {slot for entry in closed.entries if isinstance(entry.call, nn.Module) for slot in entry.reads}
    targets = [
        slot
        for slot, place in places.items()
        if place and slot not in read and _varies(closed.leaves[slot].value, place, size)
    ]
    if not targets:
        return unasked("no targets stand beside the model's answer")
    alone = float(played(closed, {slot: values[slot] for slot in targets})[closed.loss])
    if _same(loss, alone):
        alike = {
            slot: _permuted(closed.leaves[slot].value, places[slot], size, torch.zeros(size, dtype=torch.long))
            for slot in targets
        }
        if not _same(loss, float(played(closed, alike)[closed.loss])):  # they are read, but any sample may have them
            crossing = _crossing(closed, whole, size, set(targets))
            if crossing is None:
                return unasked("the loss is one of averages")
            return answer(False, crossing[0], kind=crossing[1], after=alone)
    return answer(True, alone=alone)


# the batch
# -------------------------------------------------------------------------------------------------------------------
def _batch(closed: Closed, drawn: set[int]) -> tuple[int, int | None] | None:
    """How many samples there are, and the identity of their axis where a DataLoader or the script drew it."""
    for leaf in closed.leaves.values():
        for axis in leaf.axes:
            if counted(axis, drawn) and len(axis.uids) == 1:
                return axis.size, axis.uids[0][0]
    first = next((entry for entry in closed.entries if isinstance(entry.call, nn.Module)), None)
    given = [closed.leaves[slot].value for slot in first.reads if slot in closed.leaves] if first is not None else []
    given = [value for value in given if value.dim() > 1 and not isinstance(value, nn.Parameter)]
    return (given[0].shape[0], None) if given else None


def _places(leaf: Leaf, size: int, uid: int | None) -> tuple[tuple[int, int, int], ...] | None:
    """Along which axes a leaf counts samples, each `(axis, outer, inner)` for a merged one; `None` where that is
    uncertain."""
    value = leaf.value
    if isinstance(value, nn.Parameter) or value.dim() == 0:
        return ()
    found = []
    for axis, told in enumerate(leaf.axes):
        ids = [one for one, _ in told.uids]
        if uid is not None and ids.count(uid) == 1:
            at = ids.index(uid)
            outer = inner = 1
            for _, n in told.uids[:at]:
                outer *= n
            for _, n in told.uids[at + 1 :]:
                inner *= n
            if outer * inner * size != value.shape[axis]:
                return None
            found.append((axis, outer, inner))
        elif uid in ids:
            return None
    if found:
        return tuple(found)
    alike = [axis for axis, n in enumerate(value.shape) if n % size == 0 and n > 0]
    if uid is None and value.shape[0] == size:
        if len(alike) == 1 or value.shape.count(size) == 1:
            return ((0, 1, 1),)
        return None
    if not alike or all(_constant(value, axis) for axis in alike) or _counts(value):
        return ()
    return None


def _constant(value: torch.Tensor, axis: int) -> bool:
    return bool((value == value.narrow(axis, 0, 1)).all())


def _counts(value: torch.Tensor) -> bool:
    """Labels of a contrastive loss: 0, 1, 2 ..., or the table of who is who."""
    if value.dim() == 1:
        return bool((value == torch.arange(len(value)).to(value.dtype)).all())
    return (
        value.dim() == 2 and value.shape[0] == value.shape[1] and bool((value.float() == torch.eye(len(value))).all())
    )


def _varies(value: torch.Tensor, places: tuple, size: int) -> bool:
    axis, outer, _inner = places[0]
    rows = value.movedim(axis, 0).reshape(outer, size, -1).transpose(0, 1).reshape(size, -1)
    return len(torch.unique(rows, dim=0)) > 1


def _permuted(value: torch.Tensor, places: tuple, size: int, order: torch.Tensor) -> torch.Tensor:
    for axis, outer, inner in places:
        value = value.index_select(axis, reordered(outer, size, inner, order))
    return value


# playing
# ---------------------------------------------------------------------------------------------------------------------
@torch.no_grad()
def played(closed: Closed, values: dict[int, torch.Tensor], seed: int = 0) -> dict[int, torch.Tensor]:
    """Every slot's value, with `values` in place of some leaves. Raises whatever the calls raise."""
    known: dict[int, torch.Tensor] = {
        slot: leaf.value if isinstance(leaf.value, nn.Parameter) else leaf.value.clone()
        for slot, leaf in closed.leaves.items()
    }
    known |= {slot: value.clone() for slot, value in values.items()}

    with settled(seed):
        for entry in closed.entries:
            args, kwargs = filled(entry.args, known), filled(entry.kwargs, known)
            if isinstance(entry.call, nn.Module):
                with evaluating(entry.call):
                    result = entry.call(*args, **kwargs)
            else:
                result = entry.call(*args, **kwargs)
            made = dict(tensors(result))
            known |= {slot: made[path] for path, slot in entry.results.items()}
    return known


def gradients_of(closed: Closed, made: list[int]) -> list[torch.Tensor | None]:
    """The gradients of the loss with regard to what models made, as it was computed from that."""
    known = played(closed, {})
    starts = {slot: known[slot].detach().requires_grad_() for slot in made if known[slot].is_floating_point()}
    with settled(), torch.enable_grad():
        for entry in closed.entries:
            if not isinstance(entry.call, nn.Module):
                args, kwargs = filled(entry.args, known | starts), filled(entry.kwargs, known | starts)
                tracked = dict(tensors(entry.call(*args, **kwargs)))
                known |= {slot: tracked[path] for path, slot in entry.results.items()}
        if not known[closed.loss].requires_grad:
            return []
        return list(torch.autograd.grad(known[closed.loss], list(starts.values()), allow_unused=True))


def filled(value: Any, known: dict[int, torch.Tensor]) -> Any:
    """Arguments with the tensors in their slots."""
    if isinstance(value, Slot):
        return known[value.index]
    if type(value) in (tuple, list):
        return type(value)(filled(part, known) for part in value)
    if type(value) is dict:
        return {key: filled(part, known) for key, part in value.items()}
    return value


def _rows_without_two(subject: Subject, size: int) -> int | None:
    """How many rows the answer has without two of the samples, where that is as many as with them; `None` where it
    follows the batch."""
    batching = subject.batching()
    if batching is None or not batching.certain or batching.size != size:
        return None
    whole = play(subject, subject.inputs).outputs
    cut = play(subject, batching.cut(subject.inputs, list(range(size - 2)))).outputs
    if not whole or any(
        leaf.dim() < 1 or leaf.shape[0] != size or path not in cut or cut[path].shape != leaf.shape
        for path, leaf in whole.items()
    ):
        return None
    return size


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= MOVED * max(abs(one), abs(other)) + 1e-7


# where the pairing is lost
# ---------------------------------------------------------------------------------------------------
def _parting(
    closed: Closed, whole: dict, together: dict, places: dict, size: int, order: torch.Tensor
) -> tuple[Entry, str, str] | None:
    """The first call whose operands all are reordered, but not alike, so that its result is no reordering; `None` where
    it is no such call."""
    found: dict[int, tuple[Order, ...]] = {}
    for slot, place in places.items():
        found[slot] = orders_of(whole[slot], together[slot], size, order) if place else (Order.FIXED,)
    for entry in closed.entries:
        for slot in entry.results.values():
            found[slot] = orders_of(whole[slot], together[slot], size, order)
        if all(found[slot] for slot in entry.results.values()):
            continue
        moving = [slot for slot in entry.reads if found.get(slot) and Order.FIXED not in found[slot]]
        if entry.op not in PAIRING or len(moving) != 2 or any(not found.get(slot) for slot in entry.reads):
            return None
        if any(
            slot not in moving
            and any(n % size == 0 and not _constant(whole[slot], axis) for axis, n in enumerate(whole[slot].shape))
            for slot in entry.reads
        ):
            return None  # an operand that counts samples and was left as it was
        left, right = moving
        return entry, found[left][0].shown(), found[right][0].shown()
    return None


def _crossing(closed: Closed, whole: dict, size: int, targets: set[int]) -> tuple[Entry, str] | None:
    """The first call in which the targets meet what a model gave without an axis of samples in common: `crossed` where
    each stretches the other, `averaged` where the model's side is one for all samples; `None` where it is no such
    call."""
    aimed, made = set(targets), set()
    for entry in closed.entries:
        reads = entry.reads
        if entry.op in PAIRING and len(reads) >= 2 and aimed & set(reads) and made & set(reads) - aimed:
            rank = max(whole[slot].dim() for slot in reads[:2])
            left, right = ((1,) * (rank - whole[slot].dim()) + tuple(whole[slot].shape) for slot in reads[:2])
            if any(m == 1 and n == size for m, n in zip(left, right)) and any(
                n == 1 and m == size for m, n in zip(left, right)
            ):
                return entry, "crossed"
            answer, target = (right, left) if reads[0] in aimed else (left, right)
            return (entry, "averaged") if size in target and size not in answer else None
        if aimed & set(reads):
            aimed.update(entry.results.values())
        made.update(entry.results.values())
    return None
