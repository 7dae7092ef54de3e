"""A linear layer is given a different number of features than it was created for.

## What it finds
A call of `nn.Linear` (or `F.linear`) whose input's last axis is not `in_features`.

## Why it hurts
The product with the weight cannot be formed; the script stops. Often the number was written by hand for another image
size or sequence length, or axes before the layer are flattened, swapped or missing.

## Example
    self.fc = nn.Linear(16 * 5 * 5, 10)       # for 32 x 32 pictures
    self.fc(features.flatten(1))              # 28 x 28 pictures give 16 * 4 * 4

## Instead
    self.fc = nn.Linear(16 * 4 * 4, 10)

## Fix safety
Changing `in_features` changes the weight's shape: the weight of an older checkpoint no longer fits.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.origins import Origins, blend
from ...ops.shapes import elements
from ...trace import Origin
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW102"


@refused("maps", event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing `linear`, where the last axis disagrees with the weight."""
    found = call.violated
    given, weight = (call.tensor(found.operand), call.tensor("weight")) if found is not None else (None, None)
    if given is None or weight is None or len(weight.shape) < 2 or (given.shape and found.other != "weight"):
        return
    name, got = found.operand, found.size if given.shape else 0
    wanted = found.expected if given.shape else weight.shape[-1]
    layer = (
        origins.of_module(call.module, "in_features" if call.op == "linear" else "in1_features", str(wanted))
        if call.module and call.config("library") == "torch"
        else origins.of_axis(weight, len(weight.shape) - 1)
    )
    if call.config("in_features", wanted) != wanted:  # the weight is not the one that the constructor made
        layer = [*_replaced(origins), *origins.of_axis(weight, -1), *layer]
    unflattened = next((i for i in range(len(given.shape) - 1) if elements(given.shape[i:]) == wanted), None)
    elsewhere = next((i for i, size in enumerate(given.shape[:-1]) if size == wanted), None)
    why = "unflattened" if unflattened is not None else "swapped" if elsewhere is not None else "why"
    rank = origins.of_rank(given) if why == "why" and len(given.shape) < 2 else []
    yield Facts(
        call.site,
        why=why,
        fields={
            "layer": call.module.kind if call.module else "linear",
            "wanted": wanted,
            "got": got,
            "shape": shape_text(given.shape),
            "axis": elsewhere if elsewhere is not None else 0,
            "first": unflattened or 0,
        },
        origins=blend(layer, origins.of_axis(given, -1), rank),
        spans=spans(call, name, "weight"),
        remedy=misfit(call, name, -1, got, wanted, swap_with=elsewhere),
    )


def _replaced(origins: Origins) -> list[Origin]:
    """The lines that put another tensor in the place of a `weight`."""
    return [
        Origin("definition", origins.source.text(node, file), origins.source.site(node, file))
        for file in origins.trace.sources
        for node in origins.source.nodes(file)
        if isinstance(node, ast.Assign)
        and any(isinstance(t, ast.Attribute) and t.attr == "weight" for t in node.targets)
    ]


MESSAGES = {
    "en": {
        "message": "{layer} expects an input whose last axis has size {wanted}, but got an input of shape {shape}",
        "why": "the weight of the layer fixes the size of the last input axis: {wanted}",
        "swapped": "the last axis of the input {shape} has size {got}; axis {axis} has the expected {wanted}",
        "unflattened": (
            "the input {shape} does not seem to be flattened: its axes from axis {first} on hold {wanted} values in "
            "total"
        ),
    },
    "es": {
        "message": "{layer} espera una entrada cuyo último eje tenga tamaño {wanted}, pero recibe una de forma {shape}",
        "why": "el peso de la capa fija el tamaño del último eje de la entrada: {wanted}",
        "swapped": (
            "el último eje de la entrada {shape} tiene tamaño {got}; el eje {axis} tiene el tamaño esperado, {wanted}"
        ),
        "unflattened": (
            "la entrada {shape} parece no estar aplanada: sus ejes a partir del eje {first} contienen en conjunto "
            "{wanted} valores"
        ),
    },
    "ja": {
        "message": "{layer} の入力の最後の軸のサイズは {wanted} のはずですが、入力の形状は {shape} です",
        "why": "入力の最後の軸のサイズは、層の重みによって {wanted} に決まっています",
        "swapped": "入力 {shape} の最後の軸のサイズは {got} です。サイズが {wanted} なのは軸 {axis} です",
        "unflattened": "入力 {shape} は平坦化されていないようです。軸 {first} 以降の値は合わせて {wanted} 個です",
    },
}
