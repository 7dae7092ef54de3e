"""Augmentation of picture batches on tensors, with torch's generator (so a resumed run draws the same).

Every function keeps the batch's order and takes pictures in 0…1 unless it says otherwise.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def shift(images_BCHW: Tensor, most: int) -> Tensor:
    """The batch moved by one random offset of up to `most` pixels each way, its smallest value as the ground. Any
    range. Shape kept."""
    if not most:
        return images_BCHW
    height, width = images_BCHW.shape[-2:]
    padded = functional.pad(images_BCHW, (most,) * 4, value=float(images_BCHW.min()))
    top, left = torch.randint(0, 2 * most + 1, (2,)).tolist()
    return padded[..., top : top + height, left : left + width]


def random_crop(images_BCHW: Tensor, side: int) -> Tensor:
    """A square of `side` pixels at a place of its own for each picture. Shape: (B, C, H, W) -> (B, C, side, side)"""
    count, _, height, width = images_BCHW.shape
    tops = torch.randint(0, height - side + 1, (count, 1), device=images_BCHW.device)
    lefts = torch.randint(0, width - side + 1, (count, 1), device=images_BCHW.device)
    span = torch.arange(side, device=images_BCHW.device)
    rows, columns = (tops + span)[:, :, None], (lefts + span)[:, None, :]
    batch = torch.arange(count, device=images_BCHW.device)[:, None, None]
    return images_BCHW[batch, :, rows, columns].permute(0, 3, 1, 2)


def centre_crop(images_BCHW: Tensor, side: int) -> Tensor:
    """The middle square, for evaluation. Shape: (B, C, H, W) -> (B, C, side, side)"""
    top, left = ((size - side) // 2 for size in images_BCHW.shape[-2:])
    return images_BCHW[..., top : top + side, left : left + side]


def colour_jitter(images_BCHW: Tensor, brightness: float = 0.2, contrast: float = 0.2) -> Tensor:
    """Brightness and contrast scaled by a factor in 1 ± so much, each picture by its own. Shape kept."""
    bright, strong = (
        1 + amount * (2 * torch.rand(len(images_BCHW), 1, 1, 1, device=images_BCHW.device) - 1)
        for amount in (brightness, contrast)
    )
    scaled = images_BCHW * bright
    grey = scaled.mean(dim=(1, 2, 3), keepdim=True)
    return (grey + (scaled - grey) * strong).clamp(0, 1)


def random_invert(images_BCHW: Tensor, probability: float = 0.5) -> Tensor:
    """`1 - picture` for a random part of the pictures. Shape kept."""
    chosen = torch.rand(len(images_BCHW), 1, 1, 1, device=images_BCHW.device) < probability
    return torch.where(chosen, 1 - images_BCHW, images_BCHW)
