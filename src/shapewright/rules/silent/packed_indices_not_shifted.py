"""Indices into the packed rows of several samples are not shifted by the number of rows before each sample.

## What it finds
Packed rows of several samples, as in a batch of graphs, that are added up sample by sample; the indices into these rows
never exceed the number of rows of one sample, although there are as many indices as for all samples.

## Why it hurts
The indices of each sample count its rows from zero. Without the number of rows before the sample, the edges of all
samples connect the first rows, which belong to other samples.

## Example
    edges += [(i, j) for i, j in graph.edges]

## Instead
    edges += [(i + first, j + first) for i, j in graph.edges]
    first += len(graph.nodes)

## Fix safety
Shift the indices where the samples are packed: only there is the number of rows before each sample known.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.carried import filling
from ...graph.flow import operands, produced, tensors
from ...graph.training import place
from ...trace import Event, Origin, Picked, Summed, TensorFact, Trace
from ..facts import Facts
from ..loop_remedy import ShiftPacked

code = "SW274"
FEWEST, FAR = 3, 8  # indices, and calls before what picks


def check(trace: Trace) -> Iterator[Facts]:
    """The first line that picks so, each time that it was seen."""
    packed = {(trace.events[one.event].iteration, one.rows): one for one in trace.data.summed}
    lines: dict[tuple[str, int], list[tuple[Picked, Summed]]] = {}
    for one in trace.data.picked:
        event = trace.events[one.event]
        whole = packed.get((event.iteration, one.rows))
        if whole is not None and event.site is not None:
            lines.setdefault((event.site.file, event.site.line), []).append((one, whole))
    for seen in lines.values():
        if not all(_within(one, whole) for one, whole in seen):
            continue
        one, whole = seen[0]
        event = trace.events[one.event]
        yield Facts(
            event.site,
            fields={"rows": one.rows, "blocks": whole.blocks, "count": one.count, "greatest": one.greatest},
            origins=_made(trace, event),
            remedy=ShiftPacked(tuple(made.site for made in _ways(trace, event) if made.site is not None)),
        )
        return


def _within(one: Picked, whole: Summed) -> bool:
    """Whether the numbers are those of one sample, again and again."""
    return (
        one.greatest < whole.longest
        and 2 * whole.longest <= one.rows
        and one.count * 2 >= one.rows
        and one.values >= max(FEWEST, whole.longest // 2)
    )


def _made(trace: Trace, event: Event) -> tuple[Origin, ...]:
    """Where the indices were made, and packed."""
    found = tuple[Origin, ...]()
    for made in _ways(trace, event):
        if not operands(made):
            return found + filling(trace, next(tensors(made.result)))
        if all(made.site is not None and one.site is not None and one.site.line != made.site.line for one in found):
            found += place(trace, made.site)
    return found


def _ways(trace: Trace, event: Event) -> Iterator[Event]:
    """The calls that made the indices, the last one first."""
    fact = next((fact for fact in operands(event)[1:] if fact.is_whole), None)
    for _ in range(FAR):
        made = produced(trace, fact) if isinstance(fact, TensorFact) else None
        if made is None:
            return
        yield made
        fact = next(iter(operands(made)), None)


MESSAGES = {
    "en": {
        "message": (
            "{rows} rows of several samples are packed together, but the indices into them count from 0 in each sample"
        ),
        "why": (
            "the tensor holds the rows of {blocks} samples one after another, but the largest of the {count} indices "
            "is {greatest}. Add to the indices of each sample the number of rows before that sample"
        ),
    },
    "es": {
        "message": (
            "se empaquetan juntas {rows} filas de varias muestras, pero los índices de esas filas empiezan en 0 en "
            "cada muestra"
        ),
        "why": (
            "el tensor contiene, una tras otra, las filas de {blocks} muestras, pero el mayor de los {count} índices "
            "es {greatest}. A los índices de cada muestra hay que sumarles el número de filas que la preceden"
        ),
    },
    "ja": {
        "message": (
            "複数のサンプルの {rows} 行が 1 つにまとめられていますが、添字はサンプルごとに 0 から数えられています"
        ),
        "why": (
            "{blocks} 個のサンプルの行が 1 つのテンソルに連結されていますが、{count} 個の添字の最大値は {greatest} です"
            " (0 始まり)。各サンプルの添字に、そのサンプルより前にある行の数を足してください"
        ),
    },
}
