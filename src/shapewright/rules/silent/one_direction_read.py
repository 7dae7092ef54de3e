"""Only one direction of the final states of a bidirectional recurrent net is read.

## What it finds
A bidirectional `nn.LSTM`, `nn.GRU` or `nn.RNN` of which only one row of the final state is used, `h[-1]`.

## Why it hurts
`h` is `(layers * 2, batch, hidden)`; its last row is the backward direction of the last layer alone. The forward
direction of the last layer has no effect on the output, and its weights are not trained.

## Example
    _, (h, _) = lstm(x)                        # bidirectional
    return head(h[-1])

## Instead
    _, (h, _) = lstm(x)
    return head(torch.cat((h[-2], h[-1]), dim=1))     # a head of 2 * hidden inputs

## Fix safety
The next layer's size must grow with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import consumers, operands, tensors
from ...graph.training import place
from ...trace import Event, Origin, TensorFact, Trace
from ..facts import Facts
from ..remedy import ReadBothDirections
from ..subjects import of_calls

code = "SW214"


@of_calls("recurrent")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every bidirectional net of which one row of the final state is all that is read."""
    module = trace.layer(event)
    if (
        module is None
        or not module.config.get("bidirectional")
        or ("grad" not in event.flags and not any(fact.requires_grad for fact in tensors(event.result)))
    ):
        return
    users = [user for user in consumers(trace, event.index) if user.site is not None and user.site != event.site]
    if not users or any(not ops.is_a(user.op, "slots") for user in users):
        return
    rows = {_row(user, event) for user in users}
    if len(rows) == 1 and None not in rows:
        (row,) = rows
        origins = (
            (Origin("constructor", f"{module.kind}(bidirectional=True)", module.site, module.stack),)
            if module.site is not None
            else ()
        )
        yield Facts(
            users[0].site,
            fields={"net": module.kind, "row": row, "rows": next(fact.shape[0] for fact in operands(users[0]))},
            origins=(*origins, *place(trace, event.site)),
            severity="warning",
            event=users[0].index,
            remedy=ReadBothDirections(),
        )


def _row(user: Event, event: Event) -> int | None:
    """The one row of the final state that a use reads."""
    state = user.args[0]
    if not isinstance(state, TensorFact) or state.rank != 3 or not state.axes or state.axes[0].role != "layers":
        return None
    index = user.args[1] if user.op == "getitem" else user.args[2] if user.args[1] == 0 else None
    return index if isinstance(index, int) and not isinstance(index, bool) else None


MESSAGES = {
    "en": {
        "message": "only row {row} of the final state of {net} is read: this row holds only one of the two directions",
        "why": (
            "the {rows} rows of the final state hold both directions of each layer, and no other result of {net} is "
            "used"
        ),
    },
    "es": {
        "message": (
            "solo se lee la fila {row} del estado final de {net}: esa fila contiene solo una de las dos direcciones"
        ),
        "why": (
            "las {rows} filas del estado final contienen las dos direcciones de cada capa, y no se usa ningún otro "
            "resultado de {net}"
        ),
    },
    "ja": {
        "message": "{net} の最終状態のうち使われているのは行 {row} だけで、これは片方向の状態です",
        "why": "最終状態の {rows} 行には各層の両方向が入っていますが、{net} のほかの結果は使われていません",
    },
}
