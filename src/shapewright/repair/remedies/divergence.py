"""`kl_div` with the distribution that learns first."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import SwapSides
from ..candidate import Candidate, Case

LOGS = re.compile(
    r"^(?P<head>(?:torch\.|F\.|nn\.functional\.|torch\.nn\.functional\.)?)log_softmax\((?P<rest>.*)\)$"
    r"|^(?P<inner>.*)\.log_softmax\((?P<dim>[^()]*)\)$",
    re.DOTALL,
)


ANSWERS = (SwapSides,)


def propose(case: Case) -> Iterator[Candidate]:
    """For swapped sides: the logarithm goes to the learner's side, and is taken off the other."""
    if case.remedy.kind != "divergence":
        return
    source, call = case.at(case.site, cst.Call)
    if call is None or len(call.node.args) < 2:
        return
    given = {
        a.keyword.value if a.keyword else ("input", "target")[n] if n < 2 else "": source.place(a.value)
        for n, a in enumerate(call.node.args)
    }
    if "input" not in given or "target" not in given:
        return
    fixed, learnt = source.text_of(given["input"]), source.text_of(given["target"])
    logs, plain = _plain(fixed), _logs(learnt)
    if "log_target" in given and source.text_of(given["log_target"]) == "True":
        logs, plain = fixed, learnt
    edits = (
        source.replace(given["input"], plain or f"{_atom(learnt)}.log()"),
        source.replace(given["target"], logs or f"{_atom(fixed)}.exp()"),
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
