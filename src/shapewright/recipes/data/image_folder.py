"""An image folder: one subfolder per class, pictures in it. All read into memory once, in one size and channel count.

Reading needs Pillow (it comes with matplotlib). A picture that cannot be read is an error that names it, never skipped
in silence.
"""

from __future__ import annotations

from pathlib import Path

import numpy
import torch
from torch import Tensor

from ..settings import UsageError

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff", ".ppm", ".pgm"})


def read(folder: str | Path, size: tuple[int, int] = (28, 28), channels: int = 1) -> tuple[Tensor, Tensor, list[str]]:
    """Pictures, labels and class names (the subfolders' names in alphabetical order).

    Args:
        size: height and width that every picture is resized to.
        channels: 1 for grey, 3 for colour.

    Returns:
        Images, Shape: (count, channels, height, width), uint8; labels, Shape: (count,); the names.
    """
    from PIL import Image, UnidentifiedImageError

    folder = Path(folder)
    classes = sorted(path.name for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    if len(classes) < 2:
        raise UsageError(f"{folder}: an image folder has one subfolder per class; this one has {len(classes)}")
    images, labels = [], []
    for label, name in enumerate(classes):
        paths = sorted(path for path in (folder / name).rglob("*") if path.suffix.lower() in SUFFIXES)
        if not paths:
            raise UsageError(f"{folder / name}: no picture in this class (known: {', '.join(sorted(SUFFIXES))})")
        for path in paths:
            try:
                with Image.open(path) as picture:
                    fitted = picture.convert("L" if channels == 1 else "RGB").resize((size[1], size[0]))
            except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
                raise UsageError(
                    f"{path}: no readable picture ({path.stat().st_size} bytes, offset 0): {error}"
                ) from error
            array = numpy.asarray(fitted, dtype=numpy.uint8)
            images.append(torch.from_numpy(array.copy()).reshape(size[0], size[1], channels).permute(2, 0, 1))
            labels.append(label)
    return torch.stack(images), torch.tensor(labels), classes
