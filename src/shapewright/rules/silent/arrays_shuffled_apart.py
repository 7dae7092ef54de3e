"""Samples and targets are reordered differently, or only one of them is, before they are combined in training.

## What it finds
Arrays, tensors or lists with equally many rows that a loss pairs in a different order from the one in which they were
created: one of them was shuffled or sorted, or each was reordered differently. Rows are recognized by their values and
by the data frame that held both. Also predictions that a metric compares with the targets of other rows, for example
because the test loader shuffles; two independently shuffling loaders that are paired in one loss or difference; outputs
computed in an earlier pass over a shuffling loader; and two lists within one sample, for example boxes and their
classes, of which a data set sorts only one. And the two columns of a table of pairs, such as users and items, of which
only one is reordered; and a data set that reads the label of a sample from the entry beside that of its picture.

## Why it hurts
Samples get the labels of other samples. Nothing raises.

## Example
    np.random.shuffle(images)
    np.random.shuffle(labels)

## Instead
    order = np.random.permutation(len(images))
    images, labels = images[order], labels[order]

## Fix safety
Safe where row i of both belongs to one sample. Nothing is reported where a loss of the script sees the rows in their
first order, as in mixup.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.bootstrap import compared
from ...graph.calls import called
from ...graph.flow import argument, one_per_place, operands, produced, tensors
from ...graph.picks import crossed
from ...graph.source import Source, walk
from ...graph.training import ancestors, of_kind, place
from ...trace import Axis, Event, Mispaired, Site, TableFact, TensorFact, Trace
from ..facts import Facts
from ..remedy import AlignOrder, Rewrite

code = "SW224"
aliases = ("samples-and-targets-shuffled-apart", "sw211")


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Tables whose rows met in another order, and losses over two loaders' draws."""
    cuts = list(crossed(trace))
    assumed = any(one.kind == "value-assumed" for one in trace.assumptions)  # rows of such values tell no order
    for pair in trace.data.mispaired if not assumed else ():
        fields = {
            "samples": pair.samples.name,
            "targets": pair.targets.name,
            "first": pair.samples.site.line,
            "second": pair.targets.site.line,
            "same": pair.same,
            "count": pair.count,
        }
        moved = [(one, _where(trace, one)) for one in (pair.moved_targets, pair.moved_samples) if one is not None]
        if not moved and pair.met is not None and not cuts:
            picked, run = _read(trace, pair) if pair.columns else (None, None)
            near = (pair.met, pair.samples.site, pair.targets.site) if run else (pair.samples.site, pair.targets.site)
            yield Facts(
                run or pair.met,
                message="judged" if pair.judged else "batch",
                why="why_judged" if pair.judged else "why_columns" if pair.columns else "why",
                fields=fields,
                severity="warning" if pair.judged else "error",  # nothing trains on it
                origins=tuple(origin for site in near for origin in place(trace, site)),
                remedy=_picked_alike(trace, picked, run) if picked is not None and run is not None else None,
            )
        if not moved:
            continue
        alone = len(moved) == 1
        first, second = (pair.samples, pair.targets) if pair.moved_targets is None else (pair.targets, pair.samples)
        origins = (*(site for _, site in moved[1:]), *_returned(trace, moved[0][1]), first.site, second.site)
        yield Facts(
            moved[0][1],
            message="beside" if pair.neighbor else "alone" if alone else "message",
            why=next((f"why_{kind}" for kind in ("within", "columns", "neighbor") if getattr(pair, kind)), "why"),
            fields=fields
            | {"samples": (first if alone else second).name, "targets": (second if alone else first).name},
            origins=tuple(o for site in dict.fromkeys(origins) if site != moved[0][1] for o in place(trace, site)),
            remedy=None if pair.neighbor else AlignOrder("shuffle"),
        )
    yield from _drawn(trace)
    for event, chosen, cut in cuts:
        picked, left = trace.events[chosen.event].site, trace.events[cut.event].site
        if event.site is not None and picked is not None and left is not None:
            yield Facts(
                left,
                message="cut",
                why="why_cut",
                fields={"line": picked.line, "met": event.site.line, "rows": cut.rows},
                origins=place(trace, picked) + place(trace, event.site),
                remedy=_picked_alike(trace, picked, left),
            )


def _read(trace: Trace, pair: Mispaired) -> tuple[Site | None, Site | None]:
    """Where the first column is picked by an index and the second is read in a run: in the function that asks the
    model, else in its file, one place each."""
    source, met = Source(trace), pair.met
    if met is None:
        return None, None
    for nodes in (walk(source.function_at(met) or ast.Pass()), source.nodes(met.file)):
        taken = [node for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)]
        runs = [node for node in taken if isinstance(cut := _first(node.slice), ast.Slice) and (cut.lower or cut.upper)]
        picks = [node for node in taken if not isinstance(_first(node.slice), ast.Slice)]
        names = (one.name.partition("[")[0] for one in (pair.samples, pair.targets))
        places = [
            [node for node in kind if ast.unparse(node.value) == name] for name, kind in zip(names, (picks, runs))
        ]
        if all(len(found) == 1 for found in places):
            picked, run = (source.site(found[0], met.file) for found in places)
            return picked, run
    return None, None


def _first(index: ast.expr) -> ast.expr:
    return index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index


def _picked_alike(trace: Trace, picked: Site, cut: Site) -> Rewrite | None:
    """The rows that were cut off in order, picked by the index of the other side."""
    source = Source(trace)
    one, other = source.spanned(picked, ast.Subscript), source.spanned(cut, ast.Subscript)
    if one is None or other is None or isinstance(one.slice, ast.Slice):
        return None
    rest = other.slice.elts[1:] if isinstance(other.slice, ast.Tuple) else []
    index = ", ".join(map(ast.unparse, (_first(one.slice), *rest)))
    return Rewrite(f"{ast.unparse(other.value)}[{index}]", cut)


def _where(trace: Trace, table: TableFact) -> Site:
    """Where a table got its order: where it was bound, or the first call after that which is given it and whose result
    is dropped."""
    source = Source(trace)
    if not table.changed:
        made = source.statement_on(table.site.file, table.site.line)
        return source.site(made, table.site.file) if isinstance(made, ast.Assign) else table.site
    for node in source.nodes(table.site.file):
        call = node.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
        if call is not None and node.lineno > table.site.line:
            if any(ast.unparse(part) == table.name for part in (*call.args, _owner(call))):
                return source.site(node, table.site.file)
    return table.site


def _returned(trace: Trace, site: Site) -> Iterator[Site]:
    """Where the user's function returns what it gives the statement at a site, which binds its answer."""
    source = Source(trace)
    bound = source.statement_on(site.file, site.line)
    for function in called(source, site.file, bound.value if isinstance(bound, ast.Assign) else None):
        yield from (source.site(part, site.file) for part in walk(function) if isinstance(part, ast.Return))


def _owner(call: ast.Call) -> ast.expr:
    return call.func.value if isinstance(call.func, ast.Attribute) else call.func


def _drawn(trace: Trace) -> Iterator[Facts]:
    """Losses whose two sides, or the axes of whose table of pairs, count the samples of two batches, each drawn in its
    own order."""
    unordered = set(trace.data.unordered)

    def drawn(fact: object, at: int = 0) -> Axis | None:
        axis = fact.axes[at] if isinstance(fact, TensorFact) and len(fact.axes) > at else None
        loader = axis is not None and axis.origin is not None and axis.origin.kind == "loader"
        return axis if loader and len(axis.uids) == 1 and axis.uids[0][0] in unordered else None

    for event, scores, target in _met(trace):
        counted = produced(trace, target) if isinstance(target, TensorFact) else None
        square = counted is not None and ops.is_a(counted.op, "counts_up")  # each sample's own is on the diagonal
        one, other = drawn(scores), drawn(scores, 1) if square else drawn(target)
        if one is None or other is None or one.uids == other.uids or event.result is None:
            continue
        assert isinstance(scores, TensorFact)
        kept = next((made for made in ancestors(trace, target).values() if made.modules), None) if not square else None
        kept = kept if kept is not None and (kept.loop, kept.iteration) != (event.loop, event.iteration) else None
        if one.origin.site == other.origin.site and kept is None:
            continue
        seen = (fact for made in ancestors(trace, scores).values() for fact in operands(made))
        mixed = any(fact.axes[:1] != () and fact.axes[0].uids == other.uids for fact in seen)
        if square or not mixed:
            here = kept is not None or (not square and _given(trace, other))
            site = event.site if here else other.origin.site or event.site
            lines = (*kept.stack, kept.site, one.origin.site) if kept is not None else (one.origin.site, event.site)
            yield Facts(
                site,
                message="kept" if kept is not None else "other" if here else "drawn",
                why="why_kept" if kept is not None else "why_other" if here else "why_drawn",
                origins=tuple(one for line in dict.fromkeys(lines) if line != site for one in place(trace, line)),
                cause=(code, event.site),
            )


def _met(trace: Trace) -> Iterator[tuple[Event, object, object]]:
    """`(event, scores, target)` of every loss, and of every difference from data of which a loss is made."""
    for event in trace.events:
        if event.site is not None and ops.is_a(event.op, "targets") and "grad" in event.flags:
            yield event, argument(event, 0, "input"), argument(event, 1, "target")
    yield from (met for met in compared(trace) if met[0].op == "sub" and not met[2].requires_grad)


def _given(trace: Trace, axis: Axis) -> bool:
    """Whether a network is given a batch of that loader as well: the two need not belong together, and the target may
    be the other one's by mistake."""
    given = (fact for step in of_kind(trace, "forward") for fact in tensors((step.data["args"], step.data["kwargs"])))
    return any(fact.axes[:1] != () and fact.axes[0].uids == axis.uids for fact in given)


MESSAGES = {
    "en": {
        "message": "the elements of {targets} are reordered differently from those of {samples}",
        "alone": "the elements of {samples} are reordered, but those of {targets} are not",
        "batch": "the loss pairs rows of {samples} with rows of {targets}, but the two are in different orders",
        "judged": "predictions for rows of {samples} are compared with {targets}, whose rows are in a different order",
        "drawn": "the loss pairs samples from one shuffled loader with targets from another shuffled loader",
        "other": "outputs computed from one loader's batch are compared with the batch of another shuffled loader",
        "why_other": (
            "both loaders shuffle, so row i of the target does not belong to row i of the output. Compare the output "
            "with the batch that it was computed from, or draw both from one loader"
        ),
        "kept": "the loss pairs samples with outputs that a model computed for other samples",
        "why_judged": (
            "row i of {samples} belonged to row i of {targets} when they were created (lines {first} and {second}), "
            "but the model was given the rows in a different order; only {same} of {count} predictions are compared "
            "with the target that belongs to them"
        ),
        "why": (
            "row i of {samples} belonged to row i of {targets} when they were created (lines {first} and {second}); in "
            "the batch, only {same} of {count} samples still have the target that belongs to them"
        ),
        "why_within": (
            "each sample holds {samples} and {targets} as two lists of equal length. Entry i of {samples} still "
            "belongs to entry i of {targets} in only {same} of the {count} samples that were read"
        ),
        "beside": "one part of each sample is read from an entry of {samples} next to its own",
        "why_neighbor": (
            "the data set was read again with single entries exchanged: one part of sample i depends on entry i, but "
            "what it takes from {samples} depends on the entry next to it, and nothing depends on entry i there"
        ),
        "why_columns": (
            "row by row, {samples} and {targets} belong together, but the model is given them in two different orders: "
            "of {count} pairs, only {same} are pairs of the table"
        ),
        "cut": "rows are taken here in their original order, but are later paired with rows that were selected in a "
        "different order",
        "why_cut": (
            "line {line} selects rows of one table by a permuted index, but this line takes consecutive rows of "
            "another table with as many rows ({rows}). Line {met} then combines row i of one selection with row i of "
            "the other"
        ),
        "why_drawn": (
            "each loader shuffles independently, so row i of the predictions and row i of the targets can belong to "
            "different samples"
        ),
        "why_kept": (
            "these outputs were computed in an earlier pass over the loader, which shuffles again in each pass: row i "
            "of the outputs and row i of the current batch can belong to different samples. Compute the outputs for "
            "the current batch, or store them by sample index"
        ),
    },
    "es": {
        "message": "los elementos de {targets} se reordenan de forma distinta a los de {samples}",
        "alone": "los elementos de {samples} se reordenan, pero los de {targets} no",
        "batch": (
            "la pérdida empareja filas de {samples} con filas de {targets}, pero unas y otras están en órdenes "
            "distintos"
        ),
        "judged": (
            "las predicciones para las filas de {samples} se comparan con {targets}, cuyas filas están en otro orden"
        ),
        "other": "salidas calculadas del lote de un DataLoader se comparan con el lote de otro que baraja aparte",
        "why_other": (
            "cada DataLoader baraja por su cuenta, así que la fila i del objetivo no corresponde a la fila i de la "
            "salida. Hay que comparar la salida con el lote del que se calculó, o sacar ambos del mismo DataLoader"
        ),
        "drawn": "la pérdida empareja muestras de un DataLoader con objetivos de otro, y cada uno baraja por su cuenta",
        "kept": "la pérdida empareja muestras con salidas que un modelo calculó para otras muestras",
        "why_judged": (
            "la fila i de {samples} correspondía a la fila i de {targets} cuando se crearon (líneas {first} y "
            "{second}), pero el modelo recibió las filas en otro orden; solo {same} de {count} predicciones se "
            "comparan con el objetivo que les corresponde"
        ),
        "why": (
            "la fila i de {samples} correspondía a la fila i de {targets} cuando se crearon (líneas {first} y "
            "{second}); en el lote, solo {same} de {count} muestras conservan el objetivo que les corresponde"
        ),
        "why_within": (
            "cada muestra contiene {samples} y {targets} como dos listas de igual longitud. De {count} muestras "
            "leídas, solo en {same} el elemento i de {samples} sigue correspondiendo al elemento i de {targets}"
        ),
        "beside": "una parte de cada muestra se lee de una entrada de {samples} contigua a la suya",
        "why_neighbor": (
            "el conjunto de datos se leyó otra vez cambiando entradas sueltas: una parte de la muestra i depende de la "
            "entrada i, pero lo que toma de {samples} depende de la entrada de al lado, y allí nada depende de la "
            "entrada i"
        ),
        "why_columns": (
            "fila a fila, {samples} y {targets} van juntos, pero el modelo los recibe en dos órdenes distintos: de "
            "{count} pares, solo {same} son pares de la tabla"
        ),
        "cut": "aquí se toman filas en su orden original, pero después se emparejan con filas seleccionadas en otro "
        "orden",
        "why_cut": (
            "la línea {line} selecciona filas de una tabla con un índice permutado, pero aquí se toman filas "
            "consecutivas de otra tabla con el mismo número de filas ({rows}). Después, la línea {met} combina la fila "
            "i de una selección con la fila i de la otra"
        ),
        "why_drawn": (
            "cada DataLoader baraja por separado, así que la fila i de las predicciones y la fila i de los objetivos "
            "pueden ser de muestras distintas"
        ),
        "why_kept": (
            "estas salidas se calcularon en una pasada anterior por el DataLoader, que vuelve a barajar en cada "
            "pasada: la fila i de las salidas y la fila i del lote actual pueden ser de muestras distintas. Hay que "
            "calcular las salidas para el lote actual o guardarlas por índice de muestra"
        ),
    },
    "ja": {
        "message": "{targets} が {samples} とは別の順に並べ替えられています",
        "alone": "{samples} だけが並べ替えられ、{targets} はそのままです",
        "batch": "損失が、並び順の異なる {samples} と {targets} を要素ごとに組にしています",
        "judged": "{samples} に対する予測を、並び順の異なる {targets} と比べています",
        "kept": "損失で、サンプルと、モデルが別のサンプルから計算した出力とが組になっています",
        "other": "あるローダーのバッチから計算した出力を、別にシャッフルされるローダーのバッチと比べています",
        "why_other": (
            "2 つのローダーは別々にシャッフルされるため、ターゲットの i 番目と出力の i 番目は対応していません。出力は、"
            "その計算に使ったバッチと比べるか、両方を 1 つのローダーから取り出してください"
        ),
        "drawn": "損失が、別々にシャッフルされる 2 つのローダーのサンプルとターゲットを組にしています",
        "why_judged": (
            "作られたとき ({first} 行目と {second} 行目) は {samples} と {targets} の i 番目の要素どうしが対応してい"
            "ましたが、モデルには別の順で渡されています。正しいターゲットと比べられた予測は {count} 件中 {same} 件だ"
            "けです"
        ),
        "why": (
            "作られたとき ({first} 行目と {second} 行目) は {samples} と {targets} の i 番目の要素どうしが対応してい"
            "ましたが、バッチの中で正しいターゲットと組になっているサンプルは {count} 件中 {same} 件だけです"
        ),
        "why_within": (
            "各サンプルには {samples} と {targets} が同じ長さの 2 つのリストとして入っています。読み込んだ {count} "
            "サンプルのうち、i 番目の要素どうしが今も対応しているのは {same} サンプルだけです"
        ),
        "beside": "各サンプルの一部が、{samples} の自分の要素ではなく隣の要素から読まれています",
        "why_neighbor": (
            "要素を 1 つずつ入れ替えてデータセットを読み直すと、サンプル i の一部は要素 i によって変わりますが、"
            "{samples} から取る部分は隣の要素によって変わり、そこでは要素 i によって変わるものがありません"
        ),
        "why_columns": (
            "{samples} と {targets} は行ごとに対応していますが、モデルには別々の順で渡されています。{count} 組のうち、"
            "表にある組は {same} 組だけです"
        ),
        "cut": "ここではデータを元の順序のまま取り出していますが、後で、別の順序で選んだデータと組になります",
        "why_cut": (
            "{line} 行目では並べ替えたインデックスで一方の表から要素を選んでいますが、ここでは同じ長さ ({rows}) の別"
            "の表から連続する要素を取り出しています。{met} 行目で両者の i 番目の要素どうしが組になります"
        ),
        "why_drawn": (
            "各ローダーが別々にシャッフルするので、i 番目の予測と i 番目のターゲットが同じサンプルのものとは限りません"
        ),
        "why_kept": (
            "この出力は、ローダーを前に 1 周したときに計算されたものです。ローダーは周回ごとにシャッフルし直すので、"
            "i 番目の出力が現在のバッチの i 番目のサンプルのものとは限りません。現在のバッチから計算するか、サンプル"
            "の番号ごとに保存してください"
        ),
    },
}
