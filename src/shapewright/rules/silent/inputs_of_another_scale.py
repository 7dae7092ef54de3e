"""A model is given inputs that are far larger than those that it was trained on, or drawn from another distribution.

## What it finds
An input of a model whose mean absolute value, in a call without gradients or in evaluation mode, is at least eight
times the largest absolute value that the same input had in training: a step number instead of a time between 0 and 1,
pictures that are not divided by 255, features that are not standardized. Also random inputs, such as the latents of a
VAE or a GAN or the noise that a diffusion model starts from, that are uniform where those in training were normal, or
the other way round, or uniform between other numbers. And inputs that are standardized in training and not afterwards,
or the other way round, where the script holds their means and standard deviations.

## Why it hurts
The model extrapolates far beyond its training inputs: its outputs, and metrics of them, mean little.

## Example
    loss = (net(x, t / steps) - noise).pow(2).mean()
    guess = net(x, torch.full((len(x),), t))

## Instead
    guess = net(x, torch.full((len(x),), t / steps))

## Fix safety
Where the training call computes its input from a tensor of the same kind (`pictures[:60] / 255`), the same is done to
the other input, and so is where one of the two calls standardizes its own. Uniform latents become normal ones. In other
cases either side may be the right one, and nothing is proposed. Latents with a smaller deviation than in training
(truncation, a temperature) are not reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...graph.latents import Draw, Read, compared, reads
from ...graph.training import place
from ...trace import OtherScale, Trace
from ..facts import Facts
from ..loop_remedy import PrepareAsThere
from ..remedy import CallOther

code = "SW389"
of_any_rank = True
OFF = 0.2  # of the width of a uniform distribution: how far the middle of another one lies from its own
NORMAL_CALL = {"rand": "randn", "rand_like": "randn_like"}


def check(trace: Trace) -> Iterator[Facts]:
    """The first such call, and the first draw of each layer's inputs."""
    yield from _drawn(trace)
    found, data = trace.data.other_scale, trace.data
    if found is None or found.asked is None or data.made is not None or data.invented is not None:
        return
    module = trace.modules.get(found.model)
    if found.moments is not None:
        yield Facts(
            found.asked,
            message="standard",
            why="standard_why",
            fields={
                "model": module.kind if module is not None else "",
                "number": found.at,
                "line": found.learned.line if found.learned is not None else 0,
                **dict(zip(("mean", "spread", "here", "wide"), (f"{x:.3g}" for one in found.moments for x in one))),
            },
            origins=place(trace, found.learned),
            remedy=_standardized(found),
        )
        return
    yield Facts(
        found.asked,
        fields={
            "model": module.kind if module is not None else "",
            "number": found.at + 1,
            "most": f"{found.most:.3g}",
            "mean": f"{found.mean:.3g}",
            "line": found.learned.line if found.learned is not None else 0,
        },
        origins=place(trace, found.learned),
        remedy=PrepareAsThere(found.learned, found.at),
        severity="warning",
    )


def _standardized(found: OtherScale) -> PrepareAsThere:
    """The side that is not standardized prepared as the other one is."""
    learned, asked = (abs(mean) + abs(spread - 1) for mean, spread in found.moments or ())
    there, onto = (found.learned, found.asked) if learned < asked else (found.asked, found.learned)
    return PrepareAsThere(there, onto=onto)


def _drawn(trace: Trace) -> Iterator[Facts]:
    """Layers that are given other draws than those that they learned from."""
    told: set[object] = set()
    for calls in reads(trace):
        trained, asked = ([one for one in calls if one.trains is side] for side in (True, False))
        for at in range(len(calls[0].parts) if trained else 0):
            own = _all_drawn(trace, trained, at)
            other = next((one for one in (_given(read, at) for read in asked) if one is not None), None)
            kind = _apart(own, other) if own is not None and other is not None else ""
            if not kind or own is None or other is None:
                continue
            fault, beside = (own, other) if kind == "normal" and not own.alone else (other, own)
            kind = "mixed" if fault is own else kind
            if fault.event.site is None or fault.event.site in told:
                continue
            told.add(fault.event.site)
            plain = kind in ("uniform", "mixed") and (fault.low, fault.high) == (0, 1)
            another = NORMAL_CALL.get(fault.event.op) if plain else None
            yield Facts(
                fault.event.site,
                message=kind,
                why=f"{kind}_why",
                fields={
                    "op": fault.event.op.rstrip("_"),
                    "other": beside.event.op.rstrip("_"),
                    "line": beside.event.site.line if beside.event.site is not None else 0,
                    "low": f"{fault.low:g}",
                    "high": f"{fault.high:g}",
                    "least": f"{own.low:g}",
                    "most": f"{own.high:g}",
                },
                origins=place(trace, beside.event.site),
                event=fault.event.index,
                remedy=CallOther(another) if another is not None else None,
                severity="warning",
            )


def _all_drawn(trace: Trace, trained: list[Read], at: int) -> Draw | None:
    """What each training call of a layer was given of one distribution, drawn anew: as it is, as the noise of learned
    numbers, or as the noise that its outputs are held against."""
    given = [read.parts[at] if at < len(read.parts) else () for read in trained]
    often = Counter(index for draws in given for index in {draw.event.index for draw in draws})
    known: list[Draw] = []
    for draws in given:
        fresh = [draw for draw in draws if len(given) > 1 and often[draw.event.index] < len(given)]
        fresh = fresh if len(fresh) == 1 else [draw for draw in fresh if compared(trace, draw.event)]
        if len(fresh) != 1:
            return None
        known += fresh
    alike = len({(draw.family, draw.alone, draw.learned) for draw in known}) == 1
    meant = alike and (known[0].alone or known[0].learned or all(compared(trace, draw.event) for draw in known))
    return known[0] if meant else None


def _given(read: Read, at: int) -> Draw | None:
    """The one draw that a part of an input is."""
    draws = read.parts[at] if at < len(read.parts) else ()
    return draws[0] if len(draws) == 1 and draws[0].alone else None


def _apart(own: Draw, other: Draw) -> str:
    """How a draw differs from those in training: by its family, or by the ends of a uniform one."""
    if own.family != other.family:
        return other.family
    middle = abs((own.low + own.high) - (other.low + other.high)) / 2
    return "range" if own.family == "uniform" and own.alone and middle > OFF * (own.high - own.low) else ""


MESSAGES = {
    "en": {
        "standard": "the inputs of {model} are standardized in training or here, but not in both",
        "standard_why": (
            "feature {number} (counted from 0) has a mean of {mean} and a standard deviation of {spread} in training "
            "(line {line}); here they are {here} and {wide}. The script holds the means and standard deviations of the "
            "inputs that are not standardized, but uses them on one side only"
        ),
        "uniform": "{op} draws uniform inputs for the model, but those in training were normally distributed",
        "uniform_why": (
            "in training, {other} on line {line} draws normal numbers: negative as often as positive, and not bounded. "
            "{op} gives only numbers between {low} and {high} here, so most of what the model learned is never drawn"
        ),
        "normal": "{op} draws normal inputs for the model, but those in training were uniformly distributed",
        "normal_why": (
            "in training, {other} on line {line} draws numbers between {least} and {most}. Here, {op} also draws "
            "numbers outside of that range, which the model never saw"
        ),
        "mixed": "the noise that the model learns to predict is uniform, but sampling starts from normal noise",
        "mixed_why": (
            "{op} draws numbers between {low} and {high} here; {other} on line {line} draws the noise for sampling "
            "from a normal distribution"
        ),
        "range": "{op} draws inputs between {low} and {high} for the model, but in training between {least} and {most}",
        "range_why": "the inputs in training are drawn by {other} on line {line}, and their mean is different",
        "message": "{model} is given inputs that are much larger here than in training",
        "why": (
            "the mean absolute value of argument {number} is {mean}; in training (line {line}), no absolute value was "
            "larger than {most}"
        ),
    },
    "es": {
        "standard": "las entradas de {model} se estandarizan en el entrenamiento o aquí, pero no en ambos",
        "standard_why": (
            "la característica {number} (desde 0) tiene media {mean} y desviación típica {spread} en el entrenamiento "
            "(línea {line}); aquí, {here} y {wide}. El script guarda las medias y desviaciones de las entradas sin "
            "estandarizar, pero solo las usa en un lado"
        ),
        "uniform": "{op} genera entradas uniformes para el modelo, pero las de entrenamiento eran normales",
        "uniform_why": (
            "en el entrenamiento, {other} (línea {line}) genera números normales: tantas veces negativos como "
            "positivos, y sin cota. Aquí {op} solo da números entre {low} y {high}, así que la mayor parte de lo "
            "aprendido no se genera nunca"
        ),
        "normal": "{op} genera entradas normales para el modelo, pero las de entrenamiento eran uniformes",
        "normal_why": (
            "en el entrenamiento, {other} (línea {line}) genera números entre {least} y {most}. Aquí {op} genera "
            "también números fuera de ese intervalo, que el modelo nunca vio"
        ),
        "mixed": "el ruido que el modelo aprende a predecir es uniforme, pero el muestreo parte de ruido normal",
        "mixed_why": (
            "aquí {op} genera números entre {low} y {high}; {other} (línea {line}) genera el ruido del muestreo con "
            "una distribución normal"
        ),
        "range": "{op} genera entradas entre {low} y {high} para el modelo, pero en el entrenamiento entre {least} y "
        "{most}",
        "range_why": "las entradas de entrenamiento las genera {other} (línea {line}), y su media es distinta",
        "message": "{model} recibe aquí entradas mucho mayores que en el entrenamiento",
        "why": (
            "el valor absoluto medio del argumento {number} es {mean}; en el entrenamiento (línea {line}), ningún "
            "valor absoluto pasó de {most}"
        ),
    },
    "ja": {
        "standard": "{model} の入力は、学習時とここの一方だけで標準化されています",
        "standard_why": (
            "特徴量 {number} (0 始まり) は、学習時 ({line} 行目) には平均 {mean}、標準偏差 {spread} ですが、ここでは "
            "{here} と {wide} です。標準化されていない入力の平均と標準偏差はスクリプトにありますが、一方でしか使われて"
            "いません"
        ),
        "uniform": "{op} はモデルの入力を一様分布から生成していますが、学習時の入力は正規分布から生成されていました",
        "uniform_why": (
            "学習時は {line} 行目の {other} が正規分布の値 (正負が半々で範囲に限りがない) を生成します。ここでは {op} "
            "が {low} から {high} の値しか生成しないため、学習した範囲の大部分が使われません"
        ),
        "normal": "{op} はモデルの入力を正規分布から生成していますが、学習時の入力は一様分布から生成されていました",
        "normal_why": (
            "学習時は {line} 行目の {other} が {least} から {most} の値を生成します。ここでは {op} がその範囲の外の値も"
            "生成し、モデルはそのような値を学習していません"
        ),
        "mixed": "モデルが予測を学習するノイズは一様分布ですが、サンプリングは正規分布のノイズから始まります",
        "mixed_why": (
            "ここでは {op} が {low} から {high} の値を生成しますが、サンプリングのノイズは {line} 行目の {other} が正規"
            "分布から生成します"
        ),
        "range": "{op} はモデルの入力を {low} から {high} の間で生成しますが、学習時は {least} から {most} の間でした",
        "range_why": "学習時の入力は {line} 行目の {other} が生成しており、平均が異なります",
        "message": "ここで {model} に渡される入力の値は、学習時よりはるかに大きくなっています",
        "why": (
            "{number} 番目の引数の絶対値は平均 {mean} ですが、学習時 ({line} 行目) には {most} を超えたことがありません"
        ),
    },
}
