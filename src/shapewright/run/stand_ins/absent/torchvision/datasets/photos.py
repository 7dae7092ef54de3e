"""Colour picture sets with one label a picture. CIFAR's batches under `root` are read; all else is made up."""

from __future__ import annotations

import pickle
from typing import Any

import numpy
from PIL import Image

from .vision import Labelled, VisionDataset, folder_of, made_up


class CIFAR10(Labelled):
    """50,000 and 10,000 pictures of 32 × 32; `data` is `(count, 32, 32, 3)` bytes, `targets` a list."""

    classes = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]
    folder, label_key = "cifar-10-batches-py", "labels"
    files = (["data_batch_1", "data_batch_2", "data_batch_3", "data_batch_4", "data_batch_5"], ["test_batch"])

    def __init__(
        self, root: Any, train: bool = True, transform: Any = None, target_transform: Any = None, download: bool = False
    ) -> None:
        self.train = train
        self._data: numpy.ndarray | None = None
        super().__init__(root, 50000 if train else 10000, transform, target_transform)
        if self._data is None:
            self.targets = [self.label(index) for index in range(self._count)]

    def _read(self) -> bool:
        folder = folder_of(self.root, self.folder)
        names = self.files[0 if self.train else 1]
        if folder is None or not all((folder / name).exists() for name in names):
            return False
        parts, targets = [], []
        for name in names:
            with open(folder / name, "rb") as file:
                entry = _Arrays(file, encoding="latin1").load()
            parts.append(entry["data"])
            targets += entry[self.label_key]
        self._data = numpy.vstack(parts).reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
        self.targets, self._count = targets, len(targets)
        return True

    @property
    def data(self) -> numpy.ndarray:
        """All the pictures, made when they are first asked for."""
        if self._data is None:
            self._data = numpy.resize(made_up((1000, *self.shape), 0), (self._count, *self.shape))
        return self._data

    @data.setter
    def data(self, value: Any) -> None:
        self._data = value

    def __len__(self) -> int:
        return self._count if self._data is None else len(self._data)

    def picture(self, index: int) -> Image.Image:
        """The picture at an index."""
        return super().picture(index) if self._data is None else Image.fromarray(self._data[index])

    def label(self, index: int) -> int:
        """The class of a picture."""
        targets = self.__dict__.get("targets")
        return int(targets[index]) if targets is not None else super().label(index)


class _Arrays(pickle.Unpickler):
    """Unpickles arrays and plain values, nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if module.split(".")[0] == "numpy" or (module, name) == ("_codecs", "encode"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} does not belong into a CIFAR batch")


class CIFAR100(CIFAR10):
    """A hundred classes."""

    classes = [f"class_{index}" for index in range(100)]
    folder, label_key = "cifar-100-python", "fine_labels"
    files = (["train"], ["test"])


class SVHN(Labelled):
    """House numbers of 32 × 32."""

    classes = [str(index) for index in range(10)]
    counts = {"train": 73257, "test": 26032, "extra": 531131}

    def __init__(
        self,
        root: Any,
        split: str = "train",
        transform: Any = None,
        target_transform: Any = None,
        download: bool = False,
    ) -> None:
        self.split = split
        super().__init__(root, self.counts[split], transform, target_transform)
        self.labels = numpy.array([self.label(index) for index in range(self._count)])


class STL10(Labelled):
    """Pictures of 96 × 96; the unlabelled ones have the label -1."""

    classes = ["airplane", "bird", "car", "cat", "deer", "dog", "horse", "monkey", "ship", "truck"]
    shape = (96, 96, 3)
    counts = {"train": 5000, "test": 8000, "unlabeled": 100000, "train+unlabeled": 105000}

    def __init__(
        self,
        root: Any,
        split: str = "train",
        folds: Any = None,
        transform: Any = None,
        target_transform: Any = None,
        download: bool = False,
    ) -> None:
        self.split = split
        super().__init__(root, self.counts[split], transform, target_transform)

    def label(self, index: int) -> int:
        """The class of a picture."""
        return -1 if self.split == "unlabeled" else super().label(index)


def _photos(
    name: str, number: int, counts: dict[str, int], shape: tuple[int, ...] = (256, 256, 3), first: str = "train"
) -> type:
    """A set class whose pictures are made up at one size."""

    def __init__(
        self: Any,
        root: Any,
        split: Any = first,
        transform: Any = None,
        target_transform: Any = None,
        download: bool = False,
        **options: Any,
    ) -> None:
        self.split = split if split in counts else first
        Labelled.__init__(self, root, counts[self.split], transform, target_transform)

    body = {
        "__init__": __init__,
        "classes": [f"class_{index}" for index in range(number)],
        "shape": shape,
        "__doc__": f"{number} classes.",
    }
    return type(name, (Labelled,), body)


Flowers102 = _photos("Flowers102", 102, {"train": 1020, "val": 1020, "test": 6149})
Food101 = _photos("Food101", 101, {"train": 75750, "test": 25250})
OxfordIIITPet = _photos("OxfordIIITPet", 37, {"trainval": 3680, "test": 3669}, first="trainval")
DTD = _photos("DTD", 47, {"train": 1880, "val": 1880, "test": 1880})
EuroSAT = _photos("EuroSAT", 10, {"train": 27000}, (64, 64, 3))
GTSRB = _photos("GTSRB", 43, {"train": 26640, "test": 12630})
StanfordCars = _photos("StanfordCars", 196, {"train": 8144, "test": 8041})
FGVCAircraft = _photos(
    "FGVCAircraft", 100, {"trainval": 6667, "train": 3334, "val": 3333, "test": 3333}, first="trainval"
)
Caltech101 = _photos("Caltech101", 101, {"train": 8677})
Caltech256 = _photos("Caltech256", 257, {"train": 30607})
ImageNet = _photos("ImageNet", 1000, {"train": 1281167, "val": 50000})


class FakeData(VisionDataset):
    """Random pictures, as torchvision's own."""

    def __init__(
        self,
        size: int = 1000,
        image_size: tuple[int, int, int] = (3, 224, 224),
        num_classes: int = 10,
        transform: Any = None,
        target_transform: Any = None,
        random_offset: int = 0,
    ) -> None:
        super().__init__(None, transform=transform, target_transform=target_transform)
        self.size, self.image_size, self.num_classes = size, image_size, num_classes

    def __getitem__(self, index: int) -> Any:
        if index >= self.size:
            raise IndexError(f"{type(self).__name__} index out of range")
        channels, height, width = self.image_size
        picture = Image.fromarray(made_up((height, width, 3), index))
        return self.apply(picture if channels == 3 else picture.convert("L"), index % self.num_classes)

    def __len__(self) -> int:
        return self.size
