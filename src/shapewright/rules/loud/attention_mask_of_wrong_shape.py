"""Attention is given a mask of a different shape from the one that its queries and keys require.

## What it finds
A failing `nn.MultiheadAttention`, transformer layer or `scaled_dot_product_attention` whose `attn_mask` does not fit
`(queries, keys)` (for the layers also `(batch * heads, queries, keys)`), or whose `key_padding_mask` is not
`(batch, keys)` (for one sample without a batch axis `(keys,)`).

## Why it hurts
The script stops. The padding mask of a batch is `(batch, keys)`, also where the tensors are `(time, batch, width)`.

## Example
    encoder(embedded, src_key_padding_mask=tokens == PAD)          # tokens is (time, batch)

## Instead
    encoder(embedded, src_key_padding_mask=(tokens == PAD).t())

## Fix safety
A transpose only reorders the mask. In `nn.MultiheadAttention` True means "leave out", in
`scaled_dot_product_attention` "attend".
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.origins import Origins, blend
from ...ops.shapes import broadcast
from ...trace import TensorFact
from ..facts import Facts, Span
from ..failing import Call, misfit, refused, shape_text

code = "SW122"


@refused("attends")
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing attention, its mask and the shape that the mask must have."""
    query, key = call.tensor("query"), call.tensor("key")
    if query is None or key is None or len(query.shape) < 2 or len(key.shape) != len(query.shape):
        return
    for name, mask, wanted in _masks(call, query, key):
        if mask is None or any(mask.shape == shape for shape in wanted):
            continue
        if call.op == "scaled_dot_product_attention":
            goal = (*query.shape[:-1], key.shape[-2])
            if broadcast(mask.shape, goal) == goal:
                continue
        turned = any(mask.shape == (*shape[:-2], shape[-1], shape[-2]) for shape in wanted if len(shape) >= 2)
        layout = " = (L, N, E)" if call.op == "multi_head_attention_forward" and len(query.shape) == 3 else ""
        asked = _asker(origins, call)
        chain = [origins.of_axis(mask, 0), asked, origins.of_axis(mask, -1), origins.of_axis(query, 0)]
        yield Facts(
            call.site,
            "message",
            "square" if "padding" not in name else "turned" if turned and wanted[0][-1] != wanted[0][-2] else "why",
            {
                "name": name,
                "mask": shape_text(mask.shape),
                "wanted": shape_text(wanted[0]),
                "query": shape_text(query.shape),
                "key": shape_text(key.shape),
                "layout": layout,
            },
            blend(*chain),
            spans=(
                Span(call.site, f"query {shape_text(query.shape)}"),
                Span(call.site, f"{name} {shape_text(mask.shape)}"),
            ),
            remedy=misfit(call, name, 0, None, None, wanted_shape=wanted[0], mask=mask.shape, turned=turned),
        )
        return


def _asker(origins: Origins, call: Call) -> list:
    """The constructor of the outermost library module around the attention: it has the `batch_first` that gave the
    layout."""
    for uid in call.event.modules:
        module = origins.trace.modules.get(uid)
        if module is not None and module.is_torch:
            chain = origins.of_module(module)[:1]
            inner = origins.trace.modules.get(call.event.modules[-1])
            return [*chain, *(origins.of_module(inner)[:1] if inner is not None and inner.uid != uid else [])]
    return []


def _masks(call: Call, query: TensorFact, key: TensorFact) -> list[tuple[str, TensorFact | None, tuple]]:
    """Each mask with the shapes that it may have."""
    if call.op == "scaled_dot_product_attention":
        return [("attn_mask", call.tensor("attn_mask"), ((query.shape[-2], key.shape[-2]),))]
    heads = call.number("num_heads", 1)
    if len(query.shape) == 3:
        (t, b), s = query.shape[:2], key.shape[0]
        return [
            ("key_padding_mask", call.tensor("key_padding_mask"), ((b, s),)),
            ("attn_mask", call.tensor("attn_mask"), ((t, s), (b * heads, t, s))),
        ]
    t, s = query.shape[0], key.shape[0]
    return [
        ("key_padding_mask", call.tensor("key_padding_mask"), ((s,),)),
        ("attn_mask", call.tensor("attn_mask"), ((t, s), (heads, t, s))),
    ]


MESSAGES = {
    "en": {
        "message": "attention does not accept {name} of shape {mask}; the shape {wanted} would fit",
        "why": "the query has shape {query}{layout} and the key {key}",
        "square": (
            "the last two axes of the mask are (queries, keys); here the query has shape {query}{layout} and the key "
            "{key}"
        ),
        "turned": (
            "the mask {mask} seems to have batch and time swapped: the query has shape {query}{layout}, and the "
            "padding mask of a batch has shape (batch, keys), also with batch_first=False"
        ),
    },
    "es": {
        "message": "la atención no acepta {name} de forma {mask}; la forma {wanted} encajaría",
        "why": "query tiene forma {query}{layout} y key tiene forma {key}",
        "square": (
            "los dos últimos ejes de la máscara son (consultas, claves); aquí query tiene forma {query}{layout} y key "
            "tiene forma {key}"
        ),
        "turned": (
            "la máscara {mask} parece tener lote y tiempo intercambiados: query tiene forma {query}{layout}, y la "
            "máscara de relleno de un lote tiene forma (lote, claves), también con batch_first=False"
        ),
    },
    "ja": {
        "message": "形状 {mask} の {name} はアテンションに渡せません。形状が {wanted} なら合います",
        "why": "query の形状は {query}{layout}、key の形状は {key} です",
        "square": (
            "マスクの最後の 2 つの軸は (クエリ, キー) です。ここでは query の形状は {query}{layout}、key の形状は "
            "{key} です"
        ),
        "turned": (
            "マスク {mask} はバッチと時間が入れ替わっているようです。query の形状は {query}{layout} です。バッチのパデ"
            "ィングマスクの形状は、batch_first=False のときも (バッチ, キー) です"
        ),
    },
}
