"""The first loss or its gradients are not finite, and an optimizer steps with them.

## What it finds
A first training step whose loss is NaN or infinite, or whose gradients are although the loss is finite, and the
operator where that begins: the logarithm of 0, a division by a sum that is 0, a softmax over a row that is masked
completely, a mean of nothing, the derivative of a square root at 0 (also behind `torch.where`), data with NaN.

## Why it hurts
Nothing raises. One step makes every parameter NaN, and training never recovers.

## Example
    loss = -(p * torch.log(p)).sum(1).mean()            # p is 0 where the model is certain

## Instead
    loss = -(p * torch.log(p.clamp(min=1e-8))).sum(1).mean()

## Fix safety
Which number belongs there is the author's choice: a root whose gradient is not finite at 0 gets a small one added, the
argument of a logarithm and a divisor that are 0 are clamped, as a possibility (unsafe). Steps that a `GradScaler` or a
test of the script skips are not reported, nor values that rest on data that the check made up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands, produced, written
from ...graph.source import Source
from ...graph.training import made_at, of_kind, place
from ...trace import Event, NotFinite, StepFact, TensorFact, Trace
from ..facts import Facts, distinct
from ..remedy import Rewrite

code = "SW348"
MADE_UP = frozenset(
    {
        "checkpoint-absent",
        "made-short",
        "made-small",
        "rows-left-out",
        "samples-made-up",
        "stand-in-array",
        "stand-in-dataset",
        "stand-in-environment",
        "stand-in-file",
        "stand-in-model",
        "stand-in-module",
        "stand-in-spaces",
        "stand-in-values",
        "unknown-dataset",
        "unknown-model",
        "value-assumed",
    }
)
FURTHEST, LONGEST = 200, 40


def check(trace: Trace) -> Iterator[Facts]:
    """The first step that is given gradients that are not finite, or whose loss never is."""
    if trace.engine == "dry":
        return
    steps, passes = list(of_kind(trace, "step")), list(of_kind(trace, "backward"))
    step = next((one for one in steps if one.data.get("broken")), None)
    for begun in passes:
        begins = (
            step is not None and begun.index < step.index and ("broken" in begun.data or "derivative" in begun.data)
        )
        used = step if begins else next((one for one in steps if one.index > begun.index), None)
        if used is None or not (begins or _never_finite(begun, passes)):
            continue
        made = _facts(trace, begun, used)
        if made is not None:
            yield made
            return


def _never_finite(begun: StepFact, passes: list[StepFact]) -> bool:
    """Whether a loss is not finite in any of the steps that were looked at."""
    told = ["broken" in one.data for one in passes if one.site == begun.site and "finite" in one.data]
    return len(told) > 1 and all(told)


def _facts(trace: Trace, begun: StepFact, step: StepFact) -> Facts | None:
    """What a `backward` began with, where its numbers stop being finite."""
    derived = begun.data.get("derivative") if "broken" not in begun.data else None
    found = derived or _origin(trace, begun)
    event = trace.event(found.event) if found is not None else None
    if begun.site is None or step.site is None or found is None or event is None or event.site is None:
        return None
    if not _certain(trace, found, begun, derived is not None):
        return None
    given = operands(event)
    bound = [one.site for fact in given for one in trace.bound if one.fact.uid == fact.uid]
    return Facts(
        event.site,
        message=found.kind if derived is None else f"derivative_{found.kind}",
        why="why_derivative" if derived is not None else "why" if step.data.get("broken") else "why_loss",
        fields={
            "op": event.op,
            "name": _named(trace, event, found),
            "value": found.value,
            "count": found.count,
            "size": found.size,
            "loss": begun.data.get("broken", ""),
            "line": begun.site.line,
            "step": step.site.line,
            "broken": step.data.get("broken", 0),
            "parameters": step.data["gradients"],
        },
        origins=distinct(
            (
                *(o for site in bound for o in place(trace, site)),
                *(o for fact in given[::-1] for o in made_at(trace, fact, event.site, 2)),
            ),
            event,
        ),
        event=event.index,
        remedy=_bounded(trace, found, event, derived is not None),
    )


def _bounded(trace: Trace, found: NotFinite, event: Event, derived: bool) -> Rewrite | None:
    """A number that keeps an argument from 0, how large is the author's choice: of a root, a logarithm, a divisor."""
    if derived and event.op == "sqrt":
        return Rewrite("{} + 1e-12", event.site, (0, "input"), True)
    if derived or found.kind != "zero":
        return None
    if ops.is_a(event.op, "logarithms"):
        return Rewrite("{}.clamp(min=1e-8)", event.site, (0, "input"), True)
    node, divisor = Source(trace).spanned(event.site, ast.BinOp), operands(event)[-1:]
    whole = bool(divisor) and not divisor[0].dtype.startswith("float")
    if node is None or not isinstance(node.op, ast.Div) or event.site is None:
        return None
    code = "{}.clamp(min=1)" if whole else "{}.clamp(min=1e-8)"
    return Rewrite(code, Source(trace).site(node.right, event.site.file), guessed=True)


def _named(trace: Trace, event: Event, found: NotFinite) -> str:
    """The operand that a call could not use: its name, or the expression that it is."""
    call = ops.bound(event)
    made = produced(trace, fact) if call is not None and isinstance(fact := call.get(found.name), TensorFact) else None
    text = Source(trace).site_text(made.site) if made is not None and made.site != event.site else ""
    return text if 0 < len(text) <= LONGEST else found.name or "input"


def _certain(trace: Trace, found: NotFinite, begun: StepFact, derived: bool) -> bool:
    """Whether the script's own numbers lead there: not those that were made up, and not parameters that have run
    off."""
    event = trace.events[found.event]
    if trace.data.made is not None or trace.data.invented is not None or trace.data.untrained:
        made_up = True
    else:
        made_up = any(one.kind in MADE_UP for one in trace.assumptions)
    if made_up:  # a weight's value is as good as another
        return found.kind == "negative" and any(fact.requires_grad for fact in operands(event)) and not derived
    return found.kind != "plain" or not any(one.index < begun.index for one in of_kind(trace, "step"))


def _origin(trace: Trace, begun: StepFact) -> NotFinite | None:
    """Where the numbers that make a loss not finite begin: behind a NaN may lie an infinity that made it."""
    known = {one.event: one for one in trace.data.not_finite}
    loss = begun.data.get("loss")
    now = known.get(loss.producer) if isinstance(loss, TensorFact) else None
    last, fills = None, written(trace)
    for _ in range(FURTHEST):
        if now is None:
            break
        last = now if now.kind else last
        if now.kind == "blocked":
            break
        event = trace.events[now.event]
        given = [at for fact in event.given for at in (fact.producer, *(e.index for e in fills.get(fact.producer, ())))]
        before = [known[at] for at in given if at in known and at < event.index]
        now = next((one for one in before if one.value == "nan"), next(iter(before), None))
    return last


MESSAGES = {
    "en": {
        "zero": (
            "{op} returns {value} at {count} of {size} elements, where {name} is 0: the training loss is not finite"
        ),
        "negative": (
            "{op} returns {value} at {count} of {size} elements, where {name} is negative: the training loss is not "
            "finite"
        ),
        "blocked": "{op} returns {value} at {count} of {size} elements: in these rows every value is masked out",
        "empty": "{op} returns {value} because {name} has no elements: the training loss is not finite",
        "few": (
            "{op} returns {value} at {count} of {size} elements: the standard deviation of a single value is not "
            "defined"
        ),
        "ignored": "{op} returns {value} because every target equals the index to ignore",
        "data": "the data created here contain {value} at {count} of {size} elements: the training loss is not finite",
        "given": "the values that {op} is given already contain {value}: the training loss is not finite",
        "plain": "{op} returns {value} at {count} of {size} elements: the training loss is not finite",
        "derivative_zero": (
            "the gradient of {op} is {value} at {count} of {size} elements, where the argument of {op} is 0"
        ),
        "derivative_plain": "the gradient of {op} is {value} at {count} of {size} elements",
        "why": (
            "the loss of line {line} is {loss} in the first training step, and the optimizer step of line {step} "
            "applies gradients that are not finite to {broken} of {parameters} parameters; these parameters do not "
            "become finite again"
        ),
        "why_loss": (
            "the loss of line {line} is {loss} in every training step that was checked: it does not show whether "
            "training makes progress, but line {step} goes on updating the parameters"
        ),
        "why_derivative": (
            "the loss of line {line} is finite, but the optimizer step of line {step} applies gradients that are not "
            "finite to {broken} of {parameters} parameters; torch.where would not prevent this, because the gradient "
            "of the branch that was not selected is multiplied by 0, and 0 * inf is nan"
        ),
    },
    "es": {
        "zero": (
            "{op} devuelve {value} en {count} de {size} elementos, donde {name} vale 0: la pérdida de entrenamiento no "
            "es finita"
        ),
        "negative": (
            "{op} devuelve {value} en {count} de {size} elementos, donde {name} es negativo: la pérdida de "
            "entrenamiento no es finita"
        ),
        "blocked": (
            "{op} devuelve {value} en {count} de {size} elementos: en esas filas todos los valores están enmascarados"
        ),
        "empty": "{op} devuelve {value} porque {name} no tiene elementos: la pérdida de entrenamiento no es finita",
        "few": (
            "{op} devuelve {value} en {count} de {size} elementos: la desviación estándar de un solo valor no está "
            "definida"
        ),
        "ignored": "{op} devuelve {value} porque todos los objetivos son iguales al índice que hay que ignorar",
        "data": (
            "los datos creados aquí contienen {value} en {count} de {size} elementos: la pérdida de entrenamiento no "
            "es finita"
        ),
        "given": "los valores que recibe {op} ya contienen {value}: la pérdida de entrenamiento no es finita",
        "plain": "{op} devuelve {value} en {count} de {size} elementos: la pérdida de entrenamiento no es finita",
        "derivative_zero": (
            "el gradiente de {op} es {value} en {count} de {size} elementos, donde el argumento de {op} vale 0"
        ),
        "derivative_plain": "el gradiente de {op} es {value} en {count} de {size} elementos",
        "why": (
            "la pérdida de la línea {line} es {loss} en el primer paso de entrenamiento, y el paso del optimizador de "
            "la línea {step} aplica gradientes no finitos a {broken} de {parameters} parámetros; esos parámetros ya no "
            "vuelven a ser finitos"
        ),
        "why_loss": (
            "la pérdida de la línea {line} es {loss} en todos los pasos de entrenamiento comprobados: no muestra si el "
            "entrenamiento avanza, pero el optimizador sigue actualizando los parámetros (línea {step})"
        ),
        "why_derivative": (
            "la pérdida de la línea {line} es finita, pero el paso del optimizador de la línea {step} aplica "
            "gradientes no finitos a {broken} de {parameters} parámetros; torch.where no lo evitaría, porque el "
            "gradiente de la rama no elegida se multiplica por 0, y 0 * inf es nan"
        ),
    },
    "ja": {
        "zero": (
            "{op} の {size} 要素中 {count} 要素が {value} です。そこでは {name} が 0 で、学習の損失が有限になりません"
        ),
        "negative": (
            "{op} の {size} 要素中 {count} 要素が {value} です。そこでは {name} が負で、学習の損失が有限になりません"
        ),
        "blocked": "{op} の {size} 要素中 {count} 要素が {value} です。テンソルのその行では、すべての値がマスクされて"
        "います",
        "empty": "{name} に要素が無いため、{op} は {value} を返し、学習の損失が有限になりません",
        "few": "{op} の {size} 要素中 {count} 要素が {value} です。値が 1 つだけでは標準偏差を計算できません",
        "ignored": "すべてのターゲットが無視するインデックスと等しいため、{op} は {value} を返します",
        "data": "ここで作られたデータは {size} 要素中 {count} 要素が {value} で、学習の損失が有限になりません",
        "given": "{op} に渡された値にすでに {value} が含まれ、学習の損失が有限になりません",
        "plain": "{op} の {size} 要素中 {count} 要素が {value} で、学習の損失が有限になりません",
        "derivative_zero": "{op} の勾配の {size} 要素中 {count} 要素が {value} です。そこでは {op} の引数が 0 です",
        "derivative_plain": "{op} の勾配の {size} 要素中 {count} 要素が {value} です",
        "why": (
            "{line} 行目の損失は最初の学習ステップで {loss} になり、{step} 行目の更新は {parameters} "
            "個のパラメータのうち {broken} 個に有限でない勾配を適用します。これらのパラメータは、以後、"
            "有限な値に戻りません"
        ),
        "why_loss": (
            "{line} 行目の損失は、検査したすべての学習ステップで {loss} です。学習が進んでいるかどうかを損失から判断で"
            "きないまま、{step} 行目の更新が続けられます"
        ),
        "why_derivative": (
            "{line} 行目の損失は有限ですが、{step} 行目の更新は {parameters} 個のパラメータのうち {broken} "
            "個に有限でない勾配を適用します。torch.where では防げません。選ばれなかった側の勾配に 0 が掛けられ、0 * "
            "inf は nan になるためです"
        ),
    },
}
