"""An evaluation runs over all batches and reports the last one only.

## What it finds
A loop over a loader that does not train, in which every name is bound anew at each batch and nothing is gathered, while
the metric after it reads those names; or a count that is set to zero inside the loop in which it counts.

## Why it hurts
The metric is that of one batch, often the small last one. It jumps from epoch to epoch and says little about the data.

## Example
    for x, y in test_loader:
        pred = model(x).argmax(1)
    accuracy = (pred == y).float().mean()

## Instead
    correct = 0
    for x, y in test_loader:
        correct += (model(x).argmax(1) == y).sum().item()
    accuracy = correct / len(test_loader.dataset)

## Fix safety
Safe for a count that is set to zero inside the loop: its line goes above the loop. How a metric is to be gathered over
the batches only the author knows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.batches import flat, following, loaded, loops_over_batches, ran, stored, trains
from ...graph.flow import TARGET_LOSSES
from ...graph.source import parsed, site_of, walk
from ...graph.training import place
from ...trace import Site, Trace
from ..facts import Facts
from ..remedy import MoveLine

code = "SW329"
METRICS = TARGET_LOSSES | ops.named("equates")


def check(trace: Trace) -> Iterator[Facts]:
    """Every such loop that ran over more than one batch."""
    several = {(loop.site.file, loop.site.line) for loop in trace.loops if loop.iterations > 1 and not loop.trained}
    for file, text in trace.sources.items():
        root = parsed(text)
        for loop, loader in loops_over_batches(root):
            if (file, loop.lineno) not in several or trains(loop) or not ran(trace, file, loop):
                continue
            reset = _reset(loop, root)
            if reset is not None:
                name, where = reset
                above = Site(file, loop.lineno) if _only_counts(loop, where) else None
                yield Facts(
                    site_of(file, where, text),
                    message="reset",
                    why="why_reset",
                    fields={"name": name, "loader": loader, "line": loop.lineno},
                    origins=place(trace, Site(file, loop.lineno)),
                    severity="warning",
                    cause=(code, file, loop.lineno),
                    remedy=MoveLine(above=above) if above is not None else None,
                )
                continue
            told = _overwritten(trace, file, root, loop)
            if told is not None:
                name, reader = told
                yield Facts(
                    site_of(file, reader, text),
                    fields={"name": name, "loader": loader, "line": loop.lineno},
                    origins=place(trace, Site(file, loop.lineno))
                    + tuple(o for s in flat(loop.body) for o in place(trace, Site(file, s.lineno))),
                    severity="warning",
                    cause=(code, file, loop.lineno),
                )


def _overwritten(trace: Trace, file: str, root: ast.AST, loop: ast.For) -> tuple[str, ast.stmt] | None:
    """A name that each batch overwrites and the statement after the loop that makes a figure of it."""
    body = list(flat(loop.body))
    if any(isinstance(part, (ast.Break, ast.Return, ast.Yield, ast.Continue)) for part in walk(loop)):
        return None
    for statement in body:
        if not isinstance(statement, ast.Assign) or not all(
            isinstance(part, (ast.Name, ast.Tuple, ast.List, ast.Starred))
            for target in statement.targets
            for part in _targets(target)
        ):
            return None  # something may be kept
        if stored(statement) & loaded(statement.value) - stored(loop.target) and not stored(statement) <= _bound_before(
            body, statement
        ):
            return None  # it goes on from what the last batch left
    bound = set().union(*(stored(statement) for statement in body), set())
    metric = {
        event.site.line
        for event in trace.events
        if event.op in METRICS and event.site is not None and event.site.file == file
    }
    lines = set(range(loop.lineno, (loop.end_lineno or loop.lineno) + 1))
    for statement in following(root, loop):
        names = loaded(statement) & bound
        if names:
            own = set(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
            return (
                (sorted(names)[0], statement)
                if metric & (lines | own) and not isinstance(statement, (ast.For, ast.While, ast.FunctionDef))
                else None
            )
        bound -= stored(statement)
    return None


def _bound_before(body: list[ast.stmt], statement: ast.stmt) -> set[str]:
    """What the batch itself has bound before a statement."""
    return set().union(*(stored(other) for other in body[: body.index(statement)]), set())


def _targets(target: ast.expr) -> Iterator[ast.expr]:
    yield target
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _targets(part)


def _reset(loop: ast.For, root: ast.AST) -> tuple[str, ast.stmt] | None:
    """A count that is set to zero and added to in the same pass, and read after the loop."""
    body = list(flat(loop.body))
    for at, statement in enumerate(body):
        names = stored(statement) if isinstance(statement, ast.Assign) and _zeros(statement.value) else set()
        for later in body[at + 1 :]:
            if isinstance(later, ast.AugAssign) and isinstance(later.target, ast.Name) and later.target.id in names:
                name = later.target.id
                inside = any(name in loaded(other) for other in body if other is not later)
                if not inside and any(name in loaded(after) for after in following(root, loop)[:6]):
                    return name, statement
    return None


def _only_counts(loop: ast.For, where: ast.stmt) -> bool:
    """Whether all that a statement sets to zero is added to in the same pass, and bound nowhere else in it."""
    added = {
        part.target.id
        for part in flat(loop.body)
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name)
    }
    others = [part for part in walk(loop) if isinstance(part, (ast.Assign, ast.AnnAssign)) and part is not where]
    return stored(where) <= added - set().union(*(stored(other) for other in others), set())


def _zeros(value: ast.expr) -> bool:
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return all(isinstance(part, ast.Constant) and part.value == 0 and part.value is not False for part in parts)


MESSAGES = {
    "en": {
        "message": (
            "{name} covers only the last batch: the loop over {loader} discards the results of the other batches"
        ),
        "why": (
            "every iteration of the loop on line {line} overwrites the result of the iteration before; this value is "
            "computed after the loop"
        ),
        "reset": "{name} is reset to zero for every batch of {loader}, so only the last batch counts",
        "why_reset": (
            "every iteration of the loop on line {line} sets this value to zero and adds the result of the batch; the "
            "value is read after the loop"
        ),
    },
    "es": {
        "message": "{name} solo abarca el último lote: el bucle sobre {loader} descarta los resultados de los demás",
        "why": (
            "cada iteración del bucle de la línea {line} sobrescribe el resultado de la anterior; este valor se "
            "calcula después del bucle"
        ),
        "reset": "{name} se pone a cero en cada lote de {loader}, así que solo cuenta el último lote",
        "why_reset": (
            "cada iteración del bucle de la línea {line} pone este valor a cero y le suma el resultado del lote; el "
            "valor se lee después del bucle"
        ),
    },
    "ja": {
        "message": "{name} は最後のバッチだけの値です。{loader} のループでは、ほかのバッチの結果が捨てられます",
        "why": "{line} 行目のループではバッチごとに前の結果が上書きされ、この値はループの後で計算されています",
        "reset": "{name} が {loader} のバッチごとに 0 に戻され、最後のバッチしか数えられません",
        "why_reset": (
            "{line} 行目のループは反復のたびにこの値を 0 に戻し、バッチの結果を加算しています。"
            "値が読まれるのはループの後です"
        ),
    },
}
