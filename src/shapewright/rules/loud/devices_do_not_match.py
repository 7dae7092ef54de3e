"""Tensors of one call are on different devices.

## What it finds
A failing call whose operands are not all on one device (scalars aside), reported beside shapes because it fails at the
same lines.

## Why it hurts
The script stops on a machine with an accelerator. A tensor made inside `forward`, or a batch, was not moved.

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
from ..failing import Call, misfit, refused

code = "SW132"


@refused()
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing call and the operand that is elsewhere."""
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
        remedy=misfit(call, "input", None, None, None, problem="device"),
    )


MESSAGES = {
    "en": {
        "message": "{op} got tensors on {a} and on {b}",
        "why": "{name} is on {a}, another tensor on {b}",
    },
    "es": {
        "message": "{op} recibe tensores en {a} y en {b}",
        "why": "{name} está en {a} y otro tensor, en {b}",
    },
    "ja": {
        "message": "{op} に {a} と {b} のテンソルが混ざっています",
        "why": "{name} は {a}、別のテンソルは {b} にあります",
    },
}
