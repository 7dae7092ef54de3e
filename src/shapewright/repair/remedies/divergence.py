"""`kl_div` with the distribution that learns first."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import SwapSides
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source

LOGS = re.compile(
    r"^(?P<head>(?:torch\.|F\.|nn\.functional\.|torch\.nn\.functional\.)?)log_softmax\((?P<rest>.*)\)$"
    r"|^(?P<inner>.*)\.log_softmax\((?P<dim>[^()]*)\)$",
    re.DOTALL,
)


ANSWERS = (SwapSides,)


@at(cst.Call, arguments=2)
def propose(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """For swapped sides: the logarithm goes to the learner's side, and is taken off the other."""
    if case.remedy.kind != "divergence":
        return
    sides = [source.given(call, at, name) for at, name in enumerate(("input", "target"))]
    if None in sides:
        return
    one, other = map(source.place, sides)
    fixed, learnt = source.text_of(one), source.text_of(other)
    told = source.given(call, None, "log_target")
    both = told is not None and source.code(told).strip() == "True"
    logs, plain = (fixed, learnt) if both else (_plain(fixed), _logs(learnt))
    edits = (
        source.replace(one, plain or f"{_atom(learnt)}.log()"),
        source.replace(other, logs or f"{_atom(fixed)}.exp()"),
    )
    yield Candidate("swap", edits, 5, {"code": f"{edits[0].replacement}, {edits[1].replacement}"})


def _plain(text: str) -> str | None:
    """`x.log_softmax(1)` as `x.softmax(1)`, `p.log()` as `p`."""
    if LOGS.match(text):
        return re.sub(r"log_softmax\(", "softmax(", text, count=1) if text.count("log_softmax(") == 1 else None
    return text[: -len(".log()")] if text.endswith(".log()") else None


def _logs(text: str) -> str | None:
    """`x.softmax(1)` as `x.log_softmax(1)`."""
    return (
        re.sub(r"(?<!log_)softmax\(", "log_softmax(", text)
        if len(re.findall(r"(?<!log_)softmax\(", text)) == 1 and text.endswith(")")
        else None
    )


def _atom(text: str) -> str:
    return text if re.fullmatch(r"[\w.]+(\(.*\))?", text, re.DOTALL) else f"({text})"
