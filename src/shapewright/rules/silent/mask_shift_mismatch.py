"""The targets of a loss and their padding mask are sliced at different ends.

## What it finds
Losses of the next token, whose targets are `ids[:, 1:]`, with a padding mask sliced as `mask[:, :-1]`.

## Why it hurts
Each target gets the mask value of the token before it: with right padding, one padded target is counted per padded
sequence.

## Example
    nll = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    loss = (nll * mask[:, :-1]).sum() / mask[:, :-1].sum()

## Instead
    loss = (nll * mask[:, 1:]).sum() / mask[:, 1:].sum()

## Fix safety
Safe where the mask marks the real tokens of the same sequence that the targets are sliced from.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import argument, chain, forward, operands, produced, shown
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts, Span
from ..remedy import AlignOrder
from ..subjects import of_calls
from .mask_inverted import polarity

code = "SW232"
aliases = ("mask-cut-otherwise",)
LAID = frozenset(
    {
        "to",
        "float",
        "long",
        "bool",
        "view",
        "reshape",
        "flatten",
        "contiguous",
        "unsqueeze",
        "squeeze",
        "clone",
        "detach",
        "type",
        "int",
    }
)


@of_calls()
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every product of losses by token and a padding mask that lost the other end."""
    target = _targets(trace, event)
    ends = _cut(trace, target) if target is not None else None
    if ends is None or ends[0] != "first":
        return
    for user in forward(trace, event, LAID | {"neg", "squeeze", "view", "mul"}, 5):
        if not ops.is_a(user.op, "multiplies", "selects") or user.site is None:
            continue
        for mask in (part for part in operands(user)[:2] if not part.requires_grad and part.producer != event.index):
            cut = _cut(trace, mask)
            if cut is not None and cut[0] == "last" and cut[1].shape == ends[1].shape and _padding(trace, cut[1]):
                yield Facts(
                    user.site,
                    fields={"mask": mask.name or "mask", "shape": shown(mask.shape)},
                    origins=(*place(trace, cut[2].site), *place(trace, ends[2].site)),
                    spans=(Span(user.site, f"{mask.name or 'mask'} {shown(mask.shape)}"),),
                    remedy=AlignOrder("mask", cut[2].site),
                )


def _targets(trace: Trace, event: Event) -> TensorFact | None:
    """The targets of a loss that is kept by token."""
    result = event.result if isinstance(event.result, TensorFact) else None
    if result is None or result.rank < 1:
        return None
    if ops.is_a(event.op, "classifies"):
        found = argument(event, 1, "target")
    elif (
        event.op == "gather"
        and (made := produced(trace, operands(event)[0])) is not None
        and ops.is_a(made.op, "softmaxes", "divides")
    ):
        found = argument(event, 2, "index")
    else:
        return None
    return found if isinstance(found, TensorFact) and "int" in found.dtype else None


def _cut(trace: Trace, fact: TensorFact) -> tuple[str, TensorFact, Event] | None:
    """`(end, whole, event)`: which end of the second axis a tensor has lost, what it was cut from, and where."""
    for event in chain(trace, fact, lambda _: True, 8):
        index = (
            [part.value if isinstance(part, TensorFact) and part.kind == "slice" else None for part in event.args[1]]
            if event.op == "getitem" and isinstance(event.args[1], tuple)
            else []
        )
        if len(index) >= 2 and index[0] == (None, None, None):
            lost = {(1, None, None): "first", (None, -1, None): "last"}.get(index[1])
            if lost is not None and operands(event)[0].rank == 2:
                return lost, operands(event)[0], event
        elif event.op not in LAID and event.op != "getitem":
            break
    return None


def _padding(trace: Trace, fact: TensorFact) -> bool:
    """Whether a mask tells the real tokens, and was not shifted in place."""
    if any(event.op == "setitem" and operands(event) and operands(event)[0].uid == fact.uid for event in trace.events):
        return False
    return polarity(trace, fact)[0] == "real" or fact.name == "attention_mask"


MESSAGES = {
    "en": {
        "message": (
            "the per-token loss is masked with {mask} {shape}, which was sliced at the opposite end from the targets"
        ),
        "why": (
            "the first token was sliced off the targets, but the last one off the mask, so each target gets the mask "
            "value of the token before it. With right padding, one padded target is counted per padded sequence"
        ),
    },
    "es": {
        "message": (
            "a la pérdida por token se le aplica la máscara {mask} {shape}, recortada por el extremo opuesto al de los "
            "objetivos"
        ),
        "why": (
            "a los objetivos se les quitó el primer token, pero a la máscara se le quitó el último, así que cada "
            "objetivo recibe el valor de la máscara del token anterior. Con relleno a la derecha, se cuenta un "
            "objetivo de relleno por cada secuencia rellenada"
        ),
    },
    "ja": {
        "message": "トークンごとの損失に使うマスク {mask} {shape} と、ターゲットとでは、切り落とした端が逆です",
        "why": (
            "ターゲットからは先頭、マスクからは末尾のトークンが切り落とされたため、各ターゲットに 1 つ前のトークンのマ"
            "スクの値が使われます。右パディングなら、パディングのある系列ごとに、パディングのターゲットが 1 "
            "つ損失に含まれます"
        ),
    },
}
