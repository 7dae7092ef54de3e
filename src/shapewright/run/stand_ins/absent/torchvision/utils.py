"""`torchvision.utils`: grids of pictures."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from .transforms.functional import to_pil_image


def make_grid(
    tensor: Any,
    nrow: int = 8,
    padding: int = 2,
    normalize: bool = False,
    value_range: Any = None,
    scale_each: bool = False,
    pad_value: float = 0.0,
    **options: Any,
) -> Tensor:
    """Pictures `(count, channels, height, width)` side by side: `(3, rows, columns)`."""
    if isinstance(tensor, list):
        tensor = torch.stack(tensor, dim=0)
    if tensor.dim() == 2:
        tensor = tensor[None]
    if tensor.dim() == 3:
        tensor = tensor.expand(3, -1, -1)[None] if tensor.size(0) == 1 else tensor[None]
    if tensor.dim() == 4 and tensor.size(1) == 1:
        tensor = tensor.expand(-1, 3, -1, -1)
    if normalize:
        low, high = value_range or (float(tensor.min()), float(tensor.max()))
        tensor = tensor.clamp(low, high).sub(low).div(max(high - low, 1e-5))
    count = tensor.size(0)
    if count == 1:
        return tensor.squeeze(0)
    columns = min(nrow, count)
    rows = math.ceil(count / columns)
    height, width = tensor.size(2) + padding, tensor.size(3) + padding
    grid = tensor.new_full((tensor.size(1), height * rows + padding, width * columns + padding), pad_value)
    for index in range(count):
        row, column = divmod(index, columns)
        top, left = row * height + padding, column * width + padding
        grid[:, top : top + height - padding, left : left + width - padding] = tensor[index]
    return grid


def save_image(tensor: Any, fp: Any, format: str | None = None, **options: Any) -> None:
    """Write a grid to a file."""
    to_pil_image(make_grid(tensor, **options).clamp(0, 1)).save(fp, format=format)


def draw_bounding_boxes(image: Tensor, boxes: Tensor, *args: Any, **options: Any) -> Tensor:
    """The picture as it is."""
    return image


draw_segmentation_masks = draw_keypoints = draw_bounding_boxes
