"""Convolutions and pools: samples, channels and places in space."""

from __future__ import annotations

from .call import Bound
from .maps import resized
from .table import teach


def _pooled(call: Bound) -> str:
    """The last axes are pooled, but for those along which a window holds one value."""
    rank, count = len(call.shape(call.first)), int(call.name[-2])
    window = call.numbers("kernel_size") or (0,)
    window = window * count if len(window) == 1 else window
    return " ".join(["kept"] * (rank - count) + ["kept" if size == 1 else "space" for size in window])


CONV = "input weight bias=None stride=1 padding=0 dilation=1 groups=1"
TRANSPOSED = "input weight bias=None stride=1 padding=0 output_padding=0 groups=1 dilation=1"

for _n in (1, 2, 3):
    _space = " ".join(f"space{i}" for i in range(_n))
    _window = " ".join(f"window{i}" for i in range(_n))
    _moved = " ".join(f"space{i}~" for i in range(_n))
    _slid = "*kept" + " space" * _n
    teach(
        f"conv{_n}d",
        CONV,
        f"samples? channels {_space}, filters channels/groups {_window}, filters -> samples? filters {_moved}",
        tags="convolves correlates learned slides",
    )
    teach(
        f"conv_transpose{_n}d",
        TRANSPOSED,
        f"samples? channels {_space}, channels filters {_window}, - -> samples? filters {_moved}",
        tags="convolves transposes learned slides",
    )
    teach(
        f"max_pool{_n}d",
        "input kernel_size stride=None padding=0",
        axes=resized,
        tags="pools resizes slides",
        used=_pooled,
    )
    teach(
        f"avg_pool{_n}d",
        "input kernel_size stride=None padding=0",
        axes=resized,
        tags="pools resizes slides averages_space",
        used=_pooled,
    )
    teach(f"lp_pool{_n}d", "input norm_type kernel_size", axes=resized, tags="pools resizes", used=_pooled)
    teach(f"adaptive_max_pool{_n}d", "input output_size", axes=resized, tags="pools resizes adaptive", used=_slid)
    teach(
        f"adaptive_avg_pool{_n}d",
        "input output_size",
        axes=resized,
        tags="pools resizes adaptive averages_space",
        used=_slid,
    )
    teach(f"fractional_max_pool{_n}d", "input kernel_size", axes=resized, tags="pools resizes")
teach("boolean_dispatch", "input", axes=resized, tags="pools resizes")
teach(
    "interpolate upsample", "input size=None scale_factor=None mode=nearest", axes=resized, tags="resizes interpolates"
)
teach(
    "upsample_nearest upsample_bilinear", "input size=None scale_factor=None", axes=resized, tags="resizes interpolates"
)
teach("pixel_shuffle pixel_unshuffle", "input factor", axes=resized, tags="resizes shares_width")
teach("local_response_norm", "input size", axes=resized)
