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
from ..declared import in_file
from ..source import Place, Source

LOSS = re.compile(r"^-\s*(?:(?:torch\.)?mean\((?P<inner>[\w.]+)\)|(?P<receiver>[\w.]+)\.mean\(\))$")


ANSWERS = (Attach,)
TITLES = {
    "policy-gradient": {
        "en": "weight the log-probability of the sampled action by its reward: {code}",
        "es": "ponderar la log-probabilidad de la acción muestreada con su recompensa: {code}",
        "ja": "サンプリングした行動の対数確率に報酬を掛ける: {code}",
    },
}


@in_file
def propose(case: Case, source: Source) -> Iterator[Candidate]:
    """For a step without gradient whose loss comes of a drawing in the same function."""
    site = case.trace.events[case.remedy.sampled].site if case.remedy.sampled is not None else None
    here = site is not None and site.file == case.site.file
    place = _loss(case) if here and source.scope(site.line) is source.scope(case.site.line) else None
    statement = source.statement(site.line) if place is not None else None
    body = getattr(statement.node, "body", ()) if statement is not None else ()
    target = body[0].targets[0].target if len(body) == 1 and isinstance(body[0], cst.Assign) else None
    chances = _log_probability(source, statement, target.value) if isinstance(target, cst.Name) else None
    if chances is not None:
        found = LOSS.match(source.text_of(place))
        code = f"-({chances} * {found.group('inner') or found.group('receiver')}.detach()).mean()"
        yield Candidate("policy-gradient", (source.replace(place, code),), 6, {"code": code})


def _loss(case: Case) -> Place | None:
    """The expression that is the negative mean of a reward."""
    source, statement = case.statement(case.site)
    found = source.within(statement, cst.UnaryOperation) if statement is not None else ()
    return next((place for place in found if LOSS.match(source.text_of(place))), None)


def _log_probability(source: Source, statement: Place, name: str) -> str | None:
    """The log-probability of each draw that a statement binds to `name`, by the way it was drawn."""
    for call in source.methods(statement, "sample", "multinomial"):
        func, given = call.node.func, call.node.args
        if func.attr.value == "sample":
            if isinstance(func.value, (cst.Name, cst.Attribute)) and source.text_of(statement).endswith(".sample()"):
                return f"{source.text_of(source.place(func.value))}.log_prob({name})"
        elif source.code(func.value) == "torch" and len(given) > 1 and source.code(given[1].value).strip() == "1":
            chances = source.atom(source.place(given[0].value))
            return f"{chances}.log().gather(-1, {name}.view(-1, 1)).squeeze(-1)"
    return None
