"""A policy gradient for a loss that was only the reward of what was drawn.

Where the drawing is written out (`torch.multinomial(p, 1)`, `dist.sample()`), its log-probability is at hand and
`-reward.mean()` becomes `-(log_prob * reward.detach()).mean()`. What a library drew, such as the text of `generate`, is
left alone: its log-probabilities are not at hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Attach
from ..candidate import Candidate, Case
from ..source import Place, Source

LOSS = re.compile(r"^-\s*(?:(?:torch\.)?mean\((?P<inner>[\w.]+)\)|(?P<receiver>[\w.]+)\.mean\(\))$")


ANSWERS = (Attach,)
TITLES = {
    "policy-gradient": {
        "en": "weight the log-probability of the sampled action by its reward: {code}",
        "es": "ponderar la log-probabilidad de lo muestreado con su recompensa: {code}",
        "ja": "サンプリングした行動の対数確率に報酬を掛ける: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a step without gradient whose loss comes of a drawing in the same function."""
    drawn = case.remedy.sampled
    source = case.source(case.site.file) if drawn is not None else None
    event = case.trace.events[drawn] if drawn is not None else None
    if (
        source is None
        or event.site.file != case.site.file
        or source.scope(event.site.line) is not source.scope(case.site.line)
    ):
        return
    place = _loss(source, case.site.line)
    statement = source.statement(event.site.line)
    if (
        place is None
        or statement is None
        or len(getattr(statement.node, "body", ())) != 1
        or not isinstance(statement.node.body[0], cst.Assign)
    ):
        return
    target = statement.node.body[0].targets[0].target
    chances = _log_probability(source, statement, target.value) if isinstance(target, cst.Name) else None
    if chances is not None:
        found = LOSS.match(source.text_of(place))
        code = f"-({chances} * {found.group('inner') or found.group('receiver')}.detach()).mean()"
        yield Candidate("policy-gradient", (source.replace(place, code),), 6, {"code": code})


def _loss(source: Source, line: int) -> Place | None:
    """The expression that is the negative mean of a reward."""
    statement = source.statement(line)
    for place in source.within(statement, cst.UnaryOperation) if statement is not None else ():
        if LOSS.match(source.text_of(place)):
            return place
    return None


def _log_probability(source: Source, statement: Place, name: str) -> str | None:
    """The log-probability of each draw that a statement binds to `name`, by the way it was drawn."""
    for call in source.within(statement, cst.Call):
        func = call.node.func
        if not isinstance(func, cst.Attribute):
            continue
        if (
            func.attr.value == "sample"
            and isinstance(func.value, (cst.Name, cst.Attribute))
            and source.text_of(statement).endswith(".sample()")
        ):
            return f"{source.text_of(source.place(func.value))}.log_prob({name})"
        if (
            func.attr.value == "multinomial"
            and len(call.node.args) > 1
            and source.text_of(source.place(call.node.args[1].value)) == "1"
        ):
            library = isinstance(func.value, cst.Name) and func.value.value == "torch"
            if library:
                return (
                    f"{source.atom(source.place(call.node.args[0].value))}.log().gather(-1, {name}.view(-1, "
                    f"1)).squeeze(-1)"
                )
    return None
