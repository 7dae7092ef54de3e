"""The branch that keeps the best model runs when the value gets worse.

## What it finds
`if value < best:` that takes the value as the new best and keeps the weights of a model, where the value rises as the
model gets better (a share of outputs that equal the targets); `>` where it is the average of a loss. What the value was
computed from tells its direction, and not its name.

## Why it hurts
The weights that are kept, and loaded or reported in the end, are those of the worst evaluation.

## Example
    if accuracy < best:
        best, state = accuracy, copy.deepcopy(model.state_dict())

## Instead
    if accuracy > best:
        best, state = accuracy, copy.deepcopy(model.state_dict())

## Fix safety
`best` has to start at a value below all others, too. Branches that keep no weights are not reported: the worst sample
or fold may be asked for.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from ...graph.calls import keeps
from ...graph.direction import rises
from ...graph.flow import one_per_place
from ...graph.scopes import pairs, statement_of
from ...graph.source import Source
from ...graph.training import of_kind, place
from ...trace import HostFact, Site, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW363"
TURNED = {ast.Lt: ">", ast.LtE: ">=", ast.Gt: "<", ast.GtE: "<="}


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every such comparison, once."""
    source = Source(trace)
    for fact in trace.host:
        if fact.op != "compare" or fact.kind or fact.site is None:
            continue
        node = source.node_at(fact.site, (ast.Compare,))
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or type(node.ops[0]) not in TURNED:
            continue
        guard = statement_of(node)
        less = _less(node, guard) if isinstance(guard, ast.If) else None
        if less is None or not isinstance(guard, ast.If) or not _keeps(trace, guard, fact.site):
            continue
        rising = _rising(trace, fact)
        if rising is None or rising is not less:
            continue
        left, right = map(ast.unparse, (node.left, node.comparators[0]))
        read = next((one for one in trace.host[: fact.index] if one.index in fact.parents), fact)
        yield Facts(
            fact.site,
            message="rises" if rising else "falls",
            fields={"test": f"{left} {'<' if type(node.ops[0]) in (ast.Lt, ast.LtE) else '>'} {right}"},
            origins=place(trace, read.site if read.site != fact.site else None) + place(trace, fact.caller),
            severity="warning",  # nothing trains on it
            remedy=Rewrite(
                f"{left} {TURNED[type(node.ops[0])]} {right}", source.site(node, fact.site.file), guessed=True
            ),
        )


def _rising(trace: Trace, fact: HostFact) -> bool | None:
    """Whether the numbers that were compared rise as a model gets better; both sides were read alike."""
    told = {rises(trace, part) for part in fact.parents} - {None}
    return told.pop() if len(told) == 1 else None


def _less(node: ast.Compare, guard: ast.If) -> bool | None:
    """Whether the branch of a comparison takes over the value where it is the lesser one; `None` where it takes over
    neither."""
    sides = [ast.unparse(node.left), ast.unparse(node.comparators[0])]
    for best, value in itertools.chain.from_iterable(map(pairs, guard.body)):
        taken = [ast.unparse(value), ast.unparse(best)]
        if taken in (sides, sides[::-1]):
            return isinstance(node.ops[0], (ast.Lt, ast.LtE)) == (taken == sides)
    return None


def _keeps(trace: Trace, guard: ast.If, site: Site) -> bool:
    """Whether a branch keeps the weights of a model."""
    lines = range(guard.body[0].lineno, (guard.body[-1].end_lineno or guard.body[-1].lineno) + 1)
    taken = (one for step in of_kind(trace, "state") for one in step.stack)
    return any(one.file == site.file and one.line in lines for one in taken) or keeps(guard.body)


MESSAGES = {
    "en": {
        "rises": "`{test}` keeps the model when this value gets worse: the value rises as the model gets better",
        "falls": "`{test}` keeps the model when this value gets worse: the value falls as the model gets better",
        "why": (
            "the branch takes over the value as the best so far and keeps the weights, so the weights of the worst "
            "evaluation remain in the end"
        ),
    },
    "es": {
        "rises": "`{test}` guarda el modelo cuando este valor empeora: el valor sube cuando el modelo mejora",
        "falls": "`{test}` guarda el modelo cuando este valor empeora: el valor baja cuando el modelo mejora",
        "why": (
            "la rama toma el valor como el mejor hasta ahora y guarda los pesos, así que al final quedan los pesos de "
            "la peor evaluación"
        ),
    },
    "ja": {
        "rises": "`{test}` はこの値が悪化したときにモデルを保存します。モデルが良くなると、この値は上がります",
        "falls": "`{test}` はこの値が悪化したときにモデルを保存します。モデルが良くなると、この値は下がります",
        "why": (
            "この分岐は値をそれまでの最良として記録し、重みを保存するため、最後に残るのは最も悪い評価のときの重みです"
        ),
    },
}
