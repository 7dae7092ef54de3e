"""A softmax or a normalization runs over the sample axis.

## What it finds
`softmax`, `log_softmax` or `normalize` along the batch axis of a tensor that has no second sample axis.
`nn.Softmax()` and `F.softmax(x)` without `dim` choose axis 0 for tensors of rank 0, 1 and 3.

## Why it hurts
The values of different samples are normalized together: a sample's output depends on the other samples in the batch,
and in a batch of one every softmax weight is 1.

## Example
    weights = torch.stack(branches, 0)        # (branches, batch, channels)
    weights = weights.softmax(dim=1)          # competes over the batch

## Instead
    weights = weights.softmax(dim=0)

## Fix safety
The axis to use is a choice among the others; the repair is verified by running one sample alone and in a batch.
"""

from __future__ import annotations

from ... import ops
from ...trace import Event
from ..axis_use import AxisUse, Seen, declared

code = "SW202"
NEAR = 12  # calls after the weights in which they are used


def _table(seen: Seen) -> bool:
    """A table of samples against samples, as in contrastive losses."""
    size = seen.fact.shape[seen.axis]
    return any(seen.counted(d) == "samples" or seen.fact.shape[d] == size for d in seen.others)


def _weights(seen: Seen) -> bool:
    """One weight per sample."""
    return all(seen.fact.shape[d] == 1 for d in seen.others)


def _pooled(seen: Seen) -> bool:
    """Weights of what is then added up along the same axis, which only a call of a model tells to count samples: it
    leaves no sample by itself. Or columns of length one, as for a correlation of features."""
    axis = seen.fact.axes[seen.axis]
    if not axis.uids or (axis.role == "batch" and seen.event.op != "normalize"):
        return False
    begin, uid = seen.event.index + 1, axis.uids[0][0]
    adds_up = _contracts if axis.role == "batch" else _adds_up
    return any(adds_up(event, uid) for event in seen.trace.events[begin : begin + NEAR])


def _adds_up(event: Event, uid: int) -> bool:
    """Whether a call adds up along an axis."""
    call = ops.bound(event)
    for name, uses in ops.uses(call).items() if call is not None else ():
        fact = call.tensor(name)
        for axis, use in zip(fact.axes if fact is not None else (), uses):
            if use in ("reduced", "contracted") and axis.uids and axis.uids[0][0] == uid:
                return True
    return False


def _contracts(event: Event, uid: int) -> bool:
    """Whether a product sums over an axis."""
    call = ops.bound(event)
    sides = ops.summed(call) if call is not None and ops.is_a(event.op, "contracts") else ()
    return any(
        uid in (part for part, _ in fact.axes[d].uids[:1]) for fact, at in sides for d in at if d < len(fact.axes)
    )


check = declared(AxisUse(("competes",), "normalized", never="samples", unless=(_table, _weights, _pooled)))

MESSAGES = {
    "en": {
        "message": "{op} over axis {dim} of {shape} normalizes across the {samples} samples of the batch",
        "why": (
            "axis {dim} is the sample axis, so the values of one sample depend on the other samples. Other axes: "
            "{others}"
        ),
    },
    "es": {
        "message": "{op} sobre el eje {dim} de {shape} normaliza entre las {samples} muestras del lote",
        "why": (
            "el eje {dim} es el de las muestras, así que los valores de una muestra dependen de las demás. Otros "
            "ejes: {others}"
        ),
    },
    "ja": {
        "message": "{shape} の軸 {dim} に沿う {op} は、バッチ内の {samples} 個のサンプルにまたがって正規化します",
        "why": "軸 {dim} はサンプルの軸なので、あるサンプルの値がほかのサンプルに左右されます。ほかの軸: {others}",
    },
}
