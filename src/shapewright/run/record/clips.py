"""Notes where gradients are clipped, and whether there was anything to clip."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Iterator
from typing import Any

import torch

NAMES = ("clip_grad_norm_", "clip_grad_value_")


@contextlib.contextmanager
def clipping(marks: Any) -> Iterator[None]:
    """Note a landmark `clip` at every `clip_grad_norm_` and `clip_grad_value_` while the body runs.

    Its data: `parameters`, how many were given; `fresh`, how many of them have a gradient that is not zero and that no
    step has used yet; `spent`, how many have one that a step has used; `held`, the parameters; `scaled`, by how much a
    scaler has made the gradients larger.
    """
    scales: dict[str, float] = {}
    scaler = torch.amp.GradScaler
    kept = {name: getattr(scaler, name) for name in ("scale", "unscale_", "update")}

    def told(name):
        @functools.wraps(kept[name])
        def run(self, *args, **kwargs):
            result = kept[name](self, *args, **kwargs)
            enabled = name == "scale" and getattr(self, "_enabled", False)
            with torch._C.DisableTorchFunction():
                held = getattr(self, "_scale", None) if enabled else None
                real = isinstance(held, torch.Tensor) and not held.is_meta
                scales["now"] = float(held) if real and held is not None else 1.0
            return result

        return run

    homes = (torch.nn.utils, torch.nn.utils.clip_grad)
    saved = [(home, name, getattr(home, name)) for home in homes for name in NAMES if hasattr(home, name)]

    def watched(clip):
        @functools.wraps(clip)
        def run(parameters, *args, **kwargs):
            given = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
            with torch._C.DisableTorchFunction():
                having = [p for p in given if p.grad is not None]
                spent = [p for p in having if marks.used(p)]
                used = {id(p) for p in spent}
                fresh = sum(
                    1
                    for p in having
                    if id(p) not in used and (p.grad.is_meta or p.grad.is_sparse or bool((p.grad != 0).any()))
                )
                marks.note(
                    "clip",
                    marks.recorder.sources.stack(sys._getframe(1)),
                    {
                        "parameters": len(given),
                        "fresh": fresh,
                        "spent": len(spent),
                        "held": tuple(marks.ledger.uid(p) for p in given),
                        "name": clip.__name__,
                        "scaled": scales.get("now", 1.0),
                    },
                )
            return clip(given, *args, **kwargs)

        return run

    made = {clip: watched(clip) for _, _, clip in saved}
    for home, name, clip in saved:
        setattr(home, name, made[clip])
    for name in kept:
        setattr(scaler, name, told(name))
    try:
        yield
    finally:
        for name, method in kept.items():
            setattr(scaler, name, method)
        for home, name, clip in saved:
            setattr(home, name, clip)
