"""`torchvision.io`: pictures through PIL."""

from __future__ import annotations

from enum import Enum
from typing import Any

import torch
from PIL import Image

from .transforms.functional import pil_to_tensor, to_pil_image


class ImageReadMode(Enum):
    """As torchvision's."""

    UNCHANGED = 0
    GRAY = 1
    GRAY_ALPHA = 2
    RGB = 3
    RGB_ALPHA = 4


def read_image(path: Any, mode: Any = ImageReadMode.UNCHANGED, **options: Any) -> torch.Tensor:
    """A file to bytes `(channels, height, width)`."""
    picture = Image.open(path)
    name = mode if isinstance(mode, str) else mode.name
    wanted = {"GRAY": "L", "RGB": "RGB", "RGB_ALPHA": "RGBA", "GRAY_ALPHA": "LA"}.get(name)
    return pil_to_tensor(picture.convert(wanted) if wanted else picture)


decode_image = read_image


def write_png(picture: torch.Tensor, filename: Any, **options: Any) -> None:
    """Bytes `(channels, height, width)` to a file."""
    to_pil_image(picture).save(filename)


write_jpeg = write_png
