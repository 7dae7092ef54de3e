"""How many layers a model with made-up weights keeps. Widths are never changed: shapes in a diagnosis are the true
ones."""

from __future__ import annotations

import re
from typing import Any

from .context import Context

_DEPTHS = (
    "num_hidden_layers",
    "n_layer",
    "n_layers",
    "num_layers",
    "encoder_layers",
    "decoder_layers",
    "num_decoder_layers",
)
_LISTS = ("layer_types", "mlp_layer_types", "attention_layers")
_KEPT = 2
_NAMES_LAYERS = re.compile(
    r"hidden_states|num_hidden_layers|\bn_layers?\b|num_layers|encoder_layers|decoder_layers"
    r"|\.(?:layers?|h|blocks?|block)\s*\[|\.(?:layers?|h|blocks)\.(?:\d|\{)|layers_to_transform|attentions\b"
)


def shorten(config: object, context: Context) -> tuple[int, int] | None:
    """Cut the stack of equal layers to two, unless the script's text speaks of layers or of hidden states.

    Args:
        config: a transformers configuration; it is changed in place, sub-configurations too.

    Returns:
        `(real, kept)` numbers of layers of the deepest stack, or `None` where nothing was cut.
    """
    if _NAMES_LAYERS.search(context.user_text()):
        return None
    real = 0
    for part in _parts(config):
        real = max(real, _shorten_one(part))
    return (real, _KEPT) if real else None


def _parts(config: object) -> list[Any]:
    found = [config]
    for name in getattr(type(config), "sub_configs", None) or ("text_config", "vision_config", "encoder", "decoder"):
        part = getattr(config, name, None)
        if hasattr(part, "to_dict"):
            found += _parts(part)
    return found


def _shorten_one(config: Any) -> int:
    if getattr(config, "depths", None):  # stages of different widths: each is needed
        return 0
    names = getattr(type(config), "attribute_map", {})
    real = 0
    for key in _DEPTHS:
        key = names.get(key, key)
        value = config.__dict__.get(key)
        if isinstance(value, int) and value > _KEPT:
            real = max(real, value)
            setattr(config, key, _KEPT)
    if real:
        for key in _LISTS:
            value = config.__dict__.get(key)
            if isinstance(value, list) and len(value) == real:
                setattr(config, key, value[:_KEPT])
    return real
