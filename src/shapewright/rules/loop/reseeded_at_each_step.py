"""The random generator is given the same seed again and again during training.

## What it finds
A global generator (torch's, NumPy's, Python's) that is seeded at one line with one value, time and again while one
optimizer trains, and that the steps in between draw from. A generator of the script's own that is made anew with one
seed, where each step then learns from the very same numbers or from draws with a row for each sample; or one that a
data set seeds alike whenever a sample is read, so that the same noise is added to all samples, or all are rotated
alike; or a global one that every evaluation seeds, after which training goes on with the same random numbers each time.
Also networks of an ensemble that were seeded alike: their outputs are the same to the last bit.

## Why it hurts
Every step, or every epoch, draws the same numbers: the same noise, the same dropout masks, the same minibatch or order,
the same actions. The model can learn those few draws by heart.

## Example
    def loss_of(model, x):
        torch.manual_seed(0)
        noise = torch.randn_like(x)

## Instead
    torch.manual_seed(0)
    ...
    def loss_of(model, x):
        noise = torch.randn_like(x)

## Fix safety
Seeds before an evaluation after which training draws nothing, seeds that change, and seeds of a fold that trains a new
model are not reported.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from ... import ops
from ...graph.flow import grouped, maker, operands, tensors
from ...graph.ledger import ledger
from ...graph.scopes import around
from ...graph.source import Source
from ...graph.training import answers, of_kind, place
from ...trace import Site, StepFact, TensorFact, Trace
from ..facts import Facts
from ..remedy import MoveLine

code = "SW361"
LEAST = 3  # seedings, with a step after each; networks whose answers are joined
FEW = 6


def check(trace: Trace) -> Iterator[Facts]:
    """The first line that seeds a generator again and again: for each sample that is read, for each step or epoch."""
    for one in trace.data.reseeded:
        yield Facts(
            one.site,
            message="items",
            why="why_noise" if one.kind == "noise" else "why_form",
            fields={"value": one.value},
            severity="error" if one.kind == "noise" else "warning",
        )
    yield from _members(trace)
    seeded: dict[tuple[Site, str], list[StepFact]] = defaultdict(list)
    for step in trace.steps:
        if step.kind == "seed" and step.site is not None:
            seeded[step.site, step.data["source"]].append(step)
    for (site, _), seeds in seeded.items():
        if len({seed.data["value"] for seed in seeds}) > 1:
            continue
        if not seeds[0].data.get("own") and (first := _after_judging(trace, seeds)) is not None:
            fields = {"value": seeds[0].data["value"], "line": first.line}
            yield Facts(site, "judged", "why_judged", fields, place(trace, first), severity="warning")
            return
        first = [_training(trace, seed) for seed in seeds]
        steps = [step for step in first if step is not None]
        if len({step.index for step in steps}) < LEAST or len({step.data["optimizer"] for step in steps}) > 1:
            continue
        if any(step.kind == "optimizer" for step in trace.steps[seeds[0].index : steps[-1].index]):
            continue
        each = sum(step.kind == "step" for step in trace.steps[steps[0].index : steps[-1].index]) < len(steps)
        asked = any(
            other.kind == "forward" and not other.data["grad"]
            for seed, step in zip(seeds, first)
            if step is not None
            for other in trace.steps[seed.index : step.index]
        )
        if asked and not each:
            continue  # an evaluation
        own = bool(seeds[0].data.get("own"))
        if own and not _alike(trace, [(seed, step) for seed, step in zip(seeds, first) if step is not None]):
            continue  # what is drawn may be a table that is the same on purpose
        line = steps[0].site
        callers = [place(trace, other) for other in (*seeds[0].stack[-2::-1], line)]
        yield Facts(
            site,
            message=("own" if own else "message") if each else "own_epochs" if own else "epochs",
            fields={"value": seeds[0].data["value"], "count": len(steps), "line": line.line if line else 0},
            origins=tuple(origin for origins in callers for origin in origins),
            severity="error" if each else "warning",
            remedy=None if own else _once(trace, seeds[0]),
        )
        return


def _members(trace: Trace) -> Iterator[Facts]:
    """Networks whose trained answers are joined and are the same to the last bit: they were seeded alike."""
    seeds = [step for step in of_kind(trace, "seed") if step.site is not None]
    for event in (trace.events[index] for index in trace.data.equal if index < len(trace.events)):
        members = {_network(trace, fact) for fact in operands(event)} if ops.is_a(event.op, "joins") else set()
        if len(members) < LEAST or None in members or len(members) != len(operands(event)):
            continue
        alike = grouped(((one.data.get("own", False), one.site, one.data["value"]), one) for one in seeds)
        enough = [(key, found) for key, found in alike.items() if len(found) >= len(members)]
        (_, site, value), found = min(enough, key=lambda one: one[0][0], default=((False, event.site, None), []))
        callers = (*found[0].stack[-2::-1], event.site) if found else ()
        yield Facts(
            site,
            message="members" if found else "members_alike",
            why="why_members",
            fields={"count": len(members)} | ({"value": value} if found else {}),
            origins=tuple(origin for other in callers for origin in place(trace, other)),
        )
        return


def _network(trace: Trace, fact: TensorFact) -> int | None:
    """The network whose answer something is."""
    event = maker(trace, fact, lambda event: not event.modules, FEW)
    return event.modules[0] if event is not None else None


def _after_judging(trace: Trace, seeds: list[StepFact]) -> Site | None:
    """Where training goes on after each of several evaluations that seed a global generator, if it begins with the same
    numbers each time, and began with others before the first."""
    learning = [step for step in of_kind(trace, "forward") if answers(step) & ledger(trace).learned]
    turns = []
    for seed, until in zip(seeds, [*(one.index for one in seeds[1:]), len(trace.steps)]):
        then = next((step for step in learning if seed.index < step.index < until), None)
        judged = trace.steps[seed.index : then.index] if then is not None else ()
        if then is not None and any(step.kind == "forward" and not step.data["grad"] for step in judged):
            turns.append(then)
    marks = {step.data["marks"] for step in turns}
    before = next(
        (step for step in learning if step.index < seeds[0].index and turns and step.site == turns[0].site), None
    )
    told = len(turns) > 1 and len(marks) == 1 and before is not None and before.data["marks"] not in marks
    return turns[0].site if told and any(turns[0].data["marks"]) else None


def _alike(trace: Trace, turns: list[tuple[StepFact, StepFact]]) -> bool:
    """Whether each step after a seed learns from the same numbers, or from a draw that has one row a sample."""
    given = [_learned(trace, seed, step) for seed, step in turns]
    marks = [call.data["marks"] for call in given if call is not None and any(call.data["marks"])]
    if len(marks) >= LEAST and len(set(marks)) == 1:
        return True
    return all(
        call is not None and _per_sample(trace, seed, call) for (seed, _), call in list(zip(turns, given))[:LEAST]
    )


def _learned(trace: Trace, seed: StepFact, step: StepFact) -> StepFact | None:
    """The first model that a step learned from after a seed."""
    between = trace.steps[seed.index : step.index]
    return next((other for other in between if other.kind == "forward" and other.data["grad"]), None)


def _per_sample(trace: Trace, seed: StepFact, call: StepFact) -> bool:
    """Whether a generator of torch's was handed to a draw of as many rows as a model was then given."""
    rows = {fact.sizes[0] for fact in tensors((call.data["args"], call.data["kwargs"])) if fact.rank > 1}
    drawn = trace.events[seed.data["at"] : call.data["at"]]
    return any(
        event.kwargs.get("generator") is not None
        and seed.site is not None
        and event.site is not None
        and event.site.function == seed.site.function
        and bool(rows & {fact.sizes[0] for fact in tensors(event.result) if fact.rank > 1})
        for event in drawn
        if ops.is_a(event.op, "draws")
    )


def _once(trace: Trace, seed: StepFact) -> MoveLine | None:
    """Above the loops in which it is seeded, or away where the same generator was seeded before."""
    before = (one for one in trace.steps[: seed.index] if one.kind == "seed" and one.site != seed.site)
    if any(one.data["source"] == seed.data["source"] for one in before):
        return MoveLine(spare=True)
    source = Source(trace)
    for site in (*seed.stack, seed.site):
        node = source.statement_on(site.file, site.line) if site is not None else None
        if node is not None and any(isinstance(one, (ast.For, ast.While)) for one in around(node)):
            return MoveLine(above=site, outermost=True)
    return None


def _training(trace: Trace, seed: StepFact) -> StepFact | None:
    """The step after a seed, where it drew from the generator and no model was asked in evaluation mode before."""
    if not seed.data["drawn"]:
        return None
    for other in trace.steps[seed.index + 1 :]:
        if other.kind == "seed" and other.site == seed.site:
            return None
        if other.kind == "forward" and not other.data["grad"] and not other.data["training"]:
            return None
        if other.kind == "step":
            return other if other.site is not None else None
    return None


MESSAGES = {
    "en": {
        "message": "the random generator is seeded with {value} again before every step",
        "own": "a random generator with seed {value} is created again before every step",
        "epochs": "the random generator is seeded with {value} again in every epoch",
        "own_epochs": "a random generator with seed {value} is created again in every epoch",
        "judged": (
            "each evaluation seeds the random generator with {value}, and the training after it continues from that "
            "seed"
        ),
        "why_judged": (
            "after each evaluation, the training on line {line} started with the same random numbers, so its random "
            "choices (order, noise, dropout, …) repeat"
        ),
        "members": "the {count} networks whose outputs are combined were all seeded with {value}",
        "members_alike": "the outputs of the {count} networks that are combined here are all equal",
        "why_members": (
            "the outputs are equal to the last bit, as with the same initial weights and the same data order: their "
            "variance is zero, and their mean equals the output of a single network"
        ),
        "items": "a random generator is seeded with {value} each time a sample is read",
        "why_noise": "every sample gets the same noise in every epoch, so the model can memorize the noise",
        "why_form": "every sample gets the same change (rotation, flip, shift, …) in every epoch",
        "why": (
            "this line ran {count} times between the optimizer steps of line {line}, each time with the same seed: the "
            "noise, minibatches and other values that the generator draws afterwards are the same each time"
        ),
    },
    "es": {
        "message": "el generador aleatorio vuelve a inicializarse con la semilla {value} antes de cada paso",
        "own": "antes de cada paso se crea otra vez un generador aleatorio con la semilla {value}",
        "epochs": "el generador aleatorio vuelve a inicializarse con la semilla {value} en cada época",
        "own_epochs": "en cada época se crea otra vez un generador aleatorio con la semilla {value}",
        "judged": (
            "cada evaluación inicializa el generador aleatorio con la semilla {value}, y el entrenamiento posterior "
            "continúa desde esa semilla"
        ),
        "why_judged": (
            "tras cada evaluación, el entrenamiento de la línea {line} empezó con los mismos números aleatorios, así "
            "que sus elecciones al azar (orden, ruido, dropout, …) se repiten"
        ),
        "members": "las {count} redes cuyas salidas se combinan se inicializaron con la misma semilla, {value}",
        "members_alike": "las salidas de las {count} redes que se combinan aquí son todas iguales",
        "why_members": (
            "las salidas son iguales hasta el último bit, como ocurre con los mismos pesos iniciales y el mismo orden "
            "de los datos: su varianza es cero y su media es igual a la salida de una sola red"
        ),
        "items": "un generador aleatorio se inicializa con la semilla {value} cada vez que se lee una muestra",
        "why_noise": "todas las muestras reciben el mismo ruido en cada época, así que el modelo puede memorizarlo",
        "why_form": "todas las muestras reciben el mismo cambio (giro, volteo, desplazamiento, …) en cada época",
        "why": (
            "esta línea se ejecutó {count} veces entre los pasos del optimizador de la línea {line}, siempre con la "
            "misma semilla: el ruido, los minilotes y otros valores que el generador produce después son iguales cada "
            "vez"
        ),
    },
    "ja": {
        "message": "乱数生成器が、ステップのたびに同じシード {value} で初期化されています",
        "own": "ステップのたびに、同じシード {value} の乱数生成器が作り直されています",
        "epochs": "乱数生成器が、エポックのたびに同じシード {value} で初期化されています",
        "own_epochs": "エポックのたびに、同じシード {value} の乱数生成器が作り直されています",
        "judged": "評価のたびに乱数生成器がシード {value} で初期化され、その後の学習もこのシードから続きます",
        "why_judged": (
            "どの評価の後も、{line} 行目の学習は同じ乱数から始まりました。そのため順序、ノイズ、"
            "ドロップアウトなどの乱数が繰り返されます"
        ),
        "members": "出力を組み合わせる {count} 個のネットワークが、すべて同じシード {value} で作られています",
        "members_alike": "ここで組み合わせる {count} 個のネットワークの出力が、すべて等しくなっています",
        "why_members": (
            "初期の重みとデータの順序が同じ場合のように、出力が最後のビットまで一致しています。ばらつきは 0 で、平均は "
            "1 つのネットワークの出力と同じです"
        ),
        "items": "サンプルを読むたびに、乱数生成器がシード {value} で初期化されています",
        "why_noise": (
            "どのエポックでも、すべてのサンプルに同じノイズが加わるため、モデルがそのノイズを丸暗記できてしまいます"
        ),
        "why_form": "どのエポックでも、すべてのサンプルに同じ変換 (回転、反転、移動など) が適用されます",
        "why": (
            "この行は {line} 行目のオプティマイザの更新の合間に {count} 回、同じシードで実行されました。"
            "その後にこの生成器で作られるノイズやミニバッチなどは、毎回同じになります"
        ),
    },
}
