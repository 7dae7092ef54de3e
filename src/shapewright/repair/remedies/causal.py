"""A mask that hides later tokens from an attention layer, or from scores about to be normalized."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.imports import library
from ...graph.training import ancestors
from ...rules.remedy import HideLater
from ...trace import ModuleFact, Site
from ..candidate import Candidate, Case, offered
from ..declared import within
from ..operands import in_scope
from ..source import Place, Source

KEYWORD = {
    "TransformerEncoder": "mask",
    "TransformerEncoderLayer": "src_mask",
    "TransformerDecoder": "tgt_mask",
    "TransformerDecoderLayer": "tgt_mask",
    "Transformer": "tgt_mask",
    "MultiheadAttention": "attn_mask",
}
NEAR = 6  # calls before a mask

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
    yield from _calls(case)
    yield from _cut(case)
    for module in case.trace.modules.values():
        if module.config.get("bidirectional") and (found := case.module_call(module.uid)) is not None:
            edit = found[0].argument(found[1], None, "bidirectional", "False")
            yield from offered("one-way", edit, 20, {"module": module.kind})


@within(cst.Call)
def _calls(case: Case, source: Source, place: Place, site: Site) -> Iterator[Candidate]:
    """For a call that attends, one that masks, one that pads or slides."""
    yield from _hidden(case, source, place)
    yield from _turned(source, place)
    yield from _convolved(case, source, place)


def _hidden(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    name, given = source.called(place), place.node.args
    if name == "scaled_dot_product_attention":
        yield from offered("causal", source.argument(place, None, "is_causal", "True"), 3, {"code": "is_causal=True"})
    elif name in ("softmax", "Softmax"):
        inner = source.operand(place)
        if inner is not None and isinstance(inner.node, (cst.Name, cst.Attribute)):
            bare = source.text_of(inner)
            hidden = f'{bare}.masked_fill(torch.ones_like({bare}, dtype=torch.bool).triu(1), float("-inf"))'
            yield Candidate("causal", (source.replace(inner, hidden),), 4, {"code": "masked_fill(triu(1), -inf)"})
    for module in _attending(case, source, place) if given else ():
        keyword = KEYWORD[module.kind]
        at = int(keyword == "tgt_mask" and module.kind == "Transformer")  # the second argument is the one to be hidden
        read = next(iter(given[at : at + 1]), given[0]).value
        ready = _at_hand(case, source, place)
        for name in ready:
            edit = source.argument(place, None, keyword, name)
            yield from offered("causal", edit, 4, {"code": f"{keyword}={name}"})
        while isinstance(read, cst.Call) and read.args and not ready:  # what the tokens were embedded from is as long
            read = read.args[-1].value
        if isinstance(read, (cst.Name, cst.Attribute)):
            along = 1 if module.config.get("batch_first", _batch_first(case)) else 0
            text = source.code(read).strip()
            mask = f"nn.Transformer.generate_square_subsequent_mask({text}.size({along}), device={text}.device)"
            edit = source.argument(place, None, keyword, mask)
            yield from offered("causal", edit, 5, {"code": f"{keyword}=generate_square_subsequent_mask(…)"})


def _at_hand(case: Case, source: Source, place: Place) -> list[str]:
    """Names of square tables of the function that hide what is above the diagonal."""
    names = in_scope(case, source, place.line, lambda shape: len(shape) == 2 and shape[0] == shape[1])
    own = [one for one in case.trace.bound if one.site.file == source.file and one.name in names]
    made = [(one.name, event.op) for one in own for event in ancestors(case.trace, one.fact, NEAR).values()]
    return list(dict.fromkeys(name for name, op in made if ops.is_a(op, "triangles")))


def _convolved(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """A convolution padded on both sides: by twice as much, and what looks ahead cut off at the end; `pad` on the left
    alone."""
    func, given = place.node.func, place.node.args
    if isinstance(func, cst.Attribute) and func.attr.value == "pad" and len(given) > 1:
        amounts = given[1].value
        both = [source.place(part.value) for part in amounts.elements] if isinstance(amounts, cst.Tuple) else []
        if len(both) == 2:  # as much on each side: all of it on the left
            texts = [source.text_of(part) for part in reversed(both)]
            texts = texts if texts[0] != texts[1] else [source.twice(both[0]), "0"]
            edits = tuple(source.replace(part, text) for part, text in zip(both, texts))
            yield Candidate("causal", edits, 5, {"code": f"({', '.join(texts)})"})
        return
    here = (source.file, place.line, place.column)
    slid = (e for e in case.trace.events if e.op == "conv1d" and e.site is not None and e.modules)
    event = next((e for e in slid if (e.site.file, e.site.line, e.site.column) == here), None)
    found = case.module_call(event.modules[-1]) if event is not None else None
    window = case.trace.modules[event.modules[-1]].window if found is not None else None
    if window is None or window.stride != (1,) or not isinstance(func, (cst.Name, cst.Attribute)):
        return
    now = found[0].given(found[1], 4, "padding")
    if now is not None and 2 * window.padding[0] == window.dilation[0] * (window.kernel_size[0] - 1):
        twice = found[0].twice(found[0].place(now))
        made = found[0].argument(found[1], 4, "padding", twice)
        cut = f"[..., :-{source.text_of(source.place(func))}.padding[0]]"
        yield Candidate("causal", (made, source.suffix(place, cut)), 6, {"code": f"padding={twice}, {cut}"})


@within(cst.Subscript, sites=lambda case: [case.site])
def _cut(case: Case, source: Source, place: Place, site: Site) -> Iterator[Candidate]:
    """`[:, :, n:]` for `[:, :, :-n]`: what was padded is cut off at the wrong end."""
    last = place.node.slice[-1].slice
    if isinstance(last, cst.Slice) and last.lower is not None and last.upper is None and last.step is None:
        code = f":-{source.atom(source.place(last.lower))}"
        yield Candidate("causal", (source.replace(source.place(last), code),), 3, {"code": code})


def _attending(case: Case, source: Source, place: Place) -> list[ModuleFact]:
    """The modules that attend and that a call itself calls."""
    here = source.file, place.line, place.column
    ran = (e for e in case.trace.events if e.site and (e.site.file, e.site.line, e.site.column) == here)
    chains = dict.fromkeys(event.modules for event in ran)
    known = ([case.trace.modules[uid] for uid in chain if uid in case.trace.modules] for chain in chains)
    outer = (next((module for module in chain if module.kind in KEYWORD), None) for chain in known)
    return list({module.kind: module for module in outer if module is not None}.values())


def _batch_first(case: Case) -> bool:
    inner = (m for m in case.trace.modules.values() if m.kind == "MultiheadAttention")
    return bool(next((m.config.get("batch_first") for m in inner), False))


def _turned(source: Source, place: Place) -> Iterator[Candidate]:
    """`triu` that hides too little, `tril` for `triu`."""
    func = place.node.func
    if not isinstance(func, cst.Attribute) or not ops.is_a(func.attr.value, "triangles"):
        return
    other = "tril" if func.attr.value == "triu" else "triu"
    yield Candidate("causal", (source.replace(source.place(func.attr), other),), 8, {"code": other})
    plain = [a for a in place.node.args if a.keyword is None]
    yield from _mirrored(source, place, other)
    free = bool(library(source.text, source.code(func)))
    for diagonal in (1, 0):
        edit = source.argument(place, int(free), "diagonal", str(diagonal))
        if edit is not None and (len(plain) > free or edit.replacement):
            yield Candidate("causal", (edit,), 7, {"code": f"{func.attr.value}(diagonal={diagonal})"})


def _mirrored(source: Source, place: Place, other: str) -> Iterator[Candidate]:
    """`triu(diagonal=1)` for `tril(diagonal=-1)`."""
    for given in place.node.args:
        text = source.code(given.value).strip()
        if re.fullmatch(r"-?\d+", text) and text != "0":
            turned = text[1:] if text.startswith("-") else f"-{text}"
            edits = (
                source.replace(source.place(place.node.func.attr), other),
                source.replace(source.place(given.value), turned),
            )
            yield Candidate("causal", edits, 6, {"code": f"{other}(diagonal={turned})"})
