"""A denoising model is trained to predict different noise from the noise that was added to its input.

## What it finds
A regression loss whose target is newly sampled noise, while a different sample of the same shape was mixed into the
model's input: nothing that the model reads depends on the target. Also data that were mixed with noise, masked at
random or moved by an attack, and that nothing reads, while the model is trained on the unchanged data; noise sampled by
a model that affects neither its output nor the loss; steps that are sampled separately for the noisy input and for the
model; and a model that is given the clean data although it should predict the noise that was mixed with them.

## Why it hurts
A target that the input does not depend on cannot be predicted: with a squared error the expected loss is at least the
variance of the noise. Noise that is never used has no effect.

## Example
    x_t = a * x0 + b * torch.randn_like(x0)
    loss = F.mse_loss(model(x_t, t), torch.randn_like(x0))

## Instead
    noise = torch.randn_like(x0)
    x_t = a * x0 + b * noise
    loss = F.mse_loss(model(x_t, t), noise)

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.batches import stored
from ...graph.flow import (
    REGRESSION_LOSSES,
    chain,
    consumers,
    lineage,
    maker,
    one_per_place,
    operands,
    produced,
    reduced_to_scalar,
    result_shape,
    tensors,
)
from ...graph.ledger import ledger
from ...graph.scopes import around, loop_around
from ...graph.source import FUNCTIONS, Source, walk
from ...graph.training import ancestors, answers, descendants, of_kind, place
from ...graph.versions import unread_versions
from ...trace import Binding, Event, Site, StepFact, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW297"
of_any_rank = True
aliases = ("noise-never-seen",)
NOISE = ops.named("draws_normal")
STEPS = frozenset({"randint", "randint_like", "rand", "rand_like"})


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every regression of one draw of noise on an input with another one, and all that was disturbed for nobody."""
    told = list(_disturbed(trace))
    yield from told
    for one in unread_versions(trace) if not told else ():
        fields = {"name": one.name, "line": one.call.line}
        yield Facts(one.site, "unread", "why_unread", fields, place(trace, one.call))
    yield from _unused(trace)
    yield from _other_steps(trace)
    for event in trace.events:
        if event.site is None or (event.op not in REGRESSION_LOSSES and event.op != "sub") or len(operands(event)) != 2:
            continue
        if event.op == "sub" and not any(
            ops.is_a(user.op, "multiplies", "powers", "magnitudes") and reduced_to_scalar(trace, user) is not None
            for user in consumers(trace, event.index)
        ):
            continue
        for answer, target in (operands(event), operands(event)[::-1]):
            drawn = maker(trace, target, _passes)
            if not answer.requires_grad or target.requires_grad or drawn is None or drawn.op not in NOISE:
                continue
            made = ancestors(trace, answer)
            added = next(
                (
                    other
                    for other in made.values()
                    if other.op in NOISE
                    and isinstance(other.result, TensorFact)
                    and other.result.shape == target.shape
                    and _mixed(trace, other, made)
                ),
                None,
            )
            if drawn.index not in made and added is None:
                yield from _left_clean(trace, event, drawn, made)
            elif drawn.index not in made and added is not None and _for_loss(trace, target, drawn):
                yield Facts(
                    event.site,
                    fields={
                        "line": added.site.line if added.site else "?",
                        "target": drawn.site.line if drawn.site else "?",
                    },
                    origins=place(trace, added.site) + place(trace, drawn.site),
                    remedy=Rewrite(name, drawn.site) if (name := _name(trace, added.result)) else None,
                    event=event.index,
                )


def _passes(event: Event) -> bool:
    """Whether a call hands on the numbers that it was given, to another device perhaps."""
    return ops.is_a(event.op, "keeps_values") and ops.is_a(event.op, "pointwise")


def _for_loss(trace: Trace, target: TensorFact, drawn: Event) -> bool:
    """Whether nothing but the loss reads what was drawn."""
    return all(len(consumers(trace, event.index)) == 1 for event in chain(trace, target, _passes))


def _left_clean(trace: Trace, event: Event, drawn: Event, made: dict[int, Event]) -> Iterator[Facts]:
    """A regression on noise that was mixed with the very data that the model was given as they were."""
    after = descendants(trace, list(tensors(drawn.result)), 12).values()
    sums = [one for one in after if ops.is_a(one.op, "adds") and one.index not in made]
    for step in (step for step in of_kind(trace, "forward") if not answers(step).isdisjoint(made)):
        for mixed in sums:
            near = [fact for side in operands(mixed) for fact in (side, *operands(produced(trace, side) or mixed))]
            if step.site and any(fact.shape == result_shape(drawn) and _takes(step, fact) for fact in near):
                yield Facts(
                    step.site,
                    message="clean",
                    why="why_clean",
                    fields={"line": mixed.site.line if mixed.site else "?", "op": event.op},
                    origins=place(trace, mixed.site) + place(trace, event.site),
                )
                return


def _disturbed(trace: Trace) -> Iterator[Facts]:
    """Data that was mixed with a draw and bound to a name that nothing reads, while a model is trained on the data as
    they were."""
    source, told = Source(trace), set()
    passes = [step for step in of_kind(trace, "forward") if any(f.requires_grad for f in tensors(step.data["result"]))]
    for bound in trace.bound:
        event = produced(trace, bound.fact)
        if event is None or bound.site in told or not ops.is_a(event.op, "adds", "multiplies", "masks"):
            continue
        told.add(bound.site)
        parts = operands(event)
        clean = [fact for fact in parts if fact.shape == bound.fact.shape]
        drawn = [fact for fact in parts if _drawn(trace, fact)]
        calls = (step for fact in clean if _beside(trace, drawn, fact) for step in passes if _takes(step, fact))
        call = next(calls, None)
        if call is not None and _idle(trace, source, bound, event):
            yield Facts(
                bound.site,
                message="unread",
                why="why_unread",
                fields={"name": bound.name, "line": call.site.line if call.site else 0},
                origins=place(trace, call.site),
                event=event.index,
            )


def _unused(trace: Trace) -> Iterator[Facts]:
    """Noise that a model draws while it is trained and that ends within it: neither a loss nor what the model returns
    is computed from it."""
    drawn = [event for event in trace.events if event.op in NOISE and event.site is not None and event.modules]
    if not drawn:
        return
    book = ledger(trace)
    passes = {step.data["module"] for step in of_kind(trace, "forward") if answers(step) & book.learned}
    told: dict[Site, tuple[Event, list[Event]]] = {}
    heard: set[Site] = set()
    for event in (event for event in drawn if event.modules[0] in passes):
        after = book.confined([event], 60)
        if after is None or not book.learned.isdisjoint(one.index for one in after):
            heard.add(event.site)
        elif "grad" in event.flags and any(fact.shape for fact in tensors(event.result)):
            told.setdefault(event.site, (event, after))
    for site in told.keys() - heard:
        event, after = told[site]
        model = trace.modules.get(event.modules[0])
        lines = dict.fromkeys(one for made in (*after[-1:], event) for one in made.stack[::-1] if one != site)
        yield Facts(
            site,
            message="unused",
            why="why_unused",
            fields={"model": model.kind if model is not None else ""},
            origins=tuple(origin for one in list(lines)[:4] for origin in place(trace, one)),
            event=event.index,
        )


def _other_steps(trace: Trace) -> Iterator[Facts]:
    """A model that is told of steps drawn anew, while its noisy input was made with another draw of the same kind."""
    for step in of_kind(trace, "forward"):
        if step.site is None or not any(fact.requires_grad for fact in tensors(step.data["result"])):
            continue
        mixed: list[Event] = []
        told: list[Event] = []
        for fact in tensors((step.data["args"], step.data["kwargs"])):
            made = list(lineage(trace, fact, lambda one: () if ops.is_a(one.op, "draws") else operands(one), 60))
            noisy = any(one.op in NOISE for one in made) and any(ops.is_a(one.op, "adds") for one in made)
            (mixed if noisy else told).extend(one for one in made if one.op in STEPS)
        other = next((one for one in told for used in mixed if _alike(one, used)), None)
        if other is None or {one.index for one in told} & {one.index for one in mixed}:
            continue
        used = next(one for one in mixed if _alike(one, other))
        yield Facts(
            step.site,
            message="other_steps",
            why="why_other_steps",
            fields={
                "line": used.site.line if used.site else "?",
                "again": other.site.line if other.site else "?",
                "op": other.op,
            },
            origins=place(trace, other.site) + place(trace, used.site),
            event=other.index,
        )


def _alike(one: Event, other: Event) -> bool:
    """Whether two are draws of the same numbers for as many samples."""
    same = one.op == other.op and result_shape(one) == result_shape(other) and one.index != other.index
    numbers = ([part for part in made.args if isinstance(part, (int, float))] for made in (one, other))
    return same and result_shape(one) != () and next(numbers) == next(numbers)


def _drawn(trace: Trace, fact: TensorFact) -> bool:
    """Whether nothing but a draw of random numbers, perhaps scaled or compared, is in a tensor."""
    queue, drawn = [fact], False
    for _ in range(12):
        made = produced(trace, queue.pop()) if queue else None
        if made is None:
            return drawn and not queue
        if ops.is_a(made.op, "draws") or made.op in NOISE:
            drawn = True
        elif ops.is_a(made.op, "pointwise", "reshapes", "casts", "moves") and operands(made):
            queue += operands(made)
        else:
            return False
    return False


def _beside(trace: Trace, drawn: list[TensorFact], clean: TensorFact) -> bool:
    """Whether any of what was drawn is neither the data itself nor computed from its values."""

    def follow(made: Event) -> list[TensorFact]:  # a draw takes no more than the shape
        return [] if ops.is_a(made.op, "draws") or made.op in NOISE else operands(made)

    return any(
        fact.uid != clean.uid and all(made.index != clean.producer for made in lineage(trace, fact, follow, 4000))
        for fact in drawn
    )


def _takes(step: StepFact, fact: TensorFact) -> bool:
    """Whether a model was given a tensor itself."""
    return any(given.uid == fact.uid for given in tensors((step.data["args"], step.data["kwargs"])))


def _idle(trace: Trace, source: Source, bound: Binding, event: Event) -> bool:
    """Whether what was bound to a name is read by nothing but the statements that bind the name anew."""
    statement = source.statement_on(bound.site.file, bound.site.line)
    scope = next((one for one in around(statement) if isinstance(one, (*FUNCTIONS, ast.Module))), None)
    if scope is None:
        return False
    own = [node for node in walk(scope) if isinstance(node, ast.Assign) and stored(node) == {bound.name}]
    inside, here = {part for node in own for part in walk(node)}, set(walk(loop_around(statement) or scope))
    for part in walk(scope):
        if (
            isinstance(part, ast.Name)
            and part.id == bound.name
            and isinstance(part.ctx, ast.Load)
            and part not in inside
        ):
            anew = any(node not in here and bound.site.line < node.lineno <= part.lineno for node in own)
            if part in here or (part.lineno > bound.site.line and not anew):
                return False
    lines = {line for node in own for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    users = descendants(trace, list(tensors(event.result)), 20).values()
    return bool(own) and all(user.site is not None and user.site.line in lines for user in users)


def _name(trace: Trace, fact: TensorFact) -> str:
    """The variable that a tensor was bound to first."""
    return next((bound.name for bound in trace.bound if bound.fact.uid == fact.uid), "")


def _mixed(trace: Trace, noise: Event, made: dict[int, Event]) -> bool:
    """Whether a draw is scaled and added to something on its way into the model."""
    for user in consumers(trace, noise.index):
        if (
            ops.is_a(user.op, "adds", "multiplies")
            and user.index in made
            and (
                user.op == "add"
                or any(ops.is_a(later.op, "offsets") and later.index in made for later in consumers(trace, user.index))
            )
        ):
            return True
    return False


MESSAGES = {
    "en": {
        "message": (
            "the model is trained to predict noise that was never added to its input: the target is a different random "
            "sample"
        ),
        "other_steps": "the steps given to the model differ from the steps that determined the noise in its input",
        "why_other_steps": (
            "the noise was added for the steps sampled on line {line}, but the model is given steps sampled again by "
            "{op} on line {again}. These do not tell the model how noisy its input is"
        ),
        "clean": "the model is given the input without the noise that it should predict",
        "why_clean": (
            "line {line} mixes this input with noise, and the target of {op} is the same noise, but the model is given "
            "nothing that contains this noise"
        ),
        "unread": "{name}, a disturbed copy of the input, is not given to any model",
        "why_unread": (
            "line {line} calls the model with the unchanged input, and nothing reads {name}: the disturbance has no "
            "effect on training"
        ),
        "unused": "the noise that {model} draws here has no effect",
        "why_unused": "neither the loss nor the output of {model} is computed from this noise",
        "why": (
            "the model's input was mixed with the noise of line {line}, but the target is noise sampled again on line "
            "{target}. The input contains no information about that noise"
        ),
    },
    "es": {
        "message": (
            "el modelo se entrena para predecir un ruido que no se añadió a su entrada: el objetivo es otra muestra "
            "aleatoria"
        ),
        "other_steps": "los pasos que recibe el modelo no son los que determinaron el ruido de su entrada",
        "why_other_steps": (
            "el ruido se añadió según los pasos muestreados en la línea {line}, pero el modelo recibe pasos "
            "muestreados de nuevo por {op} en la línea {again}. Estos no indican cuánto ruido tiene la entrada"
        ),
        "clean": "el modelo recibe la entrada sin el ruido que debe predecir",
        "why_clean": (
            "la línea {line} mezcla esta entrada con ruido, y el objetivo de {op} es ese mismo ruido, pero el modelo "
            "no recibe nada que lo contenga"
        ),
        "unread": "{name}, una copia alterada de la entrada, no se pasa a ningún modelo",
        "why_unread": (
            "la línea {line} llama al modelo con la entrada sin alterar, y nada lee {name}: la alteración no "
            "afecta al entrenamiento"
        ),
        "unused": "el ruido que {model} genera aquí no tiene efecto",
        "why_unused": "ni la pérdida ni la salida de {model} se calculan con ese ruido",
        "why": (
            "la entrada del modelo se mezcló con el ruido de la línea {line}, pero el objetivo es ruido muestreado de "
            "nuevo en la línea {target}. La entrada no contiene información sobre ese ruido"
        ),
    },
    "ja": {
        "message": (
            "入力に加えられていないノイズを予測するようにモデルが学習しています。ターゲットは別にサンプリングされたノイ"
            "ズです"
        ),
        "other_steps": "モデルに渡されるステップが、入力のノイズの量を決めたステップと違います",
        "why_other_steps": (
            "ノイズは {line} 行目でサンプリングしたステップに従って加えられましたが、モデルには {again} 行目の {op} で"
            "サンプリングし直したステップが渡されています。これは入力のノイズの量を表しません"
        ),
        "clean": "モデルに、予測すべきノイズを加える前の入力が渡されています",
        "why_clean": (
            "{line} 行目でこの入力にノイズを混ぜ、{op} のターゲットも同じノイズですが、モデルにはこのノイズを含むものが"
            "渡されていません"
        ),
        "unread": "入力に摂動を加えた {name} が、どのモデルにも渡されていません",
        "why_unread": (
            "{line} 行目でモデルに渡されるのは元の入力で、{name} はどこからも読まれません。摂動は学習に影響しません"
        ),
        "unused": "{model} がここで生成するノイズは、どこにも使われていません",
        "why_unused": "損失も {model} の出力もこのノイズから計算されません",
        "why": (
            "入力に混ぜたのは {line} 行目のノイズですが、ターゲットは {target} 行目で新しくサンプリングされたノイズです"
            "。入力から、そのノイズについては何も分かりません"
        ),
    },
}
