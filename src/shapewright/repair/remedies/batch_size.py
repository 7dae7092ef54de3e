"""A size written down for the full batch is read from a tensor instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import tensors
from ...graph.origins import Origins
from ...rules.remedy import Misfit
from ...trace import Site
from ..candidate import Candidate, Case
from ..deciders import deciders
from ..operands import in_scope
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "batch-from": {
        "en": "take the size from the current batch: {code}",
        "es": "tomar el tamaño del lote actual: {code}",
        "ja": "実際のバッチからサイズを取る: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """On each line that the finding names, an argument equal to another batch's size becomes `x.size(0)`."""
    sizes = _batches(case)
    if not sizes or not case.finding.is_loud:
        return
    yield from _drawn(case, sizes)
    for site in _lines(case):
        source = case.source(site.file)
        if source is None:
            continue
        statement = source.statement(site.line)
        if statement is None:
            continue
        names = in_scope(case, source, site.line, lambda shape: len(shape) >= 1 and shape[0] in sizes)
        names = [name for name in names if _current(case, source, name, site.line)]
        for place in _numbers(case, source, statement, site.line):
            if _read_off(source, place):
                continue
            old = source.text_of(place)
            for name in names[:2] or _handed(case):
                other = old.isdigit() and int(old) not in _lengths(case, name)
                edit = source.replace(place, f"{name}.size(0)")
                fields = {"code": f"{name}.size(0)", "old": old, "value": f"{name}.size(0)"}
                yield Candidate("batch-from", (edit,), 7, fields, doubt="guessed" if other else "")


def _drawn(case: Case, sizes: set[int]) -> Iterator[Candidate]:
    """What a loop draws for each of its batches, as noise or steps, has a number of its own where the batch's size
    belongs."""
    for decider in deciders(Origins(case.trace), case.failure, case.misfit) if case.failure is not None else ():
        node, site = decider.written.node, decider.written.stack[-1]
        source = case.source(site.file) if decider.data and decider.wanted in sizes else None
        if source is None or not isinstance(node, ast.Constant):
            continue
        lines = {place.line for place in source.enclosing(site.line, cst.For)}
        for name in in_scope(case, source, site.line, lambda shape, size=decider.wanted: shape[:1] == (size,)):
            bound = [at.line for at, own, _ in case.trace.bindings if own == name and at.file == site.file]
            if not lines & set(bound):  # what the loop hands out, not what the script made before it
                continue
            span = Site(site.file, node.lineno, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1)
            place = source.at(span)
            if place is not None and source.text_of(place) == str(node.value):
                fields = {"code": f"{name}.size(0)", "old": str(node.value)}
                doubt = "guessed" if node.value == 1 else ""  # one for all samples may be meant
                edits = (source.replace(place, f"{name}.size(0)"),)
                yield Candidate("batch-from", edits, 4, fields, doubt=doubt)
                break


def _current(case: Case, source: Source, name: str, line: int) -> bool:
    """Whether a name holds no parameter, whose rows are no samples, and nothing of a loop that ended before."""
    bound = [one for one in case.trace.bound if one.name == name and one.site.file == source.file]
    bound = [one for one in bound if source.scope(one.site.line) in (source.scope(line), None)]
    around = {place.line for place in source.enclosing(line, cst.For)}
    ended = all({place.line for place in source.enclosing(one.site.line, cst.For)} - around for one in bound)
    return not ended and not any(one.fact.is_held for one in bound)


def _lengths(case: Case, name: str) -> set[int]:
    """How many rows the batches had, and what a name was bound to: a number that is none of them was not written for
    full batches."""
    return {*case.trace.data.batch_sizes, *(shape[0] for _, own, shape in case.trace.bindings if own == name and shape)}


def _handed(case: Case) -> list[str]:
    """The batch as the outermost call of the model is given it, where no name holds it: `data[i:i + n]`."""
    site = case.trace.failure.stack[0] if case.trace.failure is not None and case.trace.failure.stack else case.site
    source, place = case.at(site, cst.Call)
    first = place.node.args[0].value if place is not None and place.node.args else None
    return [source.text_of(source.place(first))] if isinstance(first, cst.Subscript) else []


def _read_off(source: Source, place: Place) -> bool:
    """Whether the name was taken from a tensor's shape in this function already."""
    scope = source.scope(place.line)
    if scope is None or not isinstance(place.node, cst.Name):
        return False
    taken = re.compile(rf"^[^=\n]*\b{re.escape(place.node.value)}\b[^=\n]*=[^=\n]*\.(?:size\(|shape\b)", re.MULTILINE)
    return taken.search("\n".join(source.lines[scope.line : place.line])) is not None


def _batches(case: Case) -> set[int]:
    """The first sizes of the tensors in the failing call: those of the batch that failed."""
    failure = case.trace.failure
    event = case.event
    found = {
        n for fact in tensors(failure.module_args if failure is not None else ()) if fact.shape for n in fact.shape[:2]
    }
    found |= {n for fact in tensors(event.args if event is not None else ()) if fact.shape for n in fact.shape[:2]}
    return {n for n in found if n > 0}


def _lines(case: Case):
    seen = set()
    for origin in case.facts.origins:
        for site in (origin.site, *reversed(origin.stack)):
            if site is not None and (site.file, site.line) not in seen:
                seen.add((site.file, site.line))
                yield site
    for site in (case.site, *reversed(case.trace.failure.stack if case.trace.failure else ())):
        if (site.file, site.line) not in seen:
            seen.add((site.file, site.line))
            yield site


def _numbers(case: Case, source: Source, statement: Place, line: int) -> Iterator[Place]:
    """Arguments of calls on the line that are a number or a name of a number."""
    for place in source.within(statement, cst.Call):
        if not place.line <= line <= place.end_line:
            continue
        function = place.node.func
        name = (
            function.attr.value
            if isinstance(function, cst.Attribute)
            else function.value
            if isinstance(function, cst.Name)
            else ""
        )
        if name[:1].isupper() or name in (
            "DataLoader",
            "randn",
            "randint",
            "rand",
            "range",
            "Linear",
            "Embedding",
            "LSTM",
            "GRU",
            "print",
            "round",
            "permute",
            "transpose",
            "squeeze",
            "unsqueeze",
            "softmax",
            "flatten",
            "mean",
            "sum",
            "chunk",
            "split",
            "unfold",
            "topk",
            "cumsum",
            "roll",
            "flip",
            "argmax",
            "max",
            "min",
            "gather",
            "scatter_",
            "unbind",
            "select",
            "narrow",
        ):
            continue
        values = []
        for given in place.node.args:
            value = given.value
            values += (
                [element.value for element in value.elements] if isinstance(value, (cst.Tuple, cst.List)) else [value]
            )
        state = len(values) == 3 and ops.is_a(name, "shaped")  # (layers, batch, hidden)
        for at, value in enumerate(values):
            if (
                (
                    isinstance(value, cst.Integer)
                    and ((at == 0 and not state) or (at == 1 and state))
                    and int(value.value, 0) > 1
                )
                or (isinstance(value, cst.Name) and "batch" in value.value.lower())
                or (isinstance(value, cst.Name) and value.value in ("bs", "BS", "B", "N", "n"))
            ) or (isinstance(value, cst.Attribute) and "batch" in value.attr.value.lower()):
                yield source.place(value)
