"""Lengths for CTC brought to the time axis that the network left."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...graph.flow import tensors
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..operands import in_scope

ANSWERS = (Misfit,)
TITLES = {
    "ctc-steps": {
        "en": "use the number of steps that the network outputs: {code}",
        "es": "usar el número de pasos que produce la red: {code}",
        "ja": "ネットワークが出力するステップ数を渡す: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """The lengths scaled by the share of time that is left, or one length for all where they are all the same."""
    source, event = case.source(case.site.file), case.event
    if (
        event is None
        or event.op != "ctc_loss"
        or case.misfit.problem != "lengths"
        or case.misfit.operand != "input_lengths"
        or source is None
    ):
        return
    place = source.at(case.site, cst.Call)
    if place is None or len(place.node.args) < 3:
        return
    scores, lengths = (source.place(place.node.args[at].value) for at in (0, 2))
    text, given = source.text_of(scores), source.text_of(lengths)
    most, got = case.misfit.wanted, case.misfit.size
    share = got // most if got % most == 0 else 0
    if share > 1:
        yield Candidate(
            "ctc-steps", (source.replace(lengths, f"{source.atom(lengths)} // {share}"),), 8, {"code": f"// {share}"}
        )
    name = next(iter(in_scope(case, source, place.line, lambda shape: got in shape[1:])), "")
    shape = next((shape for _, bound, shape in reversed(case.trace.bindings) if bound == name and got in shape[1:]), ())
    if name and shape:
        code = f"{source.atom(lengths)} * {text}.size(0) // {name}.size({shape.index(got, 1)})"
        yield Candidate("ctc-steps", (source.replace(lengths, code),), 9, {"code": code})
    steps = next(tensors(event.args[2:3]), None)
    if steps is not None:
        yield Candidate(
            "ctc-steps",
            (source.replace(lengths, f"torch.full_like({given}, {text}.size(0))"),),
            24,
            {"code": f"torch.full_like({given}, {text}.size(0))"},
        )
    yield Candidate(
        "ctc-steps",
        (source.suffix(lengths, f".clamp(max={text}.size(0))"),),
        30,
        {"code": f".clamp(max={text}.size(0))"},
    )
