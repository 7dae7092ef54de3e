"""A text is distributed over the columns of a batch token by token, instead of in long chunks.

## What it finds
One long row of tokens viewed as `(steps, batch)` and read along the first axis as time.

## Why it hurts
Neighboring tokens are in different columns; each column holds every `batch`-th token, so no column is continuous text.

## Example
    data = tokens.view(-1, batch)            # column 0: tokens 0, batch, 2 * batch, ...

## Instead
    data = tokens.view(batch, -1).t()        # column 0: tokens 0, 1, 2, ...

## Fix safety
The count stays the same; targets taken from the next row remain right.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import consumers, lineage, operands, shown
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts, Span
from ..remedy import AlignOrder
from ..subjects import of_calls

code = "SW230"
aliases = ("text-laid-across",)
SAME = frozenset({"contiguous", "to", "long", "clone", "cuda", "narrow", "detach", "int"})


@of_calls("views")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every view of a row of tokens whose quick axis is read as the batch."""
    old = event.args[0] if event.args and isinstance(event.args[0], TensorFact) else None
    new = event.result if isinstance(event.result, TensorFact) else None
    if (
        old is None
        or new is None
        or old.rank != 1
        or new.rank != 2
        or min(new.shape) < 2
        or "int" not in old.dtype
        or not _row(trace, old)
    ):
        return
    net = _reader(trace, event)
    if net is not None:
        columns = new.shape[1]
        yield Facts(
            event.site,
            fields={
                "op": event.op,
                "old": shown(old.shape),
                "new": shown(new.shape),
                "columns": columns,
                "net": net.op.upper(),
            },
            origins=place(trace, net.site),
            spans=(Span(event.site, f"{shown(old.shape)} → {shown(new.shape)}"),),
            severity="warning",
            event=event.index,
            remedy=AlignOrder("columns"),
        )


def _row(trace: Trace, fact: TensorFact) -> bool:
    """Whether a tensor is one row by itself, not the flat form of a table."""
    for event in lineage(trace, fact, lambda made: [part for part in operands(made) if part.rank >= 1][:1]):
        given = [part for part in operands(event) if part.rank >= 1]
        if event.op not in SAME | {"getitem"} or not given:
            return ops.is_a(event.op, "takes_data", "concatenates") and all(part.rank == 1 for part in given)
        if given[0].rank != 1:
            return False
    return True


def _reader(trace: Trace, event: Event) -> Event | None:
    """The recurrent net that reads the quick axis of the view as its batch."""
    queue, seen = [(event, 1)], {event.index}
    while queue and len(seen) < 80:
        current, quick = queue.pop(0)
        for user in consumers(trace, current.index):
            if user.index in seen:
                continue
            seen.add(user.index)
            if ops.is_a(user.op, "turns"):
                queue.append((user, 1 - quick))
            elif user.op in SAME or (
                user.op == "getitem" and isinstance(user.result, TensorFact) and user.result.rank == 2
            ):
                queue.append((user, quick))
            elif ops.is_a(user.op, "embeds", "encodes"):
                net = _net(trace, user)
                if net is not None:
                    module = trace.layer(net)
                    time = 1 if module is not None and module.config.get("batch_first") else 0
                    return net if time != quick else None
    return None


def _net(trace: Trace, event: Event) -> Event | None:
    """The recurrent net that an embedding goes straight into."""
    for _ in range(4):
        users = [
            user
            for user in consumers(trace, event.index)
            if ops.is_a(user.op, "recurrent", "drops", "casts_float", "rectifies", "norms", "multiplies")
        ]
        if not users:
            return None
        event = users[0]
        if ops.is_a(event.op, "recurrent"):
            return event
    return None


MESSAGES = {
    "en": {
        "message": "{op} of {old} to {new} distributes consecutive tokens over {columns} columns",
        "why": (
            "consecutive tokens are along axis 1, which {net} reads as the batch: each column holds only one of every "
            "{columns} tokens, so no column is continuous text"
        ),
    },
    "es": {
        "message": "{op} de {old} a {new} reparte tokens consecutivos en {columns} columnas",
        "why": (
            "los tokens consecutivos están a lo largo del eje 1, que {net} lee como lote: cada columna contiene solo "
            "uno de cada {columns} tokens, así que ninguna es un texto continuo"
        ),
    },
    "ja": {
        "message": "{op} で {old} を {new} にすると、連続するトークンが {columns} 列に振り分けられます",
        "why": (
            "連続するトークンは軸 1 に沿って並び、{net} はそれをバッチとして読みます。各列には {columns} "
            "トークンごとに 1 つのトークンしか入らず、連続した文章になりません"
        ),
    },
}
