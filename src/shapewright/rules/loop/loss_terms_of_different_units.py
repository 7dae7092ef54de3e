"""A loss adds a sum over the batch to an average over the batch.

## What it finds
Two terms of one loss, with weights of the same order, one of which grows with the batch size while the other does not;
or a `kl_div` that averages over the classes as well, combined with a term that averages over samples only; or a sum
over the samples that is added to each sample's own value; or the divergence of a normal distribution, a sum over the
latent dimensions of each sample, beside a reconstruction that averages over the many values of a sample, with similar
weights, be they added up per sample or per batch; a weight that is warmed up counts from its beginning; or a divergence
that averages over the latent dimensions beside a reconstruction that is a sum over the values of each sample.

## Why it hurts
The balance between a sum and an average over the batch depends on the batch size: relative to the average, the sum is
as many times larger as there are samples, so a different batch size trains a different model. The other cases change
the balance by the number of samples, classes or values.

## Example
    loss = F.mse_loss(out, x) - 0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum()

## Instead
    loss = F.mse_loss(out, x, reduction="sum") - 0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum()

## Fix safety
Safe for `kl_div`, whose sum over the classes is its definition: `reduction="batchmean"`. Which of a sum and an average
was intended only the author knows; a reconstruction that sums over the values of a sample is offered as a possibility.
A sum that is divided by the batch size, or weighted with less than a tenth, is not reported.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator

from ... import ops
from ...graph.bootstrap import SUMS
from ...graph.divergences import beside_its_exponential
from ...graph.flow import RESHAPING, operands, produced, reduction, root, sample_uids
from ...graph.scaling import unscaled
from ...graph.source import Source
from ...graph.training import ancestors, losses, place
from ...graph.units import Term, apart, terms
from ...trace import Event, StepFact, Trace
from ..facts import Facts
from ..remedy import CallOther, Remedy, Rewrite, SetArgument

code = "SW345"
LEAST = 0.1
CLASSIFYING = ops.named("classifies")
MANY = 32  # values of a sample
EVEN = (0.2, 1.9)  # a divergence has a half of its own
BEGUN, RISES = 0.05, 1.3  # where a weight still rises when the run is cut: what it begins with, and how much it rises
AVERAGED = 1.5  # a sum divided by the samples weighs about 1 per sample, whatever constant stands before it


def check(trace: Trace) -> Iterator[Facts]:
    """Every loss with two such terms, at the sum."""
    samples = sample_uids(trace)
    yield from itertools.islice(_own(trace, samples), 1)
    every = [(step, list(terms(trace, loss, samples))) for step, loss in losses(trace)]
    least = EVEN[0] if not _rising(trace, every) else BEGUN
    for step, found in every:
        parts = [part for term in found for part in apart(trace, term)]
        yield from itertools.islice(_averaged(trace, step, parts, least), 1)
        yield from itertools.islice(_codes_averaged(trace, step, parts), 1)
        averages = [term for term in found if term.how == "mean"]
        least = LEAST * max((abs(term.weight) for term in averages), default=1.0)
        sums = [term for term in found if term.how == "sum" and abs(term.weight) >= least]
        sums = [
            term for term in sums if _times(term) > AVERAGED or (averages and all(_again(a, term) for a in averages))
        ]
        split = [term for term in averages if _over_classes(trace, term)]
        for odd, others, kind in (
            (sums, averages, "message"),
            (split, [t for t in averages if t not in split], "classes"),
        ):
            if odd and others and odd[0].event.site is not None and others[0].event.site is not None:
                yield Facts(
                    odd[0].event.site,
                    message=kind,
                    why="why" if kind == "message" else "classes_why",
                    fields={"line": others[0].event.site.line, "size": odd[0].size, "backward": step.site.line},
                    origins=(*place(trace, others[0].event.site), *place(trace, step.site)),
                    severity="warning",
                    cause=(code, step.site),
                    event=odd[0].event.index,
                    remedy=_over_samples(trace, odd[0].event) if kind == "classes" else _alike(trace, odd, others),
                )
                break


def _times(term: Term) -> float:
    """How often the loss has what a term says of a sample, where the term is a sum over them."""
    return abs(term.weight) * term.size


def _again(average: Term, total: Term) -> bool:
    """Whether an average is divided by the number of samples once more, together with a sum."""
    return average.size == total.size > 2 and _times(total) >= EVEN[0] and EVEN[0] <= _times(average) <= AVERAGED


def _alike(trace: Trace, sums: list[Term], averages: list[Term]) -> Remedy | None:
    """The one average summed, where all is divided by the samples once more, else the one sum averaged: each of one
    number per sample."""
    again = all(_again(average, total) for average in averages for total in sums)
    changed, how = (averages, "sum") if again else (sums, "mean")
    event = changed[0].event
    if len(changed) != 1 or event.site is None:
        return None
    if ops.is_a(event.op, "sums", "averages"):
        return CallOther(how, event.site, guessed=True) if again or operands(event)[0].rank == 1 else None
    layer = trace.layer(event)
    own = layer.uid if layer is not None and layer.is_torch else -1
    return SetArgument("reduction", f'"{how}"', site=event.site, module=own, guessed=True)


def _rising(trace: Trace, every: list[tuple[StepFact, list[Term]]]) -> bool:
    """Whether the weight of a divergence rises from step to step in a run that is cut short: it is warmed up."""
    parts = ([part for term in found for part in apart(trace, term)] for _, found in every)
    weights = [abs(weight) for own in parts for part in own if (weight := _divergence(trace, part))]
    return any(loop.cut for loop in trace.loops) and bool(weights) and weights[-1] >= RISES * weights[0]


def _averaged(trace: Trace, step: StepFact, found: list[Term], least: float) -> Iterator[Facts]:
    """Reconstructions that average over the values of a sample beside a divergence that sums over its codes, `least`
    times at least."""
    sums = [(term, weight) for term in found if (weight := _divergence(trace, term))]
    for term in found if sums else ():
        event = _averaging(trace, term)
        if event is None or event.site is None:
            continue
        divergence, weight = sums[0]
        values = math.prod(operands(event)[0].sizes) // term.size
        other = term.event is not divergence.event or term.given is not divergence.given
        other = other and values >= MANY and term.size == divergence.size
        if other and term.weight and least <= abs(weight / term.weight) <= EVEN[1]:
            remedy = _summed(trace, event, term.size)
            yield _beside(trace, step, "values", event, divergence.event, values, remedy)
            return


def _beside(
    trace: Trace, step: StepFact, kind: str, event: Event, other: Event, size: int, remedy: Remedy | None = None
) -> Facts:
    """A term that averages over `size` numbers of a sample beside one that adds them up."""
    return Facts(
        event.site,
        message=kind,
        why=f"{kind}_why",
        fields={
            "line": other.site.line if other.site else "?",
            "size": size,
            "backward": step.site.line if step.site else "?",
        },
        origins=(*place(trace, other.site), *place(trace, step.site)),
        severity="warning",
        cause=(code, step.site),
        event=event.index,
        remedy=remedy,
    )


def _summed(trace: Trace, event: Event, size: int) -> Rewrite | None:
    """The average over all values times the values of a sample; or else the divergence could be an average, too."""
    call = Source(trace).spanned(event.site, ast.Call) if event.site is not None else None
    sides = operands(event)[:2]
    if call is None or len(sides) != 2 or sides[1].sizes[:1] != (size,) or sides[0].sizes != sides[1].sizes:
        return None
    target = next((k.value for k in call.keywords if k.arg == "target"), call.args[1] if len(call.args) > 1 else None)
    return Rewrite(f"{{}} * {target.id}[0].numel()", event.site, guessed=True) if isinstance(target, ast.Name) else None


def _averaging(trace: Trace, term: Term) -> Event | None:
    """Where a term averages the values of its samples: of all at once, or of each sample first."""
    event, given = term.event, term.reduced
    if given is not None and given.rank == 1 and (made := produced(trace, given)) is not None and made.op == "mean":
        event, given = made, next(iter(operands(made)), None)
        before = produced(trace, given) if given is not None else None
        if before is None or before.op in CLASSIFYING:
            return None  # an average over the tokens of a text
    told = given is not None and given.rank > 1 and term.how == "mean" and event.op not in CLASSIFYING
    return event if told else None


def _divergence(trace: Trace, term: Term) -> float:
    """How often the loss of a sample has its divergence, a sum over its codes; 0 where the term is none. A number and
    its own exponential, or logarithm, stand beside each other in it."""
    given = term.reduced
    times, given = unscaled(trace, given) if given is not None else (1.0, None)
    made = produced(trace, given) if given is not None else None
    if given is None or made is None or not term.how:
        return 0.0
    if given.rank != 2 if term.how == "sum" else made.op != "sum" or given.rank != 1:
        return 0.0
    if not beside_its_exponential(trace, given):
        return 0.0
    return abs(times) * term.weight * (term.size if term.how == "sum" else 1)


def _codes_averaged(trace: Trace, step: StepFact, found: list[Term]) -> Iterator[Facts]:
    """Divergences that average over the codes of a sample beside a reconstruction that sums over its values."""
    sums = [term for term in found if _summed_values(trace, term) >= MANY]
    for term in found if sums else ():
        event, given = _averaging(trace, term), None
        if event is not None and event.site is not None:
            times, given = unscaled(trace, operands(event)[0])
        if event is None or given is None or given.rank != 2 or not beside_its_exponential(trace, given):
            continue
        other = sums[0]
        ratio = abs(times * term.weight / other.weight) if other.weight else 0.0
        if other.size == term.size and EVEN[0] <= ratio <= min(EVEN[1], given.sizes[1] / 4):
            yield _beside(trace, step, "codes", event, other.event, given.sizes[1])


def _summed_values(trace: Trace, term: Term) -> int:
    """How many values of each sample a term adds up, where it then averages over the samples and is no divergence."""
    given = term.reduced
    made = produced(trace, given) if given is not None else None
    if given is None or made is None or term.how != "mean" or given.rank != 1 or made.op != "sum":
        return 0
    before = operands(made)[0]
    return 0 if beside_its_exponential(trace, before) else math.prod(before.sizes) // max(term.size, 1)


def _own(trace: Trace, samples: frozenset[int]) -> Iterator[Facts]:
    """Sums over the samples that are added to one number of each sample."""
    for event in trace.events:
        given = operands(event)
        if event.op not in SUMS or len(given) != 2 or "grad" not in event.flags or not event.site:
            continue
        total, own = sorted(given, key=lambda fact: fact.rank)
        if total.rank != 0 or own.rank != 1 or not total.requires_grad:
            continue
        summed = next((one for one in terms(trace, total, samples) if one.how == "sum" and one.size > 1), None)
        if summed is None or own.sizes[0] != summed.size or abs(summed.weight) < LEAST or summed.event.op != "sum":
            continue
        base = root(trace, operands(summed.event)[0], lambda made: made.op in RESHAPING or made.op == "getitem")
        if summed.event.site is None or base.producer in ancestors(trace, own):
            continue  # the others' sum, or what a sample has more than all together
        yield Facts(
            summed.event.site,
            message="own",
            why="own_why",
            fields={"line": event.site.line, "size": summed.size},
            origins=place(trace, event.site),
            severity="warning",
            event=summed.event.index,
        )


def _over_classes(trace: Trace, term: Term) -> bool:
    """Whether a divergence of distributions is averaged over their classes too."""
    event = term.event
    given = next(iter(operands(event)), None)
    made = produced(trace, given) if given is not None else None
    return (
        event.op == "kl_div"
        and reduction(event) == "mean"
        and given is not None
        and given.rank > 1
        and made is not None
        and made.op == "log_softmax"
    )


def _over_samples(trace: Trace, event: Event) -> SetArgument:
    """The divergence averaged over the samples alone, where it is called or where its layer is made."""
    layer = trace.layer(event)
    own = layer.uid if layer is not None and layer.is_torch else -1
    return SetArgument("reduction", '"batchmean"', site=event.site, module=own)


MESSAGES = {
    "en": {
        "message": (
            "this term is a sum over the {size} samples of the batch, but the term of line {line} is a mean over them"
        ),
        "why": (
            "the loss of line {backward} adds both terms: as a sum, this term weighs {size} times as much as its mean "
            "would, and the balance of the two terms changes with the batch size"
        ),
        "own": (
            "this term is a sum over the {size} samples of the batch, but line {line} adds it to one value per sample"
        ),
        "own_why": (
            "the sum over all {size} samples is added to the value of each sample: each value depends on the other "
            "samples and grows with the batch size; sum over the other axes only, to keep one value per sample"
        ),
        "values": (
            "this term is a mean over the {size} values of a sample, but the divergence of line {line} is a sum over "
            "the latent dimensions"
        ),
        "values_why": (
            "the loss of line {backward} adds both terms with similar weights; if this term were also a sum, the "
            "relative weight of the divergence would be {size} times smaller; the present weight can lead to posterior "
            "collapse"
        ),
        "codes": (
            "this divergence is a mean over the {size} latent dimensions, but the term of line {line} is a sum over "
            "the values of a sample"
        ),
        "codes_why": (
            "the loss of line {backward} adds both terms with similar weights; a divergence is a sum over the latent "
            "dimensions: as a mean it has {size} times less weight"
        ),
        "classes": (
            "with reduction='mean' (the default), kl_div also averages over the classes, but a divergence is a sum "
            "over the classes"
        ),
        "classes_why": (
            "the loss of line {backward} adds this term to the mean of line {line}; use reduction='batchmean', "
            "which divides by the number of samples ({size}) only"
        ),
    },
    "es": {
        "message": (
            "este término es una suma sobre las {size} muestras del lote, pero el de la línea {line} es una media "
            "sobre ellas"
        ),
        "why": (
            "la pérdida de la línea {backward} une los dos términos: este, al ser una suma, pesa {size} veces lo que "
            "pesaría si fuera una media, y el equilibrio entre los dos cambia con el tamaño del lote"
        ),
        "own": (
            "este término es una suma sobre las {size} muestras del lote, pero la línea {line} lo suma a un valor por "
            "muestra"
        ),
        "own_why": (
            "la suma de las {size} muestras se añade al valor de cada muestra: cada valor depende de las demás "
            "muestras y crece con el tamaño del lote. Hay que sumar solo sobre los otros ejes para conservar un valor "
            "por muestra"
        ),
        "values": (
            "este término es una media sobre los {size} valores de una muestra, pero la divergencia de la línea {line} "
            "es una suma sobre las dimensiones latentes"
        ),
        "values_why": (
            "la pérdida de la línea {backward} suma los dos términos con pesos parecidos. Si este término también "
            "fuera una suma, el peso relativo de la divergencia sería {size} veces menor. El peso actual puede llevar "
            "al colapso de la distribución posterior (posterior collapse)"
        ),
        "codes": (
            "esta divergencia es una media sobre las {size} dimensiones latentes, pero el término de la línea {line} "
            "es una suma sobre los valores de una muestra"
        ),
        "codes_why": (
            "la pérdida de la línea {backward} suma los dos términos con pesos parecidos. Una divergencia es una suma "
            "sobre las dimensiones latentes: como media pesa {size} veces menos"
        ),
        "classes": (
            "con reduction='mean' (el valor por defecto), kl_div promedia también sobre las clases, pero una "
            "divergencia es una suma sobre las clases"
        ),
        "classes_why": (
            "la pérdida de la línea {backward} suma este término a la media de la línea {line}; reduction='batchmean' "
            "promedia solo sobre las {size} muestras"
        ),
    },
    "ja": {
        "message": "この項はバッチの {size} サンプルの和ですが、{line} 行目の項は平均です",
        "why": (
            "{backward} 行目の損失は両方の項を足しています。この項は和なので、平均を取った場合の {size} 倍の重みになり"
            "、2 つの項の釣り合いがバッチサイズで変わります"
        ),
        "own": "この項はバッチの {size} サンプルの和ですが、{line} 行目でサンプルごとの値に足されています",
        "own_why": (
            "{size} サンプルすべての和が各サンプルの値に加わるため、値が他のサンプルに依存し、"
            "バッチサイズとともに大きくなります。ほかの軸だけで和を取り、サンプルごとに 1 つの値を残してください"
        ),
        "values": (
            "この項は 1 サンプルの {size} 個の値の平均ですが、{line} 行目のダイバージェンスは潜在変数の各成分の和です"
        ),
        "values_why": (
            "{backward} 行目の損失は両方の項を近い重みで足しています。この項も和にすれば、"
            "ダイバージェンスの相対的な重みは {size} 分の 1 になります。今の重みでは、事後分布の崩壊 (posterior "
            "collapse) を招くことがあります"
        ),
        "codes": (
            "このダイバージェンスは潜在変数の {size} 個の成分の平均ですが、{line} 行目の項は 1 サンプルの値の和です"
        ),
        "codes_why": (
            "{backward} 行目の損失は両方の項を近い重みで足しています。ダイバージェンスは潜在変数の成分の和であり、"
            "平均にすると重みは {size} 分の 1 になります"
        ),
        "classes": (
            "reduction='mean' (既定値) の kl_div はクラスについても平均しますが、"
            "ダイバージェンスはクラスについては和を取るものです"
        ),
        "classes_why": (
            "{backward} 行目の損失ではこの項を {line} 行目の平均に足しています。reduction='batchmean' なら {size} サン"
            "プルについてのみ平均します"
        ),
    },
}
