"""The same noise is added to every sample of a batch.

## What it finds
Normally distributed noise with the shape of one sample, sampled anew in each step, that is added to a whole batch, or
is multiplied by one scale per sample and then added.

## Why it hurts
The samples of a batch are disturbed in the same way, so the noise does not average out over them, and gradients can be
noisier.

## Example
    noisy = images + 0.2 * torch.randn(images.shape[1:])

## Instead
    noisy = images + 0.2 * torch.randn_like(images)

## Fix safety
The noise is drawn in the shape of what it is added to. Noise on parameters, noise of few numbers (one shift or gain for
a batch), and noise that is drawn once and kept are not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import prod

from ... import ops
from ...graph.calls import dotted
from ...graph.flow import consumers, counts_samples, one_per_place, operands, produced, sample_uids, shown
from ...graph.scaling import unscaled
from ...graph.signs import positive
from ...graph.source import Source
from ...graph.training import ancestors, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Remedy, Rewrite

code = "SW376"
LEAST = 8  # numbers of a sample
LIKE = frozenset({"randn", "randn_like"})


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every sum of a batch and of noise for one sample that is drawn again and again while something trains."""
    turns: dict[object, set[int]] = {}
    for event in trace.events:
        if ops.is_a(event.op, "draws_normal"):
            turns.setdefault(event.site, set()).add(event.iteration)
    again = {site for site, seen in turns.items() if site is not None and len(seen) > 1}
    samples = sample_uids(trace) if again else frozenset()
    for event in trace.events if again else ():
        pair = operands(event)
        if event.site is None or len(pair) != 2 or not ops.is_a(event.op, "adds", "multiplies"):
            continue
        for batch, noise in (pair, pair[::-1]):
            drawn = produced(trace, unscaled(trace, noise)[1])
            if drawn is None or drawn.site not in again or not ops.is_a(drawn.op, "draws_normal"):
                continue
            if not _lacks_samples(batch, noise) or not counts_samples(batch.axes[0], samples):
                continue
            if _with(trace, batch, drawn) or not (ops.is_a(event.op, "adds") or _spread(trace, event, batch)):
                continue
            yield Facts(
                event.site,
                fields={"noise": shown(noise.shape), "batch": shown(batch.shape), "samples": batch.sizes[0]},
                origins=place(trace, drawn.site),
                severity="warning",
                remedy=_for_each(trace, event, batch, drawn),
                event=event.index,
            )


def _for_each(trace: Trace, event: Event, batch: TensorFact, drawn: Event) -> Remedy | None:
    """The noise drawn anew in the shape of what it is added to, which has a name."""
    added = (fact for user in (event, *consumers(trace, event.index)) for fact in operands(user))
    name = next((fact.name for fact in (batch, *added) if fact.shape == batch.shape and fact.name.isidentifier()), "")
    call = Source(trace).spanned(drawn.site, ast.Call)
    if not name or call is None or drawn.op not in LIKE:
        return None
    return Rewrite(f"{dotted(call.func).removesuffix('_like')}_like({name})", drawn.site)


def _lacks_samples(batch: TensorFact, noise: TensorFact) -> bool:
    """Whether noise has the shape of one sample of a batch."""
    sizes = noise.sizes[1:] if noise.rank == batch.rank and noise.sizes[:1] == (1,) else noise.sizes
    return bool(batch.axes) and batch.sizes[0] > 1 and sizes == batch.sizes[1:] and prod(sizes) >= LEAST


def _with(trace: Trace, batch: TensorFact, drawn: Event) -> bool:
    """Whether a batch is itself drawn in the turn in which the noise is: points around a center."""
    made = ancestors(trace, batch, 60).values()
    return any(ops.is_a(one.op, "draws_normal") and one.iteration == drawn.iteration for one in made)


def _spread(trace: Trace, event: Event, batch: TensorFact) -> bool:
    """Whether a product is noise times a spread that is added to something."""
    added = any(ops.is_a(user.op, "adds") and len(operands(user)) == 2 for user in consumers(trace, event.index))
    return added and batch.requires_grad and positive(trace, batch)


MESSAGES = {
    "en": {
        "message": (
            "noise of shape {noise} is broadcast over a batch of shape {batch}: all {samples} samples get the same "
            "noise"
        ),
        "why": "the noise is drawn once for the whole batch, so it does not average out over the samples",
    },
    "es": {
        "message": (
            "el ruido de forma {noise} se extiende por broadcasting a un lote de forma {batch}: las {samples} muestras "
            "reciben el mismo ruido"
        ),
        "why": (
            "el ruido se genera una sola vez para todo el lote, así que no se compensa al promediar sobre las muestras"
        ),
    },
    "ja": {
        "message": (
            "形状 {noise} のノイズが形状 {batch} のバッチにブロードキャストされ、{samples} 個のサンプルすべてに同じノイ"
            "ズが加わります"
        ),
        "why": "ノイズはバッチ全体で 1 回だけ生成されるため、サンプルで平均しても打ち消されません",
    },
}
