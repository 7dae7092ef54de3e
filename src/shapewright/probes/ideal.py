"""Is a loss lower where the answers are what they should be than where they are anything?

A recorded loss is computed again from its tape with other answers in the place of those of the models. Two views of
each sample, told by their inputs: answers alike for both views of a sample and different for others must cost less than
answers at random. Quantiles, told by levels that the loss multiplies with: answers that are the targets' quantiles of
those levels must cost less than those of the levels turned round. Targets, where nothing else counts samples: answers
that are the targets must cost less than those that are other samples' targets. It judges nothing beyond that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .. import ops
from ..run.record.tape import Closed, Entry, Leaf
from ..trace import Answer, IdealAnswers, ProbeFact
from .pairing import played

if TYPE_CHECKING:
    from ..run.process.child import Run

FEWEST, MOST, WIDTH = 8, 1024, 4
NEAREST = 0.7  # the distance of the nearest row to that of the next
MUTUAL, VIEWS, NOISE = 0.9, 12, 0.02
DRAWS, WORSE = 3, 0.1
SURE, FAR = 2.5, 0.5  # a logit; by how much more what is right has to cost


def ask_ideal(run: Run) -> Iterator[ProbeFact[Answer]]:
    """At most one answer for each recorded loss."""
    for closed in run.tape.closed if run.tape is not None else ():
        if any(closed.leaves[at].fact.requires_grad for _, slot in answers(closed) for at in _behind(closed, slot)):
            continue  # the inputs learn, as where a model is attacked
        told = _views(closed) or _quantiles(closed) or _targets(closed)
        if told is None:
            continue
        entry, data = told
        sites = run.sources.sites(entry.stack)
        yield ProbeFact(IdealAnswers.QUESTION, False, data, -1, sites[-1] if sites else None, sites, entry.event)


def answers(closed: Closed) -> list[tuple[Entry, int]]:
    """What the last models gave and the loss reads: `(call, slot)`, those of which no other model reads."""
    models = [entry for entry in closed.entries if isinstance(entry.call, nn.Module)]
    read = {slot for entry in models for slot in entry.reads}
    used = {slot for entry in closed.entries for slot in entry.reads} | {closed.loss}
    return [(entry, slot) for entry in models for slot in entry.results.values() if slot in used - read]


def _inputs(closed: Closed, slot: int) -> list[int]:
    """The leaves that a value comes from, parameters left out."""
    return [at for at in _behind(closed, slot) if not isinstance(closed.leaves[at].value, nn.Parameter)]


def _behind(closed: Closed, slot: int) -> list[int]:
    """The leaves that a value comes from."""
    makers = {made: entry for entry in closed.entries for made in entry.results.values()}
    queue, found, seen = [slot], [], set()
    while queue:
        at = queue.pop()
        if at in seen:
            continue
        seen.add(at)
        if at in makers:
            queue.extend(makers[at].reads)
        elif at in closed.leaves:
            found.append(at)
    return found


# two views of each sample
# -------------------------------------------------------------------------------------------------------------------
def _views(closed: Closed) -> tuple[Entry, IdealAnswers] | None:
    """Where both views of a sample may not be alike."""
    made = answers(closed)
    whole = played(closed, {}) if 1 <= len(made) <= 2 else {}
    if not whole or any(whole[slot].dim() != 2 or whole[slot].shape[1] < WIDTH for _, slot in made):
        return None
    given = [_inputs(closed, slot) for _, slot in made]
    rows = [len(whole[slot]) for _, slot in made]
    if any(len(part) != 1 for part in given) or len(set(rows)) > 1 or not FEWEST <= sum(rows) <= MOST:
        return None
    inputs = [closed.leaves[part[0]] for part in given]
    if any(leaf.value.shape[:1] != (count,) for leaf, count in zip(inputs, rows)):
        return None
    if not all(apart(leaf.value, rows[0]) for slot, leaf in closed.leaves.items() if [slot] not in given):
        return None
    partner = _same_sample(inputs)
    if partner is None:
        return None
    length = float(torch.cat([whole[slot] for _, slot in made]).norm(dim=1).mean())
    costs = []
    for seed in range(VIEWS):
        noise = torch.randn(sum(rows), whole[made[0][1]].shape[1], generator=torch.Generator().manual_seed(seed))
        noise = noise / noise.norm(dim=1, keepdim=True) * length
        first = torch.minimum(partner, torch.arange(len(partner)))
        costs.append([_cost(closed, made, part) for part in (noise[first], noise, *_neighbors(noise, first))])
    cut = any(value.shape[:1] == (rows[0] - 1,) for value in whole.values())
    if not _dearer(costs, 0, 1) or (cut and any(_dearer(costs, 1, at) for at in (2, 3))):
        return None  # or each row is compared with the row before or after it, as in a series
    last = next((one for one in reversed(closed.entries) if len(one.reads) > 1), closed.entries[-1])
    means = [sum(column) / VIEWS for column in list(zip(*costs))[:2]]
    return last, IdealAnswers("views", type(made[0][0].call).__name__, sum(rows) // 2, *means, _between(closed, made))


def _neighbors(noise: torch.Tensor, first: torch.Tensor) -> list[torch.Tensor]:
    """Answers alike for a sample and for the one after or before it: `first` names the first view of each row."""
    later = first < torch.arange(len(first))
    made = []
    for shift in (1, -1):
        moved = first.clone()
        moved[later] = first[later].roll(shift)
        made.append(noise[moved])
    return made


def _dearer(costs: list[list[float]], one: int, other: int) -> bool:
    """Whether some answers cost more than others, beyond the chance of the draws."""
    more = torch.tensor([row[one] - row[other] for row in costs])
    return float(more.mean()) > max(3 * float(more.std()) / len(more) ** 0.5, NOISE * abs(costs[0][other]))


def apart(leaf: torch.Tensor, rows: int) -> bool:
    """Whether a leaf may stand beside views that nothing labels: a parameter, a table of who meets whom, the places of
    the partners, one place for all of them, or what does not count samples."""
    if isinstance(leaf, nn.Parameter) or leaf.dim() == 0 or leaf.shape[0] not in (rows, 2 * rows):
        return True
    if leaf.dim() == 2 and leaf.shape[0] == leaf.shape[1]:
        return True
    return leaf.dim() == 1 and not leaf.is_floating_point() and len(leaf.unique()) in (1, len(leaf))


def _same_sample(inputs: list[Any]) -> torch.Tensor | None:
    """The row that holds the other view of each row's sample: by an axis that both have, else by the values."""
    count = len(inputs[0].value)
    if len(inputs) == 2:
        axes = [leaf.axes[0] if leaf.axes else None for leaf in inputs]
        if None not in axes and axes[0].uids and axes[0].uids == axes[1].uids:
            return torch.cat([torch.arange(count) + count, torch.arange(count)])
    held = inputs[0].axes[0].uids if len(inputs) == 1 and inputs[0].axes else ()
    if len(held) == 2 and 2 in (held[0][1], held[1][1]) and held[0][1] * held[1][1] == count > 4:  # one after another
        at = torch.arange(count)
        return (at + count // 2) % count if held[0][1] == 2 else at ^ 1
    values = [leaf.value for leaf in inputs]
    if any(not value.is_floating_point() or value.shape != values[0].shape for value in values):
        return None
    table = torch.cat([value.reshape(count, -1) for value in values]).double()
    far = torch.cdist(table, table) + torch.diag(torch.full((len(table),), torch.inf, dtype=torch.float64))
    near = far.topk(2, largest=False)
    partner = near.indices[:, 0]
    mutual = partner[partner] == torch.arange(len(table))
    close = near.values[:, 0] < NEAREST * near.values[:, 1]
    return partner if float((mutual & close).double().mean()) >= MUTUAL and bool(mutual.all()) else None


def _cost(closed: Closed, made: list[tuple[Entry, int]], rows: torch.Tensor) -> float:
    """The loss with other rows in the place of the answers."""
    count = len(rows) // len(made)
    return replaced(closed, {slot: rows[at * count : (at + 1) * count] for at, (_, slot) in enumerate(made)})


def replaced(closed: Closed, answers: dict[int, torch.Tensor]) -> float:
    """The loss with other tensors in some slots."""
    rest = [one for one in closed.entries if answers.keys().isdisjoint(one.results.values())]
    held = next(iter(closed.leaves.values())).fact
    leaves = {**closed.leaves, **{slot: Leaf(rows, held) for slot, rows in answers.items()}}
    return float(played(Closed(rest, leaves, closed.loss, closed.stack, closed.iteration), {})[closed.loss])


def _between(closed: Closed, made: list[tuple[Entry, int]]) -> tuple[int, ...]:
    """The calls that lie between the answers and the loss, and the leaves' makers."""
    own = {entry.event for entry, _ in made}
    calls = [
        entry.event for entry in closed.entries if not isinstance(entry.call, nn.Module) and entry.event not in own
    ]
    return tuple(dict.fromkeys((*calls, *(leaf.fact.producer for leaf in closed.leaves.values()))))


# quantiles
# -------------------------------------------------------------------------------------------------------------------
def _quantiles(closed: Closed) -> tuple[Entry, IdealAnswers] | None:
    """Where the levels turned round cost less than the levels."""
    made = answers(closed)
    if len(made) != 1:
        return None
    entry, slot = made[0]
    whole = played(closed, {})
    answer = whole[slot]
    levels = _levels(closed, answer.shape[-1]) if answer.dim() == 2 else None
    targets = [
        leaf.value
        for at, leaf in closed.leaves.items()
        if at not in _inputs(closed, slot)
        and leaf.value.is_floating_point()
        and not isinstance(leaf.value, nn.Parameter)
    ]
    target = next((one for one in targets if one.shape[:1] == answer.shape[:1] and one.numel() == len(answer)), None)
    if levels is None or target is None or len(answer) < FEWEST:
        return None
    sides = [torch.quantile(target.flatten().double(), side.double()).to(answer.dtype) for side in (levels, 1 - levels)]
    ideal, other = (replaced(closed, {slot: side.expand_as(answer).clone()}) for side in sides)
    if not ideal > other * (1 + WORSE) or other <= 0:
        return None
    last = next((one for one in closed.entries if ops.is_a(one.op, "subtracts")), closed.entries[-1])
    return last, IdealAnswers("quantiles", type(entry.call).__name__, len(answer), ideal, other, _between(closed, made))


def _levels(closed: Closed, count: int) -> torch.Tensor | None:
    """As many levels between 0 and 1 as there are answers, rising, that the loss multiplies with."""
    if count < 2:
        return None
    held = [leaf.value.flatten() for leaf in closed.leaves.values() if not isinstance(leaf.value, nn.Parameter)]
    factors = [
        float(part)
        for entry in closed.entries
        if entry.op == "mul"
        for part in entry.args
        if isinstance(part, float) and 0 < part < 1
    ]
    listed = list(dict.fromkeys(factors))
    found = [part for part in held if part.is_floating_point() and part.numel() == count]
    found += [torch.tensor(listed)] if len(listed) == count else []
    for part in found:
        if bool(((part > 0) & (part < 1)).all()) and bool((part.diff() > 0).all()):
            return part
    return None


# targets
# -------------------------------------------------------------------------------------------------------------------
def _targets(closed: Closed) -> tuple[Entry, IdealAnswers] | None:
    """Where the targets of other samples cost less than a sample's own."""
    made = answers(closed)
    if len(made) != 1:
        return None
    entry, slot = made[0]
    answer, given = played(closed, {})[slot], _inputs(closed, slot)
    count = len(answer) if answer.dim() else 0
    beside = [
        (at, leaf.value)
        for at, leaf in closed.leaves.items()
        if at not in given and not isinstance(leaf.value, nn.Parameter) and leaf.value.numel() > 1
    ]
    if len(beside) != 1 or not FEWEST <= count <= MOST or len(beside[0][1]) != count:
        return None
    target = beside[0][1]
    costs = []
    for seed in range(DRAWS):
        order = torch.randperm(count, generator=torch.Generator().manual_seed(seed))
        pair = [_answering(answer, part) for part in (target, target[order])]
        if any(part is None for part in pair) or torch.equal(target, target[order]):
            return None
        costs.append([replaced(closed, {slot: part}) for part in pair if part is not None])
    if any(not ideal > other + FAR * abs(other) + 1e-6 for ideal, other in costs):
        return None
    read = next((one for one in reversed(closed.entries) if beside[0][0] in one.reads), closed.entries[-1])
    means = [sum(column) / DRAWS for column in zip(*costs)]
    return read, IdealAnswers("targets", type(entry.call).__name__, count, *means, _between(closed, made))


def _answering(answer: torch.Tensor, target: torch.Tensor) -> torch.Tensor | None:
    """What a model answers that is right about some targets, though not sure of them."""
    shares = bool(((answer >= 0) & (answer <= 1)).all())
    target = target.squeeze(1) if target.dim() == 2 and target.shape[1] == 1 and answer.shape[1:] != (1,) else target
    if not target.is_floating_point() and target.dim() == 1 and answer.dim() == 2:
        if target.dtype == torch.bool or int(target.min()) < 0 or int(target.max()) >= answer.shape[1]:
            return None
        if not shares and bool((answer >= 0).all()):
            return None  # distances: the least may be the best
        chosen = nn.functional.one_hot(target, answer.shape[1]).to(answer.dtype)
        likely = (chosen * SURE).softmax(1)
        return likely if shares else likely.log() if bool((answer <= 0).all()) else chosen * SURE
    if target.shape != answer.shape or not answer.is_floating_point():
        return None
    if bool(((target == 0) | (target == 1)).all()):
        return 0.1 + 0.8 * target.to(answer.dtype) if shares else (2 * target.to(answer.dtype) - 1) * SURE
    return target.to(answer.dtype).clone()
