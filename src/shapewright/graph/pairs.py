"""A tuple that a script uses as if it were a tensor. A pair of values and indices may be multiplied: Python repeats
sequences then, and what it complains of is the other factor.

It reads the failing line alone and runs nothing.
"""

from __future__ import annotations

import ast

from .. import ops
from ..dataclass import dataclass
from ..trace import Site, TensorFact, Trace
from ..trace.event import tensors
from ..trace.said import Refusal
from .calls import entered
from .source import Source, walk


@dataclass(frozen=True)
class Given:
    """A tuple where one tensor belongs: the tensors in it; its text, empty where a layer handed it to the next; its
    expression; and the site of a call that stands in the operand's own place."""

    parts: tuple[TensorFact, ...]
    text: str = ""
    node: ast.AST | None = None
    site: Site | None = None


def tuple_given(trace: Trace) -> Given | None:
    """The tuple of tensors that the call, or the arithmetic, refused that failed."""
    failure, source = trace.failure, Source(trace)
    if failure is None or failure.site is None or Refusal.NOT_A_TENSOR not in failure.said:
        return None
    node = source.node_at(failure.site)
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) else list(getattr(node, "args", ()))
    for side in sides:
        held = failure.values.get(ast.unparse(side))
        if isinstance(held, tuple) and (parts := tuple(tensors(held))):
            return Given(parts, source.text(side, failure.site.file), side)
        site = source.site(side, failure.site.file)
        parts = _returned(trace, source, site) if isinstance(node, ast.BinOp) and isinstance(side, ast.Call) else ()
        if parts:
            return Given(parts, source.text(side, failure.site.file), side, site)
    handed = failure.event.args if failure.event is not None else failure.module_args
    first = handed[0] if handed else None
    parts = tuple(tensors(first)) if isinstance(first, tuple) else ()
    return Given(parts) if parts else None


def _returned(trace: Trace, source: Source, site: Site) -> tuple[TensorFact, ...]:
    """The tensors of the last event of the call at a site, where that or the function that it entered gives several."""
    for event in reversed(trace.events):
        parts = tuple(tensors(event.result))
        own = len(parts) > 1 and event.stack[-1:] and event.stack[-1].begins_with(site)
        returns = (node for function in entered(source, event, site) for node in walk(function))
        if parts and (own or any(isinstance(n, ast.Return) and isinstance(n.value, ast.Tuple) for n in returns)):
            return parts
    return ()


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
