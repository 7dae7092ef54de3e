"""How an expression that comes to one number may be written so that it comes to another: the changes that a person
could have meant.

First what keeps the names and mends the sum (`- 1` dropped, a bracket moved, twice the width), then another name at
hand, then the number itself where a number stands. Names are followed to where they were bound.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..dataclass import dataclass
from .numbers import OPERATORS, Numbers, Written

FARTHEST = 6
EXCHANGED = {
    ast.Add: (ast.Mult, ast.Sub),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult,),
}
NEAR = 3


@dataclass(frozen=True)
class Change:
    """`text` in the place of `written`. `cost`: 0 the same names otherwise put together, 1 another name, 2 another
    number, 3 a number where names stood, 4 another axis of the tensor that the size is read from. `depth` counts the
    bindings that were followed."""

    written: Written
    text: str
    cost: int
    depth: int


def rewritten(numbers: Numbers, written: Written, now: int, target: int, depth: int = 0) -> Iterator[Change]:
    """Every change of an expression, or of what its names were bound to, after which it comes to `target`."""
    node = written.node
    if depth > FARTHEST or now == target or target < 1:
        return
    known = numbers.names(written)
    if isinstance(node, ast.Constant):
        for name in [name for name, own in known.items() if own == target][:2]:
            if target > NEAR:
                yield Change(written, name, 1, depth)
        yield Change(written, str(target), 2, depth)
    elif isinstance(node, (ast.Name, ast.Attribute)):
        yield from _beside(numbers, written, node, now, target, known, depth)
        bound = numbers.bound(written)
        if bound is not None and numbers.value(bound) in (now, None):
            yield from rewritten(numbers, bound, now, target, depth + 1)
    elif _shape_read(node) is not None:
        index, before, after = _shape_read(node)
        for other in (index + 1, index - 1, -1) if index >= 0 else (index - 1, index + 1):
            if (other != index and (other >= 0) == (index >= 0)) or other == -1:
                yield Change(written, f"{before}{other}{after}", 4, depth)
        owner, dot, rest = before.rpartition(".")
        for name in numbers.sized(written, index, target) if owner.isidentifier() else ():
            yield Change(written, f"{name}{dot}{rest}{index}{after}", 1, depth)
    elif isinstance(node, ast.Subscript):
        entries = [(key, numbers.value(part)) for key, part in numbers.entries(written)]
        for key in [key for key, own in entries if own == target][:2]:
            yield Change(written, f"{ast.unparse(node.value)}[{key}]", 1, depth)
        yield from _beside(numbers, written, node, now, target, known, depth) if entries else ()
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = (numbers.value(Written(part, written.stack)) for part in (node.left, node.right))
        if (left is None) != (right is None):
            missing = _inverse(node.op, right if left is None else left, now, left is None)
            if missing is not None:
                numbers.known[ast.dump(node.left if left is None else node.right)] = missing
                left, right = (missing, right) if left is None else (left, missing)
        yield from _mended(numbers, written, target, depth)
        if left is not None and right is not None:
            for part, own, other, first in ((node.left, left, right, True), (node.right, right, left, False)):
                wanted = _inverse(node.op, other, target, first)
                if wanted is not None and wanted > 0:
                    yield from rewritten(numbers, Written(part, written.stack), own, wanted, depth)
        yield from _beside(numbers, written, node, now, target, known, depth)
    elif isinstance(node, ast.Call):
        counted = getattr(node.func, "id", "") == "len" and len(node.args) == 1 and isinstance(node.args[0], ast.Name)
        for name in numbers.sized(written, 0, target) if counted else ():
            yield Change(written, f"len({name})", 1, depth)
        if abs(target - now) <= NEAR:
            yield Change(written, f"{ast.unparse(node)} {'+' if target > now else '-'} {abs(target - now)}", 1, depth)
        yield Change(written, str(target), 3, depth)


def _shape_read(node: ast.expr) -> tuple[int, str, str] | None:
    """`x.shape[1]` or `x.size(1)`: the axis that is read, and the text on both sides of it."""
    inner = (
        node.slice
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
        else None
    )
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "size"
        and len(node.args) == 1
    ):
        inner = node.args[0]
    try:
        index = ast.literal_eval(inner) if inner is not None else None
    except ValueError:
        return None
    if not isinstance(index, int):
        return None
    owner = ast.unparse(node.value if isinstance(node, ast.Subscript) else node.func)
    return (index, f"{owner}[", "]") if isinstance(node, ast.Subscript) else (index, f"{owner}(", ")")


def _beside(
    numbers: Numbers, written: Written, node: ast.expr, now: int, target: int, known: dict[str, int], depth: int
) -> Iterator[Change]:
    """Another name, or the same one with a factor or a term beside it."""
    text = ast.unparse(node)
    atom = text if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) else f"({text})"
    nested = isinstance(getattr(node, "parent", None), ast.BinOp)
    if target == 2 * now:
        yield Change(written, f"2 * {atom}", 1 + nested, depth)
    if 2 * target == now:
        yield Change(written, f"{atom} // 2", 1 + nested, depth)
    for sum_text in numbers.sums(written, target):
        if sum_text != text:
            yield Change(written, sum_text, 1, depth)
    for name, own in list(known.items()):
        if name == text or own < 2:
            continue
        if own == target:
            if now == 1 and isinstance(node, ast.BinOp) and not nested and numbers.is_told(written, name):
                yield Change(written, f"{atom} * {name}", 0, depth)  # what is written stays
            yield Change(written, name, 1, depth)
        elif own * now == target and now > 1:
            yield Change(written, f"{atom} * {name}", 1, depth)
        elif now + own == target and not nested:  # a sum within a product comes out by chance
            yield Change(written, f"{text} + {name}", 1, depth)
    if 0 < abs(target - now) <= NEAR and target > NEAR:
        yield Change(written, f"{text} {'+' if target > now else '-'} {abs(target - now)}", 2, depth)
    yield Change(written, str(target), 3, depth)


def _mended(numbers: Numbers, written: Written, target: int, depth: int) -> Iterator[Change]:
    """One operand left out, another operator, a bracket moved, anywhere in the sum."""
    node = written.node
    for text, tree in _variants(node):
        if numbers.value(Written(tree, written.stack)) == target:
            yield Change(written, text, 0, depth)


def _variants(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if not isinstance(node, ast.BinOp):
        return
    made: list[ast.expr] = [node.left, node.right]
    made += [ast.BinOp(node.left, other(), node.right) for other in EXCHANGED.get(type(node.op), ())]
    if isinstance(node.left, ast.BinOp):  # (a * b) + c  ->  a * (b + c)
        made.append(ast.BinOp(node.left.left, node.left.op, ast.BinOp(node.left.right, node.op, node.right)))
    if isinstance(node.right, ast.BinOp):  # a + (b * c)  ->  (a + b) * c
        made.append(ast.BinOp(ast.BinOp(node.left, node.op, node.right.left), node.right.op, node.right.right))
    made += [ast.BinOp(tree, node.op, node.right) for _, tree in _variants(node.left)]
    made += [ast.BinOp(node.left, node.op, tree) for _, tree in _variants(node.right)]
    for tree in made:
        yield ast.unparse(tree), tree


def _inverse(op: ast.operator, other: int, target: int, first: bool) -> int | None:
    """What one side must be for the whole to come to `target`."""
    if isinstance(op, ast.Add):
        return target - other
    if isinstance(op, ast.Sub):
        return target + other if first else other - target
    if isinstance(op, ast.Mult):
        return target // other if other and target % other == 0 else None
    if isinstance(op, (ast.FloorDiv, ast.Div)):
        return target * other if first else other // target if target and other % target == 0 else None
    return None
