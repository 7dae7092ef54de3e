"""`torchvision.ops`: boxes and the small modules that models are made of."""

from .boxes import batched_nms, box_area, box_convert, box_iou, clip_boxes_to_image, generalized_box_iou, nms
from .misc import (
    MLP,
    Conv2dNormActivation,
    FrozenBatchNorm2d,
    Permute,
    SqueezeExcitation,
    StochasticDepth,
    sigmoid_focal_loss,
    stochastic_depth,
)

__all__ = [
    "MLP",
    "Conv2dNormActivation",
    "FrozenBatchNorm2d",
    "Permute",
    "SqueezeExcitation",
    "StochasticDepth",
    "batched_nms",
    "box_area",
    "box_convert",
    "box_iou",
    "clip_boxes_to_image",
    "generalized_box_iou",
    "nms",
    "sigmoid_focal_loss",
    "stochastic_depth",
]
