"""Labelled pictures for the classifiers, from wherever the person has them, in memory as bytes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from ..settings import UsageError
from . import download, embedded_digits, idx, image_folder
from .mean_std import mean_std

DIGITS = tuple("0123456789")
FASHION = ("T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot")


@dataclass(frozen=True)
class Pictures:
    """A training and a test part. Images: uint8, Shape: (count, channels, height, width); labels: int64, Shape:
    (count,).

    `source` says in one phrase what this is; `mean` and `std` are the training part's, per channel, for pixels scaled
    to 0…1.
    """

    train_images: Tensor
    train_labels: Tensor
    test_images: Tensor
    test_labels: Tensor
    classes: tuple[str, ...]
    source: str
    mean: Tensor
    std: Tensor

    def normalised(self, images_BCHW: Tensor) -> Tensor:
        """Bytes to floats of mean 0 and standard deviation 1 over the training set. Shape kept."""
        shape = (1, -1, 1, 1)
        return (images_BCHW.float() / 255 - self.mean.view(shape)) / self.std.clamp_min(1e-6).view(shape)


def load(data: str = "", *, limit: int = 0, size: tuple[int, int] = (28, 28), channels: int = 1) -> Pictures:
    """The pictures that `data` names.

    Args:
        data: empty for the embedded digits; `mnist` or `fashion-mnist` for the public sets; else a folder with IDX
        files or with one
            subfolder of pictures per class. Where there is no test part, the last fifth of a shuffled set (of an IDX
            file: the last fifth) is held out.
        limit: use only so many training pictures; 0 uses all.
        size, channels: what an image folder's pictures are made into.

    Raises `UsageError` that names the file.
    """
    classes: tuple[str, ...] = DIGITS
    if not data:
        images, labels = embedded_digits.read()
        parts = held_out(embedded_digits.enlarged(images)[:, None], labels)
        source = "scikit-learn's digits, enlarged to 28×28 (embedded; --data mnist, --data FOLDER for others)"
    elif data in download.MD5:
        classes = FASHION if data == "fashion-mnist" else DIGITS
        parts, source = from_idx(download.fetch(data), 10), data
    elif not (folder := Path(data)).is_dir():
        near = (
            "a file; --data takes the folder"
            if folder.exists()
            else f"not there; --data takes a folder, {', '.join(download.MD5)}, or nothing"
        )
        raise UsageError(f"{data} is {near}")
    elif idx_files(folder):
        parts, source = from_idx(folder, 10), f"IDX files of {data}"
        classes = FASHION if "fashion" in folder.name.lower() else DIGITS
    else:
        everything, labels, names = image_folder.read(folder, size, channels)
        shuffled = torch.randperm(len(labels), generator=torch.Generator().manual_seed(0))
        parts, classes, source = held_out(everything[shuffled], labels[shuffled]), tuple(names), f"pictures of {data}"
    train_images, train_labels, test_images, test_labels = parts
    if limit:
        train_images, train_labels = train_images[:limit], train_labels[:limit]
    mean, std = mean_std(train_images.split(4096))
    return Pictures(train_images, train_labels, test_images, test_labels, classes, source, mean, std)


def held_out(images: Tensor, labels: Tensor, fifth: int = 5) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The last fifth as test part."""
    if len(labels) < 2:
        raise UsageError(f"{len(labels)} picture(s) cannot be divided into a training and a test part")
    first = len(labels) - max(1, len(labels) // fifth)
    return images[:first], labels[:first], images[first:], labels[first:]


def idx_files(folder: Path) -> dict[str, Path]:
    """The IDX files of a folder by role, such as `train-images`."""
    found = {}
    for path in sorted(folder.iterdir()):
        for part in ("train", "t10k"):
            for role in ("images", "labels"):
                if path.name.startswith(f"{part}-{role}"):
                    found[f"{part}-{role}"] = path
    return found


def from_idx(folder: Path, classes: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Training and test part of a folder of IDX files; where only one pair is there, its last fifth is the test
    part."""
    files = idx_files(folder)
    pairs = []
    for part in ("train", "t10k"):
        there = [role for role in ("images", "labels") if f"{part}-{role}" in files]
        if len(there) == 1:
            raise UsageError(
                f"{files[f'{part}-{there[0]}']}: its {'labels' if there[0] == 'images' else 'images'} are not beside "
                f"it in {folder}"
            )
        if there:
            images, labels = idx.pair(files[f"{part}-images"], files[f"{part}-labels"], classes)
            pairs.append((images[:, None], labels))
    return (*pairs[0], *pairs[1]) if len(pairs) == 2 else held_out(*pairs[0])
