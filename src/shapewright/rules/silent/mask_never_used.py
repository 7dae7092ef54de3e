"""A mask is computed and never used, though what follows averages over all of its positions.

## What it finds
A boolean mask with true and false positions that no statement reads, where the same function reduces values of its
shape to one number, or to one per sample, none of them masked: the losses of all positions, or where predictions equal
the targets. Also a mask of the training rows that nothing reads, where the loss is computed for all rows.

## Why it hurts
Positions count that should be left out, as padding, cells without an object or rows that are held out.

## Example
    mask = torch.arange(width) < lengths[:, None]
    hits += (predicted == targets).sum().item()

## Instead
    hits += (predicted == targets)[mask].sum().item()

## Fix safety
A mask of training rows picks them on both sides of the loss; elsewhere an edit is a possibility, since the mask may be
true for what is left out. Masks computed from a model's outputs are not reported, nor those that any other statement of
the function reads.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from ... import ops
from ...graph.flow import argument, numbers_behind, one_per_place, operands, reduction, result_shape, shown
from ...graph.scopes import enclosing
from ...graph.source import Source, walk
from ...graph.training import ancestors, descendants, place
from ...lexicon import says
from ...trace import Event, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW287"
NEAR, BEHIND, MOST = 40, 300, 200
READ = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
CHOOSING = frozenset({"where", "masked_fill", "masked_select", "logical_and", "and"})


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every such mask, at what is reduced."""
    source = Source(trace)
    told: dict[tuple[str, str], list[tuple[str, Site, TensorFact]]] = {}
    for event in trace.events:
        for name, site, fact in _unread(trace, source, event):
            told.setdefault((site.file, site.function), []).append((name, site, fact))
    for event in trace.events if told else ():
        values, rows = _averaged(trace, event) if event.site is not None and not event.modules else (None, False)
        held = told.get((event.site.file, event.site.function), ()) if event.site and values else ()
        for name, site, fact in held:
            if values is None or fact.producer > event.index or not _over(event, values, fact):
                continue
            training = says(name, "training") and not says(name, "held_out")
            if _masked(trace, values) or (rows and not training):
                continue
            behind = [one for part in operands(event) for one in ancestors(trace, part, BEHIND).values()]
            if not any(one.modules for one in behind):
                continue
            before = ancestors(trace, fact, BEHIND).values()
            shared = {one.uid for other in before for one in operands(other)} - {0}
            shared &= {one.uid for other in (event, *behind) for one in operands(other)}
            if fact.rank > 1 or training or shared:
                yield Facts(
                    event.site,
                    fields={"mask": name, "line": site.line, "shape": shown(fact.shape), "op": event.op},
                    origins=place(trace, site),
                    severity="warning",
                    event=event.index,
                    remedy=_masked_by(source, event, name, training),
                )
                break


def _masked_by(source: Source, event: Event, mask: str, training: bool) -> Rewrite | None:
    """The positions that a mask keeps, of both sides of a loss, or of what a mean is taken over; whether it is true
    where values count, only the name of a mask of training rows tells."""
    node, site = source.spanned(event.site, ast.Call), event.site
    if site is None or node is None or event.op == "sum":
        return None  # what it is divided by would have to count as many
    if event.op == "mean":
        return Rewrite(f"{{}}[{mask}]", argument=(0, "input"), guessed=not training)
    sides = [part if isinstance(part, READ) else None for part in node.args[:2]]
    if not training or len(node.args) != 2 or None in sides:
        return None
    given = [f"{source.whole(part, site.file)}[{mask}]" for part in node.args]
    given += [f"{part.arg}={source.whole(part.value, site.file)}" for part in node.keywords]
    return Rewrite(f"{source.whole(node.func, site.file)}({', '.join(given)})")


def _unread(trace: Trace, source: Source, event: Event) -> Iterator[tuple[str, Site, TensorFact]]:
    """The name that a mask is bound to and the place, where nothing reads it, if a model has no say in it."""
    fact = event.result
    if not isinstance(fact, TensorFact) or fact.dtype != "bool" or fact.rank < 1 or event.modules:
        return
    users = descendants(trace, [fact], NEAR).values()
    if any(user.op != "setitem" or operands(user)[0].uid != fact.uid for user in users):
        return
    set_apart = any(user.args[2:] and user.args[2] is True for user in users)
    if not set_apart and "both" not in event.flags:
        return
    if any(one.modules for one in ancestors(trace, fact, BEHIND).values()):
        return
    for site in reversed(event.stack):
        statement = source.statement_at(site)
        if isinstance(statement, ast.Return):
            continue
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(target, ast.Name) and not _loaded(source, statement, target.id, site):
            yield target.id, site, fact
        return


def _loaded(source: Source, statement: ast.stmt, name: str, site: Site) -> bool:
    """Whether any statement of the function reads a name, but to write into what it holds."""
    for part in walk(enclosing(statement) or source.tree(site.file)):
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load):
            outer = getattr(part, "parent", None)
            if not (isinstance(outer, ast.Subscript) and isinstance(outer.ctx, ast.Store) and outer.value is part):
                return True
    return False


def _averaged(trace: Trace, event: Event) -> tuple[TensorFact | None, bool]:
    """What has one value a position where an operator averages over all of them, or adds up what is divided by their
    number; and whether these are the rows of a loss with labels."""
    if event.op == "mean" and len(operands(event)) == 1 and argument(event, 1, "dim") is not None:
        return operands(event)[0], False
    if result_shape(event) != ():
        return None, False
    if ops.is_a(event.op, "classifies"):
        target = argument(event, 1, "target")
        rows = reduction(event) == "mean" and isinstance(target, TensorFact) and target.is_whole
        return (target if rows else None), True
    given = operands(event)
    if len(given) != 1 or not (event.op == "mean" or (event.op == "sum" and _counts_all(trace, event))):
        return None, False
    return given[0], False


def _over(event: Event, values: TensorFact, mask: TensorFact) -> bool:
    """Whether what is reduced has a value, or a vector, for each position of a mask, and some of these are merged."""
    dims = argument(event, 1, "dim")
    if event.op != "mean" or dims is None:
        return values.sizes == mask.sizes
    merged = {
        one % values.rank for one in (dims if isinstance(dims, (tuple, list)) else [dims]) if isinstance(one, int)
    }
    inner = range(1, mask.rank)
    return values.sizes[: mask.rank] == mask.sizes and any(mask.sizes[at] > 1 for at in merged if at in inner)


def _counts_all(trace: Trace, event: Event) -> bool:
    """Whether a sum is read as a number that is divided by how many positions it was taken over."""
    count = math.prod(operands(event)[0].sizes)
    read = {at for at, one in enumerate(trace.host) if one.op == "item" and _of(trace, one.event) == event.index}
    for one in trace.host if read else ():
        if one.op == "div" and all(one.followed):
            above, below = (numbers_behind(trace, int(part), MOST) for part in one.operands)
            if any(part.index in read for part in above):
                return any(part.op == "size" and part.value == count for part in below)
    return False


def _of(trace: Trace, at: int) -> int:
    """The event that made what is read as a number."""
    event = trace.event(at)
    return operands(event)[0].producer if event is not None and operands(event) else -1


def _masked(trace: Trace, fact: TensorFact) -> bool:
    """Whether values are picked, weighted or replaced by another mask, or may be 0 where their targets are ignored."""
    for event in ancestors(trace, fact, NEAR).values():
        weighted = ops.is_a(event.op, "multiplies") and sum(one.rank > 0 for one in operands(event)) > 1
        picked = ops.is_a(event.op, "picks", "takes") and any(one.dtype == "bool" for one in operands(event)[1:])
        if event.modules:
            if weighted and any(_is_mask(trace, one) for one in operands(event)):
                return True
        elif weighted or picked or ops.is_a(event.op, "classifies") or event.op.rstrip("_") in CHOOSING:
            return True
    return False


def _is_mask(trace: Trace, fact: TensorFact) -> bool:
    """Whether a tensor holds truth values, as they are or as numbers."""
    near = ancestors(trace, fact, 4).values()
    given = [fact, *(one for event in near if ops.is_a(event.op, "casts", "reshapes") for one in operands(event)[:1])]
    return any(one.dtype == "bool" for one in given) or any("bits" in event.flags for event in near)


MESSAGES = {
    "en": {
        "message": "{op} counts all positions of shape {shape}, although the mask `{mask}` excludes some of them",
        "why": "`{mask}` (line {line}) is computed, but never read: the positions that it excludes count too",
    },
    "es": {
        "message": "{op} cuenta todas las posiciones de forma {shape}, aunque la máscara `{mask}` excluye algunas",
        "why": (
            "`{mask}` (línea {line}) se calcula, pero ninguna instrucción la lee: las posiciones que excluye también "
            "cuentan"
        ),
    },
    "ja": {
        "message": "マスク `{mask}` が一部の位置を除いているのに、{op} は形状 {shape} のすべての位置を数えています",
        "why": (
            "`{mask}` ({line} 行目) は計算されますが、どの文でも読まれません。そのため、除くはずの位置も数えられます"
        ),
    },
}
