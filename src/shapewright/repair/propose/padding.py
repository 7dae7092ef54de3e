"""The last real step instead of the last step; a mean over real steps instead of all."""

from __future__ import annotations

from typing import Iterator

import libcst as cst

from ..candidate import Candidate, Case
from ..operands import in_scope
from ..source import Place, Source


def propose(case: Case) -> Iterator[Candidate]:
    """Where a finding stands at `out[:, -1]` or at a pooling over time."""
    if not case.finding.code.startswith("SW2"):
        return
    source = case.source(case.site.file)
    statement = source.statement(case.site.line) if source else None
    if statement is None or isinstance(statement.node, cst.BaseCompoundStatement):
        return
    for place in source.within(statement, cst.Subscript):
        shape = _last_step(place.node)
        if shape is not None:
            yield from _last_real(case, source, place, shape)
    for place in source.within(statement, cst.Call):
        if isinstance(place.node.func, cst.Attribute) and place.node.func.attr.value == "mean" and place.node.args:
            yield from _masked_mean(case, source, place)


def _last_step(node: cst.Subscript) -> bool | None:
    """True for `x[:, -1]`, False for `x[-1]`, `None` for anything else."""
    parts = [element.slice for element in node.slice]
    indices = [part.value for part in parts if isinstance(part, cst.Index)]
    negative = any(isinstance(v, cst.UnaryOperation) and isinstance(v.operator, cst.Minus) and getattr(v.expression, "value", "") == "1" for v in indices)
    if not negative or len(indices) != 1:
        return None
    return True if len(parts) >= 2 and isinstance(parts[0], cst.Slice) and isinstance(parts[1], cst.Index) else False if len(parts) == 1 else None


def _last_real(case: Case, source: Source, place: Place, batch_first: bool) -> Iterator[Candidate]:
    value = source.text_of(source.place(place.node.value))
    batch = f"{value}.size({0 if batch_first else 1})"
    for end in _ends(case, source, place.line):
        index = f"torch.arange({batch}, device={value}.device), {end}" if batch_first else f"{end}, torch.arange({batch}, device={value}.device)"
        yield Candidate("last-real", (source.replace(place, f"{value}[{index}]"),), 6, {"code": f"{value}[torch.arange(…), {end}]"})


def _ends(case: Case, source: Source, line: int) -> list[str]:
    """Expressions for the place of each sample's last real step, from names at hand."""
    scope = source.scope(line)
    arguments = [p.name.value for p in scope.node.params.params] if scope is not None else []
    made = []
    lengths = in_scope(case, source, line, lambda shape: len(shape) == 1)
    for name in [*arguments, *lengths]:
        if "len" in name.lower():
            made.append(f"{name} - 1")
    for name in arguments:
        if "mask" in name.lower():
            made.append(f"{name}.sum(dim=1).long() - 1")
    return list(dict.fromkeys(made))


def _masked_mean(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    value = source.text_of(source.place(place.node.func.value))
    scope = source.scope(place.line)
    arguments = [p.name.value for p in scope.node.params.params] if scope is not None else []
    for name in arguments:
        if "len" in name.lower():
            keep = f"(torch.arange({value}.size(1), device={value}.device) < {name}[:, None]).unsqueeze(-1)"
            yield Candidate("mean-real", (source.replace(place, f"({value} * {keep}).sum(dim=1) / {name}[:, None]"),), 8, {"code": name})
        elif "mask" in name.lower():
            keep = f"{name}.unsqueeze(-1).to({value}.dtype)"
            yield Candidate("mean-real", (source.replace(place, f"({value} * {keep}).sum(dim=1) / {name}.sum(dim=1, keepdim=True)"),), 8, {"code": name})
