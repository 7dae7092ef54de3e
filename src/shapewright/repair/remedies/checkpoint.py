"""A checkpoint of other shapes: only the entries that fit are loaded, or the layer is made as it was saved."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...lexicon import says
from ...rules.remedy import FitCheckpoint
from ..candidate import Candidate, Case
from .constructor import sizes, width

ANSWERS = (FitCheckpoint,)
TITLES = {
    "only-fitting": {
        "en": "load only the entries that fit: {code}",
        "es": "cargar solo las entradas que encajan: {code}",
        "ja": "形の合う項目だけを読み込む: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """A head of another number of classes is left out; a trunk of another width is made in the saved one."""
    source, place = case.at(case.site, cst.Call)
    module = case.trace.modules.get(case.remedy.module)
    saved, own, axis = case.remedy.saved, case.remedy.own, case.remedy.axis
    head = module is not None and module.kind == "Linear" and axis == 0 and _last(case, module)
    if place is not None and place.node.args and isinstance(place.node.func, cst.Attribute):
        model = source.text_of(source.place(place.node.func.value))
        inner = source.place(place.node.args[0].value)
        entries = source.text_of(inner)
        name = "own"
        kept = (
            f"{{k: v for k, v in ({entries}).items() if k in {name} and v.shape == {name}[k].shape}}"
            if not isinstance(inner.node, (cst.Name, cst.Attribute, cst.Call))
            else f"{{k: v for k, v in {entries}.items() if k in {name} and v.shape == {name}[k].shape}}"
        )
        statement = source.statement(place.line)
        edits = [source.line_before(statement.line, f"{name} = {model}.state_dict()"), source.replace(inner, kept)]
        strict = next((a for a in place.node.args if a.keyword is not None and a.keyword.value == "strict"), None)
        edits = (
            [edits[0], source.replace(inner, kept + ", strict=False")]
            if strict is None and len(place.node.args) == 1
            else [
                *edits,
                source.replace(source.place(strict.value if strict is not None else place.node.args[1].value), "False"),
            ]
        )
        yield Candidate(
            "only-fitting", tuple(edits), 5 if head else 12, {"code": "v.shape == own[k].shape"}, doubt="not-loaded"
        )
    found = case.module_call(module.uid) if module is not None and len(saved) == len(own) else None
    for keyword, position in _arguments(module.kind, axis) if found is not None else ():
        edit = found[0].argument(found[1], position, keyword, str(saved[axis]))
        if edit is not None:
            fields = {"module": module.kind, "argument": keyword, "value": str(saved[axis])}
            yield Candidate("size", (edit,), 9, fields, doubt="guessed" if head else "")  # the script chose its own


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
