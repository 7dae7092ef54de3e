"""A policy is trained on the log-probability of an action that is sampled again and never taken.

## What it finds
An action that is sampled from a policy and used only for its own log-probability, which is then compared with a stored
log-probability (the ratio of PPO) or weighted by stored advantages.

## Why it hurts
Advantages and stored log-probabilities belong to the actions that were taken. A newly sampled action is in general a
different one: the policy is then rewarded for actions that were never tried.

## Example
    dist = agent(obs[idx])
    ratio = (dist.log_prob(dist.sample()) - old_logp[idx]).exp()

## Instead
    ratio = (dist.log_prob(actions[idx]) - old_logp[idx]).exp()

## Fix safety
The stored actions replace the sampled one where they have a name in the same function and are selected like the stored
values; a sample that overwrites an earlier one is removed.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import RESHAPING, consumers, maker, operands, shown, tensors
from ...graph.training import ancestors, descendants, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import MoveLine, Remedy, Rewrite

code = "SW365"
of_any_rank = True
PICKED = ops.named("indexes", "joins", "takes_data", "splits") | {"tensor", "as_tensor", "collate"}
ARITHMETIC = frozenset({"sub", "rsub", "div", "mul", "add"})
MODULE = "<module>"
KEPT, FAR = PICKED | RESHAPING, 8
FEWEST = 4  # rows that are drawn for at once


def check(trace: Trace) -> Iterator[Facts]:
    """Every such draw, by the first time that its place is reached."""
    known: set[tuple] = set()
    for draw in trace.events:
        if not ops.is_a(draw.op, "samples_values") or draw.stack in known or draw.site is None:
            continue
        known.add(draw.stack)
        if next((fact.sizes[0] for fact in operands(draw) if fact.sizes), 0) < FEWEST:
            continue
        after = descendants(trace, [TensorFact(producer=draw.index)])
        found = next(((user, *pair) for user in after.values() for pair in _meets(trace, draw, after, user)), None)
        if found is None:
            continue
        user, own, stored = found
        if _learned_from(trace, draw, own) and not _taken(trace, draw, own):
            assert user.site is not None
            site = next((one for one in reversed(draw.stack) if one.function == user.site.function), draw.site)
            yield Facts(
                site,
                why="ratio" if user.op != "mul" else "weight",
                fields={
                    "stored": stored.name or "stored",
                    "shape": shown(stored.shape),
                    "line": user.site.line,
                },
                origins=tuple(origin for one in (draw.site, user.site) if one != site for origin in place(trace, one)),
                event=draw.index,
                remedy=_stored_actions(trace, draw, stored),
            )


def _stored_actions(trace: Trace, draw: Event, stored: TensorFact) -> Remedy | None:
    """The actions of which something was stored, by their name in the function of the draw, picked as that was; where
    the draw takes the name of an earlier one, it goes."""
    behind, site = ancestors(trace, stored), draw.site
    held: dict[str, set[int]] = {}  # by name, the draws that it held
    for one in trace.bound:
        drawn = maker(trace, one.fact, lambda event: event.op in KEPT, FAR)
        own = site is not None and (one.site.function or MODULE) == site.function
        if own and drawn is not None and ops.is_a(drawn.op, "samples_values"):
            held.setdefault(one.name, set()).add(drawn.index)
    if any(draw.index in indices and len(indices) > 1 for indices in held.values()) and site is not None:
        return MoveLine(spare=True, lines=(site,))
    names = [name for name, indices in held.items() if indices & behind.keys() and draw.index not in indices]
    if len(names) != 1:
        return None
    picked = behind.get(stored.producer)
    at = picked.args[1] if picked is not None and picked.op == "getitem" and len(picked.args) > 1 else None
    index = f"[{at.name}]" if isinstance(at, TensorFact) and at.name else ""
    return Rewrite(names[0] + index, site=site) if index or at is None else None


def _meets(trace: Trace, draw: Event, after: dict[int, Event], user: Event) -> Iterator[tuple[TensorFact, TensorFact]]:
    """`(log-probability, stored)` where what the draw led to meets a number a row that was stored before: in a
    difference whose exponential is taken, or as its weight."""
    sides = operands(user)
    if (
        len(sides) != 2
        or not ops.is_a(user.op, "subtracts", "multiplies")
        or user.site is None
        or sides[0].shape != sides[1].shape
    ):
        return
    own = next((one for one in sides if one.requires_grad and one.producer in after), None)
    stored = next((one for one in sides if not one.requires_grad and one.producer not in after), None)
    if own is None or stored is None or not own.sizes or (user.op == "sub" and own is not sides[0]):
        return
    made = ancestors(trace, stored)
    if draw.index in made or not (stored.producer < 0 or any(one.op in PICKED for one in made.values())):
        return
    if user.op == "sub" and any(one.op == "exp" for one in consumers(trace, user.index)):
        yield own, stored
    weighs = stored.dtype.startswith("float") and stored.producer in made and made[stored.producer].op in ARITHMETIC
    if user.op == "mul" and weighs:
        yield own, stored


def _learned_from(trace: Trace, draw: Event, own: TensorFact) -> bool:
    """Whether what the draw was made from carries gradients into the log-probability; that both come from the same
    parameters does not tell."""
    parents = {index for fact in operands(draw) for index in (fact.producer, *ancestors(trace, fact, 60))}
    behind = ancestors(trace, own)
    shared = (part for index in parents & behind.keys() for part in tensors(behind[index].result))
    return any(part.requires_grad and not part.is_held for part in shared)


def _taken(trace: Trace, draw: Event, own: TensorFact) -> bool:
    """Whether the draw goes anywhere but into its log-probability: what the line of the log-probability asks of it in
    passing, such as whether it lies in the support, aside."""
    behind = ancestors(trace, own)
    lines = {event.stack for index, event in behind.items() if index > draw.index}
    queue, seen = [draw.index], {draw.index}
    while queue:
        index = queue.pop()
        for event in consumers(trace, index):
            if event.index in seen or all(one.requires_grad for one in operands(event) if one.producer == index):
                continue  # what learns is followed from the log-probability on
            seen.add(event.index)
            queue.append(event.index)
            leaves = event.op != "bool" and ops.is_a(event.op, "leaves", "reads_value", "takes_data")
            if event.index not in behind and (event.stack not in lines or leaves):
                return True
    return False


MESSAGES = {
    "en": {
        "message": "the policy learns from the log-probability of an action that is sampled here and never taken",
        "ratio": (
            "line {line} compares this log-probability with {stored} {shape}, which was not computed for this sample: "
            "the two probabilities can belong to different actions"
        ),
        "weight": (
            "line {line} multiplies this log-probability by {stored} {shape}, which was not computed for this sample "
            "and can belong to a different action"
        ),
    },
    "es": {
        "message": "la política aprende de la log-probabilidad de una acción que se muestrea aquí y nunca se ejecuta",
        "ratio": (
            "la línea {line} compara esta log-probabilidad con {stored} {shape}, que no se calculó para esta muestra: "
            "las dos probabilidades pueden ser de acciones distintas"
        ),
        "weight": (
            "la línea {line} multiplica esta log-probabilidad por {stored} {shape}, que no se calculó para esta "
            "muestra y puede ser de otra acción"
        ),
    },
    "ja": {
        "message": "方策が、ここで新しくサンプリングされ、実行されることのない行動の対数確率から学習しています",
        "ratio": (
            "{line} 行目ではこの対数確率を {stored} {shape} と比べていますが、{stored} はこのサンプルについて計算された"
            "ものではなく、2 つの確率が別の行動のものになり得ます"
        ),
        "weight": (
            "{line} 行目ではこの対数確率に {stored} {shape} を掛けていますが、{stored} はこのサンプルについて計算された"
            "ものではなく、別の行動のものになり得ます"
        ),
    },
}
