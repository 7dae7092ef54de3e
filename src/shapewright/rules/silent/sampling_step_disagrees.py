"""A step of a sampler does not lead to the mixture of data and noise that the model was trained on.

## What it finds
Scripts that train a model on mixtures `a(t) * data + b(t) * noise` and sample step by step from noise. In training, the
shares and the target are solved for from the tensors; in sampling, each step `x = p * x + q * model(x, t) + r * noise`.
If the model predicted its target exactly, the next `x` would hold known shares of data and noise. Reported is a sampler
whose steps lead to other shares than those of the next `t`, for example a missing square root, a wrong sign, the steps
in the wrong order or a time that runs backwards; one that adds noise of the variance instead of the standard deviation;
and one that goes from less noise to more; one whose times have a unit that those of training do not have, such as the
step's number instead of a share of all steps. Where all steps agree with the products of their own factors, and
training mixes by the factor of one step alone, the line in training is reported.

## Why it hurts
The loss falls as expected, but the samples are not drawn from the data: the model is asked about inputs that it was
never trained on.

## Example
    x = (x - beta[i] / (1 - alpha_bar[i]) * model(x, t)) / alpha[i].sqrt()

## Instead
    x = (x - beta[i] / (1 - alpha_bar[i]).sqrt() * model(x, t)) / alpha[i].sqrt()

## Fix safety
Steps that go from less noise to more are turned round. Otherwise no edit is made: the training or the sampling may be
the one that is wrong.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands, produced, tensors
from ...graph.scopes import loop_around
from ...graph.source import Source
from ...graph.training import ancestors, of_kind, place
from ...graph.walks import Course, Stride, courses
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW364"
of_any_rank = True
FEWEST, PART = 3, 0.3  # steps that lead astray, as a number and as a share of all
ALL = 0.8  # of the steps of which both mixtures are known with times of another unit, those that lead where they should
LEAST, CHANGE = 4e-3, 0.3  # how far off a share is: at least, and of how much the step changes it
SAME, ROOT = 1e-3, 0.02


def check(trace: Trace) -> Iterator[Facts]:
    """One answer for each sampler."""
    for course in courses(trace):
        steps = course.steps
        still = [one for one in steps if one.time == one.later]
        told = _asked(course)
        if told is None and steps:
            told = _stays(still) if still else _leads(steps)
        made = trace.event(told[1].walk.event) if told is not None else None
        if told is None or made is None:
            continue
        kind, worst = told
        single = kind == "leads" and not still and _mixed_by_one_step(steps)
        mixed = produced(trace, next(tensors(worst.trained.data["args"]), TensorFact())) if single else None
        kind = "single" if mixed is not None else kind
        site = (mixed or (_joined(trace, made) if kind == "leads" else made)).site
        asked = trace.event(worst.asked.producer)
        calls = (one for one in of_kind(trace, "forward") if one.data["module"] == worst.walk.module)
        call = next((one.site for one in calls if not one.data["grad"]), None)
        site, call = (call or site, site) if kind == "asked" else (site, call)
        lines = dict.fromkeys((made.site, call, worst.trained.site, asked.site if asked is not None else None))
        if site is None:
            continue
        fields = {
            "time": f"{worst.time:g}",
            "later": f"{worst.later:g}",
            "data": f"{worst.data:.3f}",
            "noise": f"{abs(_whole(worst)):.3f}",
            "known": f"{worst.after[0]:.3f}",
            "level": f"{worst.after[1]:.3f}",
            "share": f"{worst.before[0]:.3f}",
            "drawn": f"{worst.walk.drawn:.3g}",
            "root": f"{worst.walk.drawn**0.5:.3g}",
            **{key: f"{value:g}" for key, value in zip(("first", "last"), course.taught)},
            **{key: f"{value:g}" for key, value in zip(("low", "high"), course.asked)},
        }
        origins = tuple(origin for line in lines if line != site for origin in place(trace, line))
        rises = sum(one.after[1] > one.before[1] for one in steps) > len(steps) / 2
        remedy = _turned(trace, made) if kind == "leads" and not still and rises else None
        yield Facts(site, kind, f"why_{kind}", fields, origins, event=made.index, remedy=remedy)


def _turned(trace: Trace, made: Event) -> Rewrite | None:
    """The loop of a sampler the other way round: from noise to data, as a sampler goes."""
    source = Source(trace)
    loop = next((one for site in reversed(made.stack) if (one := loop_around(source.statement_at(site)))), None)
    given = loop.iter if isinstance(loop, ast.For) else None
    if (
        not isinstance(given, ast.Call)
        or not isinstance(given.func, ast.Name)
        or len(given.args) > 1
        or made.site is None
    ):
        return None
    turned = {"range": "reversed({})", "reversed": ast.unparse(given.args[0])}.get(given.func.id)
    return Rewrite(turned, source.site(given, made.site.file)) if turned is not None else None


def _joined(trace: Trace, made: Event) -> Event:
    """Where the answer was added to what was given, fresh noise left out."""
    behind = sorted(ancestors(trace, made.result, 200).items()) if isinstance(made.result, TensorFact) else []
    last = max((index for index, event in behind if event.modules), default=-1)
    noise, found = set[int](), made
    for index, event in behind:
        given = {fact.producer for fact in operands(event)} - {-1}
        if index > last and (ops.is_a(event.op, "draws_normal") or (given & noise and ops.is_a(event.op, "scales"))):
            noise.add(index)
        elif index > last and ops.is_a(event.op, "adds", "subtracts") and len(given) > 1 and not given & noise:
            found = event
    return found


def _asked(course: Course) -> tuple[str, Stride] | None:
    """Times that are counted in another unit than in training: with all of them multiplied by one factor the steps lead
    where they should, and as they are few of them do."""
    right = len(_agreeing(course.steps))
    if course.walks <= FEWEST or right > PART * course.walks:
        return None
    for steps in course.rescaled.values():
        agreeing = _agreeing(steps)
        enough = len(agreeing) >= max(FEWEST, ALL * len(steps), PART * course.walks)
        if enough and len({one.after[1] for one in agreeing}) >= FEWEST:
            return "asked", agreeing[0]
    return None


def _agreeing(steps: list[Stride]) -> list[Stride]:
    """The steps from time to time that lead to what was trained on."""
    moves = any(abs(one.after[0] - one.before[0]) > LEAST for one in steps)
    return [one for one in steps if one.time != one.later and _off(one, moves) <= 1]


def _leads(steps: list[Stride]) -> tuple[str, Stride] | None:
    """How steps from time to time lead astray, and the one that does most."""
    moves = any(abs(one.after[0] - one.before[0]) > LEAST for one in steps)
    off = [(_off(one, moves), one) for one in steps]
    astray = [(far, one) for far, one in off if far > 1]
    if len(astray) >= max(FEWEST, PART * len(steps)):
        return "leads", max(astray, key=lambda pair: pair[0])[1]
    squared = [one for one in steps if 0 < (beta := _beta(one)) < 1 and abs(one.walk.drawn - beta) < ROOT * beta]
    spread = {round(one.walk.drawn, 3) for one in squared}
    if len(spread) >= FEWEST and len(squared) >= PART * len(steps):
        return "spread", max(squared, key=lambda one: one.walk.drawn**0.5 - one.walk.drawn)
    return None


def _mixed_by_one_step(steps: list[Stride]) -> bool:
    """Whether training mixes at each time by the factor of the step of that time alone, while the noise that sampling
    takes away there is that of the product of the factors of all steps up to it."""
    run = [steps[0]]
    for one in itertools.takewhile(lambda one: one.time == run[-1].later, steps[1:]):
        run.append(one)
    alone = all(abs(one.before[0] * one.walk.kept - 1) < SAME and one.before[2] == 0 for one in run)
    if not alone or len(run) < FEWEST or any(one.walk.kept <= 1 or one.walk.answered >= 0 for one in run):
        return False
    levels = [(1 / one.walk.kept - one.walk.kept) / one.walk.answered for one in run]
    shares = [max(1 - level**2, 0) ** 0.5 for level in levels]
    products = (share * one.walk.kept for share, one in zip(shares, run))
    return all(abs(later - share) < ROOT * share for later, share in zip(products, shares[1:]))


def _off(one: Stride, moves: bool) -> float:
    """By how many of what may be told apart the shares after a step are others."""
    (a, b, *_), (data, noise, *_) = one.before, one.after
    change = max(abs(data - a), abs(noise - b))
    far = abs(one.data - data)
    if moves or one.walk.drawn < SAME:
        left = max(noise**2 - one.walk.drawn**2, 0) ** 0.5
        ways = [left, *([a / data * noise**2 / b] if data and b else [])]
        far = max(far, min(abs(one.noise - way) for way in ways))
    return far / max(LEAST, CHANGE * change)


def _beta(one: Stride) -> float:
    """The variance of the noise that a step in training adds between both times."""
    return 1 - (one.before[0] / one.after[0]) ** 2 if one.after[0] else 0.0


def _stays(steps: list[Stride]) -> tuple[str, Stride] | None:
    """How steps at one level of noise (Langevin dynamics) lead astray."""
    levels = [one.before[1] for one in steps]
    turns = [(a, b) for a, b in itertools.pairwise(levels) if a != b]
    if len(turns) >= FEWEST - 1 and all(a < b for a, b in turns) and levels[-1] == max(levels):
        return "rises", steps[-1]
    plain = [one for one in steps if abs(one.walk.kept - 1) < SAME and abs(one.before[2]) < SAME]
    away = [one for one in plain if one.noise > one.before[1] * (1 + SAME)]
    if len(away) >= FEWEST and len(away) == len(plain):
        return "leads", max(away, key=lambda one: one.noise / one.before[1])
    squared = []
    for one in plain:
        wanted = 2 * (one.before[1] - one.noise) * one.before[1]  # the square of the noise's share
        if wanted > 0 and abs(wanted - 1) > 0.1 and abs(one.walk.drawn - wanted) < ROOT * wanted:
            squared.append(one)
    if len(squared) >= FEWEST and len({round(one.walk.drawn, 3) for one in squared}) >= 2:
        return "spread", max(squared, key=lambda one: abs(one.walk.drawn**0.5 - one.walk.drawn))
    return None


def _whole(one: Stride) -> float:
    """The share of all noise after a step."""
    return (one.noise**2 + one.walk.drawn**2) ** 0.5


MESSAGES = {
    "en": {
        "leads": "this sampling step does not lead to the mixture of data and noise that the model was trained on",
        "why_leads": (
            "the step from t = {time} to t = {later} was solved for from its tensors: if the model predicted its "
            "target exactly, the result would hold {data} of the data and {noise} of the noise. In training, the "
            "input at t = {later} holds {known} of the data and {level} of the noise"
        ),
        "single": "training mixes data and noise by the share of one step, not of all the steps up to that time",
        "why_single": (
            "sampling was solved for from its tensors: its steps agree with the product of their factors, but in "
            "training the share of the data at t = {time} ({share}) is the factor of the single step at that time. Use "
            "the cumulative product of the factors (torch.cumprod)"
        ),
        "spread": "this sampling step adds noise scaled by the variance instead of the standard deviation",
        "why_spread": (
            "at t = {time} the noise is multiplied by {drawn}; the shares of the noise in training show that {drawn} "
            "is the variance of this step. Its standard deviation is {root}"
        ),
        "asked": "sampling gives the model times from {low} to {high}; it was trained on times from {first} to {last}",
        "why_asked": (
            "the steps of this sampler were solved for from their tensors: they lead to the mixtures of data and noise "
            "that the model was trained on if its times are counted as in training, but it is asked at other times, "
            "such as t = {time}"
        ),
        "rises": "sampling goes from less noise to more",
        "why_rises": (
            "the last steps were made at t = {time}, where the input in training holds {level} of the noise, more than "
            "at every step before. The samples are left with that noise"
        ),
    },
    "es": {
        "leads": ("este paso de muestreo no lleva a la mezcla de datos y ruido con la que se entrenó el modelo"),
        "why_leads": (
            "el paso de t = {time} a t = {later} se calculó a partir de sus tensores: si el modelo predijera su "
            "objetivo exactamente, el resultado tendría {data} de los datos y {noise} del ruido. En el entrenamiento, "
            "la entrada en t = {later} tiene {known} de los datos y {level} del ruido"
        ),
        "single": "el entrenamiento mezcla datos y ruido con la proporción de un paso, no con la de todos hasta él",
        "why_single": (
            "el muestreo se calculó a partir de sus tensores: sus pasos concuerdan con el producto de sus factores, "
            "pero en el entrenamiento la proporción de los datos en t = {time} ({share}) es el factor de ese único "
            "paso. Usa el producto acumulado de los factores (torch.cumprod)"
        ),
        "spread": ("este paso de muestreo añade ruido escalado por la varianza en lugar de la desviación típica"),
        "why_spread": (
            "en t = {time} el ruido se multiplica por {drawn}; las proporciones de ruido en el entrenamiento muestran "
            "que {drawn} es la varianza de este paso. Su desviación típica es {root}"
        ),
        "asked": "el muestreo da al modelo tiempos de {low} a {high}; se entrenó con tiempos de {first} a {last}",
        "why_asked": (
            "los pasos de este muestreo se calcularon a partir de sus tensores: llevan a las mezclas de datos y ruido "
            "con las que se entrenó el modelo si los tiempos se cuentan como en el entrenamiento, pero el modelo "
            "recibe otros, como t = {time}"
        ),
        "rises": "el muestreo va de menos ruido a más",
        "why_rises": (
            "los últimos pasos se dieron en t = {time}, donde la entrada tiene en el entrenamiento {level} del ruido, "
            "más que en todos los pasos anteriores. Las muestras se quedan con ese ruido"
        ),
    },
    "ja": {
        "leads": "このサンプリングのステップは、モデルの学習時と同じデータとノイズの混合に到達しません",
        "why_leads": (
            "t = {time} から t = {later} へのステップをテンソルから求めました。モデルがターゲットを正確に予測したとする"
            "と、結果に含まれるデータは {data}、ノイズは {noise} です。学習時の t = {later} の入力では、データが "
            "{known}、ノイズが {level} です"
        ),
        "single": "学習時に、その時刻までの全ステップではなく 1 ステップ分の割合でデータとノイズを混ぜています",
        "why_single": (
            "サンプリングをテンソルから求めると、各ステップは係数の積と一致しますが、学習時の t = {time} でのデータの割"
            "合 {share} はその 1 ステップだけの係数です。係数の累積積 (torch.cumprod) を使ってください"
        ),
        "spread": "このサンプリングのステップは、標準偏差ではなく分散を掛けたノイズを加えています",
        "why_spread": (
            "t = {time} でノイズに {drawn} を掛けていますが、学習時のノイズの割合から、{drawn} はこのステップの分散です"
            "。標準偏差は {root} です"
        ),
        "asked": "サンプリングではモデルに時刻 {low} から {high} を与えていますが、学習時は {first} から {last} でした",
        "why_asked": (
            "このサンプリングの各ステップをテンソルから求めました。時刻を学習時と同じ単位で数えれば、モデルの学習時のデー"
            "タとノイズの混合に到達しますが、モデルには t = {time} など別の時刻が与えられています"
        ),
        "rises": "サンプリングがノイズの少ない方から多い方へ進んでいます",
        "why_rises": (
            "最後のステップは t = {time} で行われ、学習時の入力に含まれるノイズは {level} で、それまでのどのステップよ"
            "り多くなっています。サンプルにはこのノイズが残ります"
        ),
    },
}
