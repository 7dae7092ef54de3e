"""A value is regressed on a target from which the value itself was subtracted: the advantage instead of the return.

## What it finds
A regression loss whose target subtracts the prediction itself, or what the same layer gave when the data were
collected, and does not add it back. One that adds the value to an advantage already divided by its standard deviation.

## Why it hurts
The target falls as the prediction rises, so the critic does not learn the return, and the advantages that are computed
from it are wrong.

## Example
    advantage = returns - value.detach()
    value_loss = F.mse_loss(value, advantage)

## Instead
    value_loss = F.mse_loss(value, returns)

## Fix safety
The target becomes the tensor that the value was subtracted from, or the value is added back, where these are available
under a name.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.bootstrap import compared
from ...graph.flow import RESHAPING, lineage, maker, one_per_place, operands, produced
from ...graph.training import PASSING, ancestors, place
from ...graph.twins import same
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..loop_remedy import UseOther

code = "SW366"
of_any_rank = True
SAME = PASSING | RESHAPING | {"data", "tensor", "cpu"}
FAR = 8
MODULE = "<module>"


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every comparison of a value with a target that takes the value away."""
    for loss, value, target in compared(trace):
        layer = _layer(trace, value)
        scaled = _normalized(trace, target, layer) if layer is not None else None
        if scaled is not None and scaled.site is not None and loss.site is not None:
            yield Facts(
                scaled.site,
                message="normalized",
                why="normalized_why",
                fields={"target": target.name or "target", "value": value.name or "value", "line": loss.site.line},
                origins=place(trace, loss.site),
                event=scaled.index,
            )
            continue
        if layer is None or target.sizes[1:] not in ((), (1,)):
            continue  # one number a row
        made = _taken_away(trace, target, layer, FAR)
        if made is not None and made.site is not None and loss.site is not None:
            yield Facts(
                loss.site,
                fields={"target": target.name or "target", "value": value.name or "value", "line": made.site.line},
                origins=place(trace, made.site),
                event=loss.index,
                remedy=_whole(trace, loss, target, made),
            )


def _whole(trace: Trace, loss: Event, target: TensorFact, made: Event) -> UseOther | None:
    """What the value was subtracted from in place of the target; or the sum of both, where nothing scaled the
    difference on its way."""
    picked = produced(trace, target)
    whole = operands(picked)[0] if not target.name and picked is not None and picked.op == "getitem" else target
    parts = operands(made)
    others = _named(trace, parts[0], loss) if parts else []
    if not others and len(parts) > 1 and not any(one.op.startswith("div") for one in ancestors(trace, whole).values()):
        taken = produced(trace, parts[1])
        values = operands(taken)[0] if taken is not None and ops.is_a(taken.op, "cuts", "picks") else parts[1]
        others = [f"{whole.name} + {name}" for name in _named(trace, values, loss) if not values.requires_grad]
    return UseOther(whole.name, tuple(others), site=loss.site) if whole.name and others else None


def _named(trace: Trace, fact: TensorFact, loss: Event) -> list[str]:
    """The names that the function of a loss gave this very tensor."""
    own = (one for one in trace.bound if one.fact.uid == fact.uid and loss.site is not None)
    return list(dict.fromkeys(one.name for one in own if (one.site.function or MODULE) == loss.site.function))


def _layer(trace: Trace, fact: TensorFact, far: int = FAR) -> Event | None:
    """The call of a layer that gave a value, which may have been laid out anew, picked or detached since."""
    behind = lineage(trace, fact, lambda one: operands(one) if one.op in SAME and not one.modules else (), 40)
    made = next((one for one in behind if one.op not in SAME or one.modules), None)
    while made is not None and made.modules and made.op in SAME and operands(made):
        made = produced(trace, operands(made)[0])
    if made is not None and ops.is_a(made.op, "fills_constant"):
        written = _written(trace, made)
        return _layer(trace, written[0], far - 1) if written and far else None
    return made if made is not None and made.modules else None


def _written(trace: Trace, made: Event) -> list[TensorFact]:
    """What was written into a tensor that was filled with a constant first."""
    uid = getattr(made.result, "uid", 0)
    return [operands(one)[-1] for one in trace.events if one.op == "setitem" and operands(one)[0].uid == uid]


def _taken_away(trace: Trace, fact: TensorFact, layer: Event, far: int) -> Event | None:
    """The difference on the way to a target that subtracts what a layer gave; none where it is added again."""
    made = produced(trace, fact)
    if made is None or not far or made.modules:
        return None
    parts = operands(made)
    if ops.is_a(made.op, "fills_constant"):
        parts = _written(trace, made)
    elif ops.is_a(made.op, "subtracts") and "reflected" not in made.flags:
        if (len(parts) > 1 and _own(trace, parts[1], layer)) or _read(trace, made, layer):
            return made
        parts = parts[:1]
    elif ops.is_a(made.op, "adds"):
        if any(_own(trace, part, layer) for part in parts):
            return None
    elif not (made.op in SAME or made.op.startswith("div")):
        return None
    found = (_taken_away(trace, part, layer, far - 1) for part in parts[:2])
    return next((one for one in found if one is not None), None)


def _normalized(trace: Trace, fact: TensorFact, layer: Event) -> Event | None:
    """The sum on the way to a target that adds the value to something divided by its own standard deviation."""
    made = maker(trace, fact, lambda event: event.op in SAME, FAR)
    sides = operands(made) if made is not None and ops.is_a(made.op, "adds") else []
    for side in sides:
        divided = maker(trace, side, lambda event: event.op in SAME, FAR)
        parts = operands(divided) if divided is not None and ops.is_a(divided.op, "divides") else []
        spread = len(parts) == 2 and any(
            ops.is_a(event.op, "spreads") for event in ancestors(trace, parts[1], FAR).values()
        )
        if spread and any(_own(trace, other, layer) for other in sides if other is not side):
            return made
    return None


def _own(trace: Trace, fact: TensorFact, layer: Event) -> bool:
    """Whether a number is what a layer gave, in this call, in another one for the same samples, or in one that learns
    nothing."""
    made = _layer(trace, fact)
    if made is None or made is layer or made.modules != layer.modules:
        return made is layer
    return not fact.requires_grad or same(trace, made.result, layer.result)


def _read(trace: Trace, made: Event, layer: Event) -> bool:
    """Whether the number that is subtracted was read from what the layer gave."""
    numbers = [part for part in made.args[1:] if isinstance(part, float)]
    return any(
        fact.op == "item"
        and fact.value == number
        and 0 <= fact.event < made.index
        and any(_own(trace, part, layer) for part in operands(trace.events[fact.event]))
        for number in numbers
        for fact in trace.host
    )


MESSAGES = {
    "en": {
        "normalized": "the target of {value} is computed from normalized advantages",
        "normalized_why": (
            "the return is the value plus the unnormalized advantage. With an advantage divided by its standard "
            "deviation, the sum is not the return, but line {line} regresses the value on that sum"
        ),
        "message": "{value} is regressed on {target}, but {value} itself was subtracted from that target",
        "why": (
            "line {line} subtracts the value, so the target falls as the value rises. To learn the return, use the "
            "return itself as the target"
        ),
    },
    "es": {
        "normalized": "el objetivo de {value} se calcula con ventajas normalizadas",
        "normalized_why": (
            "el retorno es el valor más la ventaja sin normalizar. Con una ventaja dividida entre su desviación "
            "típica, la suma no es el retorno, pero la línea {line} ajusta el valor a esa suma"
        ),
        "message": "{value} se ajusta a {target}, pero a ese objetivo se le restó el propio {value}",
        "why": (
            "la línea {line} resta el valor, así que el objetivo baja cuando el valor sube. Para aprender el retorno, "
            "usa como objetivo el propio retorno"
        ),
    },
    "ja": {
        "normalized": "{value} のターゲットが、正規化したアドバンテージから計算されています",
        "normalized_why": (
            "収益は、価値と正規化前のアドバンテージの和です。標準偏差で割ったアドバンテージとの和は収益ではありませんが"
            "、{line} 行目では価値をその和に回帰させています"
        ),
        "message": "{value} を {target} に回帰させていますが、{target} からは {value} 自身が引かれています",
        "why": (
            "{line} 行目で価値が引かれているため、価値が上がるとターゲットが下がります。収益を学習するには、ターゲット"
            "を収益そのものにします"
        ),
    },
}
