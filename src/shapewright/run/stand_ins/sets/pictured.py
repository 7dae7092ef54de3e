"""What torchvision's data sets of pictures give for a sample: the extent of their pictures and the form of their
targets, as its documentation has them. The pictures are made up."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ..context import Context

COUNT = 103  # samples of each
CLASSES = {  # name: number of classes, side of a picture; those of many sizes have 128
    "Caltech101": (101, 128),
    "Caltech256": (257, 128),
    "Country211": (211, 128),
    "DTD": (47, 128),
    "EuroSAT": (10, 64),
    "FGVCAircraft": (100, 128),
    "Flowers102": (102, 128),
    "Food101": (101, 128),
    "GTSRB": (43, 64),
    "LSUN": (10, 128),
    "OxfordIIITPet": (37, 128),
    "PCAM": (2, 96),
    "Places365": (365, 128),
    "STL10": (10, 96),
    "StanfordCars": (196, 128),
    "SUN397": (397, 128),
    "CelebA": (0, 178),
    "VOCSegmentation": (0, 128),
}
GREY = {"FER2013": (7, 48), "Omniglot": (964, 105), "Semeion": (10, 16), "USPS": (10, 16)}
ATTRIBUTES, OBJECTS, PARTS = 40, 20, (1, 2, 3)  # of CelebA, of VOC beside the background, of a pet's picture


def answer(module: Any, context: Context, either: Callable[[Any, Any, Context], Any]) -> None:
    """Let each of them give made-up samples where its files are not there; `either` wraps a constructor."""
    for name, (classes, side) in (*CLASSES.items(), *GREY.items()):
        kind = getattr(module, name, None)  # not of every version
        if kind is None or hasattr(kind.__getitem__, "__wrapped__"):
            continue
        kind.__init__ = either(kind.__init__, _maker(module, kind, classes, side, context), context)
        kind.__getitem__ = _given(kind.__getitem__)
        kind.__len__ = _counted(kind.__len__)


def _maker(module: Any, kind: type, classes: int, side: int, context: Context) -> Callable[..., None]:
    signature = inspect.signature(kind.__init__)  # type: ignore[misc]
    grey = kind.__name__ in GREY

    def make(self: Any, *args: Any, **options: Any) -> None:
        context.few, self.made_count = True, max(COUNT, context.guess.many)
        given = signature.bind(self, *args, **options)
        given.apply_defaults()
        told = given.arguments
        chosen = {name: told[name] for name in ("transforms", "transform", "target_transform") if told.get(name)}
        module.VisionDataset.__init__(self, told["root"], **chosen)
        asked = told.get("target_type", told.get("target_types", ""))
        self.asked_for = [asked] if isinstance(asked, str) else list(asked)
        self.picture_side, self.picture_mode = side, "L" if grey else "RGB"
        if classes:
            self.classes = [f"class_{index}" for index in range(classes)]
            self.class_to_idx = {name: index for index, name in enumerate(self.classes)}

    return make


def _given(read: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(read)
    def __getitem__(self: Any, index: int) -> Any:
        if not getattr(self, "made_up", False):
            return read(self, index)
        if not -self.made_count <= index < self.made_count:
            raise IndexError("index out of range")
        picture, target = _picture(self, index), _target(self, index)
        return self.transforms(picture, target) if self.transforms is not None else (picture, target)

    return __getitem__


def _counted(count: Callable[..., int]) -> Callable[..., int]:
    @functools.wraps(count)
    def __len__(self: Any) -> int:
        return self.made_count if getattr(self, "made_up", False) else count(self)

    return __len__


def _picture(self: Any, index: int) -> Any:
    import numpy
    from PIL import Image

    side = self.picture_side
    shape = (side, side) if self.picture_mode == "L" else (218 if side == 178 else side, side, 3)  # faces are upright
    return Image.fromarray(numpy.random.RandomState(index % COUNT).randint(0, 256, shape, dtype="uint8"))


def _target(self: Any, index: int) -> Any:
    """A class; attributes of a face; or a map of classes, as large as the picture."""
    import numpy
    import torch
    from PIL import Image

    draw = numpy.random.RandomState(index % COUNT)
    side = (self.picture_side, self.picture_side)
    if not hasattr(self, "classes") and not any(self.asked_for):
        return Image.fromarray(draw.randint(0, OBJECTS + 1, side, dtype="uint8"))
    makers: dict[str, Callable[[], Any]] = {
        "attr": lambda: torch.from_numpy(draw.randint(0, 2, ATTRIBUTES)),
        "identity": lambda: torch.tensor(index % COUNT),
        "landmarks": lambda: torch.from_numpy(draw.randint(0, 178, 10)),
        "bbox": lambda: torch.from_numpy(draw.randint(0, 178, 4)),
        "segmentation": lambda: Image.fromarray(draw.choice(PARTS, side).astype("uint8")),
    }
    found = [makers.get(one, lambda: index % len(self.classes))() for one in self.asked_for or [""]]
    return tuple(found) if len(found) > 1 else found[0]
