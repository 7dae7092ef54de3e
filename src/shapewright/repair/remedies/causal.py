"""A mask that hides later tokens from an attention layer, or from scores about to be normalised."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import HideLater
from ..candidate import Candidate, Case, offered
from ..source import Place, Source

KEYWORD = {
    "TransformerEncoder": "mask",
    "TransformerEncoderLayer": "src_mask",
    "TransformerDecoder": "tgt_mask",
    "TransformerDecoderLayer": "tgt_mask",
    "Transformer": "tgt_mask",
    "MultiheadAttention": "attn_mask",
}


ANSWERS = (HideLater,)
TITLES = {
    "causal": {
        "en": "hide later tokens: {code}",
        "es": "ocultar los tokens posteriores: {code}",
        "ja": "後続のトークンを隠す: {code}",
    },
    "diagonal": {
        "en": "use column i as the label of row i: {code}",
        "es": "usar la columna i como etiqueta de la fila i: {code}",
        "ja": "行 i のラベルを列 i にする: {code}",
    },
    "one-way": {
        "en": "make {module} read in one direction only",
        "es": "hacer que {module} lea en una sola dirección",
        "ja": "{module} を一方向だけにする",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For findings that later tokens are seen."""
    for site, source, statement in case.simple(case.sites):
        for place in source.within(statement, cst.Call):
            yield from _hidden(case, source, place, site)
            yield from _turned(source, place)
            yield from _convolved(case, source, place)
        if site == case.site:
            yield from _cut(source, statement)
    for module in case.trace.modules.values():
        if module.config.get("bidirectional") and (found := case.module_call(module.uid)) is not None:
            yield from offered(
                "one-way", found[0].argument(found[1], None, "bidirectional", "False"), 20, {"module": module.kind}
            )


def _hidden(case: Case, source: Source, place: Place, site) -> Iterator[Candidate]:
    call = place.node
    name = (
        call.func.attr.value
        if isinstance(call.func, cst.Attribute)
        else call.func.value
        if isinstance(call.func, cst.Name)
        else ""
    )
    if name == "scaled_dot_product_attention":
        yield from offered("causal", source.argument(place, None, "is_causal", "True"), 3, {"code": "is_causal=True"})
        return
    if name in ("softmax", "Softmax"):
        library = isinstance(call.func, cst.Name) or (
            isinstance(call.func.value, cst.Name) and call.func.value.value in ("torch", "F")
        )
        inner = source.place(call.args[0].value if library and call.args else call.func.value)
        text = source.text_of(inner)
        bare = text if isinstance(inner.node, (cst.Name, cst.Attribute)) else None
        if bare:
            hidden = f'{bare}.masked_fill(torch.ones_like({bare}, dtype=torch.bool).triu(1), float("-inf"))'
            yield Candidate("causal", (source.replace(inner, hidden),), 4, {"code": "masked_fill(triu(1), -inf)"})
        return
    if not call.args:
        return
    for module in _attending(case, site):
        first = source.text_of(source.place(call.args[0].value))
        if not isinstance(call.args[0].value, (cst.Name, cst.Attribute)):
            continue
        along = 1 if module.config.get("batch_first", _batch_first(case, module)) else 0
        mask = f"nn.Transformer.generate_square_subsequent_mask({first}.size({along}), device={first}.device)"
        yield from offered(
            "causal",
            source.argument(place, None, KEYWORD[module.kind], mask),
            5,
            {"code": f"{KEYWORD[module.kind]}=generate_square_subsequent_mask(…)"},
        )


def _convolved(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """A convolution padded on both sides: by twice as much, and what looks ahead cut off at the end; `pad` on the left
    alone."""
    if isinstance(place.node.func, cst.Attribute) and place.node.func.attr.value == "pad" and len(place.node.args) > 1:
        amounts = place.node.args[1].value
        both = [source.place(part.value) for part in amounts.elements] if isinstance(amounts, cst.Tuple) else []
        texts = [source.text_of(part) for part in both]
        if len(both) == 2 and texts[0] != texts[1]:
            edits = (source.replace(both[0], texts[1]), source.replace(both[1], texts[0]))
            yield Candidate("causal", edits, 5, {"code": f"({texts[1]}, {texts[0]})"})
        elif len(both) == 2:  # as much on each side: all of it on the left
            whole = str(2 * int(texts[0])) if texts[0].isdigit() else f"2 * {source.atom(both[0])}"
            edits = (source.replace(both[0], whole), source.replace(both[1], "0"))
            yield Candidate("causal", edits, 5, {"code": f"({whole}, 0)"})
        return
    event = next(
        (
            e
            for e in case.trace.events
            if e.op == "conv1d"
            and e.site is not None
            and e.modules
            and (e.site.file, e.site.line, e.site.column) == (source.file, place.line, place.column)
        ),
        None,
    )
    found = case.module_call(event.modules[-1]) if event is not None else None
    if found is None or not isinstance(place.node.func, (cst.Name, cst.Attribute)):
        return
    window = case.trace.modules[event.modules[-1]].window
    if window is None or window.stride != (1,):
        return
    if 2 * window.padding[0] != window.dilation[0] * (window.kernel_size[0] - 1):
        return
    now = found[0].given(found[1], 4, "padding")
    text = found[0].atom(found[0].place(now)) if now is not None else ""
    twice = str(2 * int(text)) if text.isdigit() else f"2 * {text}"
    made = found[0].argument(found[1], 4, "padding", twice) if text else None
    if made is not None:
        cut = f"[..., :-{source.text_of(source.place(place.node.func))}.padding[0]]"
        yield Candidate("causal", (made, source.suffix(place, cut)), 6, {"code": f"padding={twice}, {cut}"})


def _cut(source: Source, statement: Place) -> Iterator[Candidate]:
    """`[:, :, n:]` for `[:, :, :-n]`: what was padded is cut off at the wrong end."""
    for place in source.within(statement, cst.Subscript):
        last = place.node.slice[-1].slice
        if not isinstance(last, cst.Slice) or last.lower is None or last.upper is not None or last.step is not None:
            continue
        code = f":-{source.atom(source.place(last.lower))}"
        yield Candidate("causal", (source.replace(source.place(last), code),), 3, {"code": code})


def _attending(case: Case, site) -> list:
    """The modules called at a site that attend, outermost first."""
    uids: list[int] = list(case.remedy.modules)
    for event in case.trace.events:
        if event.site == site:
            uids += [uid for uid in event.modules if uid not in uids]
    found = [
        case.trace.modules[uid] for uid in uids if uid in case.trace.modules and case.trace.modules[uid].kind in KEYWORD
    ]
    kinds = {module.kind: module for module in reversed(found)}
    return [kinds[kind] for kind in KEYWORD if kind in kinds]


def _batch_first(case: Case, module) -> bool:
    inner = next((m for m in case.trace.modules.values() if m.kind == "MultiheadAttention"), None)
    return bool(inner.config.get("batch_first")) if inner is not None else False


def _turned(source: Source, place: Place) -> Iterator[Candidate]:
    """`triu` that hides too little, `tril` for `triu`."""
    func = place.node.func
    if not isinstance(func, cst.Attribute) or not ops.is_a(func.attr.value, "triangles"):
        return
    other = "tril" if func.attr.value == "triu" else "triu"
    yield Candidate("causal", (source.replace(source.place(func.attr), other),), 8, {"code": other})
    plain = [a for a in place.node.args if a.keyword is None]
    library = isinstance(func.value, cst.Name) and func.value.value == "torch"
    for diagonal in ("1", "0"):
        edit = source.argument(place, 1 if library else 0, "diagonal", diagonal)
        if edit is not None and (len(plain) > library or edit.replacement):
            yield Candidate("causal", (edit,), 7, {"code": f"{func.attr.value}(diagonal={diagonal})"})
