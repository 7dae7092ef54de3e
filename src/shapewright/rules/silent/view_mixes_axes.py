"""A view keeps the elements in row-major order where axes should have been transposed.

## What it finds
`view` or `reshape` whose new axes cut through old ones: the sizes are the old sizes in another order (`(N, H, W, C)`
viewed as `(N, C, H, W)`), the batch axis is split and joined with features (`(2, B, H)` viewed as `(-1, 2 * H)`), an
axis is made of the end of one old axis and the beginning of the next, or blocks are split off and merged at once with
nothing moved in between (patches, pixel shuffle, windows).

## Why it hurts
The number of elements fits, so nothing raises. Values of different samples, time steps or channels are mixed.

## Example
    h = h_n.view(-1, 2 * hidden)              # h_n is (2, batch, hidden): rows join neighboring samples

## Instead
    h = h_n.transpose(0, 1).reshape(-1, 2 * hidden)

## Fix safety
`permute`/`transpose` before the view changes which values are in one row: that is the repair. Verified by running it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

from ... import ops
from ...graph.flow import consumers, counts_samples, once, operands, produced, result_shape, sample_uids, shown, tensors
from ...graph.views import channels_moved, classes_moved, deal, unmerged
from ...trace import Axis, Event, Origin, TensorFact, Trace
from ..facts import Facts, Span
from ..remedy import Refold
from ..subjects import of_calls

code = "SW204"


@of_calls("views")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every view that cuts through axes."""
    samples, cut = sample_uids(trace), _cut_by_views(trace)
    old = event.args[0] if event.args and isinstance(event.args[0], TensorFact) else None
    new = result_shape(event)
    if old is not None and old.shape is not None and not old.axes and old.producer < 0:  # of an array, nothing is known
        old = replace(old, axes=tuple(map(Axis, old.shape)))
    if old is None or old.shape is None or new is None or len(old.axes) != len(old.shape) or 0 in new:
        return
    found = unmoved(trace, event, old, new) or fault(old, new, samples) or transposed(trace, event, old, new)
    for whole in unmerged(old) if found is None else ():
        swapped = fault(whole, new, samples)
        by_hand = swapped is not None and any(uid in cut for at in swapped[1:] for uid, _ in whole.axes[at].uids)
        if swapped is not None and swapped[0] != "torn" and not by_hand and not _disputed(trace, old):
            found, old = swapped, whole
            break
    if found is not None and not _skewing(old.shape, new) and _matters(trace, event):
        kind, left, right = found
        yield _facts(trace, event, old, new, kind, left, right)


@once
def _cut_by_views(trace: Trace) -> set[int]:
    """Identities that begin in a view: parts of an axis that was cut by number, and that mean nothing apart until
    something is done with them."""
    known: set[int] = set()
    cut: set[int] = set()
    for event in trace.events:
        for fact in tensors(event.result):
            uids = {uid for axis in fact.axes for uid, _ in axis.uids}
            if ops.is_a(event.op, "views", "unflattens"):
                cut |= uids - known
            known |= uids
    return cut


def fault(old: TensorFact, new: tuple[int, ...], samples: frozenset[int]) -> tuple[str, int, int] | None:
    """`(kind, axis, axis)` where the view cuts: `swapped` sizes, the `batch` glued to another axis, or `torn` axes."""
    kept = [n for n in old.shape if n > 1]
    made = [n for n in new if n > 1]
    if len(kept) >= 2 and kept != made and sorted(kept) == sorted(made):
        first = next(i for i, (a, b) in enumerate(zip(kept, made)) if a != b)
        places = [i for i, n in enumerate(old.shape) if n > 1]
        other = next(i for i in range(first + 1, len(kept)) if kept[i] == made[first])
        return ("swapped", places[first], places[other])
    moved = channels_moved(old, new) or classes_moved(old, new)
    if moved is not None:
        return ("swapped", *moved)
    dealt = deal([n for n in old.shape], new)
    if dealt is None:
        torn = _tears(old.shape, new) and _has(old, samples)
        return ("torn", 0, 1) if torn else _split_around(old.shape, new)
    for parts in dealt:
        cut = [part for part in parts if part[2] != part[3]]
        if len(parts) > 1 and cut:
            for part in cut:
                if counts_samples(old.axes[part[0]], samples):
                    other = next(p for p in parts if p is not part)
                    return ("batch", part[0], other[0])
            if len(cut) > 1 and _has(old, samples) and not counts_samples(old.axes[cut[0][0]], samples):
                return ("torn", cut[0][0], cut[1][0])
    return _split_around(old.shape, new)


def transposed(trace: Trace, event: Event, old: TensorFact, new: tuple[int, ...]) -> tuple[str, int, int] | None:
    """Heads merged without moving them back: `(B, heads, T, d)` reshaped to `(B, T', d')` with equal first axis where
    heads were split from the last axis and moved in front of the second."""
    if (
        old.rank != 4
        or len(new) != 3
        or new[0] != old.shape[0]
        or new[-1] != old.shape[1] * old.shape[3]
        or new[1] != old.shape[2]
    ):
        return None
    if old.shape[1] == 1 or old.shape[2] == 1:
        return None
    last, heads = old.axes[3].uids, old.axes[1].uids
    return ("torn", 1, 2) if last and heads and old.shape[1] != old.shape[2] else None


def unmoved(trace: Trace, event: Event, old: TensorFact, new: tuple[int, ...]) -> tuple[str, int, int] | None:
    """Blocks split off in one view and merged by the next with nothing moved in between, as patches and pixels are:
    `(b, h, w, p, p)` from `(b, h * w, p * p)`, at once viewed as `(b, h * p, w * p)`. The first view would be in vain
    if that were meant."""
    split = produced(trace, old)
    if split is not None and split.op == "contiguous" and split.args and isinstance(split.args[0], TensorFact):
        split = produced(trace, split.args[0])
    whole = (
        split.args[0]
        if split is not None
        and ops.is_a(split.op, "views", "unflattens")
        and split.args
        and isinstance(split.args[0], TensorFact)
        else None
    )
    if (
        whole is None
        or old.rank < 5
        or len(new) > old.rank - 2
        or whole.rank >= old.rank
        or whole.shape == new
        or len(consumers(trace, split.index)) > 1
    ):
        return None
    kept, made = [n for n in old.shape if n > 1], [n for n in new if n > 1]
    dealt = deal(kept, tuple(made))
    merged = [parts for parts in dealt or () if len(parts) > 1]
    if (
        dealt is not None and len(merged) < 2 and all(part[2] == part[3] for parts in dealt for part in parts)
    ) or kept == made:
        return None
    left, right = next(
        ((i, i + 1) for i in range(1, old.rank - 1) if old.shape[i] > 1 and old.shape[i + 1] > 1), (0, 1)
    )
    return ("unmoved", left, right)


def _disputed(trace: Trace, old: TensorFact) -> bool:
    """Whether a merged axis met one that was merged in the other order before: which of the two is right, the view
    cannot tell."""
    for merged in (axis for axis in old.axes if len(axis.uids) == 2):
        sizes = tuple(size for _, size in merged.uids)
        for event in trace.events:
            firsts = [fact.axes[0].uids for fact in operands(event) if fact.rank == old.rank and fact.axes]
            if (
                merged.uids in firsts
                and any(len(uids) == 2 and tuple(size for _, size in uids) == sizes[::-1] for uids in firsts)
                and sizes[0] != sizes[1]
            ):
                return True
    return False


def _split_around(old: tuple[int, ...], new: tuple[int, ...]) -> tuple[str, int, int] | None:
    """An axis that the view splits into two around the one before it: heads, `(T, heads * d)` as `(heads, T, d)`."""
    places, made = [at for at, n in enumerate(old) if n > 1], [n for n in new if n > 1]
    for before, (left, right) in enumerate(itertools.pairwise(places)):
        rest = [old[at] for at in places[before + 2 :]]
        parts = made[before : len(made) - len(rest)]
        around = len(parts) == 3 and parts[1] == old[left] and parts[0] * parts[2] == old[right]
        if around and parts[0] != old[left] and [*(old[at] for at in places[:before]), *parts, *rest] == made:
            return ("swapped", left, right)
    return None


def _tears(old: tuple[int, ...], new: tuple[int, ...]) -> bool:
    """Whether the new axes cut old ones at no whole number, both having at least two axes that count."""
    return sum(n > 1 for n in old) >= 2 and sum(n > 1 for n in new) >= 2


def _has(old: TensorFact, samples: frozenset[int]) -> bool:
    return any(counts_samples(axis, samples) for axis in old.axes)


def _skewing(old: tuple[int, ...], new: tuple[int, ...]) -> bool:
    """The relative-position trick views `(…, T, T + 1)` as `(…, T + 1, T)` on purpose."""
    return (
        len(old) == len(new)
        and len(old) >= 2
        and old[:-2] == new[:-2]
        and old[-2:] == new[:-3:-1]
        and abs(old[-1] - old[-2]) == 1
    )


def _matters(trace: Trace, event: Event) -> bool:
    """A view in the course of training or evaluating a model, not in a bare exercise, nor one that only its shape is
    asked of."""
    used = bool(consumers(trace, event.index))
    return bool(event.modules) or (used and any(step.is_pass for step in trace.steps))


def _facts(
    trace: Trace, event: Event, old: TensorFact, new: tuple[int, ...], kind: str, left: int, right: int
) -> Facts:
    a, b = old.axes[left], old.axes[right]
    origins, lines = [], {(event.site.file, event.site.line)}
    maker = produced(trace, old)
    for origin in (
        a.origin,
        b.origin,
        Origin("operator", maker.op, maker.site, maker.stack, shown(old.shape)) if maker and maker.site else None,
    ):
        if origin is not None and origin.site is not None and (origin.site.file, origin.site.line) not in lines:
            lines.add((origin.site.file, origin.site.line))
            origins.append(origin)
    name = old.name or "input"
    return Facts(
        site=event.site,
        message=kind,
        why=f"why_{kind}",
        fields={
            "op": event.op,
            "old": shown(old.shape),
            "new": shown(new),
            "left": _named(a, left),
            "right": _named(b, right),
            "name": name,
        },
        origins=tuple(origins),
        spans=(Span(event.site, f"{name} {shown(old.shape)} → {shown(new)}"),),
        event=event.index,
        remedy=Refold(
            old=old.shape,
            new=new,
            fault=kind,
            axes=(left, right),
            channels=channels_moved(old, new) is not None,
            classes=classes_moved(old, new) is not None,
            merged=len(old.shape) != len(event.args[0].shape),
        ),
    )


def _named(axis: Axis, place: int) -> str:
    return f"{axis.role} ({axis.size})" if axis.role else f"{place} ({axis.size})"


MESSAGES = {
    "en": {
        "swapped": "{op} from {old} to {new} only changes the sizes of the axes, without transposing the data",
        "batch": "{op} from {old} to {new} mixes values of different samples",
        "torn": "{op} from {old} to {new} cuts across the boundary between two axes",
        "unmoved": "{op} from {old} to {new} merges the axes that the previous view split, with no permute in between",
        "why_unmoved": (
            "without a permute in between, the two views are equivalent to a single view: the blocks of {name} stay in "
            "one sequence and are not placed side by side in rows and columns"
        ),
        "why_swapped": (
            "{op} keeps the elements in row-major order; to reorder axes like {left} and {right} of {name}, use "
            "permute or transpose"
        ),
        "why_batch": (
            "axis {left} is the sample axis. {op} splits it and joins the parts with axis {right}, so one row holds "
            "values of several samples"
        ),
        "why_torn": (
            "the new axes do not start and end where the old axes do, so values that belong together are separated"
        ),
    },
    "es": {
        "swapped": "{op} de {old} a {new} solo cambia los tamaños de los ejes, sin transponer los datos",
        "batch": "{op} de {old} a {new} mezcla valores de muestras distintas",
        "torn": "{op} de {old} a {new} corta a través del límite entre dos ejes",
        "unmoved": "{op} de {old} a {new} une los ejes que separó el view anterior, sin un permute entre ambos",
        "why_unmoved": (
            "sin un permute entre ambos, los dos view equivalen a uno solo: los bloques de {name} quedan en una única "
            "secuencia y no colocados en filas y columnas"
        ),
        "why_swapped": (
            "{op} conserva los elementos en orden row-major; para reordenar ejes como {left} y {right} de {name}, usa "
            "permute o transpose"
        ),
        "why_batch": (
            "el eje {left} es el de las muestras. {op} lo divide y une las partes con el eje {right}, así que una fila "
            "contiene valores de varias muestras"
        ),
        "why_torn": (
            "los ejes nuevos no empiezan ni terminan donde los antiguos, así que se separan valores que van juntos"
        ),
    },
    "ja": {
        "swapped": "{old} から {new} への {op} では、データは転置されず、サイズの並びが変わるだけです",
        "batch": "{old} から {new} への {op} で、別々のサンプルの値が混ざります",
        "torn": "{old} から {new} への {op} が、2 つの軸の境目をまたいで区切り直しています",
        "unmoved": "{old} から {new} への {op} は、直前の view で分けた軸を、permute せずにまとめ直しています",
        "why_unmoved": (
            "permute がなければ、2 つの view は 1 つの view と同じです。{name} のブロックは隣り合わせにならず、順に続い"
            "たままです"
        ),
        "why_swapped": (
            "{op} は要素を行優先の順のまま保ちます。{name} の軸 {left} と {right} のような軸を入れ替えるには、permute "
            "か transpose を使います"
        ),
        "why_batch": (
            "軸 {left} はサンプルの軸です。{op} がこれを分割して軸 {right} とつなぐため、1 行に複数のサンプルの値が入り"
            "ます"
        ),
        "why_torn": "新しい軸の区切りが元の軸の区切りと合わないため、一緒にあるべき値が離れます",
    },
}
