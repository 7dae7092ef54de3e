"""The last position of one unpadded text is read: right for one text, wrong for a padded batch.

## What it finds
A language model's hidden states are read at `[:, -1]` while every batch holds one text, as in a first reward model.
Advice, no fault: nothing is padded yet.

## Why it hurts
As soon as several texts are batched with `padding=True`, position -1 of the shorter ones is padding. The score then
depends on the other texts in the batch: on a small GPT-2 the scores changed by more than their standard deviation, and
a third of the pairs changed order.

## Example
    hidden = self.transformer(input_ids, attention_mask=attention_mask).last_hidden_state
    return self.v_head(hidden[:, -1])

## Instead
    last = attention_mask.sum(1) - 1                               # right padding
    return self.v_head(hidden[torch.arange(len(last)), last]).squeeze(-1)

Mean pooling over the real tokens is the alternative: `(hidden * mask.unsqueeze(-1)).sum(1) / mask.sum(1,
keepdim=True)`. GPT-2 has no pad token until one is set (`tokenizer.pad_token = tokenizer.eos_token`), and pad = eos
means that the end cannot be found from the ids: use the mask or the lengths. A reward model is one half:
`-reward.mean()` over sampled text gives the policy no gradient, so the other half is PPO (value function, clipped
objective, KL to the reference) or a critic-free method.

## Fix safety
For one text at a time both forms read the same position.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import operands
from ...trace import Event, Trace
from ..facts import Facts

code = "SW394"


def check(trace: Trace) -> Iterator[Facts]:
    """The first place where a `(1, time, width)` result of a model fed by a tokenizer is indexed with `[:, -1]`."""
    if not any("tokenizer(" in text or "Tokenizer" in text for text in trace.sources.values()):
        return
    for event in trace.events:
        if event.op == "getitem" and event.site and _last_position(event):
            source = operands(event)[0]
            yield Facts(
                event.site,
                fields={"shape": "(" + ", ".join(map(str, source.shape)) + ")"},
                severity="remark",
            )
            return


def _last_position(event: Event) -> bool:
    given = operands(event)
    if (
        not given
        or given[0].rank != 3
        or given[0].shape[0] != 1
        or given[0].shape[1] < 2
        or "float" not in given[0].dtype
    ):
        return False
    index = event.args[1] if len(event.args) > 1 else None
    values = [getattr(part, "value", part) for part in index] if isinstance(index, (tuple, list)) else []
    return (
        len(values) >= 2
        and values[1] == -1
        and not isinstance(values[1], bool)
        and isinstance(values[0], (slice, str, type(None), tuple))
    )


MESSAGES = {
    "en": {
        "message": (
            "[:, -1] is the last token only while texts are processed one at a time, have equal lengths or are "
            "padded on the left"
        ),
        "why": (
            "here the hidden states have shape {shape}; with padding=True and right padding the last position of "
            "shorter texts is padding: use the attention mask to select the last real token, or average over the "
            "real tokens. A tokenizer without a pad token needs one first"
        ),
    },
    "es": {
        "message": (
            "[:, -1] es el último token solo si los textos se procesan de uno en uno, miden lo mismo o se rellenan "
            "por la izquierda"
        ),
        "why": (
            "aquí los estados ocultos tienen forma {shape}; con padding=True y relleno por la derecha, la última "
            "posición de los textos más cortos es relleno: toma el último token real según la máscara de atención, "
            "o la media de los tokens reales. A un tokenizador sin token de relleno hay que asignarle uno antes"
        ),
    },
    "ja": {
        "message": (
            "[:, -1] が最後のトークンになるのは、テキストを 1 つずつ処理するか、長さが揃っているか、左側をパディン"
            "グする場合だけです"
        ),
        "why": (
            "ここでの隠れ状態の形状は {shape} です。padding=True で右側をパディングすると、"
            "短いテキストの末尾はパディングになります。attention mask から最後の実トークンを取るか、"
            "実トークンの平均を使ってください。pad トークンのないトークナイザでは先に設定が必要です"
        ),
    },
}
