"""Boxes `(x1, y1, x2, y2)`."""

from __future__ import annotations

import torch
from torch import Tensor


def box_area(boxes: Tensor) -> Tensor:
    """`(N, 4)` to `(N,)`."""
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def _parts(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor]:
    corner = torch.max(first[:, None, :2], second[:, :2])
    other = torch.min(first[:, None, 2:], second[:, 2:])
    size = (other - corner).clamp(min=0)
    inter = size[:, :, 0] * size[:, :, 1]
    return inter, box_area(first)[:, None] + box_area(second) - inter


def box_iou(boxes1: Tensor, boxes2: Tensor, fmt: str = "xyxy") -> Tensor:
    """`(N, 4)` and `(M, 4)` to `(N, M)`."""
    inter, union = _parts(boxes1, boxes2)
    return inter / union


def generalized_box_iou(boxes1: Tensor, boxes2: Tensor) -> Tensor:
    """`(N, 4)` and `(M, 4)` to `(N, M)`."""
    inter, union = _parts(boxes1, boxes2)
    size = (torch.max(boxes1[:, None, 2:], boxes2[:, 2:]) - torch.min(boxes1[:, None, :2], boxes2[:, :2])).clamp(min=0)
    hull = size[:, :, 0] * size[:, :, 1]
    return inter / union - (hull - union) / hull


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """Indices of the boxes that stay, the best first."""
    order = scores.argsort(descending=True)
    kept = []
    while order.numel():
        best, order = order[0], order[1:]
        kept.append(best)
        if order.numel():
            order = order[box_iou(boxes[best][None], boxes[order])[0] <= iou_threshold]
    return torch.stack(kept) if kept else torch.empty(0, dtype=torch.int64)


def batched_nms(boxes: Tensor, scores: Tensor, idxs: Tensor, iou_threshold: float) -> Tensor:
    """`nms` within each class."""
    if not boxes.numel():
        return torch.empty(0, dtype=torch.int64)
    return nms(boxes + (idxs.to(boxes) * (boxes.max() + 1))[:, None], scores, iou_threshold)


def clip_boxes_to_image(boxes: Tensor, size: tuple[int, int]) -> Tensor:
    """Keep boxes within `(height, width)`."""
    return torch.stack([boxes[..., i].clamp(0, size[1 - i % 2]) for i in range(4)], dim=-1)


def box_convert(boxes: Tensor, in_fmt: str, out_fmt: str) -> Tensor:
    """Between `xyxy`, `xywh` and `cxcywh`."""
    a, b, c, d = boxes.unbind(-1)
    if in_fmt == "xywh":
        a, b, c, d = a, b, a + c, b + d
    elif in_fmt == "cxcywh":
        a, b, c, d = a - c / 2, b - d / 2, a + c / 2, b + d / 2
    if out_fmt == "xywh":
        a, b, c, d = a, b, c - a, d - b
    elif out_fmt == "cxcywh":
        a, b, c, d = (a + c) / 2, (b + d) / 2, c - a, d - b
    return torch.stack((a, b, c, d), dim=-1)
