"""`torchvision.transforms.v2`: the same classes, and those that only the second version has."""

from typing import Any

import torch

from .. import functional
from .. import functional as F
from ..transforms import *  # noqa: F403
from ..transforms import Transform


class ToImage(Transform):
    """PIL image, array or tensor to a tensor of bytes `(channels, height, width)`."""

    def change(self, picture: Any) -> Any:
        if F.is_pil(picture):
            return F.pil_to_tensor(picture)
        if isinstance(picture, torch.Tensor):
            return picture
        return torch.from_numpy(picture.reshape(*picture.shape[:2], -1)).permute(2, 0, 1).contiguous()


class ToDtype(Transform):
    """Change the dtype, and the range with it if `scale`."""

    def __init__(self, dtype: Any, scale: bool = False) -> None:
        super().__init__()
        self.dtype, self.scale = dtype, scale

    def change(self, picture: Any) -> Any:
        if not isinstance(picture, torch.Tensor):
            return picture
        return F.convert_image_dtype(picture, self.dtype) if self.scale else picture.to(self.dtype)


class Identity(Transform):
    """Nothing."""

    def change(self, picture: Any) -> Any:
        return picture


ToPureTensor = Identity


class MixUp(torch.nn.Module):
    """Batches mixed with themselves; class numbers become rows of shares. `images (B, C, H, W)`, `labels (B,)`."""

    def __init__(self, *, alpha: float = 1.0, num_classes: int | None = None, labels_getter: Any = None) -> None:
        super().__init__()
        self.alpha, self.num_classes = alpha, num_classes

    def forward(self, images: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Mix the batch with itself rolled by one."""
        share = float(torch.distributions.Beta(self.alpha, self.alpha).sample())
        rows = torch.nn.functional.one_hot(labels, self.num_classes).to(images.dtype)
        return images.lerp(images.roll(1, 0), 1 - share), rows.lerp(rows.roll(1, 0), 1 - share)


CutMix = MixUp
