"""PPO's clipped objective takes the larger of its two terms where it needs the smaller, or is minimized where it should
be maximized.

## What it finds
`max(ratio * advantage, clamp(ratio) * advantage)` in a loss, or the minimum of the two without a minus sign. Also
clipping bounds that do not contain 1, and a ratio that falls when the policy being trained makes the action more
likely, or that is a quotient of log-likelihoods, and advantages with the wrong sign: a network's value minus what that
network is trained to predict.

## Why it hurts
The clipping is there to limit the gain when the policy has moved too far. The larger term does not limit it.

## Example
    loss = -torch.max(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()

## Instead
    loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()

## Fix safety
Safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.advantages import subtracted, worth
from ...graph.flow import argument, maker, operands, produced
from ...graph.likelihoods import KEPT, PICKS, likelihoods
from ...graph.signs import loss_events, sign_in_loss, turned
from ...graph.training import ancestors, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import CallOther, SwapSides, TurnSign
from ..subjects import of_calls

code = "SW290"
of_any_rank = True
aliases = ("clipped-surrogate-turned",)
EXTREMES = {"min": "min", "minimum": "min", "max": "max", "maximum": "max"}


@of_calls(*EXTREMES)
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every such extreme whose side or sign is the wrong one."""
    ends = loss_events(trace)
    if len(operands(event)) != 2:
        return
    inner = _sides(trace, event)
    outer = sign_in_loss(trace, event, ends) if inner else 0
    if not inner or not outer:
        return
    clamp = _clamp(trace, event)
    if clamp is not None and clamp.site is not None and _leaves_out_one(clamp):
        yield _told(trace, "bounds", clamp, event, None)
        return
    kind, made = _ratio(trace, clamp) if clamp is not None else ("", None)
    if kind and made is not None and made.site is not None:
        yield _told(trace, kind, made, event, SwapSides("difference", (made.site,)) if kind == "ratio" else None)
        return
    takes = EXTREMES[event.op]
    right = (takes, inner, outer) in (("min", 1, -1), ("max", -1, 1))
    if right:
        yield from _weighed(trace, event)
        return
    kind = "sign" if (takes, inner) in (("min", 1), ("max", -1)) else "side"
    yield Facts(
        event.site,
        message=kind,
        why=f"why_{kind}",
        fields={
            "op": event.op,
            "line": clamp.site.line if clamp is not None and clamp.site is not None else "?",
            "want": "min" if inner > 0 else "max",
        },
        origins=place(trace, clamp.site if clamp is not None else None),
        event=event.index,
        remedy=TurnSign() if kind == "sign" else CallOther({"min": "max", "max": "min"}[takes]),
    )


def _weighed(trace: Trace, event: Event) -> Iterator[Facts]:
    """A weight that is larger the worse an action turned out."""
    for fact in operands(event):
        for part in (_factors(trace, fact) or (0, []))[1]:
            made = subtracted(trace, part) if worth(trace, part) < 0 else None
            if made is not None and made.site is not None:
                yield _told(trace, "weight", made, event, SwapSides("difference", (made.site,)))
                return


def _told(trace: Trace, kind: str, made: Event, event: Event, remedy: SwapSides | None) -> Facts:
    """What is wrong with a tensor of which `event` takes the extreme, at the call that made it."""
    line = event.site.line if event.site is not None else 0
    return Facts(
        made.site,
        message=kind,
        why=f"why_{kind}",
        fields={"op": event.op, "line": line},
        origins=place(trace, event.site),
        event=made.index,
        remedy=remedy,
    )


def _sides(trace: Trace, event: Event) -> int:
    """+1 where the sides are `r * A` and `clamp(r) * A`, -1 where both carry a minus, 0 where they are something
    else."""
    sides = [_factors(trace, fact) for fact in operands(event)]
    if not all(sides) or sides[0][0] != sides[1][0]:
        return 0
    clamps = [
        [made for made in (produced(trace, fact) for fact in factors) if made is not None and made.op == "clamp"]
        for _, factors in sides
    ]
    if sorted(map(len, clamps)) != [0, 1]:
        return 0
    clipped = 0 if clamps[0] else 1
    ratio = _key(trace, operands(clamps[clipped][0])[0])
    free, bound = ({_key(trace, fact) for fact in sides[side][1]} for side in (1 - clipped, clipped))
    return sides[0][0] if ratio in free and free - {ratio} and free - {ratio} <= bound else 0


def _factors(trace: Trace, fact: TensorFact) -> tuple[int, list[TensorFact]] | None:
    """`(sign, factors)` of a product of two tensors, behind every minus."""
    sign, made = 1, produced(trace, fact)
    while made is not None and made.op == "neg":
        made, sign = produced(trace, operands(made)[0]), -sign
    if made is None or made.op != "mul" or len(operands(made)) != 2:
        return None
    factors = []
    for part in operands(made):
        while (inner := produced(trace, part)) is not None and inner.op == "neg":
            part, sign = operands(inner)[0], -sign
        factors.append(part)
    return sign, factors


def _key(trace: Trace, fact: TensorFact) -> tuple:
    """What a tensor is: the same rows picked twice from one tensor are one thing."""
    made = produced(trace, fact)
    if made is not None and ops.is_a(made.op, "cuts", "takes", "squeezes", "unsqueezes") and operands(made):
        return (made.op, *(part.uid for part in operands(made)))
    return (fact.uid,)


def _clamp(trace: Trace, event: Event) -> Event | None:
    """The clipping of the ratio."""
    for fact in operands(event):
        for part in (_factors(trace, fact) or (0, []))[1]:
            made = produced(trace, part)
            if made is not None and made.op == "clamp":
                return made
    return None


def _ratio(trace: Trace, clamp: Event) -> tuple[str, Event | None]:
    """What is wrong with what is clipped, and where: `ratio`, an exponential that falls as what learns grows; `logs`,
    log-likelihoods that are divided."""
    clipped = operands(clamp)[0]
    made = maker(trace, clipped, lambda event: ops.is_a(event.op, "exponentials", "negates", *KEPT), 6)
    sides = operands(made) if made is not None and "reflected" not in made.flags else []
    if made is not None and len(sides) == 2:
        learns, sign = [side.requires_grad for side in sides], turned(trace, clipped)
        if ops.is_a(made.op, "subtracts") and learns == [sign < 0, sign > 0]:
            return "ratio", made
        if ops.is_a(made.op, "divides") and _logarithm(trace, sides[0]):
            return "logs", made
    return "", None


def _logarithm(trace: Trace, fact: TensorFact) -> bool:
    """Whether a value is log-likelihoods themselves, no exponentials of them."""
    made = maker(trace, fact, lambda event: ops.is_a(event.op, *KEPT), 6)
    if made is None or made.index in likelihoods(trace):
        return made is not None
    before = ancestors(trace, fact, 12).values() if made.op in PICKS else ()  # as distributions of torch's write it
    return any(ops.is_a(one.op, "subtracts") and "logsumexp" in _makers(trace, one) for one in before)


def _makers(trace: Trace, event: Event) -> list[str]:
    return [made.op for part in operands(event) if (made := produced(trace, part)) is not None]


def _leaves_out_one(clamp: Event) -> bool:
    """Whether the bounds, as far as they are plain numbers, leave out a ratio of one."""
    low, high = (argument(clamp, 1 + i, name) for i, name in enumerate(("min", "max")))
    return (isinstance(low, (int, float)) and low > 1) or (isinstance(high, (int, float)) and high < 1)


MESSAGES = {
    "en": {
        "bounds": "the ratio is clipped to an interval that does not contain 1",
        "why_bounds": (
            "a ratio of 1 means that the policy has not changed. These bounds (like -0.2 and 0.2 instead of 0.8 and "
            "1.2) clip even that ratio, so the {op} of line {line} gets a constant instead of the ratio"
        ),
        "side": "the {op} picks the better of the clipped and the unclipped term; PPO needs the worse one",
        "why_side": (
            "of the term clipped on line {line} and the unclipped one, the worse must be used; with these signs, use "
            "{want}"
        ),
        "sign": (
            "minimizing the loss decreases the clipped objective: actions with a positive advantage become less likely"
        ),
        "why_sign": (
            "without maximize=True, an optimizer minimizes its loss, so the objective clipped on line {line} needs a "
            "minus sign"
        ),
        "weight": "the advantage is the predicted value minus the target of the value network: its sign is wrong",
        "why_weight": (
            "the value network is trained toward the value that is subtracted here. An action that turned out better "
            "than predicted gets a negative weight in the clipped objective (line {line}) and becomes less likely"
        ),
        "logs": "the value that is clipped as a probability ratio is a quotient of two log-probabilities",
        "why_logs": (
            "the {op} of line {line} needs the ratio of the new probability to the old one, exp(new - old); a quotient "
            "of log-probabilities is not that ratio"
        ),
        "ratio": (
            "the probability ratio is inverted: it decreases when the policy being trained makes the action more likely"
        ),
        "why_ratio": (
            "the ratio is computed as exp(old - new) of the log-probabilities, but the {op} of line {line} needs "
            "exp(new - old)"
        ),
    },
    "es": {
        "bounds": "el cociente se recorta a un intervalo que no contiene el 1",
        "why_bounds": (
            "un cociente de 1 significa que la política no ha cambiado. Estos límites (como -0.2 y 0.2 en vez de 0.8 y "
            "1.2) recortan incluso ese cociente, así que el {op} de la línea {line} recibe una constante en lugar del "
            "cociente"
        ),
        "side": "de los dos términos, recortado y sin recortar, {op} elige el mejor; PPO necesita el peor",
        "why_side": (
            "entre el término recortado en la línea {line} y el no recortado debe usarse el peor; con estos signos "
            "hace falta {want}"
        ),
        "sign": (
            "al minimizar la pérdida baja el objetivo recortado: las acciones con ventaja positiva se vuelven menos "
            "probables"
        ),
        "why_sign": (
            "sin maximize=True, un optimizador minimiza su pérdida, así que el objetivo recortado en la línea {line} "
            "necesita un signo menos"
        ),
        "weight": "la ventaja es el valor predicho menos el objetivo de la red de valor: su signo está al revés",
        "why_weight": (
            "la red de valor se entrena hacia el valor que aquí se resta. Una acción que resultó mejor de lo predicho "
            "recibe un peso negativo en el objetivo recortado (línea {line}) y se vuelve menos probable"
        ),
        "logs": "el valor que se recorta como cociente de probabilidades es un cociente de dos log-probabilidades",
        "why_logs": (
            "el {op} de la línea {line} necesita el cociente entre la probabilidad nueva y la antigua, exp(nueva - "
            "antigua); un cociente de log-probabilidades no es ese cociente"
        ),
        "ratio": (
            "el cociente de probabilidades está invertido: baja cuando la política que se entrena hace más probable la "
            "acción"
        ),
        "why_ratio": (
            "el cociente se calcula como exp(antigua - nueva) de las log-probabilidades, pero el {op} de la línea "
            "{line} necesita exp(nueva - antigua)"
        ),
    },
    "ja": {
        "bounds": "比のクリップ範囲に 1 が含まれていません",
        "why_bounds": (
            "比が 1 なら方策は変わっていません。この範囲 (0.8〜1.2 ではなく -0.2〜0.2 など) ではその 1 もクリップされる"
            "ため、{line} 行目の {op} は比の代わりに定数を受け取ります"
        ),
        "side": "{op} が、クリップした項としない項のうち良いほうを選んでいます。PPO に必要なのは悪いほうです",
        "why_side": (
            "{line} 行目でクリップした項とクリップしていない項のうち、悪いほうを使います。この符号では {want} を使って"
            "ください"
        ),
        "sign": "損失を最小化するとクリップした目的関数が下がり、アドバンテージが正の行動ほど選ばれにくくなります",
        "why_sign": (
            "maximize=True でないオプティマイザは損失を最小化するので、{line} "
            "行目でクリップした目的関数にはマイナスが必要です"
        ),
        "weight": "アドバンテージが「予測した価値 - 価値ネットワークのターゲット」になっており、符号が逆です",
        "why_weight": (
            "ここで引かれている値が、価値ネットワークの学習のターゲットです。予測より良い結果になった行動が、クリップさ"
            "れた目的関数 ({line} 行目) で負の重みを受け、選ばれにくくなります"
        ),
        "logs": "確率の比としてクリップされている値が、対数確率どうしの商です",
        "why_logs": (
            "{line} 行目の {op} に必要なのは新しい確率と古い確率の比 exp(新 - 旧) です。対数確率どうしの商はその比では"
            "ありません"
        ),
        "ratio": "確率の比が逆です。学習中の方策が行動の確率を上げるほど、比が小さくなります",
        "why_ratio": (
            "比が対数確率の exp(旧 - 新) で計算されていますが、{line} 行目の {op} に必要なのは exp(新 - 旧) です"
        ),
    },
}
