"""Two shapes that do not broadcast are combined in an element-wise operation.

## What it finds
A failing addition, product, comparison, `where`, mask or similar whose operands disagree on an axis where neither has
size one.

## Why it hurts
The script stops. Typical causes: a residual branch without projection, a position table cut along the wrong axis, a
mask of a different layout, a decoder that gives an image one pixel larger than its input.

## Example
    x = x + self.pe[:x.size(1)]        # x is (batch, time, width), the table (time, 1, width)

## Instead
    x = x + self.pe[:x.size(1)].transpose(0, 1)

## Fix safety
An inserted axis of size 1 often makes shapes fit; check that it broadcasts what was intended.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend, distinct
from ...graph.source import walk
from ...ops.shapes import broadcast, disagreeing
from ...trace import Origin, TensorFact
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW104"

POINTWISE = frozenset(
    {
        "add",
        "sub",
        "mul",
        "div",
        "pow",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "where",
        "maximum",
        "minimum",
        "fmax",
        "fmin",
        "masked_fill",
        "lerp",
        "addcmul",
        "addcdiv",
        "remainder",
        "fmod",
        "floor_divide",
        "logical_and",
        "logical_or",
        "logical_xor",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
        "atan2",
        "clamp",
        "clamp_min",
        "clamp_max",
        "rsub",
        "logaddexp",
        "dist",
        "cosine_similarity",
        "pairwise_distance",
        "isclose",
        "allclose",
        "hypot",
        "xlogy",
        "masked_select",
        "cdist",
        "normal",
        "broadcast_tensors",
        "heaviside",
        "copysign",
        "ldexp",
        "cross",
        "copy",
    }
)


@refused()
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing element-wise call, its two operands that disagree and the axis."""
    if call.op.rstrip("_") not in POINTWISE:
        return
    pair = _pair(call)
    if pair is None:
        return
    (one_name, one), (other_name, other), back = pair
    a = one.shape[back] if -back <= len(one.shape) else 1
    b = other.shape[back] if -back <= len(other.shape) else 1
    place = max(len(one.shape), len(other.shape)) + back
    swapped = sorted(one.shape) == sorted(other.shape) or _elsewhere(one, other, back)
    why = (
        "grows"
        if call.op.endswith("_") and broadcast(one.shape, other.shape) is not None
        else "swapped"
        if swapped
        else "why"
    )
    first, second = (
        origins.of_axis(one, back) if -back <= len(one.shape) else origins.of_rank(one),
        origins.of_axis(other, back) if -back <= len(other.shape) else origins.of_rank(other),
    )
    if len(one.shape) != len(other.shape):
        shorter = one if len(one.shape) < len(other.shape) else other
        rank = origins.of_rank(shorter)
        first, second = (
            (first, distinct([*second[:1], *rank[:1], *second[1:]]))
            if shorter is other
            else (distinct([*first[:1], *rank[:1], *first[1:]]), second)
        )
    yield Facts(
        call.site,
        "enlarged" if why == "grows" else "message",
        why,
        fields={
            "op": call.op.rstrip("_"),
            "a": shape_text(one.shape),
            "b": shape_text(other.shape),
            "axis": place,
            "m": a,
            "n": b,
            "left": one.name or one_name,
            "right": other.name or other_name,
        },
        origins=blend(_normalised(origins, one, other), second, first)
        if _normalised(origins, one, other)
        else blend(_branch(origins, call), second, first)
        if _branch(origins, call)
        else blend(first, second),
        spans=tuple(spans(_named(call, one_name, one, other_name, other))),
        remedy=misfit(call, one_name, back, a, b, shape=one.shape),
    )


def _named(call: Call, one_name: str, one: TensorFact, other_name: str, other: TensorFact) -> Call:
    first, second = one.name or one_name, other.name or other_name
    return Call(
        call.op,
        {first: one, (second if second != first else second + "'"): other},
        call.site,
        call.failure,
        call.event,
        call.module,
    )


def _at(call: Call, fact: TensorFact) -> int:
    return next((i for i, part in enumerate(call.event.args) if part is fact), -1)


def _pair(call: Call) -> tuple | None:
    """The first two operands that disagree, and the axis from the end; for an in-place call also a result that would
    grow."""
    named = [
        (name, value) for name, value in _operands(call) if isinstance(value, TensorFact) and value.shape is not None
    ]
    for i, (one_name, one) in enumerate(named):
        for other_name, other in named[i + 1 :]:
            rows = (-2,) if call.op == "cdist" else ()  # every row with every row
            wrong = [back for back in disagreeing(one.shape, other.shape) if back not in rows]
            if wrong:
                return (one_name, one), (other_name, other), wrong[0]
    if call.op.endswith("_") and len(named) > 1:
        (one_name, one), (other_name, other) = named[:2]
        result = broadcast(one.shape, other.shape)
        if result is not None and result != one.shape:
            back = next(
                (b for b in range(-1, -len(result) - 1, -1) if -b > len(one.shape) or one.shape[b] != result[b]), -1
            )
            return (one_name, one), (other_name, other), back
    return None


def _operands(call: Call) -> list[tuple[str, object]]:
    names = {"masked_fill": ("input", "mask", "value"), "where": ("condition", "input", "other")}.get(
        call.op.rstrip("_"), ("left", "right", "third")
    )
    values: list[tuple[str, object]] = []
    for at, value in enumerate(call.event.args):
        if isinstance(value, tuple):
            values += [(f"{at + i + 1}", part) for i, part in enumerate(value)]
        else:
            values.append((names[at] if at < len(names) else f"operand {at + 1}", value))
    return values + list(call.event.kwargs.items())


def _elsewhere(one: TensorFact, other: TensorFact, back: int) -> bool:
    """Whether the size that disagrees stands on another axis of the other operand that is not its own there."""
    size = one.shape[back] if -back <= len(one.shape) else 0
    return (
        len(one.shape) == len(other.shape)
        and size > 1
        and size in other.shape
        and one.shape.count(size) == 1
        and other.shape[back] in one.shape
    )


def _branch(origins: Origins, call: Call) -> list[Origin]:
    """In a residual sum: the attribute that could have projected the other branch, and the condition that decided about
    it."""
    if not ops.is_a(call.op, "offsets") or len(call.stack) < 1:
        return []
    source, site = origins.source, call.stack[-1]
    function = source.function_at(site)
    if function is None or function.name in ("<module>",):
        return []
    reads = {name.id for name in walk(source.statement_at(site) or ast.Pass()) if isinstance(name, ast.Name)}
    found: list[Origin] = []
    for node in walk(function):
        if isinstance(node, ast.If) and node.lineno < site.line:
            binds = {
                t.id
                for part in walk(node)
                if isinstance(part, ast.Assign)
                for t in part.targets
                if isinstance(t, ast.Name)
            }
            if binds & reads:
                found += _decided(origins, node.test, call)
        elif isinstance(node, ast.Assign) and node.lineno <= site.line and isinstance(node.value, ast.Call):
            owner = node.value.func
            if isinstance(owner, ast.Attribute) and any(
                isinstance(t, ast.Name) and t.id in reads for t in node.targets
            ):
                found += [o for o in _decided(origins, owner, call) if o.kind == "condition"]
    statement = source.statement_at(site)
    for part in walk(statement) if statement is not None else ():
        if (
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and isinstance(part.func.value, ast.Name)
            and part.func.value.id == "self"
        ):
            found += [o for o in _decided(origins, part.func, call) if o.kind == "condition"]
    found = distinct(found)
    conditions = [o for o in found if o.kind == "condition"]
    return [*conditions, *(o for o in found if o.kind != "condition")][:2]


def _normalised(origins: Origins, one: TensorFact, other: TensorFact) -> list[Origin]:
    """Where a picture meets means of another number of channels: the `Normalize` that was given them."""
    if len(one.shape) != 3 or len(other.shape) != 3 or other.shape[1:] != (1, 1):
        return []
    found = []
    for file in origins.trace.sources:
        for node in origins.source.nodes(file):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "Normalize":
                found.append(
                    Origin(
                        "constructor",
                        origins.source.text(node, file),
                        origins.source.site(node, file),
                        (),
                        str(other.shape[0]),
                    )
                )
    return found[:2]


def _decided(origins: Origins, expression: ast.AST, call: Call) -> list[Origin]:
    """Definitions of the `self` attributes in an expression, conditions among them."""
    made: list[Origin] = []
    for part in walk(expression):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "self":
            stack = _constructing(origins, call) or call.stack
            made += [origins.of_definition(d) for d in origins.source.definitions(part, stack)]
    return [o for o in made if o.kind in ("condition", "argument", "definition")]


def _constructing(origins: Origins, call: Call) -> tuple:
    """The stack that constructed the user's module in which the call stands."""
    for uid in reversed(call.event.modules if call.event else ()):
        module = origins.trace.modules.get(uid)
        if module is not None and not module.is_torch and module.stack:
            return module.stack
    return ()


MESSAGES = {
    "en": {
        "message": "{op} cannot broadcast {a} with {b}: aligned from the right, the sizes {m} and {n} do not fit",
        "why": "broadcasting needs equal sizes or a size of 1, but {left} has size {m} where {right} has size {n}",
        "swapped": (
            "{left} has shape {a} and {right} has shape {b}: the same sizes are on different axes, so two axes seem "
            "to be swapped"
        ),
        "grows": "in-place {op} cannot change the shape of {left}",
        "enlarged": "broadcasting {left} {a} with {right} {b} would enlarge {left}, which in-place {op} cannot do",
    },
    "es": {
        "message": (
            "{op} no puede hacer broadcasting de {a} con {b}: alineados por la derecha, los tamaños {m} y {n} no "
            "encajan"
        ),
        "why": (
            "el broadcasting necesita tamaños iguales o un tamaño 1, pero {left} tiene tamaño {m} donde {right} tiene "
            "tamaño {n}"
        ),
        "swapped": (
            "{left} tiene forma {a} y {right} tiene forma {b}: los mismos tamaños están en otros ejes, así que parece "
            "haber dos ejes intercambiados"
        ),
        "grows": "{op} in-place no puede cambiar la forma de {left}",
        "enlarged": (
            "el broadcasting de {left} {a} con {right} {b} agrandaría {left}, lo que {op} in-place no puede hacer"
        ),
    },
    "ja": {
        "message": "{op} で {a} と {b} をブロードキャストできません。右から揃えると、サイズ {m} と {n} が合いません",
        "why": (
            "ブロードキャストするには、サイズが等しいか一方が 1 でなければなりませんが、対応する軸のサイズは {left} が "
            "{m}、{right} が {n} です"
        ),
        "swapped": (
            "{left} の形状は {a}、{right} の形状は {b} です。同じサイズが別の軸にあり、2 "
            "つの軸が入れ替わっているようです"
        ),
        "grows": "インプレースの {op} は {left} の形状を変えられません",
        "enlarged": (
            "{right} {b} とブロードキャストするには {left} {a} を広げる必要がありますが、インプレースの {op} では"
            "広げられません"
        ),
    },
}
