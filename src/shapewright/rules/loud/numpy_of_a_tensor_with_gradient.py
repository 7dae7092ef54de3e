"""NumPy (or `copy.deepcopy`) is given a tensor that autograd records.

## What it finds
A failing `.numpy()`, `np.array(...)` or NumPy function of a tensor that requires grad, or a `copy.deepcopy` of one that
an operation made.

## Why it hurts
The script stops: autograd would not see what NumPy does with the values.

## Example
    outputs = model(x)
    plot(outputs.numpy())

## Instead
    with torch.no_grad():
        outputs = model(x)

## Fix safety
The gradient is cut only in what `.detach()` returns; in evaluation `torch.no_grad()` also saves memory.
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
        message="copied" if call.op == "deepcopy" else "message",
        why="why_copied" if call.op == "deepcopy" else "why",
        fields={"name": given.name or "tensor"},
        origins=blend(made),
        spans=spans(Call(call.op, {given.name or "input": given}, call.site, call.failure, call.event, call.module)),
        remedy=misfit(call, "input", None, None, None),
    )


MESSAGES = {
    "en": {
        "copied": "copy.deepcopy cannot copy a tensor that requires grad and is the result of an operation",
        "why_copied": "copy.deepcopy can copy a tensor only if it is a leaf tensor: call .detach() on {name} first",
        "message": "a tensor that requires grad cannot be converted to NumPy here",
        "why": "call .detach() on {name} first: autograd cannot record what NumPy does",
    },
    "es": {
        "copied": "copy.deepcopy no puede copiar un tensor que requiere gradiente y es el resultado de una operación",
        "why_copied": (
            "copy.deepcopy solo puede copiar un tensor si es un tensor hoja; antes hay que llamar a .detach() en {name}"
        ),
        "message": "un tensor que requiere gradiente no se puede convertir aquí a NumPy",
        "why": "antes hay que llamar a .detach() en {name}: autograd no puede registrar lo que hace NumPy",
    },
    "ja": {
        "copied": "演算の結果で勾配を必要とするテンソルは、copy.deepcopy でコピーできません",
        "why_copied": (
            "copy.deepcopy でテンソルをコピーできるのは、リーフテンソルの場合だけです。先に {name} を .detach() "
            "で切り離してください"
        ),
        "message": "勾配を必要とするテンソルは、ここでは NumPy に変換できません",
        "why": "先に {name} を .detach() で切り離してください。NumPy での演算は autograd に記録されません",
    },
}
