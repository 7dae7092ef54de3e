"""The model is evaluated on rows that it was trained on.

## What it finds
An evaluation table (passed to the model without gradients after training has begun) whose rows come from the training
table, where some of these rows were used for training. Rows are recognized by their values, even after they were
selected, scaled or converted; noisy or mirrored copies are recognized by their distance, and rows that two index arrays
pick from one table by their positions. Also two data sets, one for training and one for evaluation, where the training
set contains the samples of the other and nothing else is used for evaluation, or where the script calls the evaluation
set held out; windows of a series that lie between training windows; and rows of a table with duplicates whose other
copies were trained on.

## Why it hurts
The metric can reflect how well the rows were memorized, and says little about new ones.

## Example
    train, test = rows, rows[200:]

## Instead
    train, test = rows[:200], rows[200:]

## Fix safety
Nothing is reported where other rows are used for evaluation as well, where all training rows are, or the first few of
them.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import Any

from ... import ops
from ...graph.behind import behind
from ...graph.calls import called, dotted, every
from ...graph.flow import consumers, operands
from ...graph.held_out import learned_from, unmasked
from ...graph.scopes import around
from ...graph.source import Function, Source, walk
from ...graph.training import place
from ...lexicon import says
from ...trace import Site, Trace
from ..data_remedy import CutApart
from ..facts import Facts

code = "SW228"
SEEDS = frozenset({"manual_seed", "seed", "default_rng", "RandomState"})


def check(trace: Trace) -> Iterator[Facts]:
    """At the line that cut the two tables, or where the table that is trained on was last bound; at the loader of a
    data set that is built a second time."""
    data = trace.data
    guessed = trace.engine == "dry" or data.made is not None or data.invented is not None  # two may be made up alike
    found = data.retested
    yield from itertools.islice(_unmasked(trace), 1)
    yield from itertools.islice(_listed(trace), 1)
    for loader in () if found is not None else data.loaders:
        if guessed and not loader["itself"]:
            continue
        if loader["again"] and loader["sites"] and _meant(trace, loader):
            site, first = loader["sites"][-1], loader["again"][-1]
            shared, asked = loader["shared"]
            kind = "windows" if loader["windows"] else "sets" if shared == asked else "sets_part"
            if kind == "sets" and not loader["beside"] and trace.outcome.state != "complete":
                continue  # what was left out may have judged on other samples
            near = (*list(behind(trace, site))[1:4], first, *list(behind(trace, first))[1:4])
            if loader["windows"]:  # the statement that divided what both read
                site = next((one for one in near[:3] if one in behind(trace, first)), site)
            elif loader["beside"] and near[0] not in behind(trace, first):  # the one that took the part
                site = near[0]
            lines = dict.fromkeys((loader["sites"][-1], *near, *_cut(trace, loader["class"])))
            yield Facts(
                site,
                message=kind,
                why="why_beside" if loader["beside"] and kind != "windows" else f"why_{kind}",
                fields={
                    "line": first.line,
                    "count": loader["length"],
                    "shared": shared,
                    "asked": asked,
                    "same": shared,
                    "rows": asked,
                },
                origins=tuple(o for one in lines if one != site for o in place(trace, one)),
                severity="warning",
            )
            return
    if found is None or learned_from(trace, found.where):
        return
    whole, part = (behind(trace, _called(trace, one.site)) for one in (found.trained, found.judged))
    apart = [one for one in whole if one in part and part[one] - whole[one]]
    site = _called(trace, next(iter(apart), found.trained.site))
    trained, judged = found.trained, found.judged
    yield Facts(
        site,
        message="windows" if found.windows else "near" if found.far else "message",
        why="why_windows"
        if found.windows
        else "why_near"
        if found.far
        else "why"
        if found.shared == found.rows
        else "why_part",
        fields={
            "shared": found.shared,
            "rows": found.rows,
            "same": found.same,
            "trained": found.trained.name,
            "judged": found.judged.name,
            "of": found.trained.rows,
            "near": f"{found.near:.2g}",
            "far": f"{found.far:.2g}",
        },
        origins=tuple(
            origin
            for one in dict.fromkeys(
                (*apart, found.copied, trained.site, *list(whole)[:4], judged.site, *_seeds(trace, site), found.where)
            )
            if one not in (None, site)
            for origin in place(trace, one)
        ),
        severity="warning",
        remedy=CutApart(),
    )


def _called(trace: Trace, site: Site) -> Site:
    """Where a function is called whose argument is bound at a site, if that is one place."""
    source = Source(trace)
    function = source.statement_on(site.file, site.line)
    if not isinstance(function, Function):
        return site
    calls = [at for node, at in every(trace, ast.Call) if dotted(node.func).rpartition(".")[2] == function.name]
    return calls[0] if len(calls) == 1 else site


def _unmasked(trace: Trace) -> Iterator[Facts]:
    """Losses that read the labels of all rows, those that are judged among them."""
    for found in unmasked(trace):
        yield Facts(
            found.loss.site,
            message="unmasked",
            why="why_divided" if found.read else "why_unmasked",
            fields={
                "rows": found.rows,
                "name": found.own.name,
                "unread": found.other.name,
                "line": found.judged.site.line if found.judged.site is not None else 0,
            },
            origins=(*place(trace, found.own.site), *place(trace, found.judged.site)),
            severity="warning",
            event=found.loss.index,
        )


def _listed(trace: Trace) -> Iterator[Facts]:
    """Lists that pick the labels that are judged, of which the one list that picks those trained on holds some."""
    for told in trace.data.lists:
        learned = [at for at, events in enumerate(told.events) if any(_asked(trace, one, True) for one in events)]
        for at, events in enumerate(told.events) if len(learned) == 1 else ():
            own, shared = learned[0], told.shared[at][learned[0]]
            asked = next((one for one in events if at != own and _asked(trace, one, False)), None)
            if asked is None or not 0 < shared < min(told.rows[at], told.rows[own]):
                continue  # all of them, or all that were trained on, may be asked on purpose
            picks = [operands(trace.events[one])[1] for one in (told.events[own][0], asked)]
            bound = [next((one for one in trace.bound if one.fact.uid == fact.uid), None) for fact in picks]
            names = [one.name if one is not None else fact.name for one, fact in zip(bound, picks)]
            sites = [one.site for one in bound if one is not None] + [trace.events[asked].site]
            counts = {"same": shared, "shared": shared, "rows": told.rows[at], "of": told.rows[own]}
            if sites[0] is not None and all(names):
                yield Facts(
                    sites[0],
                    why="why_part",
                    fields=counts | dict(zip(("trained", "judged"), names)),
                    origins=tuple(o for one in dict.fromkeys(sites[1:]) if one != sites[0] for o in place(trace, one)),
                    severity="warning",
                )
                return


def _asked(trace: Trace, index: int, learning: bool) -> bool:
    """Whether labels that an event picks are compared with what learns, or with what does not."""
    return any(
        any(one.requires_grad for one in operands(user)) == learning
        for user in consumers(trace, index)
        if ops.is_a(user.op, "targets", "compares") and len(operands(user)) > 1
    )


def _meant(trace: Trace, loader: dict[str, Any]) -> bool:
    """Whether held-out data are meant where a loader gives out what was trained on: nothing else is judged, or its
    words say so. One that reads the very data set of the training loader may measure the training itself, except where
    its name says that it is held out or another data set was made in the same way and left unread."""
    site = loader["sites"][-1]
    if loader["itself"]:
        return not loader["beside"] and (_named_held_out(trace, site) or _left_unread(trace, site))
    shared, asked = loader["shared"]
    apart = asked == loader["length"] and 0 < shared < min(asked, loader["of"])  # neither holds all of the other
    return not loader["beside"] or _held_out(trace, site) or apart


def _named_held_out(trace: Trace, loader: Site) -> bool:
    node = Source(trace).statement_on(loader.file, loader.line)
    names = [ast.unparse(one) for one in node.targets] if isinstance(node, ast.Assign) else []
    return any(says(one, "held_out") and not says(one, "training") for one in names)


def _left_unread(trace: Trace, loader: Site) -> bool:
    """Whether a name that nobody reads is bound by a call of what made the data set of a loader."""
    source = Source(trace)
    makers = {
        name for at in list(behind(trace, loader, 1))[1:] if (name := _maker(source.statement_on(at.file, at.line)))
    }
    nodes = source.nodes(loader.file)
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    bound = (node for node in nodes if isinstance(node, ast.Assign) and _maker(node) in makers)
    return any(isinstance(one, ast.Name) and one.id not in read for node in bound for one in node.targets)


def _maker(node: ast.AST | None) -> str:
    """What a statement calls to bind a name."""
    return dotted(node.value.func) if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) else ""


def _held_out(trace: Trace, loader: Site) -> bool:
    """Whether the words of the statement that makes a loader say that its data are held out, and not that they are
    a part of those trained on."""
    node = Source(trace).statement_on(loader.file, loader.line)
    text = ast.unparse(node) if isinstance(node, ast.Assign) else ""
    return says(text, "held_out") and not says(text, "training")


def _seeds(trace: Trace, site: Site) -> Iterator[Site]:
    """Where a function that a statement calls starts the random numbers anew."""
    source = Source(trace)
    for function in called(source, site.file, source.statement_on(site.file, site.line)):
        for node in walk(function):
            if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in SEEDS:
                yield source.site(node, site.file)


def _cut(trace: Trace, kind: str) -> Iterator[Site]:
    """Where a data set of the user's cuts what it holds out of something."""
    for node, at in every(trace, ast.Assign):
        held = any(isinstance(one, ast.Attribute) for one in node.targets)
        if held and any(isinstance(one, ast.Slice) for one in walk(node.value)):
            if any(isinstance(one, ast.ClassDef) and one.name == kind for one in around(node)):
                yield at


MESSAGES = {
    "en": {
        "unmasked": "the loss uses the labels of all {rows} rows, including those that {name} selects for evaluation",
        "why_unmasked": (
            "{unread}, which was made together with {name}, never selects any rows; line {line} evaluates on rows that "
            "were trained on, so the metric says little about new rows. Compute the loss on the training rows only"
        ),
        "why_divided": (
            "{name} and {unread} divide the rows and are evaluated separately (line {line}), but the loss is computed "
            "on all rows: none is held out, so the metric says little about new rows. Compute the loss on the training "
            "rows only"
        ),
        "sets": "all samples of the evaluation data set are in the training set (line {line})",
        "why_sets": (
            "all {count} evaluation samples are training samples too, and the model is evaluated on no others: the "
            "metric says little about new samples"
        ),
        "why_beside": (
            "the model is trained on these {count} samples too: a metric on them says little about new samples and "
            "does not show when to stop training"
        ),
        "sets_part": "the training set (line {line}) contains {shared} of {asked} evaluation samples",
        "why_sets_part": (
            "the evaluation data set has {count} samples; a metric on samples that the model was trained on says "
            "little about new samples"
        ),
        "message": "the model is evaluated on rows of {judged} that it was trained on: {same} of {rows}",
        "why": "all rows of {judged} are in {trained} ({of} rows): a metric on them says little about new rows",
        "why_part": (
            "{trained} ({of} rows) contains {shared} of the {rows} rows of {judged}; a metric on these rows says "
            "little about new rows"
        ),
        "windows": "the model is evaluated on windows that overlap training windows: {same} of {rows}",
        "why_windows": (
            "the steps of these windows, from the first to the last, are also in training windows, so the model was "
            "trained on the values that it should predict. This happens when a series is cut into windows before it is "
            "split"
        ),
        "near": "the model is evaluated on slightly changed copies of training rows: {same} of {rows} rows",
        "why_near": (
            "each of these rows is at a distance of at most {near} from one training row and of at least {far} from "
            "all others. This happens when noisy or mirrored copies of rows are made before the split"
        ),
    },
    "es": {
        "unmasked": (
            "la pérdida usa las etiquetas de las {rows} filas, también las de las filas que {name} selecciona para "
            "la evaluación"
        ),
        "why_unmasked": (
            "{unread}, que se creó junto con {name}, nunca elige filas; la línea {line} evalúa con filas con las "
            "que se entrenó, así que la métrica dice poco sobre filas nuevas. La pérdida debe calcularse solo con las "
            "filas de entrenamiento"
        ),
        "why_divided": (
            "{name} y {unread} dividen las filas y se evalúan por separado (línea {line}), pero la pérdida se calcula "
            "con todas: no queda ninguna apartada, así que la métrica dice poco sobre filas nuevas. La pérdida debe "
            "calcularse solo con las filas de entrenamiento"
        ),
        "sets": "todas las muestras del conjunto de evaluación están en el de entrenamiento (línea {line})",
        "why_sets": (
            "las {count} muestras de evaluación son también muestras de entrenamiento, y el modelo no se evalúa con "
            "otras: la métrica dice poco de muestras nuevas"
        ),
        "why_beside": (
            "el modelo también se entrena con estas {count} muestras: una métrica sobre ellas dice poco de muestras "
            "nuevas y no indica cuándo parar el entrenamiento"
        ),
        "sets_part": "el conjunto de entrenamiento (línea {line}) contiene {shared} de {asked} muestras de evaluación",
        "why_sets_part": (
            "el conjunto de evaluación tiene {count} muestras; una métrica sobre muestras con las que se entrenó el "
            "modelo dice poco de muestras nuevas"
        ),
        "message": "el modelo se evalúa con filas de {judged} que ya usó para entrenar: {same} de {rows}",
        "why": (
            "todas las filas de {judged} están en {trained} ({of} filas): una métrica sobre ellas dice poco de filas "
            "nuevas"
        ),
        "why_part": (
            "{trained} ({of} filas) contiene {shared} de las {rows} filas de {judged}; una métrica sobre esas filas "
            "dice poco de filas nuevas"
        ),
        "windows": "el modelo se evalúa con ventanas que se solapan con ventanas de entrenamiento: {same} de {rows}",
        "why_windows": (
            "los pasos de estas ventanas, del primero al último, están también en ventanas de entrenamiento, así que "
            "el modelo se entrenó con los valores que debe predecir. Esto ocurre cuando una serie se corta en ventanas "
            "antes de dividirla"
        ),
        "near": (
            "el modelo se evalúa con copias ligeramente cambiadas de filas de entrenamiento: {same} de {rows} filas"
        ),
        "why_near": (
            "cada una de estas filas está a una distancia de {near} o menos de una fila de entrenamiento y de {far} o "
            "más de todas las demás. Esto ocurre cuando se hacen copias con ruido o reflejadas antes de dividir los "
            "datos"
        ),
    },
    "ja": {
        "unmasked": "損失が {rows} 行すべてのラベルを使い、{name} が評価用に選ぶ行も含んでいます",
        "why_unmasked": (
            "{name} と同時に作られた {unread} が、行の選択に一度も使われていません。{line} 行目の評価には学習に使った"
            "データが含まれるため、指標から新しいデータについてはほとんど分かりません。損失は学習用のデータだけから計算してくださ"
            "い"
        ),
        "why_divided": (
            "{name} と {unread} は行を分けており、{line} 行目で別々に評価されますが、損失はすべての行で計算されます。"
            "評価用に残された行がないため、この指標から新しい行での性能はほとんど分かりません。損失は学習用の行だけで"
            "計算してください"
        ),
        "sets": "評価用データセットのサンプルがすべて学習用データセット ({line} 行目) に含まれています",
        "why_sets": (
            "評価用の {count} サンプルはすべて学習用のサンプルでもあり、ほかのサンプルでは評価されません。この評価では"
            "、未知のサンプルに対する性能はほとんど分かりません"
        ),
        "why_beside": (
            "これらの {count} サンプルは学習にも使われています。このサンプルでの評価では、未知のサンプルに対する性能も"
            "、学習を止める時期も分かりません"
        ),
        "sets_part": (
            "学習用データセット ({line} 行目) に、評価用の {asked} サンプルのうち {shared} サンプルが含まれています"
        ),
        "why_sets_part": (
            "評価用データセットは {count} サンプルです。学習にも使ったサンプルで評価しても、未知のサンプルに対する性能"
            "はほとんど分かりません"
        ),
        "message": "{judged} の {rows} 行のうち {same} 行は、学習に使われた行なのに評価にも使われています",
        "why_part": (
            "{judged} の {rows} 行のうち {shared} 行は {trained} ({of} 行) にも含まれます。その行での評価では、未知の行"
            "に対する性能はほとんど分かりません"
        ),
        "windows": "評価に使う {rows} 個の窓のうち {same} 個は、学習に使われた窓と重なっています",
        "why_windows": (
            "これらの窓のステップは、最初から最後まで学習用の窓にも含まれるため、モデルは予測すべき値で学習しています。"
            "系列を分割する前に窓に切り分けると起こります"
        ),
        "near": "評価に使う {rows} 行のうち {same} 行は、学習用の行を少し変えたコピーです",
        "why_near": (
            "これらの行は、それぞれ学習用の 1 行との距離が {near} 以下で、ほかのすべての行との距離が {far} 以上です。デ"
            "ータを分割する前に、ノイズや反転を加えたコピーを作ると起こります"
        ),
        "why": (
            "{judged} の行はすべて {trained} ({of} 行) に含まれます。この評価では、未知の行に対する性能はほとんど分か"
            "りません"
        ),
    },
}
