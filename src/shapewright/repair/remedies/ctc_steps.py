"""Lengths for CTC brought to the time axis that the network left."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import libcst as cst

from ...graph.flow import tensors
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..declared import at
from ..operands import in_scope
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "ctc-steps": {
        "en": "set the input lengths to the number of steps that the network outputs: {code}",
        "es": "ajustar las longitudes de entrada al número de pasos que da la red: {code}",
        "ja": "入力長を、ネットワークが出力するステップ数に合わせる: {code}",
    },
}


@at(cst.Call, arguments=3)
def propose(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """The lengths scaled by the share of time that is left, or one length for all where they are all the same."""
    event, misfit = case.event, case.misfit
    named = misfit.problem == "lengths" and misfit.operand == "input_lengths"
    if event is None or event.op != "ctc_loss" or not named:
        return
    lengths, most, got = source.place(place.node.args[2].value), misfit.wanted, misfit.size
    text, given = source.text_of(source.place(place.node.args[0].value)), source.text_of(lengths)
    atom, codes = source.atom(lengths), []
    share = got // most if got % most == 0 else 0
    if share > 1:
        yield Candidate("ctc-steps", (source.replace(lengths, f"{atom} // {share}"),), 8, {"code": f"// {share}"})
    name = next(iter(in_scope(case, source, place.line, lambda shape: got in shape[1:])), "")
    shapes = (shape for _, bound, shape in reversed(case.trace.bindings) if bound == name and got in shape[1:])
    for shape in itertools.islice(shapes, bool(name)):
        codes.append((f"{atom} * {text}.size(0) // {name}.size({shape.index(got, 1)})", 9))
    if any(tensors(event.args[2:3])):
        codes.append((f"torch.full_like({given}, {text}.size(0))", 24))
    for code, rank in codes:
        yield Candidate("ctc-steps", (source.replace(lengths, code),), rank, {"code": code})
    clamped = f".clamp(max={text}.size(0))"
    yield Candidate("ctc-steps", (source.suffix(lengths, clamped),), 30, {"code": clamped})
