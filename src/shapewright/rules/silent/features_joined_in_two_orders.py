"""A layer is given the same features, concatenated in a different order from elsewhere.

## What it finds
Two calls of one layer, or of the same layer of a network and of its copy, whose input is concatenated of parts of the
same sizes in two different orders: a critic of states and actions that is given actions and states.

## Why it hurts
A layer has one weight per feature. In the other order, each feature is multiplied by the weight of a different one; the
sizes add up to the same, so nothing raises.

## Example
    critic(state, action)
    target_critic(next_action, next_state)          # both concatenate their two arguments

## Instead
    target_critic(next_state, next_action)

## Fix safety
Parts of equal sizes are not reported: nothing tells them apart.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ... import ops
from ...graph.copies import alike
from ...graph.flow import LAYERS, argument, consumers, grouped, one_per_place, operands
from ...graph.ledger import Ledger, ledger
from ...graph.training import place
from ...trace import Event, Site, Trace
from ..facts import Facts
from ..remedy import SwapSides

code = "SW289"


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every layer with two orders, once, where the order is given that fewer lines have."""
    book = ledger(trace)
    for calls in grouped(_joined(trace)).values():
        orders = grouped((_sizes(joined), (joined, reader)) for joined, reader in calls)
        usual, odd = sorted(orders.values(), key=_weight, reverse=True)[:2] if len(orders) == 2 else ([], [])
        if not odd or len({tuple(sorted(order)) for order in orders}) > 1:
            continue
        (other, first), (event, second) = usual[0], odd[0]
        if not _same(book, first, second):
            continue
        site, away = _apart(event, other), _apart(other, event)
        layer = trace.layer(second)
        yield Facts(
            site,
            fields={
                "layer": layer.kind if layer is not None else second.op,
                "sizes": ", ".join(map(str, _sizes(event))),
                "usual": ", ".join(map(str, _sizes(other))),
                "line": away.line,
            },
            origins=tuple(o for one in (away, event.site) if one != site for o in place(trace, one)),
            event=event.index,
            remedy=SwapSides("parts") if len(_sizes(event)) == 2 else None,
        )


def _joined(trace: Trace) -> Iterator[tuple[Hashable, tuple[Event, Event]]]:
    """The concatenations of features of different sizes, each with the layer's call that reads it, by layers that may
    be copies of each other."""
    for event in trace.events:
        if not ops.is_a(event.op, "concatenates") or event.site is None or len(set(_sizes(event))) < 2:
            continue
        for reader in consumers(trace, event.index):
            layer = trace.layer(reader)
            if layer is not None and reader.op in LAYERS and layer.parameters:
                yield (layer.kind, layer.path, layer.parameters), (event, reader)


def _same(book: Ledger, one: Event, other: Event) -> bool:
    """Whether two calls are of one layer, or of one layer of a network that learns and of one of its make that does
    not: a copy of it."""
    if one.modules[-1] == other.modules[-1]:
        return True
    learner, behind = one.modules[0], other.modules[0]
    return alike(book, learner, behind) and book.trained(learner) != book.trained(behind)


def _sizes(event: Event) -> tuple[int, ...]:
    """The sizes of the parts along the axis of the features; none where they are samples that are joined."""
    parts, dim = operands(event), 1 if event.op == "hstack" else argument(event, 1, "dim", 0)
    rank = min((part.rank for part in parts), default=0)
    if not isinstance(dim, int) or rank < 2 or dim % rank == 0:
        return ()
    return tuple(part.sizes[dim] for part in parts)


def _weight(calls: list[tuple[Event, Event]]) -> tuple[int, bool, int]:
    """How much speaks for an order: at how many places, whether it is learned from, and which comes first."""
    made = [event for event, _ in calls]
    return len({event.stack for event in made}), any("grad" in event.flags for event in made), -made[0].index


def _apart(event: Event, other: Event) -> Site:
    """The innermost line that led to one call alone."""
    assert event.site is not None
    return next((site for site in reversed(event.stack) if site not in other.stack), event.site)


MESSAGES = {
    "en": {
        "message": "{layer} gets its concatenated features in a different order: sizes {sizes} instead of {usual}",
        "why": (
            "on line {line}, the same layer gets parts of sizes {usual}; here they are {sizes}, so each feature is "
            "multiplied by the weights of a different one. The total size is the same, so nothing raises"
        ),
    },
    "es": {
        "message": "{layer} recibe sus características concatenadas en otro orden: tamaños {sizes} en vez de {usual}",
        "why": (
            "en la línea {line}, la misma capa recibe partes de tamaños {usual}; aquí son {sizes}, así que cada "
            "característica se multiplica por los pesos de otra. El tamaño total es el mismo, así que no hay error"
        ),
    },
    "ja": {
        "message": "{layer} に渡される特徴量の連結順が異なります: サイズ {usual} ではなく {sizes} です",
        "why": (
            "{line} 行目では同じ層にサイズ {usual} の部分が渡されますが、ここでは {sizes} です。そのため、各特徴量に別"
            "の特徴量の重みが掛けられます。サイズの合計は同じなので、エラーは出ません"
        ),
    },
}
