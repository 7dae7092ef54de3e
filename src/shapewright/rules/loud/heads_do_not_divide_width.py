"""A width is split over heads or groups that do not divide it.

## What it finds
A constructor (`nn.MultiheadAttention`, `nn.TransformerEncoderLayer`, `nn.Conv2d(groups=...)`, `nn.GroupNorm`, a
transformer configuration) or a call that refuses because one of its numbers does not divide another.

## Why it hurts
The script stops; a model that needs that layer cannot be built.

## Example
    nn.TransformerEncoderLayer(d_model=30, nhead=8)

## Instead
    nn.TransformerEncoderLayer(d_model=32, nhead=8)

## Fix safety
A wider layer has more parameters; in `nn.MultiheadAttention` a different number of heads leaves their number as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend
from ...trace import Origin, Trace
from ...trace.said import NotDivisible
from ..facts import Facts
from ..failing import failing_call
from ..remedy import DivideHeads

code = "SW121"

CONFIGS = (
    ("hidden_size", "num_attention_heads"),
    ("n_embd", "n_head"),
    ("d_model", "encoder_attention_heads"),
    ("dim", "n_heads"),
    ("d_model", "num_heads"),
)


def _pairs(kind: str) -> Iterator[tuple[str, int, str, int]]:
    """`(width, its position, parts, their position)` of a layer's arguments of which one must divide the other."""
    entry = ops.layer(kind)
    for parts, widths in entry.divides.items() if entry is not None else ():
        for width in widths:
            yield width, entry.parameters.index(width), parts, entry.parameters.index(parts)


def check(trace: Trace) -> Iterator[Facts]:
    """The failing constructor and its two numbers, where they can be read from the source."""
    failure = trace.failure
    if failure is None or (failure.event is not None and not ops.is_a(failing_call(trace).op, "shares_width")):
        return
    if failure.site is None or failure.kind not in ("AssertionError", "ValueError", "RuntimeError"):
        return
    origins = Origins(trace)
    call = origins.source.node_at(failure.site, (ast.Call,))
    found = _constructed(origins, call, failure) or _described(failure.told(NotDivisible))
    if found is None:
        return
    width_name, width, parts_name, parts = found
    if isinstance(width, int) and isinstance(parts, int) and parts and width % parts == 0:
        return
    answers: list[list[Origin]] = []
    if call is not None:
        for name in (width_name, parts_name):
            expression = next((k.value for k in call.keywords if k.arg == name), None)
            if expression is None:
                position = next(
                    (
                        p
                        for w, wp, n, np in _pairs(_callee(call))
                        for p in ([wp] if w == name else [np] if n == name else [])
                    ),
                    None,
                )
                expression = call.args[position] if position is not None and position < len(call.args) else None
            answers.append([origins.of_definition(d) for d in origins.source.definitions(expression, failure.stack)])
        if not any(answers):
            answers = [[origins.of_definition(d) for d in origins.source.definitions(call, failure.stack)]]
    if all(not answer for answer in answers):
        answers = [origins.callers(failure.stack)]
    near = _near(width, parts) if isinstance(width, int) and isinstance(parts, int) and parts else None
    yield Facts(
        failure.site,
        "message" if near else "unread",
        "why" if near else "unknown",
        {
            "width_name": width_name,
            "width": width if width is not None else "?",
            "parts_name": parts_name,
            "parts": parts if parts is not None else "?",
            "below": near[0] if near else 0,
            "above": near[1] if near else 0,
            "divisors": near[2] if near else "",
        },
        blend(*answers),
        remedy=DivideHeads("construct", width=width, parts=parts),
    )


def _callee(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _constructed(origins: Origins, call: ast.Call | None, failure) -> tuple | None:
    """The two numbers of a known constructor, from literals and from the values that the statement read."""
    if call is None:
        return None
    name = _callee(call)
    for width_name, width_at, parts_name, parts_at in _pairs(name):
        width, parts = (
            _value(origins, call, n, at, failure) for n, at in ((width_name, width_at), (parts_name, parts_at))
        )
        if isinstance(width, int) and isinstance(parts, int) and parts and width % parts:
            return width_name, width, parts_name, parts
    given = {k.arg: _value(origins, call, k.arg, None, failure) for k in call.keywords if k.arg}
    for width_name, parts_name in CONFIGS:
        width, parts = given.get(width_name), given.get(parts_name)
        if isinstance(width, int) and isinstance(parts, int) and parts and width % parts:
            return width_name, width, parts_name, parts
    return None


def _value(origins: Origins, call: ast.Call, name: str, position: int | None, failure) -> int | None:
    """The whole number that an argument had: a literal, a value of the failing statement, or simple arithmetic on
    these."""
    expression = next((k.value for k in call.keywords if k.arg == name), None)
    if expression is None and position is not None and position < len(call.args):
        expression = call.args[position]
    return _evaluate(expression, failure.values)


def _evaluate(node: ast.AST | None, values: dict) -> int | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, (ast.Name, ast.Attribute)):
        found = values.get(ast.unparse(node))
        return found if isinstance(found, int) and not isinstance(found, bool) else None
    if isinstance(node, ast.BinOp):
        left, right = _evaluate(node.left, values), _evaluate(node.right, values)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.FloorDiv) and right:
            return left // right
    return None


def _described(said: NotDivisible | None) -> tuple | None:
    """What a library says of division, where the constructor is not one that is known."""
    if said is None:
        return None
    if said.of == "heads":
        return "embed_dim", said.whole, "num_heads", said.part
    return "channels", said.whole, "groups", said.part


def _near(width: int, parts: int) -> tuple[int, int, str]:
    """The multiples of `parts` around `width`, and the divisors of `width` near `parts`."""
    divisors = [d for d in range(1, min(width, 64) + 1) if width % d == 0]
    close = sorted(sorted(divisors, key=lambda d: abs(d - parts))[:3])
    return width // parts * parts, -(-width // parts) * parts, ", ".join(map(str, close))


MESSAGES = {
    "en": {
        "unread": "{width_name} is not divisible by {parts_name}",
        "message": "{width_name} {width} is not divisible by {parts_name} {parts}",
        "why": (
            "{width} / {parts} is not an integer; {below} and {above} are multiples of {parts}, and {width} is "
            "divisible by {divisors}"
        ),
        "unknown": "each head or group takes an equal share of the width",
    },
    "es": {
        "unread": "{width_name} no es divisible entre {parts_name}",
        "message": "{width_name} {width} no es divisible entre {parts_name} {parts}",
        "why": (
            "{width} / {parts} no es entero; {below} y {above} son múltiplos de {parts}, y {width} es divisible entre "
            "{divisors}"
        ),
        "unknown": "cada cabeza o grupo toma una parte igual de la anchura",
    },
    "ja": {
        "unread": "{width_name} が {parts_name} で割り切れません",
        "message": "{width_name} {width} は {parts_name} {parts} で割り切れません",
        "why": (
            "{width} / {parts} は整数になりません。{parts} の倍数は {below} や {above}、{width} の約数は {divisors} "
            "です"
        ),
        "unknown": "ヘッドやグループには幅が等しく分けられます",
    },
}
