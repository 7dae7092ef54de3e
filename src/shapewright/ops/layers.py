"""Layers of `torch.nn`: which argument of the constructor decides which axis, and what the layer makes of its input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from ..dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Layer:
    """A class of `torch.nn`. `parameters` are the constructor's arguments in order, `op` is the operator that it
    calls. `takes` maps an argument to the axis of the input that it must equal, `makes` to the axis of the output
    that it sets, `divides` an argument to those that it must divide. `ranks` are the numbers of axes that an input
    may have, none where any will do."""

    kind: str
    parameters: tuple[str, ...]
    op: str = ""
    takes: Mapping[str, int] = field(default_factory=dict)
    makes: Mapping[str, int] = field(default_factory=dict)
    divides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ranks: tuple[int, ...] = ()

    @property
    def width(self) -> str:
        """The argument that sets the width of the output, empty where none does."""
        return next(iter(self.makes), "")

    @property
    def input_width(self) -> str:
        """The argument that says the width of the input, empty where none does."""
        return next(iter(self.takes), "")

    @property
    def takes_batch_first(self) -> bool:
        """Whether the constructor is asked for the order of samples and steps."""
        return "batch_first" in self.parameters


_layers: dict[str, Layer] = {}


def _teach(
    kinds: str,
    parameters: str,
    op: str = "",
    takes: Mapping[str, int] | None = None,
    makes: Mapping[str, int] | None = None,
    divides: Mapping[str, tuple[str, ...]] | None = None,
    ranks: Iterable[int] = (),
) -> None:
    for kind in kinds.split():
        _layers[kind] = Layer(
            kind, tuple(parameters.split()), op, takes or {}, makes or {}, divides or {}, tuple(ranks)
        )


def layer(kind: str) -> Layer | None:
    """The entry of a class of `torch.nn` by its name.

    >>> layer("Linear").width, layer("MyOwn")
    ('out_features', None)
    """
    return _layers.get(kind)


def layer_of(kind: str, config: Mapping[str, Any]) -> Layer | None:
    """The entry of a module: that of its class, or of the class of torch's that it was derived from."""
    return next((found for name in (kind, *config.get("bases", ())) if (found := _layers.get(name))), None)


def position(parameter: str, kind: str = "") -> int | None:
    """The place of a constructor's argument: in this class, or, where the class is unknown, in whichever has the
    argument."""
    own = _layers.get(kind)
    for entry in (own,) if own is not None else _layers.values():
        if parameter in entry.parameters:
            return entry.parameters.index(parameter)
    return None


def every() -> Iterable[Layer]:
    """All layers."""
    return _layers.values()


SYNONYMS = {"embed_dim": "d_model", "num_heads": "nhead"}  # attributes that another class's constructor calls otherwise

_teach("Linear", "in_features out_features bias", "linear", {"in_features": -1}, {"out_features": -1})
_teach("LazyLinear", "out_features bias", "linear", makes={"out_features": -1})
_teach(
    "Bilinear", "in1_features in2_features out_features bias", "bilinear", {"in1_features": -1}, {"out_features": -1}
)
for _n in (1, 2, 3):
    _teach(
        f"Conv{_n}d",
        "in_channels out_channels kernel_size stride padding dilation groups bias padding_mode",
        f"conv{_n}d",
        {"in_channels": -_n - 1},
        {"out_channels": -_n - 1},
        {"groups": ("in_channels", "out_channels")},
        (_n + 1, _n + 2),
    )
    _teach(
        f"ConvTranspose{_n}d",
        "in_channels out_channels kernel_size stride padding output_padding groups bias dilation",
        f"conv_transpose{_n}d",
        {"in_channels": -_n - 1},
        {"out_channels": -_n - 1},
        {"groups": ("in_channels", "out_channels")},
        (_n + 1, _n + 2),
    )
    _teach(
        f"BatchNorm{_n}d",
        "num_features eps momentum affine track_running_stats",
        "batch_norm",
        {"num_features": 1},
        ranks=(2, 3) if _n == 1 else (_n + 2,),
    )
    _teach(
        f"InstanceNorm{_n}d",
        "num_features eps momentum affine track_running_stats",
        "instance_norm",
        {"num_features": 1},
        ranks=(_n + 1, _n + 2),
    )
    _teach(f"MaxPool{_n}d AvgPool{_n}d", "kernel_size stride padding", ranks=(_n + 1, _n + 2))
    _teach(f"AdaptiveMaxPool{_n}d AdaptiveAvgPool{_n}d", "output_size", ranks=(_n + 1, _n + 2))
_teach("Upsample", "size scale_factor mode", "interpolate", ranks=(3, 4, 5))
_teach("LayerNorm RMSNorm", "normalized_shape eps elementwise_affine", "layer_norm", {"normalized_shape": -1})
_teach(
    "GroupNorm",
    "num_groups num_channels eps affine",
    "group_norm",
    {"num_channels": 1},
    divides={"num_groups": ("num_channels",)},
)
_teach("Embedding EmbeddingBag", "num_embeddings embedding_dim", "embedding", makes={"embedding_dim": -1})
_WHOLE = "input_size hidden_size num_layers bias batch_first dropout bidirectional"
_teach("LSTM", f"{_WHOLE} proj_size", "lstm", {"input_size": -1}, {"hidden_size": -1}, ranks=(2, 3))
_teach("GRU", _WHOLE, "gru", {"input_size": -1}, {"hidden_size": -1}, ranks=(2, 3))
_teach(
    "RNN",
    "input_size hidden_size num_layers nonlinearity bias batch_first dropout bidirectional",
    "rnn_tanh",
    {"input_size": -1},
    {"hidden_size": -1},
    ranks=(2, 3),
)
for _kind, _op in (("LSTMCell", "lstm_cell"), ("GRUCell", "gru_cell"), ("RNNCell", "rnn_tanh_cell")):
    _teach(_kind, "input_size hidden_size bias", _op, {"input_size": -1}, {"hidden_size": -1}, ranks=(1, 2))
_teach(
    "MultiheadAttention",
    "embed_dim num_heads dropout bias add_bias_kv add_zero_attn kdim vdim batch_first",
    "multi_head_attention_forward",
    {"embed_dim": -1},
    {"embed_dim": -1},
    {"num_heads": ("embed_dim",)},
    (2, 3),
)
_teach(
    "TransformerEncoderLayer TransformerDecoderLayer",
    "d_model nhead dim_feedforward dropout activation layer_norm_eps batch_first norm_first",
    "transformer_encoder_layer_fwd",
    {"d_model": -1},
    {"d_model": -1},
    {"nhead": ("d_model",)},
    (2, 3),
)
_teach(
    "Transformer",
    "d_model nhead num_encoder_layers num_decoder_layers dim_feedforward dropout activation custom_encoder "
    "custom_decoder layer_norm_eps batch_first",
    "",
    {"d_model": -1},
    {"d_model": -1},
    {"nhead": ("d_model",)},
    (2, 3),
)
_teach("PixelShuffle", "upscale_factor")
_teach("Softmax LogSoftmax Softmin", "dim", "softmax")
_teach("CosineSimilarity", "dim eps", "cosine_similarity")
_teach("Flatten", "start_dim end_dim", "flatten")
_teach("Unflatten", "dim unflattened_size", "unflatten")
