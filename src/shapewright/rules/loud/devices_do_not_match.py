"""Tensors of one call are on different devices.

## What it finds
A failing call whose operands are not all on one device (tensors without axes aside), reported beside shapes because it
fails at the same lines; a tensor of an accelerator that is read as a NumPy array.

## Why it hurts
The script stops on a machine with an accelerator. Often a tensor made inside `forward`, or a batch, was not moved.

## Example
    mask = torch.ones(x.size(1))            # on the CPU, x is on the GPU

## Instead
    mask = torch.ones(x.size(1), device=x.device)

## Fix safety
Making a tensor where the others are is safe; moving one at every step costs time.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.backwalk import operands
from ...graph.origins import Origins, blend
from ..facts import Facts, Span
from ..failing import Call, recast, refused
from ..remedy import Rewrite

code = "SW132"


@refused()
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing call and the operand that is elsewhere."""
    first = next(iter(operands(call.event)), None)
    if ops.is_a(call.op, "refuses_graph") and first is not None and not first.device.startswith("cpu"):
        yield Facts(
            call.site,
            message="host",
            why="host_why",
            fields={"op": call.op, "name": first.name or "tensor", "a": first.device, "b": "cpu"},
            origins=blend(origins.of_rank(first)),
            spans=(Span(call.site, f"{first.name or 'input'} {first.device}"),),
            remedy=Rewrite("{}.cpu()", argument=(0, "data")),
        )
        return
    if ops.is_a(call.op, "moves", "leaves"):
        return
    given = [fact for fact in operands(call.event) if fact.kind != "array" and fact.device and fact.shape != ()]
    devices = {fact.device.split(":")[0] for fact in given}
    if len(devices) < 2:
        return
    home = next(
        (f.device for f in given if f.kind == "parameter"),
        next((f.device for f in given if not f.device.startswith("cpu")), given[0].device),
    )
    odd = next(f for f in given if f.device.split(":")[0] != home.split(":")[0])
    yield Facts(
        call.site,
        fields={"op": call.op, "name": odd.name or "input", "a": odd.device, "b": home},
        origins=blend(origins.of_axis(odd, 0) if odd.shape else origins.of_rank(odd)),
        spans=tuple(Span(call.site, f"{f.name or 'input'} {f.device}") for f in given[:3]),
        remedy=recast(call, "input"),
    )


MESSAGES = {
    "en": {
        "message": "{op} got tensors on {a} and on {b}",
        "host": "{op} cannot read a tensor on {a}",
        "host_why": "NumPy only reads CPU memory: copy {name} to the CPU first",
        "why": "{name} is on {a}, and another tensor is on {b}",
    },
    "es": {
        "message": "{op} recibe tensores en {a} y en {b}",
        "host": "{op} no puede leer un tensor en {a}",
        "host_why": "NumPy solo lee la memoria de la CPU; antes hay que copiar {name} a la CPU",
        "why": "{name} está en {a}, y otro tensor está en {b}",
    },
    "ja": {
        "message": "{op} に渡されたテンソルが {a} と {b} に分かれています",
        "host": "{op} は {a} 上のテンソルを読めません",
        "host_why": "NumPy が読めるのは CPU のメモリだけです。先に {name} を CPU にコピーしてください",
        "why": "{name} は {a}、別のテンソルは {b} にあります",
    },
}
