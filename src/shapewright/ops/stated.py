"""The constraint of a call as a reader sees it: `input (*kept, features) · weight (outputs, features)`, or its kind.

Sentences are the reader's language's and stand elsewhere."""

from __future__ import annotations

from .call import Bound
from .patterns import Token, assign, parse

# Kinds of constraints that no pattern states, by the group of the operator.
FAMILIES = {
    "joins": "joined",
    "reshapes": "elements",
    "norms_last": "trailing",
    "norms": "channels",
    "indexes": "pointed",
    "contracts": "letters",
    "elementwise": "broadcast",
    "masks": "broadcast",
}


def stated(call: Bound) -> tuple[str, str]:
    """The kind of a call's constraint and, where a pattern states it, operands and results with a name for each axis;
    twice nothing where none is known.

    >>> from types import SimpleNamespace as Tensor
    >>> from shapewright.ops import bind
    >>> stated(bind("linear", (Tensor(shape=(5, 4)), Tensor(shape=(3, 4))), {}))
    ('named', 'input (*kept, features) · weight (outputs, features) → (*kept, outputs)')
    >>> stated(bind("cat", ((Tensor(shape=(5, 4)),),), {}))
    ('joined', '')
    """
    pattern = call.pattern()
    if pattern is None:
        kind = next((kind for group, kind in FAMILIES.items() if group in call.op.tags), "")
        return (kind if call.op.fits is not None else ""), ""
    operands, results = parse(pattern)
    given = [
        f"{name} {_shape(tokens, len(call.shape(tensor)))}"
        for name, tokens in zip(call.op.parameters, operands)
        if tokens is not None and (tensor := call.tensor(name)) is not None
    ]
    made = "; ".join(_shape(tokens) for tokens in results)
    kind = "broadcast" if "**" in pattern else "named"
    return (kind, " · ".join(given) + (f" → {made}" if made else "")) if given else ("", "")


def _shape(tokens: tuple[Token, ...], rank: int | None = None) -> str:
    """The names of axes; those that a tensor of `rank` axes lacks are left out."""
    present = assign(tokens, rank) if rank is not None else None
    if present is not None:
        tokens = tuple(token for token in tokens if any(token is one for one, _ in present))
    return f"({', '.join(map(_name, tokens))})"


def _name(token: Token) -> str:
    return (
        "*" * bool(token.many)
        + token.name
        + ("'" if token.other_size else "")
        + ("/" * bool(token.part_of) + token.part_of)
    )
