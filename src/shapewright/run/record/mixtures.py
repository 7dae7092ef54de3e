"""Of how much data and noise each sample is made that a model is given, `x[i] = a[i] * data[i] + b[i] * noise[i]`:
solved for sample by sample from what the script holds beside the call. It looks at no name and judges nothing."""

from __future__ import annotations

from types import FrameType
from typing import TYPE_CHECKING, Any

import torch

from .beside import own_frames
from .readable import readable

if TYPE_CHECKING:
    from .recorder import Recorder

FRAMES, FEWEST, LARGEST, KEPT = 4, 4, 1 << 20, 64
NEAR = 1e-4  # of the largest number
NOISE = frozenset({"randn", "randn_like", "normal", "normal_"})
MOVED = frozenset({"to", "float", "cuda", "type_as", "requires_grad_"})
Shares = tuple[tuple[float, float], ...]


def mixed(x: Any, frame: FrameType | None, recorder: Recorder) -> tuple[int, Shares] | None:
    """`(the event that made x, the shares of data and noise of each sample)`; `None` of what is no such mixture."""
    if not isinstance(x, torch.Tensor) or x.dim() < 2 or len(x) < FEWEST or x.requires_grad or x.numel() == len(x):
        return None
    if not x.is_floating_point() or not readable(x, LARGEST):
        return None
    held: dict[int, torch.Tensor] = {}
    for inner in own_frames(recorder.sources, frame, FRAMES):
        for value in list(inner.f_locals.values()):
            if isinstance(value, torch.Tensor) and value is not x and value.shape == x.shape:
                if not value.requires_grad and readable(value, LARGEST):
                    held[id(value)] = value
    noises = [value for value in held.values() if _drawn(value, recorder)]
    note = recorder.notes.get(x)
    for noise in noises:
        for data in held.values():
            shares = _shares(x, data, noise) if data is not noise and note is not None else None
            if shares is not None and note is not None:
                return note.producer, shares
    return None


def _drawn(value: torch.Tensor, recorder: Recorder) -> bool:
    note = recorder.notes.get(value)
    at = note.producer if note is not None else -1
    for _ in range(3):
        if not 0 <= at < len(recorder.raw):
            return False
        op, _, args, *_ = recorder.raw[at]
        if op not in MOVED or not args:
            return op in NOISE
        at = getattr(args[0], "producer", -1)
    return False


def _shares(x: torch.Tensor, data: torch.Tensor, noise: torch.Tensor) -> Shares | None:
    """Both shares of each sample, the second never nothing."""
    rows = [part.detach().double().reshape(len(x), -1)[:KEPT] for part in (x, data, noise)]
    if not all(bool(part.isfinite().all()) for part in rows):
        return None
    table = torch.stack(rows[1:], 2)
    solved = torch.linalg.lstsq(table, rows[0][..., None]).solution
    near = NEAR * float(rows[0].abs().max())
    if not float((table @ solved - rows[0][..., None]).abs().max()) <= near or float(solved[:, 1].abs().min()) < NEAR:
        return None
    return tuple((float(a), float(b)) for a, b in solved.squeeze(2).tolist())
