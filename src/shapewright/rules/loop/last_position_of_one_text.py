"""The last position of one unpadded text is read: right for one text, wrong for a padded batch.

## What it finds
A language model's hidden states are read at `[:, -1]` while every batch holds one text, as in a first reward model.
Advice, no fault: nothing is padded yet.

## Why it hurts
As soon as several texts are batched and padded on the right, position -1 of the shorter ones is padding. The score then
depends on the other texts in the batch: on a small GPT-2 the scores changed by more than their standard deviation, and
a third of the pairs changed order.

## Example
    hidden = self.transformer(input_ids, attention_mask=attention_mask).last_hidden_state
    return self.v_head(hidden[:, -1])

## Instead
    last = attention_mask.sum(1) - 1                               # right padding
    return self.v_head(hidden[torch.arange(len(last)), last]).squeeze(-1)

Mean pooling over the real tokens is the alternative: `(hidden * mask.unsqueeze(-1)).sum(1) / mask.sum(1,
keepdim=True)`. GPT-2 has no pad token until one is set (`tokenizer.pad_token = tokenizer.eos_token`); then padding and
the end of a text have the same id, so use the mask or the lengths.

## Fix safety
For one unpadded text at a time both forms read the same position.
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
        "message": "[:, -1] is the last token of each text only if no text is padded on the right",
        "why": (
            "here the values have shape {shape} (one text); in a batch padded on the right, position -1 of the shorter "
            "texts is padding: select the last real token with the attention mask"
        ),
    },
    "es": {
        "message": "[:, -1] es el último token de cada texto solo si ningún texto lleva relleno por la derecha",
        "why": (
            "aquí los valores tienen forma {shape} (un solo texto). En un lote con relleno por la derecha, la posición "
            "-1 de los textos más cortos es relleno; hay que tomar el último token real con la máscara de atención"
        ),
    },
    "ja": {
        "message": "[:, -1] が各テキストの最後のトークンになるのは、右側がパディングされていない場合だけです",
        "why": (
            "ここでの値の形状は {shape} で、テキストは 1 つだけです。右側をパディングしたバッチでは、"
            "短いテキストの位置 -1 はパディングになります。attention mask を使って、最後の実トークンを選んでください"
        ),
    },
}
