"""A `DistributedSampler` without `set_epoch` draws its samples in the same order in every epoch.

## What it finds
A loader over a shuffling `DistributedSampler` that was trained on in two epochs without `set_epoch` between them.

## Why it hurts
The sampler's order comes from its seed and its epoch. Without `set_epoch` every epoch has the same batches in the same
order on the same rank: the data are shuffled once, not once per epoch.

## Example
    for epoch in range(10):
        for x, y in loader:

## Instead
    for epoch in range(10):
        sampler.set_epoch(epoch)
        for x, y in loader:

## Fix safety
Safe where the loop over epochs encloses the one over the loader; otherwise no edit is offered.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.batches import loader_of, ran, trains
from ...graph.calls import dotted
from ...graph.source import parsed, site_of, walk
from ...trace import Site, Trace
from ..facts import Facts
from ..remedy import InsertLine

code = "SW249"


def check(trace: Trace) -> Iterator[Facts]:
    """Every loader whose sampler gave two epochs one order."""
    for loader in trace.data.loaders:
        if loader["repeated"] and loader["sites"]:
            site = loader["sites"][-1]
            yield Facts(site, fields={"count": loader["length"]}, remedy=_each_epoch(trace, site))


def _each_epoch(trace: Trace, site: Site) -> InsertLine | None:
    """`loader.sampler.set_epoch(epoch)` at the head of the loop over epochs, whose number it is given."""
    text = trace.sources.get(site.file, "")
    root = parsed(text)
    made = [
        dotted(node.targets[0])
        for node in walk(root)
        if isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and node.lineno <= site.line <= node.end_lineno
        and isinstance(node.value, ast.Call)
    ]
    for outer in (node for node in walk(root) if isinstance(node, ast.For) and ran(trace, site.file, node)):
        over = [part for part in walk(outer) if isinstance(part, ast.For) and part is not outer]
        numbered = isinstance(outer.iter, ast.Call) and dotted(outer.iter.func) == "range"
        if (
            made
            and numbered
            and isinstance(outer.target, ast.Name)
            and any(loader_of(part.iter) == made[-1] and trains(part) for part in over)
        ):
            line = f"{made[-1]}.sampler.set_epoch({outer.target.id})"
            return InsertLine(line, site=site_of(site.file, outer.body[0], text))
    return None


MESSAGES = {
    "en": {
        "message": "the DistributedSampler shuffles the {count} samples into the same order in several epochs",
        "why": (
            "the order depends on the sampler's seed and epoch number, and both were the same; call "
            "sampler.set_epoch(epoch) at the beginning of each epoch"
        ),
    },
    "es": {
        "message": "el DistributedSampler baraja las {count} muestras en el mismo orden en varias épocas",
        "why": (
            "el orden depende de la semilla y del número de época del sampler, y ambos fueron los mismos; hay que "
            "llamar a sampler.set_epoch(epoch) al comienzo de cada época"
        ),
    },
    "ja": {
        "message": "DistributedSampler が {count} サンプルを、複数のエポックで同じ順序にシャッフルしています",
        "why": (
            "順序はサンプラーのシードとエポック番号で決まりますが、どちらも同じでした。各エポックの最初に "
            "sampler.set_epoch(epoch) を呼んでください"
        ),
    },
}
