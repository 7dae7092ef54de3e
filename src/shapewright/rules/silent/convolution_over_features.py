"""A 1-d convolution slides over learned features instead of over time.

## What it finds
`Conv1d` with a kernel wider than one on a tensor whose last axis is the output of an embedding, a linear layer or a
recurrent net while its channel axis is none of these: a `(batch, time, features)` tensor was passed where `(batch,
channels, time)` is expected.

## Why it hurts
It runs when `in_channels` is the sequence length. The order of the features means nothing to a sliding window, and the
time steps are mixed as channels.

## Example
    conv = nn.Conv1d(max_len, 64, kernel_size=3)
    y = conv(embedded)                        # (batch, max_len, dim)

## Instead
    conv = nn.Conv1d(dim, 64, kernel_size=3)
    y = conv(embedded.transpose(1, 2))

## Fix safety
Both the transpose and the layer's `in_channels` change; the layers after it get a different length.
"""

from __future__ import annotations

from ..axis_use import AxisUse, Seen, declared
from ..remedy import TurnAxes

code = "SW206"


def _pointwise(seen: Seen) -> bool:
    """A kernel of one slides over nothing."""
    return seen.event.args[1].shape[-1] < 2


check = declared(
    AxisUse(
        ("conv1d",),
        "space",
        never="features",
        but="steps unmade",
        unless=(_pointwise,),
        remedy=lambda seen, _: TurnAxes("channels", seen.module),
        always=True,  # what a generator's last layer made may be a signal, as the data are that go the same way
    )
)

MESSAGES = {
    "en": {
        "message": "Conv1d on {shape} slides its window along the feature axis, of size {size}",
        "why": (
            "the last axis holds the {size} features from {maker}, and the {meant} steps are read as channels; Conv1d "
            "expects (batch, channels, time)"
        ),
    },
    "es": {
        "message": "Conv1d sobre {shape} desliza su ventana por el eje de características, de tamaño {size}",
        "why": (
            "el último eje contiene las {size} características de {maker}, y los {meant} pasos se leen como canales; "
            "Conv1d espera (lote, canales, tiempo)"
        ),
    },
    "ja": {
        "message": "{shape} に対する Conv1d が、サイズ {size} の特徴の軸に沿って畳み込んでいます",
        "why": (
            "最後の軸は {maker} が作る {size} 個の特徴で、{meant} ステップがチャネルとして扱われています。Conv1d "
            "の入力は (バッチ, チャネル, 時間) です"
        ),
    },
}
