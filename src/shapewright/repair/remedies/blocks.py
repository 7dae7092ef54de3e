"""Blocks that were split off and merged without being moved: the `permute` between the two views. A merged axis that
was taken apart in another order: taken apart in its own, and moved then.

The order is read from the text, `h * r` from `(b, c, r, r, h, w)`, else from the sizes.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Refold
from ...trace import Event, TensorFact
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source
from .refold import order_of, view_sizes

ANSWERS = (Refold,)
TITLES = {
    "move-after-view": {
        "en": "split the axis in the order in which it was merged, then move the new axes: {code}",
        "es": "dividir el eje en el orden en que se unió y después mover los ejes nuevos: {code}",
        "ja": "まとめたときの順に軸を分け、それから新しい軸を動かす: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a view that merges what the one before has split."""
    if case.remedy.merged and case.remedy.fault == "swapped":
        yield from _apart(case)
    if case.remedy.classes:
        yield from _classes(case)
    if case.remedy.fault == "unmoved" and case.event is not None:
        yield from _unmoved(case, case.event)


@at(cst.Call, method=True)
def _unmoved(case: Case, source: Source, place: Place, event: Event) -> Iterator[Candidate]:
    """The order of the parts by their names at both views, or else by their sizes."""
    fact = event.args[0] if isinstance(event.args[0], TensorFact) else None
    split = case.trace.events[fact.producer] if fact is not None and fact.producer >= 0 else None
    here = split is not None and split.site is not None and split.site.file == case.site.file
    maker = source.at(split.site, cst.Call) if here else None
    names, wanted = view_sizes(source, maker) if maker is not None else [], view_sizes(source, place)
    for rank, order in enumerate(_orders(case.remedy.old, case.remedy.new, names, wanted)):
        yield _before(source, place, f".permute({', '.join(map(str, order))})", 4 + rank)


def _before(source: Source, place: Place, code: str, rank: int = 4) -> Candidate:
    """The view of what was moved first."""
    inner = source.atom(source.place(place.node.func.value))
    edit = source.replace(place, f"{inner}{code}.reshape({', '.join(view_sizes(source, place))})")
    return Candidate("move-first", (edit,), rank, {"code": code})


@at(cst.Call, method=True)
def _apart(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """A merged axis taken apart in its own order, and the parts moved then: `view(b, d, t)` of `(b * t, d)` becomes
    `view(b, t, d).permute(0, 2, 1)`."""
    old, new = [n for n in case.remedy.old if n > 1], case.remedy.new
    order = order_of(old, list(new)) if len(old) == len(new) else None
    texts = view_sizes(source, place)
    if order is None or len(texts) != len(new):
        return
    first = ", ".join(text for _, text in sorted(zip(order, texts)))
    moved = [at for at, now in enumerate(order) if at != now]
    code = f".transpose({moved[0]}, {moved[1]})" if len(moved) == 2 else f".permute({', '.join(map(str, order))})"
    inner = source.atom(source.place(place.node.func.value))
    edit = source.replace(place, f"{inner}.{place.node.func.attr.value}({first}){code}")
    yield Candidate("move-after-view", (edit,), 4, {"code": code})


@at(cst.Call, method=True)
def _classes(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """Classes moved from the last axis to the second before the view."""
    rank = len(case.remedy.old)
    yield _before(source, place, f".permute({', '.join(map(str, (0, rank - 1, *range(1, rank - 1))))})")


def _orders(old: tuple[int, ...], new: tuple[int, ...], names: list[str], wanted: list[str]) -> list[tuple[int, ...]]:
    """Orders of the old axes that, merged, have the new sizes: first the one that the text names, then the one that
    keeps blocks together."""
    found = []
    if len(names) == len(old) and len(wanted) == len(new):
        found.append(_read(old, new, names, wanted))
    found.append(_paired(old, new))
    return list(dict.fromkeys(order for order in found if order is not None and list(order) != sorted(order)))


def _read(old: tuple[int, ...], new: tuple[int, ...], names: list[str], wanted: list[str]) -> tuple[int, ...] | None:
    """`h * r` takes the axes written `h` and `r`; a size without such a product takes the next axis of its name or its
    size."""
    left = list(range(len(old)))
    groups: list[list[int] | None] = []
    for text, size in zip(wanted, new):
        group: list[int] = []
        for factor in sorted(
            _factors(text), key=str.isdigit
        ):  # a number written before a name is the size of the block all the same
            at = next((i for i in left if _plain(names[i]) == _plain(factor)), None)
            if at is not None:
                left.remove(at)
                group.append(at)
        if group and math.prod(old[at] for at in group) != size:
            left, group = sorted(left + group), []
        groups.append(group or None)
    for index, size in enumerate(new):
        if groups[index] is None:
            at = next((i for i in left if old[i] == size), None)
            if at is None:
                return None
            left.remove(at)
            groups[index] = [at]
    return tuple(at for group in groups for at in group) if not left else None


def _factors(text: str) -> list[str]:
    """The factors of a written product, in order."""
    try:
        return [ast.unparse(part) for part in _product(ast.parse(text, mode="eval").body)]
    except SyntaxError:
        return [text]


def _product(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return [*_product(node.left), *_product(node.right)]
    return [node]


def _plain(text: str) -> str:
    return "".join(text.split()).strip("()")


def _paired(old: tuple[int, ...], new: tuple[int, ...]) -> tuple[int, ...] | None:
    """Leading and trailing axes that both shapes share stay; of the four between, the first meets the third and the
    second the fourth."""
    lead = 0
    while lead < min(len(old), len(new)) and old[lead] == new[lead] and len(old) - lead > 4:
        lead += 1
    tail = len(old) - lead - 4
    if tail < 0 or (tail and old[-tail:] != new[len(new) - tail :]):
        return None
    i, j, k, m = range(lead, lead + 4)
    middle = new[lead : len(new) - tail]
    if middle == (old[i] * old[k], old[j] * old[m]):
        return (*range(lead), i, k, j, m, *range(lead + 4, len(old)))
    return None
