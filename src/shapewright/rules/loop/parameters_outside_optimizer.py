"""Parameters receive gradients, but no optimizer holds them.

## What it finds
Layers kept in a plain Python list or dict, so that `model.parameters()` does not see them; layers made or replaced
after the optimizer; layers that were frozen when the optimizer picked its parameters and were unfrozen later; a tensor
with `requires_grad` that a model keeps and that is no `nn.Parameter`, or that functions compute with while the
optimizer holds others; a whole model, built from scratch and called in training mode, that no optimizer holds.

## Why it hurts
These layers keep their initial weights. `model.to`, `state_dict` and `eval` do not reach unregistered ones either.

## Example
    # self.layers = [nn.Linear(8, 8) for _ in range(3)]; model.fc = nn.Linear(64, 5) after
    # Adam(model.parameters()).

## Instead
    # nn.ModuleList([...]); make the optimizer last; hand all parameters that are to learn to an optimizer.

## Fix safety
`nn.ModuleList` and moving the optimizer down are safe. Frozen parts (`requires_grad_(False)`), loaded weights, copies
and heads trained alone on purpose are not reported.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator

from ...graph.copies import stepped_by_hand
from ...graph.flow import grouped, tensors
from ...graph.ledger import ledger
from ...graph.source import Source
from ...graph.training import (
    built,
    descendants,
    gathered,
    gathered_by_call,
    misses,
    of_kind,
    place,
    stepped_after,
    stepped_beside,
)
from ...trace import GradientReach, ProbeFact, Site, StepFact, Trace
from ..facts import Facts
from ..loop_remedy import HandOver
from ..remedy import Rewrite

code = "SW305"
SEVERITIES = {
    "unregistered": "error",
    "replaced": "error",
    "thawed": "error",
    "forgotten": "warning",
    "part": "warning",
}


def check(trace: Trace) -> Iterator[Facts]:
    book, starved, inputs = ledger(trace), _starved(trace), _only_inputs(trace)
    yield from _frozen(trace)
    yield from _loose(trace)
    for answer in trace.answers(GradientReach):
        kind = answer.data.kind
        if kind == "forgotten" and starved:
            # an optimizer that gets no gradient at all is the fault; where the gradients go instead follows from it
            continue
        if kind not in SEVERITIES or answer.site is None or (kind == "forgotten" and inputs):
            continue
        own = book.networks.get(answer.module, frozenset())
        if kind == "forgotten" and not stepped_after(trace, own):
            continue
        if kind == "unregistered":
            own = frozenset(uid for uid, fact in book.parameters.items() if fact.module in answer.data.modules)
        if kind in ("forgotten", "unregistered") and own & (book.written | stepped_by_hand(trace)):
            continue  # it is a copy: what trains another network trains it too; or the script steps it by hand
        wrong = _wrong(trace, answer) if kind == "forgotten" else None
        optimizer, kinds = answer.data.optimizer, answer.data.kinds
        if kind == "forgotten" and (nearest := stepped_beside(trace, own)) is not None:
            optimizer = nearest
        if kind == "thawed":
            yield from _thawed(trace, answer, optimizer)
            continue
        site = built(trace, wrong.site) if wrong is not None else answer.site
        if kind == "part" and optimizer is not None:
            site = built(trace, optimizer)
        kind, several = ("instead" if wrong is not None else kind), len([*of_kind(trace, "optimizer")]) > 1
        added = []
        if kind == "part":
            added = [*gathered_by_call(trace, site), *(gathered(trace, site) if optimizer != site else ())][:3]
        yield Facts(
            site,
            message=kind,
            why=f"{kind}_why",
            fields={
                "layer": kinds[0],
                "layers": len(kinds),
                "count": answer.data.parameters,
                "model": answer.data.model,
                "line": optimizer.line if optimizer else 0,
            },
            origins=place(trace, optimizer if wrong is None and kind != "part" else answer.site)
            + tuple(o for other in (*added, *answer.stack[:-1]) for o in place(trace, other)),
            severity=SEVERITIES.get(kind, "error"),
            remedy=HandOver(tuple(answer.data.modules), instead=wrong is not None and several),
        )


def _loose(trace: Trace) -> Iterator[Facts]:
    """Every tensor that a model, or functions, keep and learn for, and that is no parameter of the model."""
    made_for = [step.site for step in of_kind(trace, "optimizer") if step.site is not None and step.data.get("held")]
    for made, fact, user in ledger(trace).loose:
        model = trace.modules[user.modules[-1]].kind if user.modules else ""
        line = made.stack[-2] if len(made.stack) > 1 and not model else made.site  # a helper makes them all
        yield Facts(
            made.site if model or not made_for else built(trace, made_for[0]),
            message="loose" if model else "unheld",
            why="loose_why" if model else "unheld_why",
            fields={"model": model, "made": line.line, "count": math.prod(fact.sizes), "line": user.site.line},
            origins=place(trace, user.site) + (() if model else place(trace, line)),
            remedy=Rewrite("torch.nn.Parameter({})") if model else None,
        )


def _only_inputs(trace: Trace) -> bool:
    """Whether what the optimizers hold belongs to no model and is handed to one: a picture or a latent is trained, and
    the model only judges it."""
    book = ledger(trace)
    held = frozenset().union(*book.held.values())
    if not held or any(uid in book.parameters and book.parameters[uid].models for uid in held):
        return False
    users = [event for event in trace.events if any(fact.uid in held for fact in event.given)]
    made = [fact for event in users for fact in tensors(event.result)]
    return any(event.modules for event in (*users, *descendants(trace, made).values()))


def _frozen(trace: Trace) -> Iterator[Facts]:
    """Every optimizer that holds frozen parameters of a model, while others of it that learn are in none."""
    book = ledger(trace)
    for made in of_kind(trace, "optimizer"):
        own = [book.parameters[uid] for uid in made.data.get("held", ()) if uid in book.parameters]
        frozen = [fact for fact in own if not fact.learns]
        later = trace.steps[made.index :]
        stepping = {step.data["optimizer"] for step in later if step.kind == "step"}
        holding = frozenset().union(*(book.held.get(key, frozenset()) for key in stepping))
        reached = {uid for step in later if step.kind == "backward" for uid in step.data.get("grads", ())} - holding
        models = {model for fact in frozen for model in fact.models}
        loose = [fact for uid in reached if (fact := book.parameters.get(uid)) and models & set(fact.models)]
        if frozen and loose and made.site is not None and made.data["optimizer"] in stepping:
            site = built(trace, made.site)
            yield Facts(
                site,
                message="frozen",
                why="frozen_why",
                fields={
                    "layer": frozen[0].name,
                    "layers": len(frozen),
                    "count": len(loose),
                    "model": book.model_of(loose[0]),
                    "line": made.site.line,
                },
                origins=place(trace, loose[0].site, "constructor"),
                remedy=HandOver(tuple({fact.module for fact in loose})),
            )


def _wrong(trace: Trace, answer: ProbeFact[GradientReach]) -> StepFact | None:
    """The optimizer that was made for parameters it, or another one, holds already: this model was meant."""
    made = [step for step in of_kind(trace, "optimizer") if step.site is not None and step.data.get("held")]
    held = {step.index: set(step.data["held"]) for step in made}
    twice = {step.index for step in made if len(held[step.index]) < len(step.data["held"])}
    for step, other in itertools.permutations(made, 2):
        twice |= {step.index, other.index} if held[step.index] <= held[other.index] else set()
    lost = ledger(trace).networks.get(answer.module, frozenset())
    if len(made) == 1:
        return made[0]
    return max((step for step in made if step.index in twice), key=lambda one: misses(trace, one, lost), default=None)


def _thawed(trace: Trace, answer: ProbeFact[GradientReach], optimizer: Site | None) -> Iterator[Facts]:
    """At the lines below the optimizer that unfreeze, else at the optimizer."""
    if optimizer is None:
        return
    source = Source(trace)
    lines = [
        source.site(node, optimizer.file)
        for node in source.nodes(optimizer.file)
        if _unfreezes(node) and node.lineno > optimizer.line
    ]
    around = [source.statement_on(optimizer.file, site.line) for site in lines]
    loops = [
        source.site(node.parent, optimizer.file)
        for node in around
        if isinstance(getattr(node, "parent", None), ast.For)
    ]
    places = lines or [optimizer]
    yield Facts(
        places[0],
        message="thawed",
        why="thawed_why",
        fields={
            "layer": answer.data.kinds[0],
            "layers": len(answer.data.kinds),
            "count": answer.data.parameters,
            "model": answer.data.model,
            "line": optimizer.line,
        },
        origins=place(trace, optimizer)
        + tuple(o for site in loops + places[1:] for o in place(trace, Site(site.file, site.line))),
        remedy=HandOver(tuple(answer.data.modules), optimizer),
    )


def _unfreezes(node: ast.AST) -> bool:
    """`p.requires_grad = True` or `x.requires_grad_()`."""
    if isinstance(node, ast.Assign):
        return (
            isinstance(node.targets[0], ast.Attribute)
            and node.targets[0].attr == "requires_grad"
            and getattr(node.value, "value", True) is not False
        )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_":
        return all(
            getattr(part, "value", True) is not False
            for part in (*node.args, *(keyword.value for keyword in node.keywords))
        )
    return False


def _starved(trace: Trace) -> bool:
    """Whether some optimizer stepped and never found a gradient."""
    found = grouped(
        (step.data["optimizer"], step.data["gradients"] > 0)
        for step in of_kind(trace, "step")
        if step.data.get("parameters") and not step.data.get("closure")
    )
    return any(not any(steps) for steps in found.values())


MESSAGES = {
    "en": {
        "unregistered": (
            "{model} uses layers that are not registered as submodules, so no optimizer gets their parameters (number "
            "of layers: {layers}, for example {layer})"
        ),
        "unregistered_why": (
            "{model}.parameters() does not include these layers (for example, because they are in a plain list or "
            "dict); no step uses the gradients of their parameters ({count})"
        ),
        "replaced": "{layer} was added to {model} after the optimizer was created: this layer is never updated",
        "replaced_why": (
            "the optimizer of line {line} holds only parameters that existed when it was created; no step uses the "
            "gradients of the parameters added later ({count})"
        ),
        "forgotten": "{model} is called in training mode and receives gradients, but no optimizer holds its parameters",
        "forgotten_why": (
            "the model's parameters ({count}) are in no optimizer, so no step updates them (the optimizer of line "
            "{line} holds other parameters); if that is intended, freeze them with requires_grad_(False)"
        ),
        "part": "the optimizer created here lacks layers of {model}; trainable layers in no optimizer: {layers}",
        "part_why": (
            "the parameters of these layers (for example {layer}; {count} parameters in all) receive gradients, but no "
            "step uses them; if that is intended, freeze the parameters with requires_grad_(False)"
        ),
        "instead": "no optimizer holds the parameters of {model}, not even the optimizer created here",
        "instead_why": "the parameters of {model} ({count}) get gradients in training, but no step uses the gradients",
        "loose": "this tensor requires gradients but is not a parameter of {model}: no optimizer changes it",
        "loose_why": (
            "{model} uses this tensor in training (line {line}), but parameters() returns only nn.Parameter objects: "
            "the {count} values of the tensor never change"
        ),
        "unheld": "the optimizer created here does not hold the tensor of line {made}, which requires gradients",
        "unheld_why": (
            "line {line} uses that tensor in training together with tensors that the optimizer holds, but no step "
            "changes its {count} values"
        ),
        "frozen": (
            "the optimizer gets frozen parameters (number: {layers}, for example {layer}), but trainable parameters of "
            "{model} are in no optimizer"
        ),
        "frozen_why": "other parameters of {model} ({count}) receive gradients, but no optimizer uses them",
        "thawed": (
            "layers of {model} were unfrozen after the optimizer was created, and the optimizer does not hold their "
            "parameters (number of layers: {layers}, for example {layer})"
        ),
        "thawed_why": (
            "these layers were frozen when line {line} created the optimizer, which does not hold them; now their "
            "parameters ({count}) receive gradients that no step uses"
        ),
    },
    "es": {
        "unregistered": (
            "{model} usa capas no registradas como submódulos, así que ningún optimizador recibe sus parámetros "
            "(número de capas: {layers}, por ejemplo {layer})"
        ),
        "unregistered_why": (
            "{model}.parameters() no incluye esas capas (por ejemplo, porque están en una lista o un diccionario de "
            "Python); ningún paso usa los gradientes de sus parámetros ({count})"
        ),
        "replaced": "{layer} se añadió a {model} después de crear el optimizador: esa capa nunca se actualiza",
        "replaced_why": (
            "el optimizador de la línea {line} solo tiene parámetros que existían cuando se creó; ningún paso usa los "
            "gradientes de los parámetros añadidos después ({count})"
        ),
        "forgotten": (
            "{model} se ejecuta en modo de entrenamiento y recibe gradientes, pero ningún optimizador tiene sus "
            "parámetros"
        ),
        "forgotten_why": (
            "ningún optimizador tiene los parámetros del modelo ({count}), así que ningún paso los actualiza (el de la "
            "línea {line} tiene otros); si es intencionado, congélalos con requires_grad_(False)"
        ),
        "part": "al optimizador creado aquí le faltan capas de {model}; capas entrenables sin optimizador: {layers}",
        "part_why": (
            "los parámetros de esas capas (por ejemplo {layer}; {count} parámetros en total) reciben gradientes, pero "
            "ningún paso los usa; si es intencionado, congela los parámetros con requires_grad_(False)"
        ),
        "instead": "ningún optimizador tiene los parámetros de {model}, ni siquiera el creado aquí",
        "instead_why": "los parámetros de {model} ({count}) reciben gradientes al entrenar, pero ningún paso los usa",
        "loose": "este tensor requiere gradiente, pero no es un parámetro de {model}: ningún optimizador lo cambia",
        "loose_why": (
            "{model} usa este tensor en el entrenamiento (línea {line}), pero parameters() solo devuelve objetos "
            "nn.Parameter: los {count} valores del tensor no cambian nunca"
        ),
        "unheld": "el optimizador creado aquí no tiene el tensor de la línea {made}, que requiere gradiente",
        "unheld_why": (
            "la línea {line} usa ese tensor en el entrenamiento junto con tensores que el optimizador sí tiene, pero "
            "ningún paso cambia sus {count} valores"
        ),
        "frozen": (
            "el optimizador recibe parámetros congelados (número: {layers}, por ejemplo {layer}), pero hay parámetros "
            "entrenables de {model} que no están en ningún optimizador"
        ),
        "frozen_why": "otros parámetros de {model} ({count}) reciben gradientes, pero ningún optimizador los usa",
        "thawed": (
            "hay capas de {model} que se descongelaron después de crear el optimizador, y este no tiene sus parámetros "
            "(número de capas: {layers}, por ejemplo {layer})"
        ),
        "thawed_why": (
            "esas capas estaban congeladas cuando la línea {line} creó el optimizador, que no las tiene; ahora sus "
            "parámetros ({count}) reciben gradientes que ningún paso usa"
        ),
    },
    "ja": {
        "unregistered": (
            "{model} が使う {layers} 個の層 ({layer} など) がサブモジュールとして登録されていないため、"
            "そのパラメータがオプティマイザに渡りません"
        ),
        "unregistered_why": (
            "これらの層は {model}.parameters() に含まれません (通常のリストや辞書に入れた場合など)。パラメータ ({count}"
            " 個) の勾配はどの更新でも使われません"
        ),
        "replaced": "{layer} はオプティマイザの作成後に {model} に加えられたため、更新されません",
        "replaced_why": (
            "{line} 行目のオプティマイザが持つのは、作成時に存在したパラメータだけです。後から加わったパラメータ ("
            "{count} 個) の勾配は、どの更新でも使われません"
        ),
        "forgotten": "{model} は学習モードで呼ばれ勾配も届きますが、パラメータがどのオプティマイザにも渡されていません",
        "forgotten_why": (
            "モデルのパラメータ ({count} 個) はどのオプティマイザにもなく、更新されません ({line} 行目のオプティマイザ"
            "にあるのは別のパラメータ)。意図的なら requires_grad_(False) で凍結してください"
        ),
        "part": (
            "ここで作られたオプティマイザは {model} の一部しか持ちません。学習可能な層のうち {layers} 個が、"
            "どのオプティマイザにも入っていません"
        ),
        "part_why": (
            "これらの層 ({layer} など) のパラメータ {count} 個には勾配が届きますが、どの更新でも使われません。"
            "意図したものなら requires_grad_(False) で凍結してください"
        ),
        "instead": "{model} のパラメータが、ここで作られたものも含めて、どのオプティマイザにもありません",
        "instead_why": "学習で {model} のパラメータ ({count} 個) に届く勾配が、どの更新でも使われません",
        "loose": "このテンソルは勾配を必要としますが、{model} のパラメータではないので更新されません",
        "loose_why": (
            "{model} は学習でこのテンソルを使いますが ({line} 行目)、parameters() が返すのは nn.Parameter だけです。"
            "テンソルの {count} 個の値は変わりません"
        ),
        "unheld": "ここで作られたオプティマイザは、勾配を必要とする {made} 行目のテンソルを持っていません",
        "unheld_why": (
            "このテンソルは {line} 行目で、オプティマイザが持つテンソルとともに学習の計算に使われますが、どの更新でも"
            "その {count} 個の値は変わりません"
        ),
        "frozen": (
            "オプティマイザに凍結済みのパラメータ ({layers} 個: {layer} など) が渡されていますが、{model} "
            "の学習可能なパラメータはどのオプティマイザにも入っていません"
        ),
        "frozen_why": "{model} のほかの {count} 個のパラメータに勾配が届きますが、どのオプティマイザも使いません",
        "thawed": (
            "{model} の {layers} 個の層 ({layer} など) はオプティマイザの作成後に凍結を解除されましたが、"
            "そのパラメータがオプティマイザに渡されていません"
        ),
        "thawed_why": (
            "{line} 行目でオプティマイザを作った時点では、これらの層は凍結されており、オプティマイザに入っていません。"
            "今はパラメータ ({count} 個) に勾配が届きますが、どの更新でも使われません"
        ),
    },
}
