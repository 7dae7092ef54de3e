"""A checkpoint of other shapes: only the entries that fit are loaded, or the layer is made as it was saved."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...lexicon import says
from ...rules.remedy import FitCheckpoint
from ..candidate import Candidate, Case, offered
from ..declared import at
from ..source import Place, Source
from .constructor import sizes, width

ANSWERS = (FitCheckpoint,)
TITLES = {
    "only-fitting": {
        "en": "load only the entries whose names and shapes match: {code}",
        "es": "cargar solo los tensores cuyos nombres y formas coinciden: {code}",
        "ja": "名前と形状が一致する項目だけを読み込む: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """A head of another number of classes is left out; a trunk of another width is made in the saved one."""
    module = case.trace.modules.get(case.remedy.module)
    saved, own, axis = case.remedy.saved, case.remedy.own, case.remedy.axis
    head = module is not None and module.kind == "Linear" and axis == 0 and _last(case, module)
    yield from _fitting(case, head)
    found = case.module_call(module.uid) if module is not None and len(saved) == len(own) else None
    for keyword, position in _arguments(module.kind, axis) if found is not None else ():
        fields = {"module": module.kind, "argument": keyword, "value": str(saved[axis])}
        edit = found[0].argument(found[1], position, keyword, str(saved[axis]))
        yield from offered("size", edit, 9, fields, doubt="guessed" if head else "")  # the script chose its own


@at(cst.Call, arguments=1, method=True)
def _fitting(case: Case, source: Source, place: Place, head: bool) -> Iterator[Candidate]:
    """Entries of the checkpoint that have the shape of the model's own."""
    model, inner = source.text_of(source.place(place.node.func.value)), source.place(place.node.args[0].value)
    entries = source.text_of(inner)
    entries = entries if isinstance(inner.node, (cst.Name, cst.Attribute, cst.Call)) else f"({entries})"
    kept = f"{{k: v for k, v in {entries}.items() if k in own and v.shape == own[k].shape}}"
    made = source.line_before(source.statement(place.line).line, f"own = {model}.state_dict()")
    strict = source.given(place, 1, "strict")
    edits = (
        (made, source.replace(inner, f"{kept}, strict=False"))
        if strict is None
        else (made, source.replace(inner, kept), source.replace(source.place(strict), "False"))
    )
    fields = {"code": "v.shape == own[k].shape"}
    yield Candidate("only-fitting", edits, 5 if head else 12, fields, doubt="not-loaded")


def _last(case: Case, module) -> bool:
    """Whether no other layer with parameters stands after it in the model."""
    return all(
        other.uid <= module.uid
        for other in case.trace.modules.values()
        if other.parameters and other.path.split(".")[0] == module.path.split(".")[0]
    ) or says(module.path.split(".")[-1], "head")


def _arguments(kind: str, axis: int) -> Iterator[tuple[str, int]]:
    own, given = width(kind), sizes(kind)
    if axis == 0 and own and kind != "Embedding":
        yield own
    elif axis == 1 and given:
        yield given[0][:2]
    elif kind == "Embedding":
        yield ("num_embeddings", 0) if axis == 0 else ("embedding_dim", 1)
