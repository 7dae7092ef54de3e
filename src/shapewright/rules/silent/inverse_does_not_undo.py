"""Layers are inverted in the order in which they were applied, or one of the inverses does not undo its layer.

## What it finds
A function that calls a method of several modules, one after another, where that method undoes the module's `forward`
(it gives back what went in, when both are run): in the order of `forward` though only the reverse order leads back; or
in the reverse order, with one class whose method does not undo its `forward` while those of the others do.

## Why it hurts
Samples of a normalizing flow, or reconstructions, come from a mapping that was never trained: they do not follow the
distribution that the likelihood was maximized for.

## Example
    for layer in self.layers:
        z = layer.inverse(z)

## Instead
    for layer in reversed(self.layers):
        z = layer.inverse(z)

## Fix safety
No edit is offered. Nothing is reported where no method undoes its module's `forward`, as those of a decoder.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import place
from ...trace import Trace, Undone
from ..facts import Facts

code = "SW317"


def check(trace: Trace) -> Iterator[Facts]:
    """Every such function, or every such method."""
    for answer in trace.answers(Undone, False):
        if answer.site is None:
            continue
        data = answer.data
        yield Facts(
            answer.site,
            message=data.kind,
            why=f"{data.kind}_why",
            fields={
                "module": data.module,
                "function": data.function,
                "count": data.count,
                "error": f"{data.error:.2g}",
            },
            origins=tuple(o for one in answer.stack if one.line != answer.site.line for o in place(trace, one)),
        )


MESSAGES = {
    "en": {
        "order": "the {count} layers are inverted in the order of the forward pass, not in the reverse order",
        "order_why": (
            "{function} is the inverse of each layer, but the layer that was applied last has to be undone first. In "
            "this order the result differs from the input by {error} standard deviations; in the reverse order it is "
            "equal to it"
        ),
        "part": "{function} of {module} is not the inverse of its forward pass",
        "part_why": (
            "of the {count} layers that are undone in reverse order, the others give back what they were given; "
            "{function} applied to the output of {module} differs from its input by {error} standard deviations"
        ),
    },
    "es": {
        "order": "las {count} capas se invierten en el orden del forward, no en el orden inverso",
        "order_why": (
            "{function} es la inversa de cada capa, pero la capa que se aplicó en último lugar debe deshacerse "
            "primero. En este orden el resultado difiere de la entrada en {error} desviaciones típicas; en el orden "
            "inverso coincide con ella"
        ),
        "part": "{function} de {module} no es la inversa de su forward",
        "part_why": (
            "de las {count} capas que se deshacen en orden inverso, las demás devuelven lo que recibieron; {function} "
            "aplicada a la salida de {module} difiere de su entrada en {error} desviaciones típicas"
        ),
    },
    "ja": {
        "order": "{count} 個の層の逆変換が、逆順ではなく forward と同じ順に適用されています",
        "order_why": (
            "{function} は各層の逆変換ですが、最後に適用した層から先に戻す必要があります。この順では結果が入力から"
            "標準偏差の {error} 倍ずれ、逆順なら入力と一致します"
        ),
        "part": "{module} の {function} は forward の逆変換になっていません",
        "part_why": (
            "逆順に戻される {count} 個の層のうち、ほかの層では入力が復元されますが、{module} の出力に {function} を"
            "適用すると、入力から標準偏差の {error} 倍ずれます"
        ),
    },
}
