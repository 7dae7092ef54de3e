"""Which expressions of the source may be counts, or numbers that are divided by one. It only marks nodes."""

from __future__ import annotations

import ast

COUNTING = frozenset({"sum", "mean", "count_nonzero"})
MERGING = frozenset({"any", "all"})
KEEPING = frozenset({"astype", "ravel", "flatten"})  # every match stays one


def reads(node: ast.AST) -> bool:
    """Whether a call reads a number from a tensor."""
    func = getattr(node, "func", None)
    return getattr(func, "attr", "") in ("item", "numpy") or (
        getattr(func, "id", "") == "float" and isinstance(node, ast.Call)
    )


def converts(node: ast.Call) -> bool:
    """Whether a call makes a Python number of one value: `int(x)`, `np.float(x)`."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    named = getattr(node.func, "id", getattr(node.func, "attr", "")) in ("int", "float")
    alone = len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], (ast.Starred, ast.Constant))
    return named and alone and (owner is None or getattr(owner, "id", "") in ("np", "numpy"))


def is_equality(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq)


def kept(node: ast.AST) -> ast.AST:
    """What a chain of conversions begins with."""
    while isinstance(node, ast.Call) and getattr(node.func, "attr", "") in KEEPING:
        node = node.func.value
    return node


def matches(node: ast.Call) -> tuple[ast.AST, str] | None:
    """`(node, field)` that holds what a `sum` or a `mean` counts, where this may be the matches of two arrays: a
    comparison, or a name. Counts along an axis are none."""
    named, holder = getattr(node.func, "attr", "") or getattr(node.func, "id", ""), node
    if named not in COUNTING or node.keywords:
        return None
    if isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") not in ("np", "numpy"):
        holder, field, arguments = node.func, "value", 0
    else:
        field, arguments = "args", 1
    if len(node.args) != arguments or (arguments and isinstance(node.args[0], ast.Starred)):
        return None
    base = holder.args[0] if arguments else holder.value
    while isinstance(base, ast.Call) and getattr(base.func, "attr", "") in KEEPING:
        holder, field = base.func, "value"
        base = base.func.value
    if isinstance(base, ast.Call) and getattr(base.func, "attr", "") in MERGING and is_equality(base.func.value):
        return holder, field  # one match a row
    return (holder, field) if is_equality(base) or isinstance(base, ast.Name) else None


def counts_matches(node: ast.AST) -> bool:
    """Whether a call may count matches."""
    return isinstance(node, ast.Call) and matches(node) is not None


def counted(value: ast.AST, sizes: bool = False) -> None:
    """Mark a `len(...)`, or a `.size(0)` and `.shape[0]`, whose number may become a divisor, a `float(...)` and an
    `int(...)`."""
    if sizes and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        value.counts = len(value.args) == {"size": 1, "numel": 0}.get(value.func.attr, -1)
    if sizes and isinstance(value, ast.Subscript) and getattr(value.value, "attr", "") == "shape":
        value.counts = isinstance(value.slice, ast.Constant)
    named = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
    if named == "len" or (named in ("float", "int") and (sizes or (value.args and counts_matches(value.args[0])))):
        value.counts = len(value.args) == 1 and not value.keywords and not isinstance(value.args[0], ast.Starred)


def asked(node: ast.Call) -> None:
    """Mark what a call is given beside a number that is read, and a call that makes a number of counted matches."""
    for part in node.args if any(map(reads, node.args)) else ():
        counted(part, sizes=True)  # `meter.update(loss.item(), len(x))`
    if getattr(node.func, "id", "") == "float":
        counted(node)  # `float((guesses == labels).mean())`
