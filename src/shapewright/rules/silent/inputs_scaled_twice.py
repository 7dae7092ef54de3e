"""Pictures are scaled again after they were scaled, so that hardly any contrast is left.

## What it finds
8-bit pictures in which black and white differ by less than a tenth when they reach the first layer: they were divided
by 255 twice, or divided by 255 and then normalized with the mean and standard deviation of the values 0 to 255.

## Why it hurts
The inputs are nearly constant: the weights have to grow to tell one picture from another, so learning can be slow.

## Example
    x = transforms.ToTensor()(image)         # from 0 to 1
    x = (x - 127.5) / 127.5

## Instead
    x = transforms.ToTensor()(image)
    x = (x - 0.5) / 0.5

## Fix safety
Nothing is reported where a normalization layer comes first, or for inputs that are not on a grid of 8-bit values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...graph.behind import behind, read_at
from ...graph.flow import first_layer, tensors
from ...graph.ledger import ledger
from ...graph.source import Source, walk
from ...graph.training import answers, of_kind, place
from ...trace import Site, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW378"
LEAST = 0.1
LEVELS = 255


def check(trace: Trace) -> Iterator[Facts]:
    """The first training call of a model that is given such pictures."""
    for step in of_kind(trace, "forward"):
        contrast = LEVELS * (step.data.get("pixel") or 0)
        given = next(tensors(step.data["args"]), None)
        if step.site is None or given is None or not 0 < contrast < LEAST or not answers(step) & ledger(trace).learned:
            continue
        layer = first_layer(trace, given)
        if layer is None:
            continue
        origin = given.axes[0].origin if given.axes else None
        loader = origin.site if origin is not None and origin.kind == "loader" else None
        lines = [*(read_at(trace, loader) if loader is not None else ()), *behind(trace, loader or step.site)]
        yield Facts(
            step.site,
            fields={"contrast": f"{contrast:.2g}", "op": layer.op},
            origins=tuple(o for one in dict.fromkeys(lines) if one.line != step.site.line for o in place(trace, one)),
            remedy=_scaled_once(trace, lines),
            severity="warning",
        )
        return


def _scaled_once(trace: Trace, lines: Iterable[Site]) -> Rewrite | None:
    """What is divided by the greatest value of a byte, without that: where it is so twice, the later place."""
    source = Source(trace)
    for site in lines:
        for node in walk(source.statement_on(site.file, site.line) or ast.Pass()):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                if isinstance(node.right, ast.Constant) and node.right.value == LEVELS:
                    return Rewrite(ast.unparse(node.left), source.site(node, site.file))
    return None


MESSAGES = {
    "en": {
        "message": "in the pictures that reach {op}, black and white differ by only {contrast}",
        "why": (
            "all 256 pixel values (0 to 255) fall into a range of only {contrast}. This happens when pictures are "
            "divided by 255 twice, or are divided by 255 and then normalized with the mean and deviation of the values "
            "0 to 255"
        ),
    },
    "es": {
        "message": "en las imágenes que llegan a {op}, el blanco y el negro difieren solo en {contrast}",
        "why": (
            "los 256 valores de píxel (de 0 a 255) caben en un intervalo de solo {contrast}. Esto ocurre cuando las "
            "imágenes se dividen dos veces entre 255, o se dividen entre 255 y luego se normalizan con la media y la "
            "desviación de los valores de 0 a 255"
        ),
    },
    "ja": {
        "message": "{op} に渡される画像では、黒と白の差が {contrast} しかありません",
        "why": (
            "256 段階の画素値 (0 から 255) がすべて幅 {contrast} に収まっています。画像を 2 回 255 で割ったときや、255 "
            "で割った後に、0 から 255 の値の平均と標準偏差で正規化したときに起こります"
        ),
    },
}
