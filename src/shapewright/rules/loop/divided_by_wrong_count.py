"""A sum over batches is divided by a count that does not fit what was added.

## What it finds
Hits, or losses times their batch size, divided by the number of batches; as a remark, one mean a batch (`loss.item()`
of a loss that averages)
divided by the number of samples.

## Why it hurts
The figure is off by the batch size: a loss that looks tiny, an accuracy above one. Runs with other batch sizes cannot
be compared.

## Example
    running += loss.item()
    ...
    print(running / len(loader.dataset))

## Instead
    print(running / len(loader))

## Fix safety
Only the report changes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.batches import loops_over_batches, ran
from ...graph.calls import dotted, site_of, tree_of
from ...graph.flow import TARGET_LOSSES
from ...graph.training import place
from ...trace import Site, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW330"
slug = "divided-by-wrong-count"
aliases = ("divided-by-another-count",)
order = 60
FITS = {"means": "batches", "hits": "samples", "weighted": "samples"}


def check(trace: Trace) -> Iterator[Facts]:
    """Every such division below a loop over batches."""
    if max(trace.data.batch_sizes or (0,)) < 2:
        return
    averaged = _averaged(trace)
    for file, text in trace.sources.items():
        root = tree_of(text)
        told = set()
        for loop, loader in loops_over_batches(root) if root is not None else ():
            if not ran(trace, file, loop):
                continue
            for name, kind, line in _sums(loop, averaged, file):
                for node, divisor in _divisions(root, loop, name):
                    count = _count(divisor, loader)
                    if count and count != FITS[kind] and node.lineno not in told and _alone(root, loop, name):
                        told.add(node.lineno)
                        yield Facts(
                            site_of(file, node, text),
                            why=kind,
                            fields={"name": name, "divisor": ast.unparse(divisor), "line": line, "loader": loader},
                            severity="remark"
                            if kind == "means"
                            else "warning",  # A loss that is only smaller misleads nobody about the training.
                            origins=place(trace, Site(file, line)),
                            cause=f"divisor:{file}:{node.lineno}",
                            remedy=Rewrite(
                                f"len({loader})" if FITS[kind] == "batches" else f"len({loader}.dataset)",
                                site_of(file, divisor, text),
                            ),
                        )


def _averaged(trace: Trace) -> dict[tuple[str, int], bool]:
    """By the line of the call: whether the losses there are averages over more than one sample."""
    found: dict[tuple[str, int], bool] = {}
    for event in trace.events:
        if event.op in TARGET_LOSSES and event.site is not None:
            mean = event.kwargs.get("reduction", "mean") == "mean"
            for site in event.stack:
                found[site.file, site.line] = found.get((site.file, site.line), True) and mean
    return found


def _sums(loop: ast.For, averaged: dict, file: str) -> Iterator[tuple[str, str, int]]:
    """`(name, kind, line)` of every name that a loop adds to: `means`, `hits` or `weighted`."""
    for node in ast.walk(loop):
        if (
            not isinstance(node, ast.AugAssign)
            or not isinstance(node.op, ast.Add)
            or not isinstance(node.target, ast.Name)
        ):
            continue
        value = _read(node.value)
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
            for one, other in ((value.left, value.right), (value.right, value.left)):
                if _mean(_read(one), loop, averaged, file) and _size(other):
                    yield node.target.id, "weighted", node.lineno
        elif _mean(value, loop, averaged, file):
            yield node.target.id, "means", node.lineno
        elif (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Attribute)
            and value.func.attr == "sum"
            and not value.args
            and any(
                (isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Eq))
                or (isinstance(part, ast.Attribute) and part.attr == "eq")
                for part in ast.walk(value)
            )
        ):
            yield node.target.id, "hits", node.lineno


def _read(value: ast.expr) -> ast.expr:
    """What stands behind `.item()` and `float(...)`."""
    while True:
        if (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Attribute)
            and value.func.attr in ("item", "detach", "cpu")
        ):
            value = value.func.value
        elif (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id == "float"
            and len(value.args) == 1
        ):
            value = value.args[0]
        else:
            return value


def _mean(value: ast.expr, loop: ast.For, averaged: dict, file: str) -> bool:
    """Whether a value is a loss that averages over the batch: called here, or bound in the loop by such a call and
    nothing else."""
    if isinstance(value, ast.Name):
        bound = [
            node
            for node in ast.walk(loop)
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == value.id for t in node.targets)
        ]
        return (
            len(bound) == 1
            and isinstance(bound[0].value, ast.Call)
            and averaged.get((file, bound[0].value.lineno), False)
        )
    return (
        isinstance(value, ast.Call)
        and averaged.get((file, value.lineno), False)
        and not (isinstance(value.func, ast.Attribute) and value.func.attr == "sum")
    )


def _size(node: ast.expr) -> bool:
    """`len(x)`, `x.size(0)`, `x.shape[0]`."""
    text = ast.unparse(node).replace(" ", "")
    return text.startswith("len(") or text.endswith((".size(0)", ".shape[0]"))


def _divisions(root: ast.AST, loop: ast.For, name: str) -> Iterator[tuple[ast.AST, ast.expr]]:
    """`(node, divisor)` of every division of a name below a loop, in the function around it."""
    scope = _scope(root, loop)
    inside = set(map(id, ast.walk(loop)))
    for node in ast.walk(scope):
        if id(node) in inside or getattr(node, "lineno", 0) <= loop.lineno:
            continue
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            left = node.left
            while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mult):
                left = left.right if isinstance(left.left, ast.Constant) else left.left
            if isinstance(left, ast.Name) and left.id == name:
                yield node, node.right
        elif (
            isinstance(node, ast.AugAssign)
            and isinstance(node.op, ast.Div)
            and isinstance(node.target, ast.Name)
            and node.target.id == name
        ):
            yield node, node.value


def _scope(root: ast.AST, loop: ast.For) -> ast.AST:
    around = [
        node
        for node in ast.walk(root)
        if isinstance(node, ast.FunctionDef) and node.lineno <= loop.lineno <= (node.end_lineno or node.lineno)
    ]
    return max(around, key=lambda node: node.lineno, default=root)


def _alone(root: ast.AST, loop: ast.For, name: str) -> bool:
    """Whether only this loop adds to the name: another sum under the same name would be another question."""
    adding = [
        node
        for node in ast.walk(_scope(root, loop))
        if isinstance(node, ast.AugAssign)
        and isinstance(node.op, ast.Add)
        and isinstance(node.target, ast.Name)
        and node.target.id == name
    ]
    return len(adding) == 1


def _count(divisor: ast.expr, loader: str) -> str:
    """What a divisor counts: `batches` for `len(loader)`, `samples` for `len(loader.dataset)`."""
    if (
        isinstance(divisor, ast.Call)
        and isinstance(divisor.func, ast.Name)
        and divisor.func.id == "len"
        and len(divisor.args) == 1
    ):
        text = dotted(divisor.args[0])
        return "batches" if text == loader else "samples" if text == f"{loader}.dataset" else ""
    return ""


MESSAGES = {
    "en": {
        "message": "{name} is divided by {divisor}, which does not count what was added to it",
        "means": (
            "line {line} adds one mean per batch, so the divisor is the number of batches of {loader}; this "
            "value is too small by a factor of the batch size"
        ),
        "hits": (
            "line {line} adds the correct predictions of each batch; divided by the number of batches of "
            "{loader}, the value is too large by a factor of the batch size"
        ),
        "weighted": (
            "line {line} adds losses multiplied by their number of samples; divided by the number of batches "
            "of {loader}, the value is too large by a factor of the batch size"
        ),
    },
    "es": {
        "message": "{name} se divide entre {divisor}, que no cuenta lo que se le ha sumado",
        "means": (
            "la línea {line} suma una media por lote, así que hay que dividir entre el número de lotes de "
            "{loader}; este valor es demasiado pequeño por un factor igual al tamaño del lote"
        ),
        "hits": (
            "la línea {line} suma los aciertos de cada lote; dividido entre el número de lotes de {loader}, el "
            "valor es demasiado grande por un factor igual al tamaño del lote"
        ),
        "weighted": (
            "la línea {line} suma pérdidas multiplicadas por su número de muestras; dividido entre el número "
            "de lotes de {loader}, el valor es demasiado grande por un factor igual al tamaño del lote"
        ),
    },
    "ja": {
        "message": "{name} を {divisor} で割っていますが、加えてきたものの個数と合いません",
        "means": (
            "{line} 行目はバッチごとの平均を足しているので、{loader} のバッチ数で割るべきです。この値はバッ"
            "チサイズ分の 1 に小さくなっています"
        ),
        "hits": (
            "{line} 行目は各バッチの正解数を足しています。{loader} のバッチ数で割ると、値はバッチサイズ倍"
            "に大きくなります"
        ),
        "weighted": (
            "{line} 行目は損失にサンプル数を掛けて足しています。{loader} のバッチ数で割ると、値はバッチサイズ倍"
            "に大きくなります"
        ),
    },
}
