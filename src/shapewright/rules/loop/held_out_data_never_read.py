"""The data that were held out are never read: the evaluation runs over the training data.

## What it finds
A loader for validation or test data that nothing reads, though its samples may be counted, while a loop evaluates,
without training, on the loader that the model is trained on.

## Why it hurts
The metric says how well the training data were learned. Overfitting cannot be seen in it.

## Example
    model.eval()
    with torch.no_grad():
        for x, y in train_loader:
            val_loss += criterion(model(x), y).item()

## Instead
        for x, y in val_loader:

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.batches import loader_of, loops_over_batches, made_by_loader, ran, trains
from ...graph.calls import dotted
from ...graph.source import parsed, site_of, walk
from ...graph.training import place
from ...lexicon import says
from ...trace import Site, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW331"


def check(trace: Trace) -> Iterator[Facts]:
    """Every evaluation on training data beside a loader that is not read."""
    for file, text in trace.sources.items():
        root = parsed(text)
        if not any(event.op == "backward" for event in trace.events):
            continue
        counts = {id(part) for node in walk(root) for part in _counting(node)}
        loaded = [
            node
            for node in walk(root)
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
        ]
        read = {dotted(node) for node in loaded if id(node) not in counts}
        counted = {dotted(node) for node in loaded if id(node) in counts}
        unread = {
            name: line for name, line in _lines(root) if says(name.split(".")[-1], "held_out") and name not in read
        }
        if not unread:
            continue
        loops = list(loops_over_batches(root))
        trained = {name for loop, name in loops if trains(loop)}
        for loop, name in loops:
            if (
                name in trained
                and not trains(loop)
                and not says(name, "held_out")
                and ran(trace, file, loop)
                and _evaluates(trace, file, loop, not counted.isdisjoint(unread))
            ):
                held, line = next(iter(unread.items()))
                node = next(part for part in walk(loop.iter) if dotted(part) == name == loader_of(loop.iter))
                yield Facts(
                    site_of(file, node, text),
                    fields={"name": name, "held": held, "line": line},
                    origins=place(trace, Site(file, line)),
                    severity="warning",
                    remedy=Rewrite(held),
                )
                break


def _lines(root: ast.AST) -> Iterator[tuple[str, int]]:
    """`(name, line)` of every loader that the file makes."""
    made = made_by_loader(root)
    for node in walk(root):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if dotted(target) in made:
                    yield dotted(target), node.lineno


def _counting(node: ast.AST) -> Iterator[ast.AST]:
    """What is only counted: a metric is divided by the number of samples of data that it was not computed on."""
    if isinstance(node, ast.Call) and dotted(node.func) == "len":
        for given in node.args:
            yield from walk(given)


def _evaluates(trace: Trace, file: str, loop: ast.For, counted: bool) -> bool:
    """Whether a model was called in the loop, with no gradients or in evaluation mode, or in any where something is
    divided by the number of held-out samples."""
    inside = range(loop.lineno, (loop.end_lineno or loop.lineno) + 1)
    return any(
        step.kind == "forward"
        and any(site.file == file and site.line in inside for site in step.stack)
        and (counted or not (step.data["grad"] and step.data["training"]))
        for step in trace.steps
    )


MESSAGES = {
    "en": {
        "message": "the evaluation runs over {name}, the training data, instead of {held}",
        "why": (
            "{held} is created on line {line} and never read, so the evaluation covers only data that the model is "
            "trained on"
        ),
    },
    "es": {
        "message": "la evaluación usa {name}, los datos de entrenamiento, en lugar de {held}",
        "why": (
            "{held} se crea en la línea {line} y no se lee nunca: la evaluación abarca solo datos con los que se "
            "entrena el modelo"
        ),
    },
    "ja": {
        "message": "評価が {held} ではなく、学習データの {name} で行われています",
        "why": "{held} は {line} 行目で作られたまま読まれません。評価に使われるのは学習に使ったデータだけです",
    },
}
