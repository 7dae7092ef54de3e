"""NumPy is asked to look at a tensor that belongs to the graph of gradients.

## What it finds
A failing `.numpy()`, `np.array(...)` or `.tolist()`-like read of a tensor that requires a gradient.

## Why it hurts
The script stops: NumPy would share memory with a tensor that autograd must keep track of.

## Example
    outputs = model(x)
    plot(outputs.numpy())

## Instead
    with torch.no_grad():
        outputs = model(x)

## Fix safety
`.detach()` cuts the gradient here only; in evaluation `torch.no_grad()` also saves memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.backwalk import tensors
from ...graph.origins import Origins, blend
from ...trace import TensorFact
from ..facts import Facts
from ..failing import Call, misfit, refused, spans

code = "SW135"


@refused("refuses_graph")
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing conversion and the call that made the tensor."""
    given = next(tensors(call.event.args), None)
    if not isinstance(given, TensorFact) or not given.requires_grad:
        return
    event = origins.producer(given)
    made = [origins._at(event, "operator", ""), *origins.callers(event.stack)] if event is not None else []
    yield Facts(
        call.site,
        fields={"name": given.name or "tensor"},
        origins=blend(made),
        spans=spans(Call(call.op, {given.name or "input": given}, call.site, call.failure, call.event, call.module)),
        remedy=misfit(call, "input", None, None, None),
    )


MESSAGES = {
    "en": {
        "message": "a tensor that requires a gradient cannot be converted to NumPy here",
        "why": "call .detach() on {name} first: NumPy does not record operations for autograd",
    },
    "es": {
        "message": "un tensor que requiere gradiente no se puede convertir aquí a NumPy",
        "why": "llama antes a .detach() en {name}: NumPy no registra operaciones para autograd",
    },
    "ja": {
        "message": "勾配を必要とするテンソルは、ここでは NumPy に変換できません",
        "why": "先に {name} を .detach() で切り離します。NumPy は autograd の演算を記録しません",
    },
}
