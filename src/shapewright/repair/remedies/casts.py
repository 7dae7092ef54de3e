"""An operand of a refused call given the data type that it asks for: in the call, where the operand is bound, or where
data became tensors."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import consumers, operands
from ...rules.remedy import Misfit, Recast
from ...trace import Event, Trace
from ...trace.said import Refusal
from ..candidate import Candidate, Case
from ..operands import Operand, written
from .wrap import wrapped

ANSWERS = (Misfit, Recast)


def propose(case: Case) -> Iterator[Candidate]:
    """For the types that an error complains of."""
    told = isinstance(case.remedy, Recast) or (case.failure is not None and Refusal.TYPES in case.failure.said)
    refused = case.failure is not None and told
    floats = isinstance(case.remedy, Recast) and case.remedy.wanted_dtype.startswith("float")
    for operand in written(case)[:3] if refused else ():
        kind = operand.fact.dtype
        if kind.startswith("float") and not floats:
            yield from wrapped(case, operand, ".long()", 18)
        if kind.startswith(("int", "uint", "bool")) or ("float" in kind and kind != "float32"):
            yield from wrapped(case, operand, ".float()", 18)
            yield from _entered(case, operand)


def _entered(case: Case, operand: Operand) -> Iterator[Candidate]:
    """The cast where data became tensors of that type: whatever reads them gets the other one."""
    made = (event for event in case.trace.events if ops.is_a(event.op, "takes_data"))
    took = (event for event in made if not _assigned(case.trace, event))
    sites = dict.fromkeys(e.site for e in took if getattr(e.result, "dtype", "") == operand.fact.dtype)
    found = [pair for site in sites for pair in case.found(site)]
    edits = tuple(source.suffix(place, ".float()") for source, place in found)
    named = ", ".join(dict.fromkeys(source.text_of(place) for source, place in found))
    if edits:
        yield Candidate("wrap", edits, 17, {"code": ".float()", "name": named})


def _assigned(trace: Trace, event: Event) -> bool:
    """Whether all that becomes of a tensor is to be written into others, which keep their types."""
    uses = consumers(trace, event.index)
    return bool(uses) and all(ops.is_a(use.op, "assigns") and operands(use)[0].producer != event.index for use in uses)
