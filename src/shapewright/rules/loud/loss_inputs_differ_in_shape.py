"""A loss of several tensors gets tensors of different shapes.

## What it finds
A failing `margin_ranking_loss`, `cosine_embedding_loss`, `triplet_margin_loss` or another loss that expects its inputs
and target to agree.

## Why it hurts
The script stops. Often a head with one output leaves an axis of size 1 on the scores, while the target is one number
per pair.

## Example
    score = head(hidden)                          # (pairs, 1)
    target = torch.ones(score.size(0))            # (pairs,)
    loss = MarginRankingLoss()(score, other, target)

## Instead
    score = head(hidden).squeeze(-1)              # (pairs,)

## Fix safety
On scores `(pairs, 1)`, `squeeze(-1)` removes the last axis at every batch size; `squeeze()` also removes the batch axis
when the batch size is 1.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend
from ...ops.shapes import broadcast
from ...trace import Origin, TensorFact
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW101"

SEVERAL = ops.named("ranks_pairs", "compares_pairs", "triplets", "estimates_variance", "aligns")


@refused(*SEVERAL, event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing loss, the tensor whose shape is unlike the others', and where its odd axis came from."""
    names = [name for name in ops.find(call.op).parameters if call.tensor(name) is not None]
    facts = [call.tensor(name) for name in names]
    if len(facts) < 2 or not _disagree(call, facts):
        return
    if call.op == "ctc_loss":
        odd = names[_ctc(facts)[0]]
        yield Facts(
            call.site,
            "ctc",
            "why_ctc",
            {
                "loss": call.op,
                "count": 4,
                "shapes": " · ".join(f"{name} {shape_text(fact.shape)}" for name, fact in zip(names, facts)),
                "odd": odd,
                "shape": shape_text(call.tensor(odd).shape),
                "wanted": facts[0].shape[1],
                "rank": 0,
                "own": 0,
            },
            blend(origins.of_axis(facts[0], 1), origins.of_axis(call.tensor(odd), 0)),
            spans=spans(call, *names),
            remedy=misfit(call, "log_probs", 1, facts[0].shape[1], call.tensor(odd).shape[0], problem="layout"),
        )
        return
    odd, axis = _odd(call.op, names, facts)
    others = [fact for name, fact in zip(names, facts) if name != odd]
    wanted = others[0].shape
    answers = [_extra(origins, others[0], call.tensor(odd)), origins.of_axis(call.tensor(odd), axis)]
    answers += [_extra(origins, fact, call.tensor(odd)) for fact in others[1:]]
    rows = ops.is_a(call.op, "compares_pairs")
    ranked = len({len(fact.shape) for fact in facts}) > 1 and not ops.is_a(call.op, "estimates_variance")
    yield Facts(
        call.site,
        "rows" if rows else "message",
        "rank" if ranked and not rows else "why",
        fields={
            "loss": call.op,
            "count": len(facts),
            "shapes": " · ".join(f"{name} {shape_text(fact.shape)}" for name, fact in zip(names, facts)),
            "odd": odd,
            "shape": shape_text(call.tensor(odd).shape),
            "wanted": shape_text(wanted),
            "rank": len(wanted),
            "own": len(call.tensor(odd).shape),
        },
        origins=blend(*answers),
        spans=spans(call, *names),
        remedy=misfit(call, odd, axis, None, None, wanted_shape=wanted),
    )


def _disagree(call: Call, facts: list[TensorFact]) -> bool:
    if call.op == "ctc_loss":
        return len(facts) == 4 and len(facts[0].shape) == 3 and bool(_ctc(facts))
    if call.op == "margin_ranking_loss":
        return len({len(fact.shape) for fact in facts}) > 1 or broadcast(*(fact.shape for fact in facts)) is None
    if call.op == "cosine_embedding_loss":
        first, second, target = facts[0].shape, facts[1].shape, facts[2].shape if len(facts) > 2 else ()
        return first != second or len(target) != len(first) - 1 or (bool(target) and target[0] not in (1, first[0]))
    return len({len(fact.shape) for fact in facts}) > 1 or broadcast(*(fact.shape for fact in facts)) is None


def _ctc(facts: list[TensorFact]) -> list[int]:
    """Which of targets and lengths do not have the batch that the log-probabilities `(time, batch, classes)` have."""
    batch = facts[0].shape[1]
    return [
        i
        for i, fact in enumerate(facts[1:], 1)
        if fact.shape and (i > 1 or len(fact.shape) == 2) and fact.shape[0] != batch
    ]


def _odd(op: str, names: list[str], facts: list[TensorFact]) -> tuple[str, int]:
    """The operand that is unlike the others: by rank, else by size; the target when in doubt."""
    last = names[-1]
    if op == "cosine_embedding_loss" and facts[0].shape == facts[1].shape:
        return last, 0
    ranks = [len(fact.shape) for fact in facts]
    for name, rank, _fact in zip(names, ranks, facts):
        if ranks.count(rank) == 1 and len(facts) > 2:
            return name, 0
    for back in range(-1, -max(ranks) - 1, -1):
        sizes = [fact.shape[back] if -back <= len(fact.shape) else 1 for fact in facts]
        for name, size in zip(names, sizes):
            if sizes.count(size) == 1 and len(facts) > 2:
                return name, back
    return last, 0


def _extra(origins: Origins, fact: TensorFact, odd: TensorFact) -> list[Origin]:
    """Where the axis that the odd one lacks came from."""
    if len(fact.shape) > len(odd.shape):
        ones = [i for i in range(len(fact.shape)) if fact.shape[i] == 1]
        return origins.of_axis(fact, ones[-1] if ones else -1)
    return origins.of_axis(fact, 0) if fact.shape else origins.of_rank(fact)


MESSAGES = {
    "en": {
        "message": "{loss} expects three tensors of matching shapes",
        "why": "the shapes are {shapes}",
        "rows": "{loss} expects two inputs of matching shapes and one target per sample",
        "ctc": "{loss} reads its log-probabilities as (time, batch, classes)",
        "why_ctc": "log_probs therefore has batch size {wanted} (axis 1), but {odd} has shape {shape}",
        "rank": "the shapes are {shapes}, but this loss requires equal numbers of axes",
    },
    "es": {
        "message": "{loss} espera tres tensores de formas compatibles",
        "why": "las formas son {shapes}",
        "rows": "{loss} espera dos entradas de formas compatibles y un objetivo por muestra",
        "ctc": "{loss} lee sus log-probabilidades como (tiempo, lote, clases)",
        "why_ctc": "por tanto log_probs tiene un lote de tamaño {wanted} (eje 1), pero {odd} tiene forma {shape}",
        "rank": "las formas son {shapes}, pero esta pérdida exige el mismo número de ejes",
    },
    "ja": {
        "message": "{loss} には、互いに形状の合うテンソルが 3 つ必要です",
        "why": "形状は {shapes} です",
        "rows": "{loss} には、互いに形状の合う入力 2 つと、サンプルごとに 1 つのターゲットが必要です",
        "ctc": "{loss} は対数確率を (時間, バッチ, クラス) と読みます",
        "why_ctc": "したがって log_probs のバッチサイズは {wanted} (軸 1) ですが、{odd} の形状は {shape} です",
        "rank": "形状は {shapes} ですが、この損失では軸の数が等しくなければなりません",
    },
}
