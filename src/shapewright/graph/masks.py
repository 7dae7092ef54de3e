"""Masks by which places are hidden from attention, or from another choice among scores.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..trace import Event, TensorFact, Trace
from .flow import argument, forward, produced

READERS = ops.named("softmaxes", "attends") | {"logsumexp", "max", "amax", "argmax"}
TOWARDS = frozenset({"div", "mul", "add", "view", "reshape", "transpose", "permute", "unsqueeze", "squeeze", "to"}) | {
    "contiguous",
    "expand",
    "masked_fill",
}
LOW = -1000.0  # what no score is


def hiding(trace: Trace, event: Event) -> Iterator[tuple[TensorFact, bool]]:
    """`(mask, allows)`: masks that forbid places of attention, or, where `allows`, leave them."""
    name = event.op.rstrip("_")
    if name == "masked_fill":
        mask, value = argument(event, 1, "mask"), argument(event, 2, "value")
        if (
            isinstance(mask, TensorFact)
            and isinstance(value, (int, float))
            and value <= LOW
            and is_weighed(trace, event)
        ):
            yield mask, False
    elif name == "where":
        mask, value = argument(event, 0, "condition"), argument(event, 2, "other")
        if (
            isinstance(mask, TensorFact)
            and ((isinstance(value, (int, float)) and value <= LOW) or _low(trace, value))
            and is_weighed(trace, event)
        ):
            yield mask, True
    elif name == "scaled_dot_product_attention":
        mask = argument(event, 3, "attn_mask")
        if isinstance(mask, TensorFact) and mask.dtype.endswith("bool"):
            yield mask, True


def _low(trace: Trace, fact: object) -> bool:
    """Whether a tensor is filled with one very low number."""
    made = produced(trace, fact) if isinstance(fact, TensorFact) else None
    return (
        made is not None
        and ops.is_a(made.op, "fills_given", "takes_data", "multiplies")
        and any(isinstance(part, (int, float)) and part <= LOW for part in (*made.args, *made.kwargs.values()))
    )


def is_weighed(trace: Trace, event: Event) -> bool:
    """Whether what was filled goes into a softmax or an attention."""
    return any(user.op in READERS for user in forward(trace, event, TOWARDS, 6))
