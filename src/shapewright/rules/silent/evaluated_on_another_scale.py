"""A model is evaluated on inputs with a different scale from those it was trained on.

## What it finds
8-bit pictures that a model is given on one scale in training and on a different scale afterwards (a division by 255 or
a normalization on one side only), and two parts of one table of which only one is scaled. Both are recognized by the
values that the model is given. Also batches of one table that are scaled before one call of the model but not before
another; and categories of a data frame that are numbered differently for the evaluation.

## Why it hurts
The weights suit the scale of the training inputs. On another scale the outputs mean little, so the metric says little
about the model.

## Example
    x_train = scaler.fit_transform(x_train)
    ...
    model(x_test)                            # never scaled

## Instead
    x_train = scaler.fit_transform(x_train)
    x_test = scaler.transform(x_test)

## Fix safety
Nothing is reported where the training inputs have several scales, where later inputs are not on a grid of 8-bit values
(noise, mixtures, resized pictures), or where the common table of both parts is unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.behind import behind, read_at
from ...graph.flow import RESHAPING, chain, operands, produced, tensors
from ...graph.ledger import ledger
from ...graph.scopes import targets
from ...graph.source import Source
from ...graph.training import answers, of_kind, place
from ...trace import Event, Origin, Site, StepFact, TensorFact, Trace, Unscaled
from ..facts import Facts
from ..loop_remedy import PrepareAsThere
from ..remedy import InsertLine, Remedy

code = "SW277"
APART = 1.02
DEEP = 6
KEEPING = RESHAPING | {"to", "float", "double", "cpu", "clone", "detach", "contiguous"}


def check(trace: Trace) -> Iterator[Facts]:
    """The first such call of each model, and the table of which one part was scaled."""
    found = trace.data.unscaled
    if found is not None and found.word:
        yield Facts(
            found.judged.site,
            message="words",
            why="words_why",
            fields={"word": found.word, "trained": found.numbers[0], "judged": found.numbers[1]},
            origins=_made(trace, found.judged.site)
            + _made(trace, found.trained.site)
            + (place(trace, found.where) if found.where is not None else ()),
        )
        return
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
            remedy=_as_other(trace, found) or PrepareAsThere(found.trained.site),
        )
        return
    yield from _one_side(trace)
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
                origins=_read(trace, step) + place(trace, trained[0].site) + _read(trace, trained[0]),
            )
            break


def _as_other(trace: Trace, found: Unscaled) -> Remedy | None:
    """The statement that scaled one part, for the other part: with what another part told, where a scaler was fit, or
    with numbers that it does not take of the part itself."""
    for one, other in ((found.trained, found.judged), (found.judged, found.trained)):
        made = Source(trace).statement_at(one.site)
        if not isinstance(made, ast.Assign) or targets(made) != [one.name]:
            continue
        again = ast.parse(ast.unparse(made))
        names = [part for part in ast.walk(again) if isinstance(part, ast.Name) and part.id == one.name]
        for name in names:
            name.id = other.name
        for part in ast.walk(again):
            if isinstance(part, ast.Attribute) and part.attr == "fit_transform":
                part.attr = "transform"
        if len(names) == 2:  # bound, and read once
            return InsertLine(ast.unparse(again), site=one.site, below=True)
    return None


def _one_side(trace: Trace) -> Iterator[Facts]:
    """The calls of a model that are given batches as they are, while those of the other kind (in training, or after)
    are given batches of the same table, scaled."""
    tables = {loader["sites"][-1]: loader["table"] for loader in trace.data.loaders if loader["sites"]}
    learned = ledger(trace).learned
    models: dict[int, tuple[list, list]] = {}
    for step in of_kind(trace, "forward"):
        given = next(tensors(step.data["args"]), None)
        raw = _raw(trace, given) if given is not None and step.site is not None else None
        sides = models.setdefault(step.data["module"], ([], []))
        sides[not answers(step) & learned].append((step, *raw) if raw is not None else None)
    for module, pair in models.items():
        if not all(pair) or any(call is None for side in pair for call in side):
            continue
        scaled = [[events for *_, events in side] for side in pair]
        for own, other in ((0, 1), (1, 0)):
            step, loader, _ = pair[own][0]
            first, source, events = pair[other][0]
            drawn = {tables.get(at) for side in pair for _, at, _ in side}
            if any(scaled[own]) or not all(scaled[other]) or len(drawn) != 1 or None in drawn:
                continue
            yield Facts(
                step.site,
                message="one_side",
                why="one_side_why",
                fields={
                    "model": trace.modules[module].kind if module in trace.modules else "",
                    "line": events[-1].site.line,
                    "call": first.site.line,
                },
                origins=tuple(o for site in (events[-1].site, first.site, loader, source) for o in place(trace, site)),
            )


def _raw(trace: Trace, fact: TensorFact) -> tuple[Site, list[Event]] | None:
    """The loader that gave a batch and the operators that scaled it by what is the same for every batch; `None` where
    anything else was made of it."""
    found: list[Event] = []
    made: list[int] = []
    for _ in range(12):
        event = produced(trace, fact)
        origin = fact.axes[0].origin if fact.axes else None
        if origin is None or origin.kind != "loader" or origin.site is None:
            return None
        given = operands(event) if event is not None else []
        batches = [part for part in given if part.axes and part.axes[0].origin == origin]
        if event is None or not batches:  # as the loader's samples were joined
            return None if any(one > fact.producer for one in made) else (origin.site, found)
        if event.op not in KEEPING:
            if not ops.is_a(event.op, "adds", "subtracts", "scales", "divides") or event.site is None:
                return None
            made += [_first(trace, part) for part in given if part not in batches]
            found.append(event)
        if len(batches) != 1:
            return None
        fact = batches[0]
    return None


def _first(trace: Trace, fact: TensorFact) -> int:
    """The event that made a tensor's values, its form and place aside."""
    *_, first = (fact.producer, *(e.index for e in chain(trace, fact, lambda e: e.op in KEEPING)))
    return first


def _made(trace: Trace, site: Site) -> tuple[Origin, ...]:
    """The statement that bound a table, whole."""
    return place(trace, next(iter(behind(trace, site, 0))))


def _read(trace: Trace, step: StepFact) -> tuple[Origin, ...]:
    """Where the pictures of a call come from: through the loader that gave them, or by the names on the call's line."""
    given = next(tensors(step.data["args"]), None)
    origin = given.axes[0].origin if given is not None and given.axes else None
    loader = origin.site if origin is not None else None
    starts = [site for site in (loader, step.site) if site is not None]
    lines = dict.fromkeys(read_at(trace, loader) if loader is not None else ())
    lines |= dict.fromkeys(one for site in starts for one in behind(trace, site, DEEP) if one.line != step.site.line)
    return tuple(origin for one in lines for origin in place(trace, one))


MESSAGES = {
    "en": {
        "message": "{model} is given pictures here on a different scale from the training pictures (line {line})",
        "why": (
            "a difference of 1 between 8-bit pixel values becomes {judged} here and {trained} in training: the two "
            "scales differ by a factor of {ratio}"
        ),
        "table": "the model was trained on the scale of {trained}, but {judged} has a different scale",
        "table_why": (
            "{trained} (line {first}) and {judged} (line {second}) are parts of one table, and only one of them is "
            "scaled: the model reads the same columns on two scales"
        ),
        "words": "the evaluation data and the training data number the categories differently",
        "words_why": (
            '"{word}" has number {trained} in the training rows and number {judged} here, so the model reads it as a '
            "different category"
        ),
        "one_side": "the inputs of {model} are scaled on line {line}, but not here",
        "one_side_why": (
            "this call and the call on line {call} get batches of the same table, but only those for line {call} are "
            "scaled: the model reads the same values on two scales"
        ),
    },
    "es": {
        "message": (
            "las imágenes que {model} recibe aquí no tienen la misma escala que las de entrenamiento (línea {line})"
        ),
        "why": (
            "una diferencia de 1 entre valores de píxel de 8 bits equivale aquí a {judged} y en el entrenamiento a "
            "{trained}: las dos escalas difieren en un factor de {ratio}"
        ),
        "table": "el modelo se entrenó en la escala de {trained}, pero {judged} tiene otra escala",
        "table_why": (
            "{trained} (línea {first}) y {judged} (línea {second}) son partes de una misma tabla y solo una de ellas "
            "está escalada: el modelo lee las mismas columnas en dos escalas"
        ),
        "words": "los datos de evaluación y los de entrenamiento numeran las categorías de forma distinta",
        "words_why": (
            "«{word}» tiene el número {trained} en las filas de entrenamiento y aquí el {judged}, así que el modelo lo "
            "lee como otra categoría"
        ),
        "one_side": "las entradas de {model} se escalan en la línea {line}, pero aquí no",
        "one_side_why": (
            "esta llamada y la de la línea {call} reciben lotes de la misma tabla, pero solo se escalan los de la "
            "línea {call}: el modelo lee los mismos valores en dos escalas"
        ),
    },
    "ja": {
        "message": "{model} にここで渡される画像は、学習時 ({line} 行目) とスケールが異なります",
        "why": (
            "8 ビットの画素値の差 1 が、ここでは {judged}、学習時は {trained} になっており、スケールが {ratio} "
            "倍違います"
        ),
        "table": "{judged} は、モデルが学習した {trained} とスケールが異なります",
        "table_why": (
            "{trained} ({first} 行目) と {judged} ({second} 行目) は同じ表の一部ですが、片方だけがスケーリングされてい"
            "ます。モデルは同じ列を 2 通りのスケールで受け取ります"
        ),
        "words": "評価データと学習データで、カテゴリの番号の付け方が違います",
        "words_why": (
            "「{word}」は学習用の行では {trained} 番ですが、ここでは {judged} 番なので、モデルは別のカテゴリとして扱い"
            "ます"
        ),
        "one_side": "{model} の入力が {line} 行目ではスケーリングされますが、ここではされていません",
        "one_side_why": (
            "この呼び出しと {call} 行目の呼び出しは同じ表のバッチを受け取りますが、スケーリングされるのは {call} 行目の"
            "バッチだけです。モデルは同じ値を 2 通りのスケールで受け取ります"
        ),
    },
}
