"""A torchvision whose compiled operators do not fit this torch: declare them, so that its Python still imports."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..context import Context

_SCHEMAS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
)


def patch(module: ModuleType, context: Context) -> None:
    """Declare the operators that torchvision's own registrations look for; nothing where they are there."""
    import torch

    if module._has_ops() or hasattr(torch.ops.torchvision, "nms"):
        return
    context.torchvision_library = library = torch.library.Library("torchvision", "FRAGMENT")
    for schema in _SCHEMAS:
        library.define(schema)

    def nms(boxes: Any, scores: Any, iou_threshold: float) -> Any:
        from ..absent.torchvision.ops.boxes import nms as plain

        return plain(boxes, scores, iou_threshold)

    library.impl("nms", nms, "CPU")
