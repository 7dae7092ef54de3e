"""A loss compares predictions with the targets of other samples: the two are in different orders.

## What it finds
A training loss that changes when samples and targets are reordered together, and the call at which this happens: both
operands hold every sample, but at different positions. The probe computes the loss again from the recorded calls to
find it. Also targets that are computed, by the lines that make the inputs, from random numbers sampled separately; the
log-probability of an action that was sampled separately from the action taken; inputs that blend each sample with
another sample whose target is not in the loss, is blended in another order, or has the other one's weight; and
contrastive losses whose labels name columns of other samples.

## Why it hurts
Sizes agree, so nothing raises, and the loss may even fall; but most predictions are compared with the target of another
sample or step.

## Example
    logits = model(x).reshape(-1, 5)         # (time, batch) inside: step by step
    loss = cross_entropy(logits, y.reshape(-1))   # (batch, time): sample by sample

## Instead
    logits = model(x).transpose(0, 1).reshape(-1, 5)

## Fix safety
Losses that compare neighbors in the batch by slicing, rolling or indexing it are not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.blends import exchanged, other_sample, turned_by, weights
from ...graph.flow import argument, chain, one_per_place, operands, produced, tensors
from ...graph.scopes import statement_of
from ...graph.source import Source
from ...graph.training import ancestors, descendants, losses, place
from ...trace import Event, Pairing, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import AlignOrder, Rewrite
from .one_label_for_all_pairs import code as ONE_LABEL

code = "SW219"
stands_back = True


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every loss that moves although each sample keeps its target, or whose targets are of samples drawn anew."""
    yield from _drawn_anew(trace)
    yield from _redrawn(trace)
    yield from _blended(trace)
    yield from _partners(trace)
    for answer in trace.answers(Pairing):
        data = answer.data
        if data.kind != "order" or answer.site is None:
            continue
        event = trace.event(answer.event)
        sources = (
            [
                made.site
                for fact in operands(event)
                if (made := produced(trace, fact)) is not None and made.site is not None
            ]
            if event is not None
            else []
        )
        yield Facts(
            answer.site,
            fields={
                "op": data.op,
                "batch": data.batch,
                "before": f"{data.before:.5g}",
                "after": f"{data.after:.5g}",
                "a": data.a,
                "b": data.b,
            },
            origins=tuple(
                origin
                for site in dict.fromkeys(sources)
                if site.line != answer.site.line and site.end_line <= site.line
                for origin in place(trace, site, "operator")
            ),
            severity="error" if data.certain else "warning",
            event=answer.event,
            remedy=AlignOrder("flatten"),
        )


def _partners(trace: Trace) -> Iterator[Facts]:
    """Losses that label the rows of a table of scores with columns of other samples."""
    for answer in trace.answers(Pairing):
        event = trace.event(answer.event) if answer.data.kind == "partner" else None
        if event is None or answer.site is None:
            continue
        row, label, own, rows, of = answer.data.cells
        target = argument(event, 1, "target")
        made = produced(trace, target) if isinstance(target, TensorFact) else None
        yield Facts(
            answer.site,
            message="partner",
            why="partner_why",
            fields={"op": event.op, "rows": rows, "of": of, "row": row, "label": label, "own": own},
            origins=place(trace, made.site if made is not None else None),
            cause=(ONE_LABEL, made.site if made is not None else None),
            event=answer.event,
        )


def _drawn_anew(trace: Trace) -> Iterator[Facts]:
    """Losses whose targets were computed of another draw than the inputs, by a line that made both."""
    last: dict[Site, int] = {}
    for event in trace.events:
        if not ops.is_a(event.op, "targets") or event.site is None:
            continue
        since, last[event.site] = last.get(event.site), event.index
        if since is None:
            continue
        answer, target = argument(event, 0, "input"), argument(event, 1, "target")
        if not (isinstance(answer, TensorFact) and isinstance(target, TensorFact)) or target.requires_grad:
            continue
        asked, given = _draws(trace, target, since), _draws(trace, answer, since)
        if asked is None or given is None or not asked[0] or not given[0] or asked[0].keys() & given[0].keys():
            continue
        shared = asked[1] & given[1]
        made, read = max(asked[0].items())[1], max(given[0].items())[1]
        if shared and made.site is not None and read.site is not None:
            yield Facts(
                made.site,
                message="anew",
                why="anew_why",
                fields={"op": event.op, "loss": event.site.line, "line": read.site.line},
                origins=place(trace, read.site) + place(trace, event.site),
                event=event.index,
                remedy=_read_again(trace, made, read),
            )


def _redrawn(trace: Trace) -> Iterator[Facts]:
    """Pairs of draws from the same probabilities of which one is only read out, and the other only has its
    log-probability trained on."""
    drawn: dict[tuple[int, int], list[Event]] = {}
    for event in trace.events:
        chances = next(iter(operands(event)), None)
        if ops.is_a(event.op, "draws") and ops.is_a(event.op, "policies") and chances is not None and event.site:
            *_, source = (chances.producer, *(e.index for e in chain(trace, chances, _reshapes)))
            drawn.setdefault((source, event.loop), []).append(event)
    uses = {event.index: _uses(trace, event) for draws in drawn.values() if len(draws) == 2 for event in draws}
    by_line: dict[Site, set[str]] = {}
    for index, use in uses.items():
        by_line.setdefault(trace.events[index].site, set()).add(use)
    for (made, _), draws in drawn.items():
        sites = [event.site for event in draws]
        if made < 0 or len(draws) != 2 or sites[0] == sites[1]:
            continue
        taken, scored = sorted(draws, key=lambda event: uses[event.index] == "scored")
        if by_line[taken.site] == {"read"} and by_line[scored.site] == {"scored"}:
            yield Facts(
                scored.site,
                message="redrawn",
                why="redrawn_why",
                fields={"line": taken.site.line},
                origins=place(trace, taken.site),
                event=scored.index,
                remedy=_read_again(trace, scored, taken),
            )


def _blended(trace: Trace) -> Iterator[Facts]:
    """Losses for blends of two samples that ask for the class of one of them, or for a blend with that of a third."""
    for _, loss in losses(trace):
        made = ancestors(trace, loss)
        asked = [one for one in made.values() if ops.is_a(one.op, "classifies") and one.site is not None]
        picks = [one for one in made.values() if ops.is_a(one.op, "picks", "orders_rows") and operands(one)]
        sums = [one for one in made.values() if ops.is_a(one.op, "adds") and not one.modules]
        blends = [(one, found) for one in sums if (found := other_sample(trace, one)) is not None]
        for event, found in blends:
            yield from _weighted(trace, event, found, sums)
            if any(one is not found and turned_by(one) == turned_by(found) for one in picks):
                continue
            target = _apart(trace, made, event, blends)
            if target is None and len(asked) != 1:
                continue
            at = asked[0] if target is None else target
            if at.site is not None:
                yield Facts(
                    at.site,
                    message="blended" if target is None else "blended_apart",
                    why="why_blended" if target is None else "why_blended_apart",
                    fields={"op": at.op, "line": event.site.line if event.site else "?"},
                    origins=place(trace, event.site) + place(trace, found.site),
                    severity="warning",
                    event=at.index,
                )
                break


def _weighted(trace: Trace, blend: Event, found: Event, sums: list[Event]) -> Iterator[Facts]:
    """Targets, or losses, of two samples whose weights are exchanged against those of the inputs."""
    own = weights(trace, blend, found)
    for one in sums if own is not None else ():
        asked = weights(trace, one, found) if one is not blend and blend.index < one.index else None
        if own is not None and asked is not None and exchanged(own, asked) and one.site is not None:
            yield Facts(
                one.site,
                message="exchanged",
                why="why_exchanged",
                fields={"line": blend.site.line if blend.site else "?"},
                origins=place(trace, blend.site) + place(trace, found.site),
                event=one.index,
            )
            return


def _apart(trace: Trace, made: dict[int, Event], blend: Event, blends: list[tuple[Event, Event]]) -> Event | None:
    """The blend of targets in an order of its own, beside one that a model is given."""
    if len(blends) != 2:
        return None
    other = next(one for one, _ in blends if one is not blend)
    inner = {at for one in made.values() if one.modules for fact in operands(one) for at in (fact.producer,)}
    given = [at for at in inner if at >= blend.index and (at == blend.index or blend.index in _before(trace, at))]
    beside = not any(other.index == at or other.index in _before(trace, at) for at in inner if at >= other.index)
    rows = {fact.shape[:1] for one in (blend, other) for fact in operands(one)}
    return other if given and beside and len(rows) == 1 else None


def _before(trace: Trace, index: int) -> dict[int, Event]:
    """The events behind one."""
    return {at: one for fact in operands(trace.events[index]) for at, one in ancestors(trace, fact).items()}


def _read_again(trace: Trace, draw: Event, other: Event) -> Rewrite | None:
    """The name of what was drawn in place of another draw of the same expression."""
    source = Source(trace)
    made = [source.node_at(one.site, (ast.Call,)) if one.site is not None else None for one in (draw, other)]
    bound = statement_of(made[1]) if made[1] is not None else None
    target = bound.targets[0] if isinstance(bound, ast.Assign) and bound.value is made[1] else None
    if not isinstance(target, ast.Name) or made[0] is None or ast.dump(made[0]) != ast.dump(made[1]):
        return None
    return Rewrite(target.id, draw.site)


def _reshapes(event: Event) -> bool:
    return ops.is_a(event.op, "reshapes")


def _uses(trace: Trace, draw: Event) -> str:
    """What becomes of a draw: `scored` where it picks log-probabilities that learn, `read` where its value is taken out
    and nothing is picked, `both` or nothing."""
    after = descendants(trace, list(tensors(draw.result)), 40).values()
    scored = any(ops.is_a(event.op, "picks") and any(f.requires_grad for f in tensors(event.result)) for event in after)
    read = any(ops.is_a(event.op, "leaves") for event in after)
    return "both" if scored and read else "scored" if scored else "read" if read else ""


def _draws(trace: Trace, fact: TensorFact, since: int) -> tuple[dict[int, Event], set[tuple]] | None:
    """The draws after event `since`, the loss before, that a tensor comes from, and the operators, by their lines, that
    computed something of these and of nothing else; `None` where other data are in it."""
    made = ancestors(trace, fact)
    draws = {index: one for index, one in made.items() if ops.is_a(one.op, "draws") and not one.modules}
    now = {index: one for index, one in draws.items() if index > since and not operands(one)}
    used: set[tuple] = set()
    for index, one in sorted(made.items()):
        if one.modules or index in draws or index < since:
            continue
        if not operands(one) or any(f.producer < 0 and not f.is_held for f in operands(one)):
            return None
        if not ops.is_a(one.op, "reshapes", "joins", "picks", "brackets"):  # rows are put together by one line for all
            used.add((one.op, one.site, tuple(f.shape for f in operands(one))))
    return now, used


MESSAGES = {
    "en": {
        "message": (
            "{op} pairs predictions with the targets of other samples: predictions and targets are in different orders"
        ),
        "blended": "each input is a blend of two samples, but {op} uses the class of only one of them",
        "why_blended": (
            "line {line} adds to each sample a row from a reordered copy of the batch, but the loss never uses targets "
            "in that order"
        ),
        "blended_apart": "the targets are blended in a different order from the inputs of the model",
        "why_blended_apart": (
            "line {line} adds to each input a row from a reordered copy of the batch; this line does the same with the "
            "targets, but in another order, so the class that is blended in is that of a third sample. Use one order "
            "for both"
        ),
        "exchanged": "the two samples that are blended have each other's weight here",
        "why_exchanged": (
            "line {line} adds to each input a row from a reordered copy of the batch. Here the sample with the smaller "
            "share in the input has the larger weight"
        ),
        "anew": "the inputs and the targets are computed from two different random draws",
        "anew_why": (
            "the targets belong to samples drawn here, but {op} on line {loss} compares them with predictions for "
            "samples drawn on line {line}. No input of the model depends on the samples drawn here"
        ),
        "why": (
            "reordering the {batch} samples together with their targets should not change the loss, but it changed "
            "from {before} to {after}. In memory, one side is ordered {a}, the other {b} (* marks the sample axis)"
        ),
        "partner": "the labels that {op} was given name columns of other samples in {rows} of {of} rows",
        "partner_why": (
            "row {row} has label {label}, but that score depends on two different samples, while the score in column "
            "{own} depends only on the sample of row {row}. Training makes different samples similar"
        ),
        "redrawn": "the log-probability is not that of the action taken: the two actions are sampled separately",
        "redrawn_why": (
            "line {line} samples the action that is taken. This line samples an action separately from the same "
            "probabilities, and training uses the log-probability of the action sampled here"
        ),
    },
    "es": {
        "message": (
            "{op} empareja predicciones con los objetivos de otras muestras: predicciones y objetivos están en órdenes "
            "distintos"
        ),
        "blended": "cada entrada es una mezcla de dos muestras, pero {op} usa la clase de una sola de ellas",
        "why_blended": (
            "la línea {line} suma a cada muestra una fila del lote reordenado, pero la pérdida nunca usa objetivos en "
            "ese orden"
        ),
        "blended_apart": "los objetivos se mezclan en un orden distinto del de las entradas del modelo",
        "why_blended_apart": (
            "la línea {line} suma a cada entrada una fila del lote reordenado; esta línea hace lo mismo con los "
            "objetivos, pero en otro orden, así que la clase que se mezcla es la de una tercera muestra. Usa un mismo "
            "orden para ambos"
        ),
        "exchanged": "cada una de las dos muestras mezcladas tiene aquí el peso de la otra",
        "why_exchanged": (
            "la línea {line} suma a cada entrada una fila del lote reordenado. Aquí la muestra con menor proporción "
            "en la entrada tiene el mayor peso"
        ),
        "anew": "las entradas y los objetivos se calculan a partir de dos muestreos aleatorios distintos",
        "anew_why": (
            "los objetivos son de muestras generadas aquí, pero {op}, en la línea {loss}, los compara con predicciones "
            "para muestras generadas en la línea {line}. Ninguna entrada del modelo depende de las muestras generadas "
            "aquí"
        ),
        "why": (
            "reordenar las {batch} muestras junto con sus objetivos no debería cambiar la pérdida, pero pasó de "
            "{before} a {after}. En memoria, el orden de un lado es {a} y el del otro {b} (* marca el eje de muestras)"
        ),
        "partner": "las etiquetas que recibió {op} indican columnas de otras muestras en {rows} de {of} filas",
        "partner_why": (
            "la fila {row} tiene la etiqueta {label}, pero esa puntuación depende de dos muestras distintas, mientras "
            "que la de la columna {own} depende solo de la muestra de la fila {row}. El entrenamiento acerca muestras "
            "distintas"
        ),
        "redrawn": "la log-probabilidad no es la de la acción que se toma: las dos acciones se muestrean por separado",
        "redrawn_why": (
            "la línea {line} muestrea la acción que se toma. Esta línea muestrea por separado otra acción con las "
            "mismas probabilidades, y el entrenamiento usa la log-probabilidad de la acción muestreada aquí"
        ),
    },
    "ja": {
        "message": "{op} が予測を別のサンプルのターゲットと組にしています。予測とターゲットの並び順が違います",
        "blended": "各入力は 2 つのサンプルを混ぜたものですが、{op} は一方のクラスしか使っていません",
        "why_blended": (
            "{line} 行目では、並べ替えたバッチのサンプルが各サンプルに足されますが、同じように並べ替えたターゲットは"
            "損失に使われません"
        ),
        "blended_apart": "ターゲットが、モデルの入力とは別の並び順で混ぜられています",
        "why_blended_apart": (
            "{line} 行目では、並べ替えたバッチの行が各入力に足されます。この行ではターゲットにも同じことをしますが、"
            "並び順が異なるため、混ぜられるクラスは別のサンプルのものです。両方に同じ並び順を使ってください"
        ),
        "exchanged": "混ぜられる 2 つのサンプルの重みが、ここでは互いに入れ替わっています",
        "why_exchanged": (
            "{line} 行目では、並べ替えたバッチの行が各入力に足されます。ここでは、入力での割合が小さいサンプルの"
            "ほうが大きい重みを持っています"
        ),
        "anew": "入力とターゲットが、別々にサンプリングした乱数から計算されています",
        "anew_why": (
            "ターゲットはここで生成したサンプルのものですが、{loss} 行目の {op} は、{line} 行目で生成したサンプルに対す"
            "る予測と比べます。ここで生成したサンプルに依存するモデルの入力はありません"
        ),
        "why": (
            "{batch} 個のサンプルとターゲットを一緒に並べ替えても損失は変わらないはずですが、{before} から {after} に変"
            "わりました。メモリ上の並びは片方が {a}、もう片方が {b} です (* がサンプルの軸)"
        ),
        "partner": "{op} に渡されたラベルは、{of} 行のうち {rows} 行で別のサンプルの列を指しています",
        "partner_why": (
            "行 {row} のラベルは {label} ですが、そのスコアは 2 つの異なるサンプルで決まります。列 {own} のスコアは"
            "行 {row} のサンプルだけで決まります。学習によって、異なるサンプルどうしが近づけられます"
        ),
        "redrawn": "対数確率が、実際に取る行動のものではありません。2 つの行動は別々にサンプリングされています",
        "redrawn_why": (
            "実際に取る行動は {line} 行目でサンプリングされています。この行では同じ確率から別に行動がサンプリングされ、"
            "学習にはこちらの対数確率が使われています"
        ),
    },
}
