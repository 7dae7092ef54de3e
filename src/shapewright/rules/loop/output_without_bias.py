"""The output layer has no bias, and nothing in the script asks for that.

## What it finds
A module whose `forward` returns `self.layer(...)`, where `layer` is `nn.Linear(..., bias=False)` and its weight is not
tied to another. Advice, no fault.

## Why it hurts
Without a bias the layer cannot add a constant of its own to each output, such as a lower one for rare classes; the
layers before have to make up for it. Tied embeddings, and models that follow a published design (LLaMA, GPT-2), leave
it out on purpose.

## Example
    self.l_out = nn.Linear(50, vocab_size, bias=False)

## Instead
    self.l_out = nn.Linear(50, vocab_size)

## Fix safety
A new parameter: checkpoints without it load only with `strict=False`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.calls import dotted, every, mentions
from ...graph.source import Source, walk
from ...trace import Trace
from ..facts import Facts

code = "SW391"
is_opinion = True


def check(trace: Trace) -> Iterator[Facts]:
    """Every such layer, at its constructor."""
    if mentions(trace, ".weight =", "tie_weights", "from_pretrained") or not mentions(
        trace, "crossentropyloss", "cross_entropy"
    ):
        return
    for kind, site in every(trace, ast.ClassDef):
        returned = {
            dotted(node.value.func)
            for node in walk(kind)
            if isinstance(node, ast.Return) and isinstance(node.value, ast.Call)
        }
        for node in walk(kind):
            name = dotted(node.targets[0]) if isinstance(node, ast.Assign) else ""
            if name and name in returned and _plain_linear(node.value):
                yield Facts(Source(trace).site(node.value, site.file), fields={"layer": name}, severity="remark")


def _plain_linear(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and dotted(node.func).endswith("Linear")
        and any(
            item.arg == "bias" and isinstance(item.value, ast.Constant) and item.value.value is False
            for item in node.keywords
        )
    )


MESSAGES = {
    "en": {
        "message": "the output layer {layer} has no bias",
        "why": (
            "without a bias, the layer cannot shift each output by a constant, for example to match how frequent a "
            "class is; with weight tying and in some designs, the bias is left out on purpose"
        ),
    },
    "es": {
        "message": "la capa de salida {layer} no tiene sesgo",
        "why": (
            "sin sesgo, la capa no puede desplazar cada salida en una constante, por ejemplo según lo frecuente que "
            "sea cada clase; al compartir pesos y en algunos diseños, el sesgo se omite a propósito"
        ),
    },
    "ja": {
        "message": "出力層 {layer} にバイアスがありません",
        "why": (
            "バイアスがないと、クラスの頻度などに応じた定数を各出力に加えられません。重みを共有する場合など、"
            "意図してバイアスを外す設計もあります"
        ),
    },
}
