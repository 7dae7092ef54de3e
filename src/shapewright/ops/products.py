"""Operators that contract an axis of two operands: products and linear maps."""

from __future__ import annotations

from .call import Bound, Misfit
from .maps import einsum, letters
from .table import teach


def _matmul(call: Bound) -> str:
    """Vectors count as one row or one column."""
    one, other = (len(call.shape(t)) if (t := call.tensor(n)) is not None else 2 for n in call.op.parameters[:2])
    left = "inner" if one == 1 else "**batch rows inner"
    right = "inner" if other == 1 else "**batch inner columns"
    result = ("" if one == other == 1 else "**batch") + (" rows" if one > 1 else "") + (" columns" if other > 1 else "")
    return f"{left}, {right} -> {result}"


def _letters(call: Bound) -> Misfit | None:
    """One letter has one size."""
    equation, operands = letters(call)
    known: dict[str, tuple[int, int]] = {}
    for place, (term, operand) in enumerate(zip(equation[0] if equation else (), operands)):
        shape = call.shape(operand)
        if len(term) != len(shape):
            return Misfit("operands", -1, len(shape), len(term))
        for axis, (letter, size) in enumerate(zip(term, shape)):
            before, _ = known.setdefault(letter, (size, place))
            if before != size and 1 not in (before, size):
                return Misfit("operands", axis, size, before, "operands")
    return None


teach(
    "linear",
    "input weight bias=None",
    "*kept features, outputs features, outputs -> *kept outputs",
    tags="maps learned contracts",
)
teach(
    "bilinear",
    "input1 input2 weight bias=None",
    "*kept features1, *kept features2, outputs features1 features2, outputs -> *kept outputs",
    tags="maps learned contracts",
)
teach("matmul", "input other", _matmul, tags="products contracts matmuls")
teach("mm", "input mat2", "rows inner, inner columns -> rows columns", tags="products contracts matmuls")
teach(
    "bmm",
    "input mat2",
    "batch rows inner, batch inner columns -> batch rows columns",
    tags="products contracts matmuls",
)
teach("mv", "input vec", "rows inner, inner -> rows", tags="products contracts")
teach("dot vdot", "input tensor", "inner, inner ->", tags="products contracts")
teach("inner", "input other", "*rows inner, *columns inner -> *rows *columns", tags="products contracts")
teach(
    "addmm", "input mat1 mat2", "-, rows inner, inner columns -> rows columns", tags="products contracts adds_product"
)
teach(
    "baddbmm",
    "input batch1 batch2",
    "-, batch rows inner, batch inner columns -> batch rows columns",
    tags="products contracts adds_product",
)
teach("outer ger", "input vec2", "rows, columns -> rows columns", tags="products")
teach("einsum", "equation *operands", axes=einsum, fits=_letters, tags="contracts")
teach("one_hot", "input num_classes=-1", "*kept -> *kept +classes", tags="encodes indexes")
