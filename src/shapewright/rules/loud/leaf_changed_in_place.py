"""A parameter is changed in place while autograd records it.

## What it finds
A failing `w -= lr * w.grad`, `w.add_(...)` or `w[0] = ...` on a tensor that was made with `requires_grad=True`, or on a
layer's weight, outside of `torch.no_grad()`.

## Why it hurts
The script stops: autograd does not record an in-place change of a leaf tensor that requires grad.

## Example
    w -= lr * w.grad

## Instead
    with torch.no_grad():
        w -= lr * w.grad

## Fix safety
Under `torch.no_grad()` the update is not recorded; the tensor stays a leaf that requires grad.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.origins import Origins, blend
from ...trace.said import Refusal
from ..facts import Facts
from ..failing import Call, misfit, refused, spans

code = "SW146"


@refused()
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing update and where its tensor was made."""
    leaf = next((fact for name in call.named if (fact := call.tensor(name)) is not None), None)
    if Refusal.LEAF not in call.failure.said or leaf is None:
        return
    yield Facts(
        call.site,
        fields={"name": leaf.name or "tensor", "op": call.op},
        origins=blend(origins.of_rank(leaf)),
        spans=spans(call),
        remedy=misfit(call, "input", None, None, None),
    )


MESSAGES = {
    "en": {
        "message": "{name} requires grad and cannot be changed in place here",
        "why": "autograd records {op} here; update the parameter inside torch.no_grad()",
    },
    "es": {
        "message": "{name} requiere gradiente y no se puede modificar in-place aquí",
        "why": "autograd registra {op}; la actualización del parámetro debe ejecutarse dentro de torch.no_grad()",
    },
    "ja": {
        "message": "{name} は勾配を必要とするため、ここでインプレースに変更できません",
        "why": "autograd が {op} を記録しています。パラメータの更新は torch.no_grad() の中で行ってください",
    },
}
