"""Normalizations: over which axes they average, and which they keep apart."""

from __future__ import annotations

from .call import Bound, Misfit
from .maps import same
from .table import teach


def _trailing(call: Bound) -> Misfit | None:
    """The last axes have the sizes that the norm was built for."""
    wanted = call.numbers("normalized_shape")
    if wanted is None or not call.is_tensor(call.first):
        return None
    shape = call.shape(call.first)
    for back in range(1, len(wanted) + 1):
        if back > len(shape):
            return Misfit("input", -1, len(shape), len(wanted))
        if shape[-back] != wanted[-back]:
            return Misfit("input", len(shape) - back, shape[-back], wanted[-back], "normalized_shape")
    return None


def _features(call: Bound) -> Misfit | None:
    """Axis 1 has a place for each of the norm's features."""
    shape = call.shape(call.first)
    known = next((t for n in ("running_mean", "weight") if (t := call.tensor(n)) is not None), None)
    if known is None or len(shape) < 2 or shape[1] == call.shape(known)[0]:
        return None
    return Misfit("input", 1, shape[1], call.shape(known)[0], "weight", 0)


def _normalized(call: Bound) -> str:
    """The last axes, as many as the norm was built for."""
    return "*kept " + " ".join("normalized" for _ in call.numbers("normalized_shape") or (0,))


APART = "samples channels *places"
BATCH = "input running_mean=None running_var=None weight=None bias=None"
teach(
    "batch_norm",
    f"{BATCH} training=False",
    axes=same,
    fits=_features,
    tags="norms learned mixes_samples tracks",
    used=APART,
)
teach(
    "instance_norm", f"{BATCH} use_input_stats=True", axes=same, fits=_features, tags="norms learned tracks", used=APART
)
teach(
    "layer_norm",
    "input normalized_shape weight=None bias=None",
    axes=same,
    fits=_trailing,
    tags="norms learned norms_last",
    used=_normalized,
)
teach("rms_norm", "input normalized_shape weight=None", axes=same, fits=_trailing, tags="norms learned norms_last")
teach(
    "group_norm",
    "input num_groups weight=None bias=None",
    axes=same,
    fits=_features,
    tags="norms learned shares_width",
    used=APART,
)
