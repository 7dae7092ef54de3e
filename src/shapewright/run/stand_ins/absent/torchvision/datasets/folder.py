"""`ImageFolder`: real folders are read; a folder that is missing or empty answers with made-up classes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image

from shapewright.run.stand_ins.context import tell, user_text
from shapewright.run.stand_ins.sets.classes import count

from .vision import VisionDataset, made_up

IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")
_COUNT = 103
_SIZE = (256, 256, 3)


def default_loader(path: Any) -> Image.Image:
    """A file as an RGB picture; a path of a made-up sample gives a made-up picture."""
    if not os.path.exists(path):
        return Image.fromarray(made_up(_SIZE, sum(map(ord, str(path)))))
    with open(path, "rb") as file:
        return Image.open(file).convert("RGB")


pil_loader = default_loader


class DatasetFolder(VisionDataset):
    """`root/class/file`; `samples` lists `(path, class)`."""

    def __init__(
        self,
        root: Any,
        loader: Callable = default_loader,
        extensions: Any = None,
        transform: Any = None,
        target_transform: Any = None,
        is_valid_file: Callable | None = None,
        allow_empty: bool = False,
    ) -> None:
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.loader, self.extensions = loader, extensions
        if os.path.isdir(root) and os.listdir(root):
            self.classes, self.class_to_idx = self.find_classes(root)
            self.samples = self._listed(is_valid_file)
        else:
            self.classes = [f"class_{index}" for index in range(count(user_text()))]
            self.class_to_idx = {name: index for index, name in enumerate(self.classes)}
            labels = [index % len(self.classes) for index in range(_COUNT)]
            self.samples = [
                (str(Path(str(root)) / self.classes[label] / f"{index:04d}.png"), label)
                for index, label in enumerate(labels)
            ]
            tell(
                "stand-in-dataset",
                name=f"ImageFolder({str(root)!r})",
                columns=f"256×256×3, {len(self.classes)} classes",
            )
        self.imgs = self.samples
        self.targets = [target for _, target in self.samples]

    def find_classes(self, directory: Any) -> tuple[list[str], dict[str, int]]:
        """Names of the class folders, in order."""
        classes = sorted(entry.name for entry in os.scandir(directory) if entry.is_dir())
        if not classes:
            raise FileNotFoundError(f"Couldn't find any class folder in {directory}.")
        return classes, {name: index for index, name in enumerate(classes)}

    def _listed(self, is_valid_file: Callable | None) -> list[tuple[str, int]]:
        good = is_valid_file or (lambda path: path.lower().endswith(tuple(self.extensions or IMG_EXTENSIONS)))
        found = []
        for name in self.classes:
            for folder, _, files in sorted(os.walk(os.path.join(self.root, name), followlinks=True)):
                found += [
                    (os.path.join(folder, file), self.class_to_idx[name])
                    for file in sorted(files)
                    if good(os.path.join(folder, file))
                ]
        return found

    def __getitem__(self, index: int) -> Any:
        path, target = self.samples[index]
        return self.apply(self.loader(path), target)

    def __len__(self) -> int:
        return len(self.samples)


class ImageFolder(DatasetFolder):
    """Pictures in class folders."""

    def __init__(
        self,
        root: Any,
        transform: Any = None,
        target_transform: Any = None,
        loader: Callable = default_loader,
        is_valid_file: Callable | None = None,
        allow_empty: bool = False,
    ) -> None:
        super().__init__(root, loader, IMG_EXTENSIONS, transform, target_transform, is_valid_file)
