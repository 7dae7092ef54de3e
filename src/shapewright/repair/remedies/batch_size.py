"""A size written down for the full batch is read from a tensor instead."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator

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

NAMES = ("bs", "BS", "B", "N", "n")
COUNTED = frozenset(dir(builtins)) | ops.named(
    *("draws", "rounds", "turns", "squeezes", "unsqueezes", "softmaxes", "flattens", "totals", "parts", "splits"),
    *("windows", "steps", "accumulates", "extremes", "points", "reads"),
) - {"randperm"}  # what their first number counts is something else


def propose(case: Case) -> Iterator[Candidate]:
    """On each line that the finding names, an argument equal to another batch's size becomes `x.size(0)`."""
    sizes = _batches(case)
    if not sizes:
        return
    yield from _drawn(case, sizes)
    for site in _lines(case):
        source, statement = case.statement(site)
        if source is None or statement is None:
            continue
        names = in_scope(case, source, site.line, lambda shape: len(shape) >= 1 and shape[0] in sizes)
        names = [name for name in names if _current(case, source, name, site.line)]
        for place in _numbers(source, statement, site.line):
            old = source.text_of(place)
            if any(old == name for _, name, _ in case.trace.bindings):
                continue  # a tensor
            for name in (names[:2] or _handed(case)) if not _read_off(source, place) else ():
                other = old.isdigit() and int(old) not in _lengths(case, name)
                edit, code = source.replace(place, f"{name}.size(0)"), f"{name}.size(0)"
                fields = {"code": code, "old": old, "value": code}
                yield Candidate("batch-from", (edit,), 7, fields, doubt="guessed" if other else "")


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


def _drawn(case: Case, sizes: set[int]) -> Iterator[Candidate]:
    """What a loop draws for each of its batches, as noise or steps, has a number of its own where the batch's size
    belongs."""
    for decider in deciders(Origins(case.trace), case.failure, case.misfit):
        node, site = decider.written.node, decider.written.stack[-1]
        source = case.source(site.file) if decider.data and decider.wanted in sizes else None
        if source is None or not isinstance(node, ast.Constant):
            continue
        lines = {place.line for place in source.enclosing(site.line, cst.For)}
        bound = [name for at, name, _ in case.trace.bindings if at.file == site.file and at.line in lines]
        names = in_scope(case, source, site.line, lambda shape, size=decider.wanted: shape[:1] == (size,))
        place = source.at(Site(site.file, node.lineno, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1))
        # what the loop hands out, not what the script made before it
        for name in [name for name in names if name in bound][:1]:
            if place is not None and source.text_of(place) == str(node.value):
                fields = {"code": f"{name}.size(0)", "old": str(node.value)}
                doubt = "guessed" if node.value == 1 else ""  # one for all samples may be meant
                yield Candidate("batch-from", (source.replace(place, f"{name}.size(0)"),), 4, fields, doubt=doubt)


def _handed(case: Case) -> list[str]:
    """The batch as the outermost call of the model is given it, where no name holds it: `data[i:i + n]`."""
    site = case.failure.stack[0] if case.failure.stack else case.site
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
    given = (*tensors(case.failure.module_args), *tensors(case.event.args if case.event is not None else ()))
    return {n for fact in given for n in (fact.shape or ())[:2] if n > 0}


def _lines(case: Case) -> Iterable[Site]:
    around = [site for origin in case.facts.origins for site in (origin.site, *reversed(origin.stack))]
    sites = (*around, case.site, *reversed(case.failure.stack))
    return dict.fromkeys(Site(site.file, site.line) for site in sites if site is not None)


def _numbers(source: Source, statement: Place, line: int) -> Iterator[Place]:
    """Arguments of calls on the line that are a number or a name of a number."""
    for place in source.within(statement, cst.Call):
        name = source.called(place)
        if not place.line <= line <= place.end_line or name[:1].isupper() or name in COUNTED:
            continue
        values: list[cst.BaseExpression] = []
        for value in (given.value for given in place.node.args):
            values += [part.value for part in value.elements] if isinstance(value, (cst.Tuple, cst.List)) else [value]
        state = len(values) == 3 and ops.is_a(name, "shaped")  # (layers, batch, hidden)
        for at, value in enumerate(values):
            text = source.code(value).strip()
            plain = isinstance(value, cst.Integer) and at == int(state) and int(value.value, 0) > 1
            last = text.rpartition(".")[2] if isinstance(value, (cst.Name, cst.Attribute)) else ""
            if plain or "batch" in last.lower() or text in NAMES:
                yield source.place(value)
