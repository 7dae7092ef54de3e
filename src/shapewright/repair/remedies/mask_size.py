"""An attention mask for another number of tokens than are given: made one shorter or longer, or cut to what is
there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import ELEMENTWISE, grouped, operands
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..declared import at
from ..operands import in_scope, written
from ..source import Place, Source

ANSWERS = (Misfit,)
Shape = tuple[int, ...]
SIZES = (cst.Call, cst.Subscript)
KINDS_OF_MASK = (
    ("attn_mask", "key_padding_mask"),
    ("mask", "src_key_padding_mask"),
    ("src_mask", "src_key_padding_mask"),
    ("tgt_mask", "tgt_key_padding_mask"),
    ("memory_mask", "memory_key_padding_mask"),
)
BY_POSITION = {  # what the layers that take masks call their arguments
    "TransformerEncoder": ("src", "mask", "src_key_padding_mask"),
    "TransformerEncoderLayer": ("src", "src_mask", "src_key_padding_mask"),
    "TransformerDecoder": ("tgt", "memory", "tgt_mask", "memory_mask"),
    "TransformerDecoderLayer": ("tgt", "memory", "tgt_mask", "memory_mask"),
    "Transformer": ("src", "tgt", "src_mask", "tgt_mask", "memory_mask"),
    "MultiheadAttention": ("query", "key", "value", "key_padding_mask"),
}
TITLES = {
    "mask-size": {
        "en": "create the mask with as many entries as there are tokens: {code}",
        "es": "crear la máscara con tantos elementos como tokens hay: {code}",
        "ja": "マスクをトークンの数に合わせて作る: {code}",
    },
    "mask-cut": {
        "en": "cut the mask to the number of tokens: {code}",
        "es": "recortar la máscara al número de tokens: {code}",
        "ja": "マスクをトークンの数に切り詰める: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a mask that attention refuses, and for a square table larger than the scores that it is joined with."""
    mask, wanted = tuple(case.misfit.mask or ()), tuple(case.misfit.wanted_shape or ())
    if mask and wanted and len(mask) == len(wanted) and not case.misfit.turned:
        yield from _made(case, mask, wanted)
        yield from _cut(case, mask, wanted)
        yield from _other(case, mask, wanted)
    if mask:
        yield from _renamed(case)
    yield from _spread(case)
    if case.event is not None and case.event.op.rstrip("_") in ("masked_fill", *ELEMENTWISE):
        yield from _square(case)


@at(cst.Call)
def _renamed(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """A mask handed over as the other kind: which keys are padding, for which query may see which key."""
    given = {argument.keyword.value: argument for argument in call.node.args if argument.keyword}
    kinds = dict(names for pair in KINDS_OF_MASK for names in (pair, pair[::-1]))
    plain = [argument for argument in call.node.args if not argument.keyword and not argument.star]
    for name, argument in list(zip(_names(case), plain))[len(plain) - 1 :]:
        if name in kinds and kinds[name] not in given:
            code = f"{kinds[name]}={source.code(argument.value).strip()}"
            yield Candidate("flag", (source.replace(source.place(argument.value), code),), 4, {"code": code})
    for old, new in kinds.items():
        if old in given and new not in given:
            edit = source.replace(source.place(given[old].keyword), new)
            yield Candidate("flag", (edit,), 7, {"code": f"{new}={source.code(given[old].value).strip()}"})


def _names(case: Case) -> tuple[str, ...]:
    """What the outermost layer of those that refused a mask calls its arguments."""
    uids = case.event.modules if case.event is not None else ()
    kinds = (case.trace.modules[uid].kind for uid in uids if uid in case.trace.modules)
    return next((BY_POSITION[kind] for kind in kinds if kind in BY_POSITION), ())


def _made(case: Case, mask: Shape, wanted: Shape) -> Iterator[Candidate]:
    """`make_mask(ids.size(1))` becomes `make_mask(ids.size(1) - 1)` where the mask is one too large."""
    apart = {(m, w) for m, w in zip(mask, wanted) if m != w}
    by = {m - w for m, w in apart}
    for _, source, statement in case.simple(case.sites[1:]) if len(by) == 1 else ():
        yield from _counted(case, source, statement, next(iter(by)))
        named = "mask" in source.text_of(statement).lower()
        calls = source.within(statement, cst.Call) if named else ()
        for place in (source.place(given.value) for call in calls for given in call.node.args):
            yield from _resized(case, source, place, mask, apart, next(iter(by)))


def _counted(case: Case, source: Source, statement: Place, off: int) -> Iterator[Candidate]:
    """Every size that the mask is made with and that is read off one tensor, read off another one."""
    for text, places in grouped((source.text_of(p), p) for p in source.within(statement, SIZES)).items():
        for name in _like(case, source, places[0], text, off):
            edits = tuple(source.replace(place, name) for place in places)
            yield Candidate("mask-size", edits, 4, {"code": name})


def _resized(case: Case, source: Source, place: Place, mask: Shape, apart: set, off: int) -> Iterator[Candidate]:
    """The size that a mask is made with: a number, or what is read off a tensor."""
    text = source.text_of(place)
    if isinstance(place.node, cst.Integer) and int(text, 0) in mask:
        code = str(int(text, 0) - off)
        yield Candidate("mask-size", (source.replace(place, code),), 5, {"code": code})
    elif ".size(" in text or ".shape[" in text or text.startswith("len("):
        if abs(off) > 2:
            return
        new = f"{text} {'-' if off > 0 else '+'} {abs(off)}"
        doubt = "" if any(_changed(case, m, w) for m, w in apart) else "guessed"
        yield Candidate("mask-size", (source.replace(place, new),), 5, {"code": new}, doubt=doubt)


def _like(case: Case, source: Source, place: Place, text: str, off: int) -> Iterator[str]:
    """The same axis of another tensor of the function's, which differs from this one in nothing else."""
    asked = re.fullmatch(r"(\w+)(\.(?:size\(|shape\[)(\d)[)\]])", text)
    own = _last_shape(case, asked[1], source.file) if asked is not None else ()
    if asked is not None and int(asked[3]) < len(own):
        axis = int(asked[3])
        wanted = (*own[:axis], own[axis] - off, *own[axis + 1 :])
        yield from (o + asked[2] for o in in_scope(case, source, place.line, lambda shape: tuple(shape) == wanted))


def _changed(case: Case, before: int, after: int) -> bool:
    """Whether the run saw an axis get the one size from the other: cut, or joined with something."""
    for event in case.trace.events:
        changes = event.op == "getitem" or ops.is_a(event.op, "concatenates")
        made = getattr(event.result, "shape", None) if changes else ()
        alike = [fact for fact in operands(event) if made and fact.rank == len(made)]
        if any((before, after) in zip(fact.sizes, made) for fact in alike):
            return True
    return False


@at(cst.Call)
def _other(case: Case, source: Source, call: Place, mask: Shape, wanted: Shape) -> Iterator[Candidate]:
    """Another argument of the call, or another tensor of the function's, that has the shape which is wanted."""
    given = [a.value for a in call.node.args if isinstance(a.value, cst.Name)]
    shapes = {node.value: _last_shape(case, node.value) for node in given}
    fits = [name for name, shape in shapes.items() if shape == wanted]
    fits = fits or in_scope(case, source, call.line, lambda shape: tuple(shape) == wanted)
    for node in given:
        for other in fits if shapes[node.value] == mask else ():
            edit, doubt = source.replace(source.place(node), other), "guessed" if len(fits) > 1 else ""
            yield Candidate("rewrite", (edit,), 6, {"new": other, "old": node.value}, doubt=doubt)


def _last_shape(case: Case, name: str, file: str = "") -> Shape:
    bound = (shape for where, own, shape in reversed(case.trace.bindings) if own == name and file in ("", where.file))
    return tuple(next(bound, ()))


@at(cst.Call)
def _cut(case: Case, source: Source, place: Place, mask: Shape, wanted: Shape) -> Iterator[Candidate]:
    """`mask[:n, :n]` at the call, with sizes read from what is given beside it."""
    given = [source.place(a.value) for a in place.node.args] if all(m >= w for m, w in zip(mask, wanted)) else []
    shapes = {name: shape for at, name, shape in case.trace.bindings if at.file == source.file and len(shape) >= 2}
    for own in given:
        text, cuts = source.text_of(own), [", ".join(f":{w}" for w in wanted)]
        if "mask" not in text.lower() or not isinstance(own.node, (cst.Name, cst.Attribute)):
            continue
        for name in [name for name in map(source.text_of, given) if name in shapes]:
            axes = [axis for axis in (1, 0) if shapes[name][axis] == wanted[-1]]
            cuts += [", ".join([f":{name}.size({axis})"] * len(wanted)) for axis in axes[:1]]
        for cut, rank in (*((cut, 7) for cut in cuts[1:]), (cuts[-1], 9)):
            yield Candidate("mask-cut", (source.suffix(own, f"[{cut}]"),), rank, {"code": f"{text}[{cut}]"})


def _spread(case: Case) -> Iterator[Candidate]:
    """A mask of one row a sample, `(batch, keys)` or `(batch, queries, keys)`, given the axes of heads and queries that
    it lacks."""
    attends = case.event is not None and case.event.op == "scaled_dot_product_attention"
    found = written(case) if attends else []
    if len(found) < 4 or found[0].fact.rank != 4:
        return
    queries, keys, mask = found[0].fact.shape, found[1].fact.shape, found[3]
    wanted = {2: ((queries[0], keys[2]), "[:, None, None, :]"), 3: ((queries[0], queries[2], keys[2]), ".unsqueeze(1)")}
    shape, code = wanted.get(mask.fact.rank, ((), ""))
    if shape and mask.fact.shape == shape:
        yield Candidate("wrap", (mask.source.suffix(mask.place, code),), 5, {"code": code, "name": mask.text})


def _square(case: Case) -> Iterator[Candidate]:
    """`self.mask == 0` becomes `self.mask[:q, :k] == 0`, the scores' own sizes."""
    found = written(case)[:2]
    for scores, table in (found, found[::-1]) if len(found) == 2 else ():
        a, b = table.fact.sizes, scores.fact.sizes
        square = 2 <= len(a) <= len(b) and a[-1] == a[-2]
        if not square or not (a[-1] >= b[-1] and a[-2] >= b[-2] and a[-2:] != b[-2:]):
            continue
        node = table.place.node
        inner = getattr(node, "left" if isinstance(node, cst.Comparison) else "expression", node)
        if isinstance(inner, (cst.Name, cst.Attribute)) and isinstance(scores.place.node, (cst.Name, cst.Attribute)):
            cut = f"[..., :{scores.text}.size(-2), :{scores.text}.size(-1)]"
            edit = table.source.suffix(table.source.place(inner), cut)
            yield Candidate("mask-cut", (edit,), 5, {"code": cut})
