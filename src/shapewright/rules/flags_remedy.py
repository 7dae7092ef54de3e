"""How a bootstrap target is stopped at the flags that lie beside it: which name the flags have there, and what the
value of the next state is multiplied with.
"""

from __future__ import annotations

import ast

from .. import ops
from ..graph.flow import operands, tensors
from ..graph.source import Source
from ..graph.training import ancestors
from ..trace import Event, Trace
from .remedy import Rewrite

PREPARING = ops.named("inverts") | {"sub", "eq", "mul", "nonzero"}


def stopping(trace: Trace, added: Event, flags: str, dtype: str, keeps: bool | None = False) -> Rewrite | None:
    """What a model says of the next state, times the flags that tell where it goes on, or one minus those of ends."""
    source, pair = Source(trace), operands(added)
    node = source.node_at(added.site, (ast.BinOp,))
    told = [any(one.modules for one in ancestors(trace, fact).values()) for fact in pair]
    if keeps is None or not isinstance(node, ast.BinOp) or not flags.isidentifier() or len(pair) != 2 or sum(told) != 1:
        return None
    side, fact = (node.left, pair[0]) if told[0] else (node.right, pair[1])
    name = flags + "[:, None]" * (fact.rank == 2 and fact.sizes[1] == 1)
    going = name if keeps else f"(~{name})" if dtype == "bool" else f"(1 - {name})"
    return Rewrite(f"{going} * {{}}", source.site(side, added.site.file))


def named(trace: Trace, made: list[Event], added: Event) -> tuple[str, str, bool | None]:
    """`(name, dtype, whether they tell where it goes on)` of flags that some calls made: the name that the function of
    the target binds to them, else that of their own line, or none."""
    own = {fact.uid for event in made for fact in tensors(event.result)}
    keeps = next((passed.keeps for passed in trace.data.passed if passed.uid in own), False)
    source = Source(trace)
    here = source.function_at(added.site) if added.site is not None else None
    file = added.site.file if added.site is not None else ""
    bound = (one for one in trace.bound if one.fact.uid in own and one.site.file == file)
    near = next(((one.name, one.fact.dtype) for one in bound if source.function_at(one.site) is here), None)
    return (*(near or _bound(trace, made[0])), keeps)


def _bound(trace: Trace, made: Event) -> tuple[str, str]:
    """The name that their line binds to them, or alone, unless it turns them, and their dtype: they may have been cast
    there."""
    own, at = next(tensors(made.result)), (made.site.file, made.site.line)
    held = {one.name: one.fact for one in trace.bound if (one.site.file, one.site.line) == at}
    line = (one.op.rstrip("_") for one in trace.events if one.site and (one.site.file, one.site.line) == at)
    same = next((name for name, fact in held.items() if fact.uid == own.uid), "")
    if same:
        return same, own.dtype
    turned = len(held) != 1 or not PREPARING.isdisjoint(line)
    return (own.name, own.dtype) if own.name or turned else (*held, next(iter(held.values())).dtype)
