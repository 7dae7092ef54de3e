"""A model is evaluated on inputs with a different scale from those it was trained on.

## What it finds
Pictures of 8 bits that a model is given on one scale while it learns and on another afterwards (a division by 255 or a
normalization on one side only), and two parts of one table of which only one was scaled. Both are recognized by the
values that the model is given.

## Why it hurts
The weights suit the scale of the training inputs. On another one the outputs mean little, so the metric is far from
what the model can do, and a model that is chosen by it is chosen by chance.

## Example
    x_train = scaler.fit_transform(x_train)
    ...
    model(x_test)                            # never scaled

## Instead
    x_train = scaler.fit_transform(x_train)
    x_test = scaler.transform(x_test)

## Fix safety
Nothing is reported where training inputs are on several scales, where what the model is given later lies on no grid of
8-bit values (noise, mixtures, resized pictures), or where the table of both parts is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.behind import behind
from ...graph.flow import tensors
from ...graph.ledger import ledger
from ...graph.training import answers, of_kind, place
from ...trace import Origin, Site, StepFact, Trace
from ..facts import Facts

code = "SW277"
slug = "evaluated-on-another-scale"
order = 60
APART = 1.02
DEEP = 6


def check(trace: Trace) -> Iterator[Facts]:
    """The first such call of each model, and the table of which one part was scaled."""
    found = trace.data.unscaled
    if found is not None and found.where is not None:
        yield Facts(
            found.where,
            message="table",
            why="table_why",
            fields={
                "trained": found.trained.name,
                "first": found.trained.site.line,
                "judged": found.judged.name,
                "second": found.judged.site.line,
            },
            origins=_made(trace, found.judged.site) + _made(trace, found.trained.site),
        )
        return
    shown = [step for step in of_kind(trace, "forward") if step.site is not None and step.data.get("pixel") is not None]
    for module in dict.fromkeys(step.data["module"] for step in shown):
        calls = [step for step in shown if step.data["module"] == module]
        trained = [step for step in calls if answers(step) & ledger(trace).learned]
        steps = sorted(step.data["pixel"] for step in trained)
        if not steps or steps[0] == 0 or steps[-1] > steps[0] * APART:
            continue
        for step in calls:
            ratio = step.data["pixel"] / steps[0]
            if step.index in (one.index for one in trained) or ratio == 0 or 1 / APART < ratio < APART:
                continue
            yield Facts(
                step.site,
                fields={
                    "model": trace.modules[module].kind if module in trace.modules else "",
                    "line": trained[0].site.line,
                    "trained": f"{steps[0]:.3g}",
                    "judged": f"{step.data['pixel']:.3g}",
                    "ratio": f"{ratio if ratio > 1 else 1 / ratio:.3g}",
                },
                origins=_read(trace, step) + _read(trace, trained[0]),
            )
            break


def _made(trace: Trace, site: Site) -> tuple[Origin, ...]:
    """The statement that bound a table, whole."""
    return place(trace, next(iter(behind(trace, site, 0))))


def _read(trace: Trace, step: StepFact) -> tuple[Origin, ...]:
    """Where the pictures of a call come from: through the loader that gave them, or by the names on the call's line."""
    given = next(tensors(step.data["args"]), None)
    origin = given.axes[0].origin if given is not None and given.axes else None
    starts = [site for site in (origin.site if origin is not None else None, step.site) if site is not None]
    lines = dict.fromkeys(one for site in starts for one in behind(trace, site, DEEP) if one.line != step.site.line)
    return tuple(origin for one in lines for origin in place(trace, one))


MESSAGES = {
    "en": {
        "message": "{model} is given pictures on a different scale here from those in training (line {line})",
        "why": (
            "neighboring 8-bit values differ by {judged} here and by {trained} in training, {ratio} times as much on "
            "one side: a division or a normalization is applied on one side only"
        ),
        "table": "{judged} is not on the scale of {trained}, on which the model was trained",
        "table_why": (
            "{trained} (line {first}) and {judged} (line {second}) are parts of one table, and only one of them is "
            "scaled: the model reads the same column on two scales"
        ),
    },
    "es": {
        "message": "{model} recibe aquí imágenes con otra escala que en el entrenamiento (línea {line})",
        "why": (
            "los valores vecinos de 8 bits difieren en {judged} aquí y en {trained} en el entrenamiento, {ratio} veces "
            "más en un lado: una división o una normalización se aplica solo en un lado"
        ),
        "table": "{judged} no está en la escala de {trained}, con la que se entrenó el modelo",
        "table_why": (
            "{trained} (línea {first}) y {judged} (línea {second}) son partes de una misma tabla y solo una de ellas "
            "está escalada: el modelo lee la misma columna en dos escalas"
        ),
    },
    "ja": {
        "message": "{model} にここで渡される画像は、学習時 ({line} 行目) とスケールが異なります",
        "why": (
            "隣り合う 8 ビット値の差は、ここでは {judged}、学習時は {trained} で、{ratio} 倍違います。"
            "割り算または正規化が片方だけに適用されています"
        ),
        "table": "{judged} は、モデルが学習した {trained} とスケールが異なります",
        "table_why": (
            "{trained} ({first} 行目) と {judged} ({second} 行目) は 1 つの表の一部ですが、片方だけがスケーリングされて"
            "います。モデルは同じ列を 2 つのスケールで読むことになります"
        ),
    },
}
