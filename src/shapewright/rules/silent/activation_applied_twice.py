"""A loss is given probabilities where it expects logits, or scores where it expects log-probabilities.

## What it finds
`cross_entropy` of a softmax (it applies one itself), `binary_cross_entropy_with_logits` of a sigmoid, `nll_loss`,
`ctc_loss` or `kl_div` of a softmax or of logits where log-probabilities are expected. Also targets that are
log-probabilities or logits where a loss expects probabilities, and probabilities where `kl_div` was given
`log_target=True`; and a Dice or Jaccard score written by hand that is given logits.

## Why it hurts
A softmax or a sigmoid maps the logits into a narrow range, so a loss that applies one itself cannot get close to zero.
`nll_loss`, `ctc_loss` and `kl_div` do not take the logarithm of their input.

## Example
    probs = torch.softmax(net(x), dim=1)
    loss = F.cross_entropy(probs, y)

## Instead
    loss = F.cross_entropy(net(x), y)

## Fix safety
Where the softmax runs over the classes, the class with the largest output stays the same without it. Code that reads
the outputs as probabilities then needs a softmax of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import RESHAPING, argument, backward, maker, operands, shown
from ...graph.overlaps import overlap
from ...graph.signs import loss_events, sign_in_loss
from ...trace import Event, Origin, TensorFact, Trace
from ..facts import Facts, Span, distinct
from ..remedy import DropActivation, SetArgument, SwapSides
from ..subjects import of_calls

code = "SW205"
of_any_rank = True
aliases = ("loss-applies-it-again",)

THROUGH = RESHAPING | {"float", "contiguous", "clone", "chunk", "cat", "stack"}
SCORES = ops.named("maps", "convolves", "rectifies")
EXPECTS = {"takes_logits": "scores", "takes_log_probabilities": "logs"}
# what a loss of either kind must not be given
WRONG = {
    "scores": ops.named("gives_probabilities"),
    "logs": ops.named("gives_probabilities") | SCORES,
}

# losses whose targets are probabilities, and what gives none
SOFT = ops.named("takes_logits", "takes_probabilities", "divergences")
UNLIKELY = ops.named("gives_log_probabilities", "maps", "convolves")

# what a loss on logits applies itself
APPLIED = {"cross_entropy": "softmax", "binary_cross_entropy_with_logits": "sigmoid"}


@of_calls(*EXPECTS, "divides")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every loss whose input, or whose target, went through the wrong operator last."""
    if ops.is_a(event.op, "divides"):
        yield from _overlap(trace, event)
        return
    yield from _target(trace, event)
    scores = argument(event, 0, "input")
    if not isinstance(scores, TensorFact):
        return
    wants = next(wanted for tag, wanted in EXPECTS.items() if ops.is_a(event.op, tag))
    last = next((made for made in backward(trace, scores, THROUGH) if made.op not in THROUGH), None)
    if last is None or last.op not in WRONG[wants]:
        return
    if last.op in SCORES and not scores.requires_grad:
        return
    origins = [Origin("operator", last.op, last.site, last.stack)] if last.site else []
    module = trace.layer(last)
    if module is not None and module.kind in ("Softmax", "Sigmoid") and module.site is not None:
        origins.append(Origin("constructor", module.kind, module.site, module.stack))
    yield Facts(
        site=event.site,
        message="others" if wants == "scores" and last.op != APPLIED[event.op] else wants,
        why=f"why_{wants}",
        fields={"loss": event.op, "op": last.op, "line": last.site.line if last.site else "?"},
        origins=distinct(tuple(origins), event),
        spans=(Span(event.site, f"{scores.name or 'input'} {shown(scores.shape)}"),),
        cause=(code, last.site),
        event=event.index,
        remedy=SwapSides("target") if _exchanged(trace, event) else DropActivation(last.index, logs=wants == "logs"),
    )


def _exchanged(trace: Trace, event: Event) -> bool:
    """Whether a divergence was given probabilities for its input and logarithms for its target."""
    gives = {"input": "gives_probabilities", "target": "gives_log_probabilities"}
    sides = [(argument(event, at, name), tag) for at, (name, tag) in enumerate(gives.items())]
    made = [(maker(trace, side, _keeps) if isinstance(side, TensorFact) else None, tag) for side, tag in sides]
    plain = event.op == "kl_div" and not event.kwargs.get("log_target")
    return plain and all(one is not None and ops.is_a(one.op, tag) for one, tag in made)


def _overlap(trace: Trace, event: Event) -> Iterator[Facts]:
    """An overlap score of numbers that a layer gave as they are, on the way to a loss."""
    found = overlap(trace, event)
    made = maker(trace, found[1], lambda one: one.op in THROUGH - {"cat", "stack"}) if found is not None else None
    if found is None or made is None or made.site is None or not ops.is_a(made.op, "maps", "convolves"):
        return
    if not sign_in_loss(trace, event, loss_events(trace)):
        return
    line = found[0].site
    yield Facts(
        site=event.site,
        message="overlap",
        why="why_overlap",
        fields={"op": made.op, "line": made.site.line, "name": found[1].name or "input"},
        origins=distinct(
            (
                *((Origin("operator", "sum", line, found[0].stack),) if line is not None else ()),
                Origin("operator", made.op, made.site, made.stack),
            ),
            event,
        ),
        cause=(code, made.site),
        event=event.index,
    )


def _target(trace: Trace, event: Event) -> Iterator[Facts]:
    """Targets of several numbers per sample that came from the wrong operator."""
    target, scores = argument(event, 1, "target"), argument(event, 0, "input")
    soft = isinstance(target, TensorFact) and isinstance(scores, TensorFact) and target.shape == scores.shape
    if not soft or target.is_whole or target.rank < 1 or event.op not in SOFT:
        return
    if target.requires_grad and not scores.requires_grad:
        return  # the two are exchanged
    made = maker(trace, target, _keeps)
    logs = event.op == "kl_div" and bool(event.kwargs.get("log_target"))
    wrong = WRONG["scores"] if logs else UNLIKELY
    if made is None or made.op not in wrong or made.site is None:
        return
    yield Facts(
        site=event.site,
        message="target_logs" if logs else "target",
        why="why_target_logs" if logs else "why_target",
        fields={"loss": event.op, "op": made.op, "line": made.site.line},
        origins=distinct((Origin("operator", made.op, made.site, made.stack),), event),
        cause=(code, made.site),
        event=event.index,
        remedy=SetArgument("log_target", "True", site=event.site) if _turns(event, made) else None,
    )


def _turns(event: Event, made: Event) -> bool:
    """Whether `log_target=True` is all that is missing."""
    return event.op == "kl_div" and made.op == "log_softmax"


def _keeps(event: Event) -> bool:
    """Whether an operator leaves what a number stands for: it moves it, or divides it by a plain number."""
    divided = ops.is_a(event.op, "divides") and len(operands(event)) == 1 and "reflected" not in event.flags
    return event.op in THROUGH or event.op == "detach" or divided


MESSAGES = {
    "en": {
        "scores": "{loss} applies {op} itself, but its input already went through {op}",
        "others": "{loss} expects logits, but is given the output of {op}",
        "logs": "{loss} expects log-probabilities, but is given the output of {op}",
        "why_scores": (
            "the {op} of line {line} maps the logits into a narrow range, so the loss cannot get close to zero"
        ),
        "why_logs": (
            "{loss} does not take the logarithm of its input, and the output of {op} on line {line} is not a "
            "log-probability"
        ),
        "target": "{loss} expects probabilities as its target, but is given the output of {op}",
        "target_logs": "{loss} with log_target=True expects log-probabilities as its target, but is given a softmax",
        "why_target": (
            "the output of {op} on line {line} is not a probability: it can be negative, and with a negative target "
            "the loss does not measure the prediction error"
        ),
        "overlap": "this overlap score expects probabilities, but {name} is the output of {op}",
        "why_overlap": (
            "line {line} returns logits, which can be negative and have no bound, so the quotient is not between 0 and "
            "1 and the loss can fall without the prediction coming closer to the target; apply a sigmoid or a softmax "
            "first"
        ),
        "why_target_logs": (
            "the loss takes the exponential of its target to get probabilities, but line {line} already computes "
            "probabilities: their exponentials are numbers between 1 and 2.72"
        ),
    },
    "es": {
        "scores": "{loss} aplica {op} internamente, pero su entrada ya ha pasado por {op}",
        "others": "{loss} espera logits, pero recibe la salida de {op}",
        "logs": "{loss} espera log-probabilidades, pero recibe la salida de {op}",
        "why_scores": (
            "el {op} de la línea {line} lleva los logits a un intervalo estrecho, así que la pérdida no puede "
            "acercarse a cero"
        ),
        "why_logs": (
            "{loss} no calcula el logaritmo de su entrada, y la salida de {op} en la línea {line} no es una "
            "log-probabilidad"
        ),
        "target": "{loss} espera probabilidades como objetivo, pero recibe la salida de {op}",
        "target_logs": "{loss} con log_target=True espera log-probabilidades como objetivo, pero recibe un softmax",
        "why_target": (
            "la salida de {op} en la línea {line} no es una probabilidad: puede ser negativa, y con un objetivo "
            "negativo la pérdida no mide el error de la predicción"
        ),
        "overlap": "esta medida de solapamiento espera probabilidades, pero {name} es la salida de {op}",
        "why_overlap": (
            "la línea {line} devuelve logits, que pueden ser negativos y no tienen límite, así que el cociente no está "
            "entre 0 y 1 y la pérdida puede bajar sin que la predicción se acerque al objetivo. Antes hay que aplicar "
            "una sigmoide o una softmax"
        ),
        "why_target_logs": (
            "la pérdida calcula la exponencial de su objetivo para obtener probabilidades, pero la línea {line} ya "
            "calcula probabilidades: sus exponenciales son números entre 1 y 2.72"
        ),
    },
    "ja": {
        "scores": "{loss} は内部で {op} を適用しますが、入力はすでに {op} を通っています",
        "others": "{loss} はロジットを必要としますが、{op} の出力を受け取っています",
        "logs": "{loss} は対数確率を必要としますが、{op} の出力を受け取っています",
        "why_scores": "{line} 行目の {op} がロジットを狭い範囲に押し縮めるため、損失は 0 に近づきません",
        "why_logs": "{loss} は入力の対数を取りませんが、{line} 行目の {op} の出力は対数確率ではありません",
        "target": "{loss} のターゲットは確率であるべきですが、{op} の出力です",
        "target_logs": "log_target=True の {loss} のターゲットは対数確率であるべきですが、softmax の出力です",
        "why_target": (
            "{line} 行目の {op} の出力は確率ではなく、負になることがあります。ターゲットが負だと、損失は予測の誤差を表"
            "しません"
        ),
        "overlap": "この重なりの指標は確率を必要としますが、{name} は {op} の出力です",
        "why_overlap": (
            "{line} 行目の出力はロジットで、負にもなり上限もないため、比が 0〜1 に収まらず、"
            "予測がターゲットに近づかなくても損失が下がります。先にシグモイドか softmax を適用します"
        ),
        "why_target_logs": (
            "損失はターゲットの指数を取って確率に戻しますが、{line} 行目の値はすでに確率です。その指数は 1 から 2.72 "
            "の数になります"
        ),
    },
}
