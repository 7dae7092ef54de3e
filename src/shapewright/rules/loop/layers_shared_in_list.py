"""A list of layers is one layer many times: `[nn.Linear(8, 8)] * 4` copies the reference, not the layer.

## What it finds
`nn.ModuleList([...] * n)` or `nn.Sequential(*[...] * n)` of a layer with parameters.

## Why it hurts
All places share one set of weights. The network has a fraction of the parameters that were intended.

## Example
    self.blocks = nn.ModuleList([nn.Linear(64, 64)] * 4)

## Instead
    self.blocks = nn.ModuleList([nn.Linear(64, 64) for _ in range(4)])

## Fix safety
Safe. Where weights are to be shared, call one layer in a loop.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.calls import calls, dotted
from ...graph.source import site_of
from ...trace import Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW335"
aliases = ("layers-multiplied",)


def check(trace: Trace) -> Iterator[Facts]:
    """Every such list of layers with parameters that was made."""
    for name, call, _ in calls(trace):
        if name.split(".")[-1] not in ("ModuleList", "Sequential"):
            continue
        for node in call.args:
            node = node.value if isinstance(node, ast.Starred) else node
            if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
                continue
            for items, times in ((node.left, node.right), (node.right, node.left)):
                if (
                    not isinstance(items, ast.List)
                    or not items.elts
                    or not all(isinstance(item, ast.Call) for item in items.elts)
                    or getattr(times, "value", 2) == 1
                ):
                    continue
                found = next(
                    ((file, text) for file, text in trace.sources.items() if ast.unparse(call) in _unparsed(text)), None
                )
                if found is None:
                    continue
                file, text = found
                made = [
                    module
                    for module in trace.modules.values()
                    if any(site.file == file and items.lineno <= site.line <= items.end_lineno for site in module.stack)
                ]
                kinds = {dotted(item.func).split(".")[-1] for item in items.elts}
                if any(module.kind in kinds and (module.parameters or not module.is_torch) for module in made):
                    site = site_of(file, node, text)
                    yield Facts(
                        site,
                        fields={"layer": ast.unparse(items.elts[0].func), "times": ast.unparse(times)},
                        severity="warning",
                        remedy=Rewrite(f"[{ast.unparse(items.elts[0])} for _ in range({ast.unparse(times)})]")
                        if len(items.elts) == 1
                        else None,
                    )


def _unparsed(text: str) -> str:
    try:
        return ast.unparse(ast.parse(text))
    except (SyntaxError, ValueError):
        return ""


MESSAGES = {
    "en": {
        "message": "this list contains the same {layer} {times} times: all its entries share their weights",
        "why": (
            "multiplying a list repeats references, not layers: training any of these entries updates the same weights"
        ),
    },
    "es": {
        "message": "esta lista contiene {times} veces el mismo {layer}: todos sus elementos comparten los pesos",
        "why": (
            "multiplicar una lista repite referencias, no capas: al entrenar cualquiera de esos elementos se "
            "actualizan los mismos pesos"
        ),
    },
    "ja": {
        "message": "このリストには同じ {layer} が {times} 回入っており、すべての要素が重みを共有しています",
        "why": "リストの掛け算で繰り返されるのは層ではなく参照です。どの要素を学習させても同じ重みが更新されます",
    },
}
