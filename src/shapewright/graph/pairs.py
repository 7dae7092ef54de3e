"""A pair of values and indices that a script multiplies as if it were a tensor: Python repeats sequences then, and what
it complains of is the other factor.

It reads the failing line alone and runs nothing.
"""

from __future__ import annotations

import ast

from .. import ops
from ..trace import Trace
from .source import Source


def multiplied_pair(trace: Trace) -> str:
    """The reduction whose pair the product that failed has for a factor; empty where there is none."""
    failure, source = trace.failure, Source(trace)
    if failure is None or failure.site is None or failure.module >= 0:
        return ""
    if failure.event is not None and not ops.is_a(failure.event.op, "reads_value"):
        return ""
    product = source.node_at(failure.site, (ast.BinOp,))
    if not isinstance(product, ast.BinOp) or not isinstance(product.op, ast.Mult):
        return ""
    for side in (product.left, product.right):
        bound = source.bound_before(failure.site, side.id) if isinstance(side, ast.Name) else None
        made = bound.value if bound is not None and isinstance(bound.targets[0], ast.Name) else side
        site = source.site(made, failure.site.file)
        for event in trace.events if isinstance(made, ast.Call) else ():
            same = event.site is not None and (event.site.line, event.site.column) == (site.line, site.column)
            if same and isinstance(event.result, tuple) and ops.is_a(event.op, "reduces"):
                return event.op
    return ""
