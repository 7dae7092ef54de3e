"""A metric is averaged over batches of unequal size.

## What it finds
An evaluation loop over a DataLoader whose last batch is smaller, that adds up one mean per batch and divides by the
number of batches. Advice, no fault.

## Why it hurts
The few samples of the last batch weigh as much as all samples of another batch: the metric can be slightly off and
change with the batch size.

## Example
    for x, y in loader:
        total += accuracy(model(x), y)
    print(total / len(loader))

## Instead
    for x, y in loader:
        correct += (model(x).argmax(1) == y).sum().item()
    print(correct / len(loader.dataset))

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.batches import loader_of
from ...graph.calls import dotted, every
from ...graph.source import Source, walk
from ...trace import Trace
from ..facts import Facts

code = "SW395"
MEANS = frozenset(
    {
        "mean",
        "cross_entropy",
        "mse_loss",
        "nll_loss",
        "binary_cross_entropy",
        "binary_cross_entropy_with_logits",
        "l1_loss",
    }
)


def check(trace: Trace) -> Iterator[Facts]:
    """The first such figure."""
    sizes = trace.data.batch_sizes
    if len(sizes) < 2:
        return
    ran = {(event.site.file, event.site.line) for event in trace.events if event.site is not None}
    for loop, site in every(trace, ast.For):
        source = loader_of(loop.iter)
        if (
            not source
            or any(isinstance(part, ast.Attribute) and part.attr == "backward" for part in walk(loop))
            or not any((site.file, line) in ran for line in range(site.line, site.end_line + 1))
        ):
            continue
        for name, kind in _sums(loop):
            node = _divided(Source(trace).tree(site.file), loop, name, kind, source)
            if node is not None:
                yield Facts(
                    Source(trace).site(node, site.file),
                    fields={"name": name, "least": min(sizes), "most": max(sizes)},
                    severity="remark",
                )
                return


def _sums(loop: ast.For) -> Iterator[tuple[str, str]]:
    """`(name, kind)` of every name that takes in one mean a batch: `sum` by `+=`, `list` by `append`."""
    for node in walk(loop):
        if (
            isinstance(node, ast.AugAssign)
            and isinstance(node.op, ast.Add)
            and isinstance(node.target, ast.Name)
            and _mean(node.value, loop)
        ):
            yield node.target.id, "sum"
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "append"
            and isinstance(node.func.value, ast.Name)
            and node.args
        ) and _mean(node.args[0], loop):
            yield node.func.value.id, "list"


def _mean(value: ast.expr, loop: ast.For) -> bool:
    """Whether a value is `x.item()` where `x` is a mean, and not multiplied by a count."""
    if (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id == "float"
        and len(value.args) == 1
    ):
        value = value.args[0]
    elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "item":
        value = value.func.value
    else:
        return False
    if isinstance(value, ast.Name):
        bound = [
            node.value
            for node in walk(loop)
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == value.id for t in node.targets)
        ]
        if len(bound) != 1:
            return False
        value = bound[0]
    if not isinstance(value, ast.Call) or any(keyword.arg == "reduction" for keyword in value.keywords):
        return False
    return (value.func.attr if isinstance(value.func, ast.Attribute) else "") in MEANS


def _divided(root: ast.Module | None, loop: ast.For, name: str, kind: str, loader: str) -> ast.expr | None:
    """The expression after the loop that divides the sum by the number of batches."""
    for node in walk(root):
        if not hasattr(node, "lineno") or node.lineno <= (loop.end_lineno or loop.lineno):
            continue
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Div)
            and isinstance(node.right, ast.Call)
            and getattr(node.right.func, "id", "") == "len"
            and node.right.args
        ):
            left, right = ast.unparse(node.left), dotted(node.right.args[0])
            if (kind == "sum" and left == name and right == loader) or (
                kind == "list" and left == f"sum({name})" and right == name
            ):
                return node
        if (
            kind == "list"
            and isinstance(node, ast.Call)
            and dotted(node.func) in ("np.mean", "numpy.mean", "statistics.mean", "mean")
            and node.args
            and ast.unparse(node.args[0]) == name
        ):
            return node
    return None


MESSAGES = {
    "en": {
        "message": "{name} averages one mean per batch, and the batches of this run differ in size ({least} to {most})",
        "why": (
            "the mean of batch means gives a sample in a smaller batch more weight than one in a larger batch; add up "
            "the values of all samples and divide by the number of samples"
        ),
    },
    "es": {
        "message": (
            "{name} es el promedio de las medias de los lotes, y los lotes de esta ejecución difieren de tamaño (de "
            "{least} a {most})"
        ),
        "why": (
            "la media de las medias por lote da más peso a una muestra de un lote pequeño que a una de un lote "
            "grande; hay que sumar los valores de todas las muestras y dividir entre el número de muestras"
        ),
    },
    "ja": {
        "message": (
            "{name} はバッチごとの平均をさらに平均していますが、この実行のバッチサイズは揃っていません "
            "({least}〜{most})"
        ),
        "why": (
            "バッチ平均の平均では、小さいバッチのサンプルが大きいバッチのサンプルより重く扱われます。"
            "全サンプルの値を足し、サンプル数で割ってください"
        ),
    },
}
