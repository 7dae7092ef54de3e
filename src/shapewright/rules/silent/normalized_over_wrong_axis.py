"""Values are normalized along one axis and used along another.

## What it finds
A square table divided by its own sums (norms, maxima) over the last axis without `keepdim`: the sums of the rows
broadcast along the columns. A product of two normalized operands, one of which is normalized along a different axis
from the one that the product sums over, for example the weights of a cosine classifier; or samples that are compared
with each other after a normalization over the samples. A softmax over the width or the height of pictures whose result
is multiplied by one-hot classes, or whose logits also go into `cross_entropy`. Scores of several answers to each
prompt, minus a mean over the prompts instead of over the answers.

## Why it hurts
The sizes agree, so nothing raises. Rows do not add up to 1, or cosines can leave the range from -1 to 1.

## Example
    adj = adj / adj.sum(dim=1)                                        # (n, n) / (n,)
    logits = F.linear(F.normalize(x), F.normalize(weight, dim=0))     # weight is (classes, features)

## Instead
    adj = adj / adj.sum(dim=1, keepdim=True)
    logits = F.linear(F.normalize(x), F.normalize(weight, dim=1))

## Fix safety
Safe: `keepdim` keeps each sum beside its own row; the axis is the one that the product sums over. An additional
division along the other axis (`d ** -0.5` on both sides) and a transpose of the result are taken as intended.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import (
    POINTWISE,
    RESHAPING,
    backward,
    consumers,
    dim_of,
    lineage,
    maker,
    once,
    operands,
    produced,
    shown,
)
from ...graph.roles import roles
from ...graph.training import ancestors
from ...trace import Axis, Event, TensorFact, Trace
from ..facts import Facts, Span
from ..remedy import SetArgument, SetDim
from ..subjects import of_calls

code = "SW268"
aliases = ("normalised-along-another-axis",)
SUMS = frozenset({"sum", "norm", "amax", "logsumexp", "vector_norm", "linalg_norm", "linalg_vector_norm", "mean"})


@of_calls()
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every table divided by its own sums crosswise, every cosine of which one side is normalized along another axis,
    and scores of copies that are centred over the prompts."""
    if ops.is_a(event.op, "subtracts") and len(operands(event)) == 2:
        yield from _centred(trace, event)
    elif ops.is_a(event.op, "softmaxes"):
        yield from _of_classes(trace, event)
    elif ops.is_a(event.op, "divides") and len(event.args) == 2:
        summed = _crosswise(trace, event)
        if summed is not None:
            table = event.args[0]
            yield Facts(
                event.site,
                message="crosswise",
                why="why_crosswise",
                fields={
                    "name": table.name or "input",
                    "op": summed.op,
                    "shape": shown(table.shape),
                    "size": table.shape[-1],
                },
                spans=(Span(event.site, f"{table.name or 'x'} {shown(table.shape)} / {shown(event.args[1].shape)}"),),
                severity="warning" if table.axes and table.axes[-1].uids == table.axes[-2].uids else "error",
                event=event.index,
                remedy=SetArgument("keepdim", "True", site=summed.site, guessed=True),
            )
    elif ops.is_a(event.op, "contracts", "maps") and len(event.args) >= 2:
        found = _other_axis(trace, event)
        if found is not None:
            made, dim, want, both = found
            yield Facts(
                made.site,
                message="both" if both and operands(event)[0].producer == made.index else "message",
                why="why_both" if both else "why",
                fields={"product": event.op, "shape": shown(made.args[0].shape), "dim": dim, "want": want},
                event=made.index,
                remedy=SetDim(dim=dim, want=want),
            )


def _of_classes(trace: Trace, event: Event) -> Iterator[Facts]:
    """A softmax over another axis than that on which the targets of the loss have their classes."""
    made, dim, given = event.result, dim_of(event), operands(event)
    if not isinstance(made, TensorFact) or made.rank < 3 or dim is None or not given or "grad" not in event.flags:
        return
    found: list[tuple[Event, int]] = []
    for user in (*consumers(trace, event.index), *consumers(trace, given[0].producer)):
        others = [fact for fact in operands(user) if fact.producer not in (event.index, given[0].producer)]
        if user.op == "cross_entropy" and operands(user)[0].shape == made.shape:
            found.append((user, 1))
        elif ops.is_a(user.op, "multiplies") and len(others) == 1 and others[0].shape == made.shape:
            encoded = (one for one in lineage(trace, others[0], lambda e: operands(e)[:1], 8))
            one_hot = next((one for one in encoded if ops.is_a(one.op, "encodes")), None)
            classes = one_hot.result.axes[-1].uids if one_hot and isinstance(one_hot.result, TensorFact) else ()
            found += [(user, at) for at, axis in enumerate(others[0].axes) if classes and axis.uids == classes]
            written = produced(trace, others[0])
            if written is not None and written.op.rstrip("_") == "scatter" and not others[0].requires_grad:
                along = dim_of(written)
                found += [(user, along % made.rank)] if along is not None else []
    if found and all(at != dim % made.rank for _, at in found):
        user, want = found[0]
        yield Facts(
            event.site,
            message="classes",
            why="why_classes",
            fields={
                "op": event.op,
                "dim": dim % made.rank,
                "shape": shown(made.shape),
                "want": want,
                "line": user.site.line if user.site is not None else "?",
            },
            event=event.index,
            remedy=SetDim(dim=dim % made.rank, want=want),
        )


def _centred(trace: Trace, event: Event) -> Iterator[Facts]:
    """Draws for copies of one sample are exchangeable: the mean of all first ones, or second ones, is no baseline."""
    table, other = operands(event)
    mean = maker(trace, other, lambda made: ops.is_a(made.op, "unsqueezes", "cuts"), 3)
    if mean is None or mean.op != "mean" or mean.site is None or operands(mean)[0].uid != table.uid or table.rank != 2:
        return
    left = {uid for axis in other.axes for uid, _ in axis.uids}
    inner = [{uid for uid, _ in axis.uids} for axis in table.axes]
    kept = [uids for uids in inner if uids and uids <= left]
    gone = [uids for uids in inner if uids and not uids & left]
    copied = _copies(trace)
    if len(kept) != 1 or len(gone) != 1 or not kept[0] <= copied or gone[0] & copied or table.requires_grad:
        return
    if any(ops.is_a(made.op, "policies") for made in ancestors(trace, table).values()):
        yield Facts(
            mean.site,
            message="copies",
            why="why_copies",
            fields={
                "name": table.name or "input",
                "shape": shown(table.shape),
                "size": next(axis.size for axis, uids in zip(table.axes, inner) if uids == gone[0]),
                "copies": next(axis.size for axis, uids in zip(table.axes, inner) if uids == kept[0]),
            },
            event=mean.index,
            remedy=SetDim(),
        )


@once
def _copies(trace: Trace) -> frozenset[int]:
    """The axes along which one sample is repeated."""
    found = set()
    for event in trace.events:
        if ops.is_a(event.op, "repeats") and isinstance(event.result, TensorFact) and operands(event):
            before = {uid for axis in operands(event)[0].axes for uid, _ in axis.uids}
            found |= {uid for axis in event.result.axes for uid, _ in axis.uids} - before
    return frozenset(found)


def _crosswise(trace: Trace, event: Event) -> Event | None:
    """The reduction of the dividend itself whose result lies along the very axis that it took away."""
    table, by = event.args
    if (
        not isinstance(table, TensorFact)
        or not isinstance(by, TensorFact)
        or table.rank < 2
        or by.rank != table.rank - 1
        or table.shape[-1] != table.shape[-2]
        or table.shape[-1] < 2
    ):
        return None
    if by.shape[-1] != table.shape[-1] or (
        by.rank > 1 and by.shape[:-1] != table.shape[:-2] and set(by.shape[:-1]) != {1}
    ):
        return None

    def follow(event: Event) -> list[TensorFact]:
        same = [part for part in operands(event) if part.rank == by.rank]
        return same[:1] if event.op not in SUMS and event.op.rstrip("_") in POINTWISE else []

    *_, maker = (None, *lineage(trace, by, follow, 5))
    if (
        maker is None
        or maker.op not in SUMS
        or not maker.args
        or getattr(maker.args[0], "uid", 0) != table.uid
        or maker.site is None
    ):
        return None
    dim = dim_of(maker, 2 if ops.is_a(maker.op, "measures") else 1, maker.kwargs.get("axis"))
    if dim is None or dim % table.rank != table.rank - 1:
        return None
    for user in consumers(trace, event.index):
        if ops.is_a(user.op, "turns"):
            return None
        if ops.is_a(user.op, "scales") and any(
            isinstance(part, TensorFact) and part.producer != event.index and _from(trace, part, maker)
            for part in user.args
        ):
            return None  # scaled on both sides
    return maker


def _from(trace: Trace, fact: TensorFact, maker: Event) -> bool:
    return any(event.index == maker.index for event in backward(trace, fact, POINTWISE | RESHAPING))


def _other_axis(trace: Trace, event: Event) -> tuple[Event, int, int, bool] | None:
    """`(normalization, its axis, the axis that the product sums over, whether both sides are that one)` where the
    other side is normalized along the summed axis, or samples are compared that were normalized over the samples."""
    sides, call = [], ops.bound(event)
    for fact, at in ops.summed(call)[:2] if call is not None else ():
        if len(at) != 1 or len(fact.shape) != 2:
            return None
        made, turned = (produced(trace, fact), False) if isinstance(fact, TensorFact) else (None, False)
        if made is not None and ops.is_a(made.op, "turns") and made.args and isinstance(made.args[0], TensorFact):
            made, turned = produced(trace, made.args[0]), True
        unit = _unit(trace, made) if made is not None and made.site is not None else None
        if unit is None:
            return None
        sides.append((*unit, 1 - at[0] if turned else at[0]))
    if len(sides) < 2:
        return None
    wrong = [side for side in sides if side[1] != side[2]]
    if len(wrong) == 2:
        rows = all(_of_samples(trace, made.args[0].axes[dim]) for made, dim, _ in wrong)
        return (*wrong[0], True) if rows else None
    return (*wrong[0], False) if len(wrong) == 1 and sides[0][0].index != sides[1][0].index else None


def _of_samples(trace: Trace, axis: Axis) -> bool:
    """Whether an axis counts samples, or several views or steps of each."""
    return roles(trace).of(axis) == "samples" or any(uid in roles(trace).samples for uid, _ in axis.uids)


def _unit(trace: Trace, made: Event) -> tuple[Event, int] | None:
    """What scaled the rows or the columns of a table to the length one, `normalize` or the norm that the table is
    divided by, and along which axis."""
    table = made.args[0] if made.args else None
    if ops.is_a(made.op, "divides") and isinstance(table, TensorFact):
        by = made.args[1]
        before = backward(trace, by, POINTWISE, 4) if isinstance(by, TensorFact) else iter(())
        norm = next((part for part in before if part.op in SUMS), None)
        if norm is None or not _own_length(trace, norm, table):
            return None
        made = norm
    elif made.op != "normalize":
        return None
    dim = dim_of(made, 1 if made.op == "sum" else 2, 1 if made.op == "normalize" else None)
    whole = isinstance(table, TensorFact) and table.rank == len(table.axes) == 2
    return (made, dim % 2) if whole and dim is not None else None


def _own_length(trace: Trace, norm: Event, table: TensorFact) -> bool:
    """Whether a norm, or the root of a sum of squares, is the table's own."""
    given = next(iter(operands(norm)), None)
    if norm.op == "sum" and given is not None:
        square = produced(trace, given)
        given = next(iter(operands(square)), None) if square is not None and ops.is_a(square.op, "powers") else None
    return given is not None and norm.op != "mean" and given.uid == table.uid


MESSAGES = {
    "en": {
        "classes": "{op} runs over axis {dim} of {shape}, but the classes are on axis {want}",
        "why_classes": (
            "{op} normalizes along axis {dim}, but line {line} compares the result, or the logits that it is computed "
            "from, with targets that have their classes on axis {want}"
        ),
        "copies": (
            "the mean that is subtracted from the scores {name} {shape} runs over the {size} prompts, not over the "
            "{copies} answers to each prompt"
        ),
        "why_copies": (
            "such a mean mixes answers to different prompts. To compare the answers to one prompt, take the mean along "
            "the axis of the answers"
        ),
        "message": (
            "an operand of {product}, with shape {shape}, is normalized along axis {dim}, but the product sums over "
            "axis {want}"
        ),
        "both": (
            "a tensor of shape {shape} is normalized along its sample axis ({dim}), but its {product} with itself sums "
            "over axis {want}"
        ),
        "why_both": (
            "the product compares samples with samples. It gives cosine similarities only if each sample is normalized "
            "to length 1 along axis {want}"
        ),
        "crosswise": (
            "{name} {shape} is divided by its {op} over the last axis, but the result broadcasts so that row i is not "
            "divided by the {op} of row i"
        ),
        "why": (
            "the other operand is normalized along the summed axis, so cosine similarities seem to be intended. "
            "Normalized along axis {dim}, the vectors of this operand generally do not have length 1"
        ),
        "why_crosswise": (
            "without keepdim=True, column i is divided by the {op} of row i. This runs only because both sizes are "
            "{size}"
        ),
    },
    "es": {
        "classes": "{op} se aplica sobre el eje {dim} de {shape}, pero las clases están en el eje {want}",
        "why_classes": (
            "{op} normaliza a lo largo del eje {dim}, pero la línea {line} compara el resultado, o los logits de los "
            "que se calcula, con objetivos que tienen las clases en el eje {want}"
        ),
        "copies": (
            "la media que se resta a las puntuaciones {name} {shape} se calcula sobre los {size} prompts, no sobre "
            "las {copies} respuestas a cada prompt"
        ),
        "why_copies": (
            "esa media mezcla respuestas a prompts distintos. Para comparar las respuestas a un mismo prompt, calcula "
            "la media a lo largo del eje de las respuestas"
        ),
        "message": (
            "un operando de {product}, de forma {shape}, se normaliza a lo largo del eje {dim}, pero el producto suma "
            "sobre el eje {want}"
        ),
        "both": (
            "un tensor de forma {shape} se normaliza a lo largo de su eje de muestras ({dim}), pero su {product} "
            "consigo mismo suma sobre el eje {want}"
        ),
        "why_both": (
            "el producto compara muestras con muestras. Solo da similitudes coseno si cada muestra se normaliza a "
            "norma 1 a lo largo del eje {want}"
        ),
        "crosswise": (
            "{name} {shape} se divide entre su {op} sobre el último eje, pero por el broadcasting la fila i no se "
            "divide entre el {op} de la fila i"
        ),
        "why": (
            "el otro operando se normaliza a lo largo del eje que se suma, así que parece que se buscan similitudes "
            "coseno. Normalizados a lo largo del eje {dim}, los vectores de este operando no tienen en general norma 1"
        ),
        "why_crosswise": (
            "sin keepdim=True, la columna i se divide entre el {op} de la fila i. Solo funciona porque ambos tamaños "
            "son {size}"
        ),
    },
    "ja": {
        "classes": "{op} が {shape} の軸 {dim} に沿って計算されていますが、クラスは軸 {want} にあります",
        "why_classes": (
            "{op} は軸 {dim} に沿って正規化していますが、{line} 行目では、その結果または元のロジットを、軸 {want} にク"
            "ラスが並ぶターゲットと比べています"
        ),
        "copies": (
            "スコア {name} {shape} から引く平均が、各プロンプトへの {copies} 個の回答ではなく、{size} 個のプロンプトに"
            "わたって計算されています"
        ),
        "why_copies": (
            "この平均では、別々のプロンプトへの回答が混ざります。1 つのプロンプトへの回答どうしを比べるには、回答の軸に"
            "沿って平均を取ります"
        ),
        "message": (
            "{product} の一方のオペランド {shape} は軸 {dim} に沿って正規化されていますが、積は軸 {want} "
            "に沿って和を取ります"
        ),
        "both": (
            "テンソル {shape} はサンプルの軸 {dim} に沿って正規化されていますが、自身との {product} は軸 {want} "
            "に沿って和を取ります"
        ),
        "why_both": (
            "この積はサンプルどうしを比べます。各サンプルを軸 {want} に沿って長さ 1 に正規化しなければ、コサイン類似度"
            "になりません"
        ),
        "crosswise": (
            "{name} {shape} を最後の軸の {op} で割っていますが、ブロードキャストの向きのため、行 i が行 i の {op} "
            "で割られていません"
        ),
        "why": (
            "もう一方のオペランドは和を取る軸に沿って正規化されており、コサイン類似度を求めているようです。軸 {dim} に"
            "沿って正規化したこのオペランドのベクトルは、一般に長さが 1 になりません"
        ),
        "why_crosswise": (
            "keepdim=True がないため、列 i が行 i の {op} で割られます。エラーにならないのは、どちらのサイズも {size} "
            "だからです"
        ),
    },
}
