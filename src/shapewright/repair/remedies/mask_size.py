"""An attention mask for another number of tokens than are given: made one shorter or longer, or cut to what is
there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import ELEMENTWISE, operands
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..operands import in_scope, written
from ..source import Place, Source

ANSWERS = (Misfit,)
KINDS_OF_MASK = (
    ("attn_mask", "key_padding_mask"),
    ("mask", "src_key_padding_mask"),
    ("src_mask", "src_key_padding_mask"),
    ("tgt_mask", "tgt_key_padding_mask"),
    ("memory_mask", "memory_key_padding_mask"),
)
TITLES = {
    "mask-size": {
        "en": "create the mask for the tokens that are passed: {code}",
        "es": "crear la máscara para los tokens que se pasan: {code}",
        "ja": "渡すトークンの数に合わせてマスクを作る: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a mask that attention refuses, and for a square table larger than the scores that it is joined with."""
    if not case.finding.is_loud:
        return
    mask, wanted = case.misfit.mask, case.misfit.wanted_shape
    if mask and wanted and len(mask) == len(wanted) and not case.misfit.turned:
        yield from _made(case, tuple(mask), tuple(wanted))
        yield from _cut(case, tuple(mask), tuple(wanted))
        yield from _other(case, tuple(mask), tuple(wanted))
    yield from _renamed(case)
    yield from _spread(case)
    event = case.event
    if event is not None and event.op.rstrip("_") in ("masked_fill", *ELEMENTWISE):
        yield from _square(case)


def _renamed(case: Case) -> Iterator[Candidate]:
    """A mask handed over as the other kind: which keys are padding, for which query may see which key."""
    source = case.source(case.site.file)
    call = source.at(case.site, cst.Call) if source is not None and case.misfit.mask else None
    given = {argument.keyword.value: argument for argument in call.node.args if argument.keyword} if call else {}
    for pair in KINDS_OF_MASK:
        for old, new in (pair, pair[::-1]):
            if old in given and new not in given:
                edit = source.replace(source.place(given[old].keyword), new)
                code = f"{new}={source.code(given[old].value).strip()}"
                yield Candidate("flag", (edit,), 7, {"code": code})


def _made(case: Case, mask, wanted) -> Iterator[Candidate]:
    """`make_mask(ids.size(1))` becomes `make_mask(ids.size(1) - 1)` where the mask is one too large."""
    by = {m - w for m, w in zip(mask, wanted) if m != w}
    if len(by) != 1:
        return
    off = by.pop()
    for _, source, statement in case.simple(origin.site for origin in case.facts.origins):
        if "mask" not in source.text_of(statement).lower():
            continue
        for call in source.within(statement, cst.Call):
            for given in call.node.args:
                text = source.text_of(source.place(given.value))
                if isinstance(given.value, cst.Integer) and int(text, 0) in mask:
                    yield Candidate(
                        "mask-size",
                        (source.replace(source.place(given.value), str(int(text, 0) - off)),),
                        5,
                        {"code": str(int(text, 0) - off)},
                    )
                elif (".size(" in text or ".shape[" in text or text.startswith("len(")) and abs(off) <= 2:
                    place = source.place(given.value)
                    for name in _like(case, source, place, text, off):
                        yield Candidate("mask-size", (source.replace(place, name),), 4, {"code": name})
                    new = f"{text} {'-' if off > 0 else '+'} {abs(off)}"
                    sizes = {(m, w) for m, w in zip(mask, wanted) if m != w}
                    doubt = "" if any(_changed(case, m, w) for m, w in sizes) else "guessed"
                    yield Candidate("mask-size", (source.replace(place, new),), 5, {"code": new}, doubt=doubt)


def _like(case: Case, source: Source, place: Place, text: str, off: int) -> Iterator[str]:
    """The same axis of another tensor of the function's, which differs from this one in nothing else."""
    asked = re.fullmatch(r"(\w+)(\.(?:size\(|shape\[)(\d)[)\]])", text)
    if asked is None:
        return
    name, ask, axis = asked[1], asked[2], int(asked[3])
    own = next((s for where, n, s in reversed(case.trace.bindings) if n == name and where.file == source.file), ())
    if axis < len(own):
        wanted = (*own[:axis], own[axis] - off, *own[axis + 1 :])
        for other in in_scope(case, source, place.line, lambda shape: tuple(shape) == wanted):
            yield other + ask


def _changed(case: Case, before: int, after: int) -> bool:
    """Whether the run saw an axis get the one size from the other: cut, or joined with something."""
    for event in case.trace.events:
        made = getattr(event.result, "shape", None)
        if not made or not (event.op == "getitem" or ops.is_a(event.op, "concatenates")):
            continue
        for fact in operands(event):
            at = [axis for axis, (a, b) in enumerate(zip(fact.shape or (), made)) if (a, b) == (before, after)]
            if at and len(made) == fact.rank:
                return True
    return False


def _other(case: Case, mask, wanted) -> Iterator[Candidate]:
    """Another argument of the call, or another tensor of the function's, that has the shape which is wanted."""
    source, call = case.at(case.site, cst.Call)
    given = [a.value for a in call.node.args if isinstance(a.value, cst.Name)] if call is not None else []
    shapes = {
        node.value: next((tuple(s) for where, n, s in reversed(case.trace.bindings) if n == node.value), ())
        for node in given
    }
    fits = [name for name, shape in shapes.items() if shape == wanted]
    if not fits and call is not None:
        fits = in_scope(case, source, call.line, lambda shape: tuple(shape) == wanted)
    doubt = "guessed" if len(fits) > 1 else ""
    for node in given:
        for other in fits if shapes[node.value] == mask else ():
            edit = source.replace(source.place(node), other)
            yield Candidate("rewrite", (edit,), 6, {"new": other, "old": node.value}, doubt=doubt)


def _cut(case: Case, mask, wanted) -> Iterator[Candidate]:
    """`mask[:n, :n]` at the call, with sizes read from what is given beside it."""
    if any(m < w for m, w in zip(mask, wanted)):
        return
    source, place = case.at(case.site, cst.Call)
    for given in place.node.args if place is not None else ():
        text = source.text_of(source.place(given.value))
        if "mask" in text.lower() and isinstance(given.value, (cst.Name, cst.Attribute)):
            cut = ", ".join(f":{w}" for w in wanted)
            for other in place.node.args:
                name = source.text_of(source.place(other.value))
                bound = [
                    shape
                    for where, n, shape in case.trace.bindings
                    if n == name and where.file == source.file and len(shape) >= 2
                ]
                axis = next((axis for axis in (1, 0) if bound and bound[-1][axis] == wanted[-1]), None)
                if axis is not None:
                    cut = ", ".join([f":{name}.size({axis})"] * len(wanted))
                    yield Candidate(
                        "mask-size",
                        (source.suffix(source.place(given.value), f"[{cut}]"),),
                        7,
                        {"code": f"{text}[{cut}]"},
                    )
            yield Candidate(
                "mask-size", (source.suffix(source.place(given.value), f"[{cut}]"),), 9, {"code": f"{text}[{cut}]"}
            )


def _spread(case: Case) -> Iterator[Candidate]:
    """A mask of one row a sample, `(batch, keys)` or `(batch, queries, keys)`, given the axes of heads and queries that
    it lacks."""
    event = case.event
    if event is None or event.op != "scaled_dot_product_attention":
        return
    found = written(case)
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
    if len(found) < 2:
        return
    for table, scores in ((found[1], found[0]), (found[0], found[1])):
        a, b = table.fact.shape, scores.fact.shape
        if (
            not a
            or not b
            or len(a) < 2
            or len(b) < len(a)
            or not ((a[-1] > b[-1] and a[-2] >= b[-2]) or (a[-1] >= b[-1] and a[-2] > b[-2]))
            or a[-1] != a[-2]
        ):
            continue
        node = table.place.node
        inner = (
            node.left
            if isinstance(node, cst.Comparison)
            else node.expression
            if isinstance(node, cst.UnaryOperation)
            else node
        )
        if isinstance(inner, (cst.Name, cst.Attribute)) and isinstance(scores.place.node, (cst.Name, cst.Attribute)):
            cut = f"[..., :{scores.text}.size(-2), :{scores.text}.size(-1)]"
            yield Candidate("mask-size", (table.source.suffix(table.source.place(inner), cut),), 5, {"code": cut})
