"""A softmax (or an arg-max, or a normalisation) runs over the axis that counts samples.

## What it finds
`softmax`, `log_softmax`, `argmax` or `normalize` along the batch axis of a tensor that has no second sample axis.
`nn.Softmax()` and
`F.softmax(x)` without `dim` choose axis 0 for tensors of rank 0, 1 and 3.

## Why it hurts
The samples of a batch compete with one another: a sample's answer depends on its company, and at batch one every weight
is 1.

## Example
    weights = torch.stack(branches, 0)        # (branches, batch, channels)
    weights = weights.softmax(dim=1)          # competes over the batch

## Instead
    weights = weights.softmax(dim=0)

## Fix safety
The axis to use is a choice among the others; the repair is verified by running one sample alone and in company.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import argument, counts_samples, one_per_place, sample_uids, shown
from ...trace import Event, Origin, TensorFact, Trace
from ..facts import Facts, Span
from ..remedy import SetDim
from .loss_broadcasts_silently import _distinct

code = "SW202"
slug = "softmax-over-samples"
order = 15

OPS = ("softmax", "log_softmax", "softmin", "gumbel_softmax", "normalize")


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every softmax over the samples of a batch."""
    samples = sample_uids(trace)
    for event in (event for event in trace.events if event.site is not None and (event.op in OPS)):
        fact = event.args[0] if event.args and isinstance(event.args[0], TensorFact) else None
        if fact is None or not fact.axes or fact.rank < 2:
            continue
        dim = axis_of(event, fact)
        if dim is None or fact.shape[dim] < 2 or not counts_samples(fact.axes[dim], samples):
            continue
        if any(
            counts_samples(axis, samples) or axis.size == fact.shape[dim]
            for d, axis in enumerate(fact.axes)
            if d != dim
        ):
            continue  # a table of samples against samples, as in contrastive losses
        if all(axis.size == 1 for d, axis in enumerate(fact.axes) if d != dim):
            continue  # weights of samples, one a sample
        yield _facts(trace, event, fact, dim)


def axis_of(event: Event, fact: TensorFact) -> int | None:
    """The axis that the call uses, with torch's implicit choice where none was named."""
    place = {"normalize": 2, "gumbel_softmax": 4}.get(event.op, 1)
    dim = argument(event, place, "dim", 1 if event.op == "normalize" else -1 if event.op == "gumbel_softmax" else None)
    if dim is None:
        dim = 0 if fact.rank in (0, 1, 3) else 1
    return dim % fact.rank if isinstance(dim, int) else None


def _facts(trace: Trace, event: Event, fact: TensorFact, dim: int) -> Facts:
    origins = [fact.axes[dim].origin] if fact.axes[dim].origin else []
    module = trace.modules.get(event.modules[-1]) if event.modules else None
    if module is not None and module.kind in ("Softmax", "LogSoftmax", "Softmin") and module.site is not None:
        origins.insert(
            0, Origin("constructor", f"{module.kind}(dim={module.config.get('dim')})", module.site, module.stack)
        )
    others = ", ".join(str(d) for d in range(fact.rank) if d != dim and fact.shape[d] > 1)
    return Facts(
        site=event.site,
        fields={
            "op": event.op,
            "shape": shown(fact.shape),
            "dim": dim,
            "samples": fact.shape[dim],
            "others": others,
            "name": fact.name or "x",
        },
        origins=_distinct(tuple(origins), event),
        spans=(Span(event.site, f"{fact.name or 'x'} {shown(fact.shape)}, dim {dim}"),),
        cause=f"mixed:{event.site.file}:{event.site.line}",
        event=event.index,
        remedy=SetDim(dim=dim, module=module.uid if module else -1),
    )


MESSAGES = {
    "en": {
        "message": "{op} over axis {dim} of {shape} normalizes across the {samples} samples of the batch",
        "why": (
            "axis {dim} counts samples; the values of one sample must not depend on the others. Other axes: {others}"
        ),
    },
    "es": {
        "message": "{op} sobre el eje {dim} de {shape} normaliza entre las {samples} muestras del lote",
        "why": (
            "el eje {dim} cuenta muestras; los valores de una no deben depender de las demás. Otros ejes: {others}"
        ),
    },
    "ja": {
        "message": "{shape} の軸 {dim} に沿う {op} は、バッチ内の {samples} 個のサンプルにまたがって正規化します",
        "why": (
            "軸 {dim} はサンプルを数える軸で、あるサンプルの値がほかのサンプルに左右されてはいけま"
            "せん。ほかの軸: {others}"
        ),
    },
}
