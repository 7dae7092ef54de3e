"""Attention scores are scaled by the wrong factor, such as the root of a size that their product does not sum over.

## What it finds
`softmax` of `q @ k` where scores, queries or keys are multiplied or divided by plain numbers whose product is 1/sqrt(n)
for the size n of a different axis, or 1/d, or sqrt(d); d is the size that the product sums over. Rotary positions,
biases and concatenations in between do not matter.

## Why it hurts
The dot product of two vectors of d independent values with mean 0 and variance 1 has a standard deviation of sqrt(d).
Divided by much more, the weights are nearly equal at the start; divided by much less, one weight can be nearly 1, and
then hardly any gradient passes through the softmax.

## Example
    scores = q @ k.transpose(-2, -1) / math.sqrt(x.size(1))     # the number of steps

## Instead
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))

## Fix safety
Training starts from different attention weights; a model trained with the wrong scale should be trained again. Not
reported: learned scales, temperatures that are not the root of a size, normalized queries and keys.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field

from ... import ops
from ...dataclass import dataclass
from ...graph.flow import operands, produced, shown
from ...graph.training import place
from ...trace import Event, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import ScaleByRoot
from ..subjects import of_calls

code = "SW273"
DEEPEST = 16
FOLLOWED = ops.named("pointwise", "reshapes", "triangles", "joins", "splits")


@dataclass
class _Scale:
    """What was gathered on the way back from a softmax: the product of the plain factors, `None` where one is learned
    or no number; whether that is `all`, since tensors that do not learn (positions, rotations) may take part too; the
    sizes passed; where the last factor came in; whether the product lies behind."""

    factor: float | None = 1.0
    all: bool = True
    sizes: set[int] = field(default_factory=set)
    site: Site | None = None
    multiplied: bool = False
    added: bool = False  # to another tensor, behind the product: a factor of one term is none of the sum

    def pass_through(self, event: Event) -> TensorFact | None:
        """Take in one operator; the operand to follow, `None` at one that ends the way."""
        facts = operands(event)
        if not facts or not (event.op in FOLLOWED and self.factor is not None):
            return None
        self.sizes |= set(facts[0].shape or ())
        learning = [fact for fact in facts if fact.requires_grad]
        if ops.is_a(event.op, "scales"):
            number = next((part for part in event.args if isinstance(part, (int, float))), None)
            if "reflected" in event.flags or number == 0 or (number is None and (len(learning), len(facts)) != (1, 2)):
                self.factor = None
                return None
            if number is None:
                self.all = False
            elif self.added:
                return None
            else:
                self.factor *= 1 / number if ops.is_a(event.op, "divides") else number
                self.site = event.site
        elif ops.is_a(event.op, "offsets", "joins") and (self.multiplied or len(learning) == 1):
            self.all = False
            self.added |= self.multiplied and len(facts) > 1 and ops.is_a(event.op, "offsets")
        elif ops.is_a(event.op, "pointwise") and not ops.is_a(event.op, "masks", "drops"):
            self.factor = self.factor if ops.is_a(event.op, "keeps_values") else None
        return learning[0] if learning else facts[0]


@of_calls("softmaxes")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every softmax of scores that were scaled by another size's root."""
    if not operands(event):
        return
    scale = _Scale()
    product = _back(trace, operands(event)[0], scale, "contracts")
    scale.multiplied = True
    sides = operands(product) if product is not None else []
    if len(sides) != 2 or any(fact.kind == "parameter" for fact in sides):
        return
    width = _summed(product, sides[0])
    if not width:
        return
    ends = [_back(trace, side, scale, "norms", "scales_to_one") for side in sides]
    if any(end is not None for end in ends) or scale.factor in (None, 1.0) or scale.site is None:
        return
    expected, told = width**-0.5, scale.factor
    if math.isclose(told, expected, rel_tol=1e-3):
        return
    sizes = {n for n in scale.sizes | {n for side in sides for n in side.shape} if n > 1 and n != width}
    other = next((n for n in sorted(sizes) if math.isclose(told, n**-0.5, rel_tol=1e-4)), 0)
    if other or (scale.all and any(math.isclose(told, wrong, rel_tol=1e-4) for wrong in (1 / width, width**0.5))):
        yield Facts(
            scale.site,
            message="message" if other else "whole",
            fields={
                "width": width,
                "other": other,
                "scale": f"{told:.4g}",
                "expected": f"{expected:.4g}",
                "a": shown(sides[0].shape),
                "b": shown(sides[1].shape),
            },
            origins=place(trace, product.site) if product.site != scale.site else (),
            remedy=ScaleByRoot(product.site) if product.site is not None else None,
            severity="warning",
        )


def _back(trace: Trace, fact: TensorFact, scale: _Scale, *until: str) -> Event | None:
    """The operator of one of these groups that a tensor came from, by way of scales, masks and reshapes."""
    for _ in range(DEEPEST):
        event = produced(trace, fact)
        if event is None or ops.is_a(event.op, *until):
            return event
        following = scale.pass_through(event)
        if following is None:
            scale.sizes |= {n for made in operands(event)[:1] for n in made.shape or ()}
            return None
        fact = following
    return None


def _summed(product: Event, side: TensorFact) -> int:
    """The size that a product sums over."""
    axes = next((axes for _, axes in ops.summed(ops.bound(product))), ())
    return side.shape[axes[0]] if axes and axes[0] < side.rank else 0


MESSAGES = {
    "en": {
        "message": (
            "the attention scores, a product of {a} and {b}, are multiplied by {scale} = 1/sqrt({other}); the product "
            "sums over {width} values, not {other}"
        ),
        "whole": "the attention scores, a product of {a} and {b}, are multiplied by {scale} instead of 1/sqrt({width})",
        "why": (
            "a sum of {width} products of independent values with mean 0 and variance 1 has standard deviation sqrt("
            "{width}); the usual factor is 1/sqrt({width}) = {expected}"
        ),
    },
    "es": {
        "message": (
            "las puntuaciones de atención, un producto de {a} y {b}, se multiplican por {scale} = 1/sqrt({other}); el "
            "producto suma {width} valores, no {other}"
        ),
        "whole": (
            "las puntuaciones de atención, un producto de {a} y {b}, se multiplican por {scale} en vez de por "
            "1/sqrt({width})"
        ),
        "why": (
            "una suma de {width} productos de valores independientes de media 0 y varianza 1 tiene desviación típica "
            "sqrt({width}); el factor habitual es 1/sqrt({width}) = {expected}"
        ),
    },
    "ja": {
        "message": (
            "アテンションのスコア ({a} と {b} の積) が {scale} = 1/sqrt({other}) 倍されていますが、積が足し合わせる値は"
            " {other} 個ではなく {width} 個です"
        ),
        "whole": "アテンションのスコア ({a} と {b} の積) が 1/sqrt({width}) 倍ではなく {scale} 倍されています",
        "why": (
            "平均 0、分散 1 の独立な値どうしの積を {width} 個足すと、標準偏差は sqrt({width}) です。通常は "
            "1/sqrt({width}) = {expected} 倍します"
        ),
    },
}
