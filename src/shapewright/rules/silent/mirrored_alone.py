"""An image is mirrored at random, but its mask or the positions in it are not.

## What it finds
A data set that, read with different random seeds, mirrors the image of a sample but leaves unchanged a map of the same
size (a mask, depths) or numbers that give a position in the image (a point, a box): the samples prove that these
numbers follow the positions in the images. Also a mask that is mirrored or rotated differently from its image, and
positions that are mirrored with the image but not exchanged, although one was always on the same side of another: the
left and the right eye, or the two corners of a box. In a training loop, a batch whose pictures are mirrored or rotated
differently from the maps that the loss compares their outputs with. And pictures of which some show what is in their
maps, and others what is in the mirror images of theirs, wherever these were made. Also targets in a grid of cells, one
for each place of a picture, that match the pictures only with rows and columns exchanged.

## Why it hurts
A mirrored image shows an object on one side, while its mask or its position is still on the other.

## Example
    if random.random() < 0.5:
        image = image.flip(-1)

## Instead
    if random.random() < 0.5:
        image, mask = image.flip(-1), mask.flip(-1)

## Fix safety
The other part is turned as well; of a grid of which one line writes a cell, the two indices are exchanged. A class, an
age, or any number that does not depend on the place is not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.behind import behind
from ...graph.calls import every
from ...graph.recurrence import reverses
from ...graph.source import Source, walk
from ...graph.training import place
from ...trace import Event, Origin, Site, TensorFact, Trace
from ..data_remedy import TurnBoth
from ..facts import Facts
from ..remedy import Rewrite

code = "SW245"

MATCHED = frozenset(["shown", "grid"])  # only their likeness over all samples tells of it
OF_A_SAMPLE = frozenset(["map", "place", "otherwise"])  # two parts of one sample of which one can be turned too


def check(trace: Trace) -> Iterator[Facts]:
    """Every such data set."""
    for one in trace.data.turned[:1]:
        batch = one.kind == "batch"
        moved = [event.site for event in trace.events if batch and ops.is_a(event.op, "orders_rows") and _open(event)]
        turns = list(_turns(trace)) if one.kind == "shown" else []
        writes = list(_cells(trace, int(one.other))) if one.kind == "grid" else []
        site = turns[0] if len(turns) == 1 else next(iter((*moved, *writes)), one.site)
        yield Facts(
            site,
            message=one.kind,
            why=why if (why := f"why_{one.kind}") in MESSAGES["en"] else "why",
            fields={"owner": one.owner, "part": one.part, "beside": one.beside, "other": one.other},
            severity="warning" if one.kind in MATCHED else "error",
            origins=place(trace, one.site) if site != one.site else _bound(trace, one.site),
            remedy=TurnBoth(one.part, one.beside) if one.kind in OF_A_SAMPLE else _transposed(trace, writes),
        )


def _turns(trace: Trace) -> Iterator[Site]:
    """Where the user's files turn something round, by a step of -1 or a flip."""
    for node, site in every(trace, ast.Slice):
        if reverses(node):
            yield site
    for node, site in every(trace, ast.Call):
        if reverses(node):
            yield site


def _cells(trace: Trace, size: int) -> Iterator[Site]:
    """Where single cells of square grids are written."""
    for event in trace.events:
        base = event.args[0] if event.op == "setitem" and event.site is not None else None
        index = event.args[1] if base is not None and len(event.args) > 1 else ()
        parts = index if isinstance(index, tuple) else (index,)
        picked = [part for part in parts if not isinstance(part, TensorFact) or part.shape is not None]
        if isinstance(base, TensorFact) and base.sizes.count(size) > 1 and len(picked) > 1 and event.site is not None:
            yield event.site


def _transposed(trace: Trace, writes: list[Site]) -> Rewrite | None:
    """The two indices of the one cell that is written, in each other's place."""
    source, sites = Source(trace), list(dict.fromkeys(writes))
    statement = source.statement_at(sites[0]) if len(sites) == 1 else None
    nodes = walk(statement) if statement is not None else ()
    stored = [one for one in nodes if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store)]
    if len(stored) != 1 or not isinstance(stored[0].slice, ast.Tuple):
        return None
    base, *parts = (source.whole(one, sites[0].file) for one in (stored[0].value, *stored[0].slice.elts))
    return Rewrite(f"{base}[{', '.join((*parts[:-2], parts[-1], parts[-2]))}]", source.site(stored[0], sites[0].file))


def _open(event: Event) -> bool:
    """Whether an operator moves what belongs to no model."""
    return event.site is not None and not event.modules and not any(fact.requires_grad for fact in event.given)


def _bound(trace: Trace, site: Site) -> tuple[Origin, ...]:
    """Where what a function returns was bound, if nothing in it is known to turn a part: the function itself is told
    of."""
    source = Source(trace)
    made = source.statement_on(site.file, site.line)
    ends = [node for node in walk(made) if isinstance(node, ast.Return)] if isinstance(made, ast.FunctionDef) else []
    steps = [at for node in ends for at in behind(trace, source.site(node, site.file), 1)]
    return tuple(origin for at in reversed(steps) for origin in place(trace, at))


MESSAGES = {
    "en": {
        "grid": "rows and columns of the targets are exchanged: {part} of {beside} pictures match the transposed grid",
        "why_grid": (
            "of the first training images, these have their objects in the cells of the transposed {other} x {other} "
            "grid: the column was written on the first of the two axes, which is that of the rows. Index images and "
            "grids as [row, column]"
        ),
        "map": (
            "{owner} mirrors element {part} of a sample, but not element {beside} (counted from 0), although both "
            "belong to the same image"
        ),
        "place": (
            "{owner} mirrors element {part} of a sample, but not element {beside} (counted from 0), which holds "
            "positions in that image"
        ),
        "otherwise": "{owner} flips or rotates element {part} of a sample differently from element {beside} (counted "
        "from 0)",
        "shown": "{part} of {beside} images match their maps only after mirroring: image and map are mirrored apart",
        "why_shown": (
            "of the first training images, these correlate with the mirror image of their map much more than with the "
            "map, and the others with the map itself: one of the two was mirrored at random without the other"
        ),
        "batch": "the rows of {owner} are flipped or rotated differently from those of {other} before the loss",
        "why_batch": (
            "row i of {owner} and row i of {other} belong together, but in a training batch one of the two was flipped "
            "or rotated and the other was not, or along a different axis: they no longer show the same place"
        ),
        "why_otherwise": (
            "the first sample was read with several seeds. With one seed, both elements were flipped or rotated "
            "along different axes, so they no longer show the same place"
        ),
        "sides": (
            "{owner} mirrors the positions in element {beside} (counted from 0) with the image, but does not exchange "
            "left and right"
        ),
        "why_sides": (
            "of two of these positions, one is on the same side of the other in every sample, and on the opposite side "
            "in every mirrored one: both are mirrored, but their order in element {beside} stays the same"
        ),
        "why": (
            "the first sample was read with several seeds. With one seed, the image was mirrored and element {beside}"
            " did not change"
        ),
    },
    "es": {
        "grid": "filas y columnas de los objetivos intercambiadas: {part} de {beside} imágenes casan al trasponerlos",
        "why_grid": (
            "de las primeras imágenes de entrenamiento, estas tienen sus objetos en las celdas de la cuadrícula de "
            "{other} x {other} traspuesta: la columna se escribió en el primer eje, que es el de las filas. Indexa "
            "imágenes y cuadrículas como [fila, columna]"
        ),
        "map": (
            "{owner} voltea (flip) el elemento {part} de una muestra, pero no el elemento {beside} (contando desde "
            "0), aunque ambos corresponden a la misma imagen"
        ),
        "place": (
            "{owner} voltea (flip) el elemento {part} de una muestra, pero no el elemento {beside} (contando desde "
            "0), que contiene posiciones en esa imagen"
        ),
        "otherwise": "{owner} voltea (flip) o gira el elemento {part} de una muestra de otro modo que el elemento "
        "{beside} (contando desde 0)",
        "shown": ("{part} de {beside} imágenes coinciden con su mapa solo tras voltearlo: se voltearon por separado"),
        "why_shown": (
            "de las primeras imágenes de entrenamiento, estas se correlacionan mucho más con su mapa volteado que con "
            "el mapa, y las demás con el mapa tal cual: una de las dos partes se volteó al azar sin la otra"
        ),
        "batch": "las filas de {owner} se voltean o giran de otro modo que las de {other} antes de la pérdida",
        "why_batch": (
            "la fila i de {owner} y la fila i de {other} corresponden una a otra, pero en un lote de entrenamiento una "
            "de las dos se volteó o giró y la otra no, o según otro eje: ya no muestran el mismo lugar"
        ),
        "why_otherwise": (
            "se leyó la primera muestra con varias semillas. Con una de ellas, los dos elementos se voltearon o "
            "giraron según ejes distintos, así que ya no muestran el mismo lugar"
        ),
        "sides": (
            "{owner} voltea (flip) con la imagen las posiciones del elemento {beside} (contando desde 0), pero no "
            "intercambia izquierda y derecha"
        ),
        "why_sides": (
            "de dos de estas posiciones, una está al mismo lado de la otra en todas las muestras, y al lado contrario "
            "en todas las volteadas: ambas se voltean, pero su orden en el elemento {beside} no cambia"
        ),
        "why": (
            "se leyó la primera muestra con varias semillas. Con una de ellas, la imagen se volteó y el elemento "
            "{beside} no cambió"
        ),
    },
    "ja": {
        "grid": "ターゲットの行と列が逆です: 画像 {beside} 枚中 {part} 枚が、転置した格子と一致します",
        "why_grid": (
            "最初の学習画像のうちこれらは、転置した {other} x {other} の格子のセルに物体があります。行の軸 (1 つ目) に"
            "列の番号で書き込まれています。画像も格子も [行, 列] の順に添字を付けます"
        ),
        "map": (
            "{owner} はサンプルの要素 {part} を反転しますが、同じ画像に対応する要素 {beside} は反転しません (番号は 0 "
            "始まり)"
        ),
        "place": (
            "{owner} はサンプルの要素 {part} を反転しますが、その画像の中の位置を表す要素 {beside} は変えません "
            "(番号は 0 始まり)"
        ),
        "otherwise": (
            "{owner} はサンプルの要素 {part} と要素 {beside} を別々の向きに反転または回転します (番号は 0 始まり)"
        ),
        "shown": "{beside} 枚の画像のうち {part} 枚は、マップを反転しないと一致しません。別々に反転されています",
        "why_shown": (
            "最初の学習画像のうち、これらはマップそのものより反転したマップとはるかに強く相関し、ほかの画像はマップその"
            "ものと相関します。一方だけがランダムに反転されています"
        ),
        "batch": "損失の前に {owner} と {other} の行が別々の向きに反転または回転されています",
        "why_batch": (
            "{owner} の i 番目と {other} の i 番目は対応していますが、学習のバッチでは一方だけが、または別々の軸で反転"
            "や回転をされ、同じ場所を表さなくなっています"
        ),
        "why_otherwise": (
            "最初のサンプルを複数のシードで読むと、2 つの要素が別々の軸で反転または回転され、同じ場所を表さなくなること"
            "がありました"
        ),
        "sides": ("{owner} は要素 {beside} (0 始まり) の位置を画像と一緒に反転しますが、左右の入れ替えをしていません"),
        "why_sides": (
            "そのうち 2 つの位置の左右関係は、どのサンプルでも同じで、反転したサンプルでは必ず逆になります。どちらも反"
            "転されますが、要素 {beside} の中の順序は変わりません"
        ),
        "why": (
            "最初のサンプルを複数のシードで読むと、画像が反転しても要素 {beside} (0 始まり) は変わらないことがありまし"
            "た"
        ),
    },
}
