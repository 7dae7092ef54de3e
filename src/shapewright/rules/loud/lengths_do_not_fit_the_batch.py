"""The lengths given to `pack_padded_sequence` do not fit the padded batch.

## What it finds
A failing `pack_padded_sequence`: a different number of lengths than samples (often batch and time are swapped), lengths
that are not in decreasing order (unless `enforce_sorted=False`), zero or too long.

## Why it hurts
The script stops, or with `batch_first` forgotten packs time steps as if they were samples.

## Example
    packed = pack_padded_sequence(x, lengths)                       # x is (batch, time, features)

## Instead
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)

## Fix safety
With `enforce_sorted=False` the recurrent layer and `pad_packed_sequence` restore the order; ONNX export needs sorted
lengths.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.origins import Origins, blend
from ...trace import TensorFact
from ...trace.said import Refusal
from ..facts import Facts, Span
from ..failing import Call, misfit, refused, shape_text

code = "SW120"


@refused("pack_padded_sequence")
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing packing, the number of lengths and the batch axis."""
    args = call.event.args
    given, lengths = (args[0], args[1]) if len(args) > 1 else (None, None)
    if not isinstance(given, TensorFact) or given.shape is None or len(given.shape) < 2:
        return
    first = args[2] if len(args) > 2 and isinstance(args[2], bool) else bool(call.event.kwargs.get("batch_first"))
    batch, time = (given.shape[0], given.shape[1]) if first else (given.shape[1], given.shape[0])
    count = (
        lengths.shape[0]
        if isinstance(lengths, TensorFact) and lengths.shape
        else len(lengths)
        if isinstance(lengths, tuple)
        else None
    )
    span = lengths.value if isinstance(lengths, TensorFact) and isinstance(lengths.value, tuple) else None
    fields = {
        "shape": shape_text(given.shape),
        "count": count if count is not None else 0,
        "batch": batch,
        "time": time,
        "least": span[0] if span else 0,
    }
    made = origins.of_axis(lengths, 0) if isinstance(lengths, TensorFact) else []
    if count is not None and count != batch:
        message, why = "message", "layout" if count == time and not first else "why"
        chain = [origins.of_axis(given, 1 if first else 0)[:3], made, origins.of_axis(given, 0)]
    elif span is not None and span[0] <= 0:
        message, why, chain = "empty", "why_empty", [made, origins.of_axis(given, 1)]
    elif span is not None and span[1] > time:
        message, why, chain = "long", "why_long", [made, origins.of_axis(given, 1)]
    elif Refusal.UNSORTED in call.failure.said:
        message, why, chain = "order", "why_order", [made]
    else:
        return
    yield Facts(
        call.site,
        message,
        why,
        fields,
        blend(*chain),
        spans=(Span(call.site, f"input {shape_text(given.shape)}"), Span(call.site, f"lengths ({fields['count']})")),
        remedy=misfit(call, "input", None, batch, count, problem=message, layout=count == time),
    )


MESSAGES = {
    "en": {
        "message": "the number of lengths is {count}, but the batch size is {batch}",
        "order": "the lengths are not in decreasing order",
        "empty": "a sequence of length {least} cannot be packed",
        "long": "a length exceeds the time axis of the batch, which has size {time}",
        "why": "the padded batch has shape {shape}; each sample needs one length",
        "layout": (
            "the padded batch {shape} is read as (time={time}, batch={batch}), but the number of lengths equals the "
            "number of time steps: the batch axis seems to come first (if so, pass batch_first=True)"
        ),
        "why_order": "packing expects the longest sequence first, unless enforce_sorted=False is passed",
        "why_empty": "the smallest length is {least}, but a sequence needs at least one step",
        "why_long": "the padded batch has shape {shape}",
    },
    "es": {
        "message": "el número de longitudes es {count}, pero el tamaño del lote es {batch}",
        "order": "las longitudes no están en orden decreciente",
        "empty": "no se puede empaquetar una secuencia de longitud {least}",
        "long": "una longitud supera el eje de tiempo del lote, que tiene tamaño {time}",
        "why": "el lote rellenado tiene forma {shape}; cada muestra necesita una longitud",
        "layout": (
            "el lote rellenado {shape} se lee como (tiempo={time}, lote={batch}), pero hay tantas longitudes como "
            "pasos: el eje de lote parece ir delante (si es así, pasa batch_first=True)"
        ),
        "why_order": "el empaquetado espera primero la secuencia más larga, salvo que se pase enforce_sorted=False",
        "why_empty": "la menor longitud es {least}, pero una secuencia necesita al menos un paso",
        "why_long": "el lote rellenado tiene forma {shape}",
    },
    "ja": {
        "message": "長さの個数は {count} ですが、バッチサイズは {batch} です",
        "order": "長さが降順に並んでいません",
        "empty": "長さ {least} の系列はパックできません",
        "long": "バッチの時間軸 (サイズ {time}) を超える長さがあります",
        "why": "パディング済みのバッチの形状は {shape} で、サンプルごとに長さが 1 つ必要です",
        "layout": (
            "パディング済みのバッチ {shape} は (時間={time}, バッチ={batch}) と読まれますが、"
            "長さの個数はステップ数と同じです。先頭がバッチ軸のようです (その場合は batch_first=True を渡してください)"
        ),
        "why_order": "enforce_sorted=False を渡さない限り、最も長い系列が先頭である必要があります",
        "why_empty": "最小の長さは {least} ですが、系列には少なくとも 1 ステップ必要です",
        "why_long": "パディング済みのバッチの形状は {shape} です",
    },
}
