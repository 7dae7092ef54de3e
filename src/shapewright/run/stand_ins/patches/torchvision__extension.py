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

    if module._has_ops():
        return
    context.torchvision_library = library = torch.library.Library("torchvision", "FRAGMENT")
    for schema in _SCHEMAS:
        if not hasattr(torch.ops.torchvision, schema.partition("(")[0]):  # once a process
            library.define(schema)

    def nms(boxes: Any, scores: Any, iou_threshold: float) -> Any:
        from torchvision.ops import box_iou

        left, kept = scores.argsort(descending=True), []
        while len(left):
            kept.append(left[0])
            left = left[1:][box_iou(boxes[left[:1]], boxes[left[1:]])[0] <= iou_threshold]
        return torch.stack(kept) if kept else left

    library.impl("nms", nms, "CPU")
    module._assert_has_ops = lambda: None
