"""The noise of a model does not have the distribution that its loss assumes.

## What it finds
Noise multiplied by `exp(a * v)` where the divergence of the same model uses `exp(b * v)` as the variance and `b` is not
twice `a` (usually the variance instead of the standard deviation), or by `v` itself. Noise from a uniform distribution
where the divergence assumes a normal one. Data and noise
mixed by two factors whose squares would add up to 1 if a missing square root were taken: `sqrt(a) * x + (1 - a) *
noise`; by one factor from the cumulative product of a schedule and one from the schedule itself; or the right factors,
exchanged; or one factor from the schedule beside one that is not. And an output that is used as the standard deviation
in the likelihood and as the variance in an interval, or the other way round.

## Why it hurts
The samples have a different standard deviation, or a different distribution, from the one that the loss assumes, so its
terms train two different distributions.

## Example
    std = torch.exp(log_var)
    z = mu + std * torch.randn_like(std)

## Instead
    std = torch.exp(0.5 * log_var)

## Fix safety
Safe.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ... import ops
from ...graph.calls import written_side
from ...graph.flow import (
    RESHAPING,
    SAME_VALUES,
    backward,
    consumers,
    forward,
    layer_of,
    maker,
    one_per_place,
    operands,
    plain_numbers,
    produced,
)
from ...graph.mixtures import ONE, unmatched
from ...graph.shares import shares
from ...graph.signs import loss_events, sign_in_loss
from ...graph.training import PASSING, of_kind, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import CallOther, Rewrite

code = "SW294"
of_any_rank = True
NORMAL = ops.named("draws_normal") | {"normal_"}
UNIFORM = {"rand": "randn", "rand_like": "randn_like", "uniform_": "normal_"}
SCALED = SAME_VALUES | ops.named("scales")
HANDED = RESHAPING | {"broadcast_tensors"}  # a distribution hands its operands on so


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every exponential that scales noise while another one of the same numbers is the variance in the divergence."""
    yield from _mixed(trace)
    yield from _solved(trace)
    yield from _widths(trace)
    ends = loss_events(trace)
    made = [
        event
        for event in trace.events
        if event.op == "exp" and event.args and isinstance(event.args[0], TensorFact) and event.args[0].requires_grad
    ]
    rooted = [(event, *_rooted(trace, event.args[0])) for event in made]
    bare = {fact.uid: (one, fact, 0.0) for _, fact, _ in rooted if (one := produced(trace, fact)) and one.op != "exp"}
    for event, spread, power in (*rooted, *bare.values()):
        noise = _scales(trace, event, None if power else spread) if event.site is not None else None
        if noise is None:
            continue
        variance = next(
            (
                (other, times)
                for other, root, times in rooted
                if root.uid == spread.uid
                and times > 0
                and sign_in_loss(trace, other, ends)
                and _beside(trace, other, spread, ends)
            ),
            None,
        )
        if variance is None:
            continue
        fields = {
            "name": spread.name or "log_var",
            "line": variance[0].site.line if variance[0].site else "?",
            "taken": f"exp({_exponent(power, spread.name or 'log_var')})" if power else spread.name or "log_var",
            "charged": _exponent(variance[1], spread.name or "log_var"),
            "wanted": _exponent(variance[1] / 2, spread.name or "log_var"),
            "op": noise.op,
        }
        origins = place(trace, variance[0].site)
        if noise.op in UNIFORM and noise.site is not None:
            other = CallOther(UNIFORM[noise.op]) if noise.op != "uniform_" else None
            yield Facts(noise.site, "uniform", "drawn", fields, origins, event=noise.index, remedy=other)
        elif power != variance[1] / 2:
            remedy = Rewrite("0.5 * {}", argument=(0, "input")) if power == variance[1] else None
            scaled = (user.site for user in forward(trace, event, HANDED, 3) if user.op.rstrip("_") == "mul")
            site = event.site if power else next(scaled, event.site)
            yield Facts(site, fields=fields, origins=origins, event=event.index, remedy=remedy)


def _mixed(trace: Trace) -> Iterator[Facts]:
    """Data and noise mixed by two factors of one number that each have the power that is left by the other, but for a
    root that one of them lacks."""
    for event in trace.events:
        parts = [produced(trace, fact) for fact in operands(event)] if ops.is_a(event.op, "adds") else []
        sides = [one for one in parts if one is not None and one.op == "mul" and len(operands(one)) == 2]
        if event.site is None or len(parts) != 2 or len(sides) != 2:
            continue
        for data, noise in (sides, sides[::-1]):
            drawn = next((fact for fact in operands(noise) if _normal(trace, fact)), None)
            factor = next((fact for fact in operands(noise) if fact is not drawn), None)
            for kept in operands(data) if drawn is not None and factor is not None else ():
                common, values = shares(trace, kept, factor)
                rooted = common is not None and ops.is_a(common.op, "accumulates")
                missing = (
                    "variance"
                    if values and all(abs(a * a + b - 1) < ONE for a, b in values)
                    else "power"
                    if rooted and all(abs(a + b * b - 1) < ONE for a, b in values)
                    else ""
                )
                if missing:
                    a, b = values[1]
                    wrong = factor if missing == "variance" else kept
                    side = written_side(trace, noise if missing == "variance" else data, wrong)
                    made = maker(trace, wrong, lambda one: one.op.rstrip("_") in SAME_VALUES)
                    yield Facts(
                        event.site,
                        message=missing,
                        why="why_power",
                        fields={"data": f"{a:.2f}", "noise": f"{b:.2f}", "sum": f"{a * a + b * b:.2f}"},
                        origins=place(trace, made.site) if made is not None else (),
                        event=event.index,
                        remedy=Rewrite("{}.sqrt()", side) if side is not None else None,
                    )


def _solved(trace: Trace) -> Iterator[Facts]:
    """The same told from what models were given: of how much data and noise each sample is made."""
    for step in of_kind(trace, "forward", "part"):
        told = step.data.get("mixed")
        made = trace.event(told.event) if told is not None else None
        kind, fields = unmatched(told) if made is not None and made.site is not None else ("", {})
        if made is not None and kind:
            why = "why_power" if kind == "variance" else f"why_{kind}"
            yield Facts(made.site, kind, why, fields, place(trace, step.site), event=made.index)


def _widths(trace: Trace) -> Iterator[Facts]:
    """Every exponential in a likelihood whose deviation is another power of a model's output from the one that is added
    to and subtracted from an average."""
    learned: dict[Hashable, tuple[float, Event]] = {}
    added: dict[Hashable, tuple[float, Event]] = {}
    for event in trace.events:
        fact = event.args[0] if event.op == "exp" and event.args and event.site is not None else None
        if not isinstance(fact, TensorFact):
            continue
        spread, power = _rooted(trace, fact)
        made = maker(trace, spread, lambda one: one.op.rstrip("_") in SAME_VALUES)
        if made is None or not made.modules:
            continue
        users = [user.op for user in forward(trace, event, HANDED, 3) if 2 in user.args or user.op == "log"]
        half = forward(trace, event, SCALED, 4)
        if "pow" in users and "log" in users and event.args[0].requires_grad:
            learned.setdefault(layer_of(trace, made), (power, event))
        elif any(ops.is_a(user.op, "adds", "subtracts") and len(operands(user)) == 2 for user in half):
            added.setdefault(layer_of(trace, made), (power, event))
    for place_, (power, event) in learned.items():
        other = added.get(place_)
        if other is not None and event.site is not None and power in (2 * other[0], other[0] / 2):
            yield Facts(
                event.site,
                message="width",
                why="why_width",
                fields={
                    "taken": _exponent(power, "v"),
                    "charged": _exponent(other[0], "v"),
                    "line": other[1].site.line if other[1].site else "?",
                },
                origins=place(trace, other[1].site),
                event=event.index,
            )


def _normal(trace: Trace, fact: TensorFact) -> bool:
    """Whether a tensor is a draw from the normal distribution as it came."""
    return any(made.op in NORMAL for made in backward(trace, fact, PASSING, 4))


def _exponent(power: float, name: str) -> str:
    return name if power == 1 else f"{power:g} * {name}"


def _rooted(trace: Trace, fact: TensorFact) -> tuple[TensorFact, float]:
    """What an exponential is taken of, as a multiple of something."""
    power, made = 1.0, produced(trace, fact)
    while made is not None and ops.is_a(made.op, "scales") and "reflected" not in made.flags:
        numbers = plain_numbers(made)
        if len(numbers) != 1 or len(operands(made)) != 1 or not numbers[0]:
            break
        power = power * numbers[0] if made.op == "mul" else power / numbers[0]
        fact = operands(made)[0]
        made = produced(trace, fact)
    return fact, power


def _scales(trace: Trace, event: Event, part: TensorFact | None = None) -> Event | None:
    """The noise that a result, or a part of several, is multiplied by, or drawn with."""
    for user in forward(trace, event, HANDED, 3):
        if part is not None and all(fact.uid != part.uid for fact in operands(user)):
            continue
        if user.op == "normal" and len(operands(user)) > 1:
            drawn = produced(trace, operands(user)[1])
            if drawn is event or (drawn is not None and event in backward(trace, operands(user)[1], HANDED, 3)):
                return user
        beside = (made for fact in operands(user) for made in backward(trace, fact, PASSING, 4))
        found = next((made for made in beside if made.op in NORMAL or made.op in UNIFORM), None)
        if user.op.rstrip("_") == "mul" and found is not None:
            return found
    return None


def _beside(trace: Trace, variance: Event, spread: TensorFact, ends: frozenset[int]) -> bool:
    """Whether the logarithm itself enters the same loss with the other sign."""
    plain = [
        user
        for user in consumers(trace, spread.producer)
        if ops.is_a(user.op, "offsets") and any(fact.uid == spread.uid for fact in operands(user))
    ]
    return any(sign_in_loss(trace, user, ends) for user in plain)


MESSAGES = {
    "en": {
        "message": "the noise is multiplied by {taken} and not by the standard deviation that the divergence assumes",
        "why": (
            "the divergence on line {line} uses exp({charged}) as the variance, so the standard deviation is "
            "exp({wanted})"
        ),
        "variance": "the noise is multiplied by a variance (like 1 - alpha_bar in DDPM) instead of its square root",
        "power": (
            "the data is multiplied by its share of the variance (like alpha_bar in DDPM) instead of the square root "
            "of that share"
        ),
        "why_power": (
            "in one case, the data is multiplied by {data} and the noise by {noise}: the squares add up to {sum}. With "
            "the missing square root, they would always add up to 1"
        ),
        "single": (
            "only one of the factors of data and noise comes from the product over all steps, the other from one step"
        ),
        "why_single": (
            "at step {step}, the data is multiplied by {data} and the noise by {noise}: the squares add up to {sum}. "
            "With the same product in both factors (alpha_bar in DDPM), they would add up to 1"
        ),
        "of_noise": "the factor of the noise does not follow from the schedule",
        "why_of_noise": (
            "at step {step}, the data is multiplied by {data} and the noise by {noise}: the squares add up to {sum}, "
            "and to something else at other steps. The factor of the data leaves {right} for the noise "
            "(sqrt(1 - alpha_bar) in DDPM)"
        ),
        "of_data": "the factor of the data does not follow from the schedule, as the factor of the noise does",
        "why_of_data": (
            "at step {step}, the data is multiplied by {data} and the noise by {noise}: the squares add up to {sum}, "
            "and to something else at other steps. The factor of the noise leaves {right} for the data"
        ),
        "exchanged": "data and noise are exchanged: the noise gets the factor that decreases over the steps",
        "why_exchanged": (
            "at step {step}, the data is multiplied by {data} and the noise by {noise}, but {kept} is the factor of "
            "the data in the schedule (sqrt(alpha_bar) in DDPM): the first steps get the most noise"
        ),
        "width": (
            "for an output v of the model, the likelihood uses exp({taken}) as the standard deviation, but the "
            "interval uses exp({charged})"
        ),
        "why_width": (
            "line {line} adds a multiple of exp({charged}) to a mean, or subtracts it. Both places use the same output "
            "v of the model, so at most one of the two values is its standard deviation"
        ),
        "uniform": "{op} draws the noise from a uniform distribution, but the divergence assumes a normal distribution",
        "drawn": (
            "the divergence on line {line} uses exp({charged}) as the variance of a normal distribution, but {op} "
            "draws from a uniform distribution"
        ),
    },
    "es": {
        "message": "el ruido se multiplica por {taken}, que no es la desviación típica que supone la divergencia",
        "why": (
            "la divergencia de la línea {line} usa exp({charged}) como varianza, así que la desviación típica es "
            "exp({wanted})"
        ),
        "variance": (
            "el ruido se multiplica por una varianza (como 1 - alpha_bar en DDPM) en lugar de por su raíz cuadrada"
        ),
        "power": (
            "los datos se multiplican por su parte de la varianza (como alpha_bar en DDPM) en lugar de por la raíz "
            "cuadrada de esa parte"
        ),
        "why_power": (
            "en un caso, los datos se multiplican por {data} y el ruido por {noise}: los cuadrados suman {sum}. Con la "
            "raíz cuadrada que falta, sumarían siempre 1"
        ),
        "single": (
            "solo uno de los factores de datos y ruido viene del producto de todos los pasos; el otro, de un solo paso"
        ),
        "why_single": (
            "en el paso {step}, los datos se multiplican por {data} y el ruido por {noise}: los cuadrados suman {sum}. "
            "Con el mismo producto en ambos factores (alpha_bar en DDPM), sumarían 1"
        ),
        "of_noise": "el factor del ruido no sale de la misma programación que el factor de los datos",
        "why_of_noise": (
            "en el paso {step}, los datos se multiplican por {data} y el ruido por {noise}: los cuadrados suman {sum}, "
            "y otra cosa en otros pasos. El factor de los datos deja {right} para el ruido (sqrt(1 - alpha_bar) en "
            "DDPM)"
        ),
        "of_data": "el factor de los datos no sale de la misma programación que el factor del ruido",
        "why_of_data": (
            "en el paso {step}, los datos se multiplican por {data} y el ruido por {noise}: los cuadrados suman {sum}, "
            "y otra cosa en otros pasos. El factor del ruido deja {right} para los datos (sqrt(alpha_bar) en DDPM)"
        ),
        "exchanged": (
            "los datos y el ruido están intercambiados: el ruido recibe el factor que disminuye con los pasos"
        ),
        "why_exchanged": (
            "en el paso {step}, los datos se multiplican por {data} y el ruido por {noise}, pero en la secuencia de "
            "pasos {kept} es el factor de los datos (sqrt(alpha_bar) en DDPM): los primeros pasos reciben más ruido"
        ),
        "width": (
            "para una salida v del modelo, la verosimilitud usa exp({taken}) como desviación típica, pero el intervalo "
            "usa exp({charged})"
        ),
        "why_width": (
            "la línea {line} suma a una media, o le resta, un múltiplo de exp({charged}). Ambos lugares usan la misma "
            "salida v del modelo, así que como mucho uno de los dos valores es su desviación típica"
        ),
        "uniform": (
            "{op} genera el ruido con una distribución uniforme, pero la divergencia supone una distribución normal"
        ),
        "drawn": (
            "la divergencia de la línea {line} usa exp({charged}) como varianza de una distribución normal, pero {op} "
            "genera valores de una distribución uniforme"
        ),
    },
    "ja": {
        "message": "ノイズに {taken} を掛けていますが、これはダイバージェンスが仮定する標準偏差ではありません",
        "why": (
            "{line} 行目のダイバージェンスは exp({charged}) を分散として扱っているので、標準偏差は exp({wanted}) です"
        ),
        "variance": "ノイズに、分散 (DDPM の 1 - alpha_bar など) の平方根ではなく、分散そのものが掛けられています",
        "power": (
            "データに、データが分散に占める割合 (DDPM の alpha_bar など) の平方根ではなく、その割合そのものが掛けられて"
            "います"
        ),
        "why_power": (
            "データに {data}、ノイズに {noise} を掛けた例では、二乗の和が {sum} です。欠けている平方根を取れば、二乗の"
            "和は常に 1 になります"
        ),
        "single": "データとノイズの係数のうち一方だけが全ステップの積から、他方は 1 ステップの値から求められています",
        "why_single": (
            "ステップ {step} では、データに {data}、ノイズに {noise} が掛けられ、二乗の和は {sum} です。両方の係数を同"
            "じ積 (DDPM の alpha_bar) から求めれば、和は 1 になります"
        ),
        "of_noise": "ノイズの係数が、データの係数と同じスケジュールから求められていません",
        "why_of_noise": (
            "ステップ {step} ではデータに {data}、ノイズに {noise} を掛けており、2 乗の和は {sum} で、他のステップでは"
            "別の値になります。データの係数からノイズの係数は {right} となるはずです (DDPM の sqrt(1 - alpha_bar))"
        ),
        "of_data": "データの係数が、ノイズの係数と同じスケジュールから求められていません",
        "why_of_data": (
            "ステップ {step} ではデータに {data}、ノイズに {noise} を掛けており、2 乗の和は {sum} で、他のステップでは"
            "別の値になります。ノイズの係数からデータの係数は {right} となるはずです (DDPM の sqrt(alpha_bar))"
        ),
        "exchanged": "データとノイズが逆です: ステップとともに小さくなる係数がノイズに掛けられています",
        "why_exchanged": (
            "ステップ {step} では、データに {data}、ノイズに {noise} が掛けられていますが、スケジュールではデータの係数"
            "が {kept} (DDPM の sqrt(alpha_bar)) です。最初のステップほどノイズが多くなります"
        ),
        "width": "モデルの出力 v から求める標準偏差が、尤度では exp({taken})、区間では exp({charged}) になっています",
        "why_width": (
            "{line} 行目では exp({charged}) の定数倍が平均に足されるか引かれています。どちらの箇所もモデルの同"
            "じ出力 v を使うので、標準偏差として正しいのは多くとも一方だけです"
        ),
        "uniform": "ノイズは {op} で一様分布から生成されていますが、ダイバージェンスは正規分布を仮定しています",
        "drawn": (
            "{line} 行目のダイバージェンスは exp({charged}) を正規分布の分散として扱っていますが、{op} は一様分布から値"
            "を生成します"
        ),
    },
}
