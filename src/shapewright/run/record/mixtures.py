"""Of how much data and noise each sample is made that a model is given, `x[i] = a[i] * data[i] + b[i] * noise[i]`:
solved for sample by sample from what the script holds beside the call; and what a schedule that it holds there, such as
the alphas of DDPM and their cumulative product, is at the step of each sample. It looks at no name and judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any

import torch

from ...trace import Mixture
from ...trace.mixture import Shares
from .beside import own_frames
from .readable import holds, readable

if TYPE_CHECKING:
    from .recorder import Recorder

FRAMES, FEWEST, LARGEST, KEPT, BESIDE = 4, 4, 1 << 20, 64, 8
NEAR = 1e-4  # of the largest number
NOISE = frozenset({"randn", "randn_like", "normal", "normal_"})
MOVED = frozenset({"to", "float", "cuda", "type_as", "requires_grad_"})
ATTRIBUTES, TABLES, SHORTEST, LONGEST = 60, 40, 8, 1 << 14


def mixed(given: tuple, frame: FrameType | None, recorder: Recorder) -> Mixture | None:
    """How the batch that a model is given was mixed; `None` of what is no such mixture."""
    x = next((value for value in given if isinstance(value, torch.Tensor)), None)
    if not isinstance(x, torch.Tensor) or x.dim() < 2 or len(x) < FEWEST or x.requires_grad or x.numel() == len(x):
        return None
    if not x.is_floating_point() or not readable(x, LARGEST):
        return None
    held: dict[int, torch.Tensor] = {}
    frames = list(own_frames(recorder.sources, frame, FRAMES))
    for inner in frames:
        for value in list(inner.f_locals.values()):
            if isinstance(value, torch.Tensor) and value is not x and value.shape == x.shape:
                if not value.requires_grad and readable(value, LARGEST):
                    held[id(value)] = value
    noises = [value for value in held.values() if _drawn(value, recorder)]
    note = recorder.notes.get(x)
    for noise in noises:
        for data in sorted(held.values(), key=lambda one: any(one is other for other in noises)):
            shares = _shares(x, data, noise) if data is not noise and note is not None else None
            if shares is not None and note is not None:
                if any(data is other for other in noises):  # either may be the data
                    return Mixture(note.producer, shares)
                made = tuple(_made(list(held.values()), data, noise, recorder))
                return Mixture(note.producer, shares, _schedule(frames, shares), made, tuple(_times(given, len(x))))
    return None


def _made(
    held: list[torch.Tensor], data: torch.Tensor, noise: torch.Tensor, recorder: Recorder
) -> Iterator[tuple[int, Shares]]:
    """What tensors are made of, by uid, where they are made of data and noise alone."""
    for value in held[:BESIDE]:
        note = recorder.notes.get(value)
        rows = len(value)
        plain = ((1.0, 0.0),) * rows if value is data else ((0.0, 1.0),) * rows if value is noise else None
        shares = plain or _shares(value, data, noise)
        if note is not None and shares is not None:
            yield note.uid, shares


def _times(given: tuple, rows: int) -> Iterator[tuple[int, tuple[float, ...]]]:
    """What a model is given that is one number a sample, by place."""
    for place, value in enumerate(given):
        if isinstance(value, torch.Tensor) and value.numel() == rows and not value.is_complex():
            if readable(value, LARGEST):
                yield place, tuple(value.detach().reshape(-1).double().tolist())


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


def _schedule(frames: list[FrameType], shares: Shares) -> tuple[tuple[int, float, float], ...]:
    """Steps of which a table, or one minus it, has a cumulative product that is the square of one of the shares, or
    what it leaves of one."""
    held = [value for frame in frames for value in _held(frame)]
    rows = len(shares)
    steps = [
        value.detach().reshape(-1).tolist()
        for value in held
        if isinstance(value, torch.Tensor) and not value.is_floating_point() and value.numel() == rows
    ]
    tables = [kept for value in held if (table := _table(value)) is not None for kept in (table, 1 - table)]
    squares = torch.tensor(shares, dtype=torch.float64) ** 2
    for kept in tables[: 2 * TABLES]:
        product = kept.cumprod(0)
        for at in steps:
            if not 0 <= min(at) <= max(at) < len(kept) or not bool(((kept > 0) & (kept <= 1)).all()):
                continue
            here = product[at, None]
            near = torch.isclose(here, squares, 1e-3, NEAR) | torch.isclose(1 - here, squares, 1e-3, NEAR)
            if bool(near.all(0).any()):
                return tuple(zip(at, kept[at].tolist(), product[at].tolist()))
    return ()


def _held(frame: FrameType) -> Iterator[Any]:
    """What a frame holds, what its objects and dictionaries hold, and the buffers of its modules."""
    for value in list(frame.f_locals.values()):
        yield value
        inner = value if isinstance(value, dict) else getattr(value, "__dict__", None)
        if isinstance(inner, dict) and not isinstance(value, (type, ModuleType)) and len(inner) <= ATTRIBUTES:
            yield from list(inner.values())
            buffers = inner.get("_buffers")
            yield from list(buffers.values()) if isinstance(buffers, dict) else ()


def _table(value: Any) -> torch.Tensor | None:
    """Real numbers along one axis."""
    if holds(value, "f") and value.ndim:
        value = torch.as_tensor(value.astype("float64")) if value.size <= LONGEST else None
    if not isinstance(value, torch.Tensor) or not value.is_floating_point() or value.requires_grad:
        return None
    if value.numel() < SHORTEST or value.numel() not in value.shape or not readable(value, LONGEST):
        return None
    return value.detach().reshape(-1).double()
