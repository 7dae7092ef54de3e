"""Shapes as jaxtyping annotations on the signatures of functions: `def forward(self, x: Float[Tensor, "batch 20"])`."""

from __future__ import annotations

import ast

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from ..graph.bound import Bound, Reading
from .symbols import Symbols

KINDS = {"bool": "Bool", "float": "Float", "bfloat": "Float", "int": "Int", "uint": "UInt", "complex": "Complex"}


def annotated(reading: Reading) -> str:
    """The text with annotations on parameters that were seen as tensors and have none, or an older one of jaxtyping."""
    wrapper = MetadataWrapper(cst.parse_module(reading.text), unsafe_skip_copy=True)
    writer = _Writer(reading, wrapper.resolve(PositionProvider))
    module = wrapper.module.visit(writer)
    return _imported(module.code, writer.used) if writer.used else reading.text


def annotation(bound: Bound, symbols: Symbols) -> str:
    """`Float[Tensor, "batch 20"]`."""
    kind = KINDS.get(bound.dtype.rstrip("0123456789"), "Shaped")
    return f'{kind}[Tensor, "{" ".join(symbols.shape(bound))}"]'


class _Writer(cst.CSTTransformer):
    def __init__(self, reading: Reading, places: object) -> None:
        super().__init__()
        self._symbols, self._places = Symbols(reading.bound), places
        self._bound = {(bound.line, bound.name): bound for bound in reading.bound}
        self._lines = {
            (line, bound.name): bound for bound in reading.bound for line in range(bound.line, bound.end_line + 1)
        }
        self.used: set[str] = set()

    def leave_Param(self, original: cst.Param, updated: cst.Param) -> cst.Param:
        line = self._places[original].start.line  # type: ignore[index]
        bound = self._bound.get((line, original.name.value)) or self._lines.get((line, original.name.value))
        if bound is None or not bound.axes or not _ours(original.annotation):
            return updated
        text = annotation(bound, self._symbols)
        self.used.add(text.partition("[")[0])
        return updated.with_changes(annotation=cst.Annotation(cst.parse_expression(text)))


def _ours(written: cst.Annotation | None) -> bool:
    """Whether an annotation may be written here: none is there, or a bare tensor, or one of jaxtyping."""
    if written is None:
        return True
    text = cst.Module([]).code_for_node(written.annotation)
    return text in ("Tensor", "torch.Tensor") or text.partition("[")[0] in {*KINDS.values(), "Shaped"}


def _imported(text: str, used: set[str]) -> str:
    """The text with the imports that the annotations need."""
    tree = ast.parse(text)
    present = {
        alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    lines = []
    if missing := sorted(used - present):
        lines.append(f"from jaxtyping import {', '.join(missing)}\n")
    if "Tensor" not in present:
        lines.append("from torch import Tensor\n")
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    place = (imports[-1].end_lineno or 0) if imports else 0
    rows = text.splitlines(keepends=True)
    return "".join([*rows[:place], *lines, *rows[place:]])
