"""Data sets of an installed torchvision whose files are not on this machine: the class stays torchvision's, the
pictures are made up."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from ..context import Context
from ..sets.classes import count
from ..sets.pictured import answer

LEAST, SECONDS = 500, 3.0  # of processor time
_COUNTS = {"MNIST": (60000, 10000), "CIFAR": (50000, 10000)}
_SPLITS = {"train": 73257, "test": 26032, "extra": 73257}


def patch(module: ModuleType, context: Context) -> None:
    """Wrap the constructors: torchvision's own first, without a download."""
    import numpy
    import torch

    def known(count: int, most: int) -> int:
        """How many rows a part has of a set whose largest has `most`: parts of one size would be one set."""
        if not context.rows:
            return count
        context.few, few = True, context.rows * count // most
        context.note("rows-left-out", count=few, total=count)
        return few

    def pixels(*shape: int, part: bool | int = 0) -> Any:
        """Pictures of which those of one part of a set are in no other."""
        base = numpy.random.RandomState(int(part)).randint(0, 256, (500, *shape[1:]), dtype="uint8")
        return numpy.resize(base, shape)

    def digits(
        self: Any,
        root: object,
        train: bool = True,
        transform: object = None,
        target_transform: object = None,
        **options: object,
    ) -> None:
        module.VisionDataset.__init__(self, root, transform=transform, target_transform=target_transform)
        count = known(_COUNTS["MNIST"][0 if train else 1], _COUNTS["MNIST"][0])
        self.train = train
        self.data, self.targets = (
            torch.from_numpy(pixels(count, 28, 28, part=not train)),
            torch.arange(count) % len(self.classes),
        )

    def photos(
        self: Any,
        root: object,
        train: bool = True,
        transform: object = None,
        target_transform: object = None,
        **options: object,
    ) -> None:
        module.VisionDataset.__init__(self, root, transform=transform, target_transform=target_transform)
        count = known(_COUNTS["CIFAR"][0 if train else 1], _COUNTS["CIFAR"][0])
        classes = 100 if isinstance(self, module.CIFAR100) else 10
        self.train = train
        self.data, self.targets = pixels(count, 32, 32, 3, part=not train), [index % classes for index in range(count)]
        self.classes = [f"class_{index}" for index in range(classes)]
        self.class_to_idx = {name: index for index, name in enumerate(self.classes)}

    def numbers(
        self: Any,
        root: object,
        split: str = "train",
        transform: object = None,
        target_transform: object = None,
        **options: object,
    ) -> None:
        module.VisionDataset.__init__(self, root, transform=transform, target_transform=target_transform)
        self.split, count = split, known(_SPLITS[split], max(_SPLITS.values()))
        self.data, self.labels = pixels(count, 3, 32, 32), numpy.arange(count) % 10

    def folders(self: Any, root: object, *args: Any, **options: Any) -> None:
        from PIL import Image

        context.few = True
        module.VisionDataset.__init__(
            self,
            root,
            transform=options.get("transform", args[0] if args else None),
            target_transform=options.get("target_transform"),
        )
        self.classes = [f"class_{index}" for index in range(count(context.user_text()))]
        self.class_to_idx = {name: index for index, name in enumerate(self.classes)}
        labels = [index % len(self.classes) for index in range(max(103, context.guess.many))]
        self.samples = self.imgs = [
            (os.path.join(str(root), self.classes[label], f"{index:04d}.png"), label)
            for index, label in enumerate(labels)
        ]
        self.targets = [target for _, target in self.samples]
        picture = Image.fromarray(pixels(1, 256, 256, 3)[0])
        self.loader = lambda path: picture.copy()

    for new in ("data", "targets"):
        for old in (f"{part}_{'labels' if new == 'targets' else new}" for part in ("train", "test")):
            setattr(module.MNIST, old, property(vars(module.MNIST)[old].fget, _renamed(old, new, context)))
    module.CIFAR10.__getattr__ = _old(context)
    for name, make in (("MNIST", digits), ("CIFAR10", photos), ("SVHN", numbers), ("ImageFolder", folders)):
        kind = getattr(module, name)
        kind.__init__ = _either(kind.__init__, make, context)
        kind.__iter__ = _walk(context)
    answer(module, context, _either)


def _old(context: Context) -> Any:
    """What reads the pictures or labels of a data set by the name that they had once."""

    def __getattr__(self: Any, name: str) -> Any:
        part, _, old = name.partition("_")
        new = {"data": "data", "labels": "targets"}.get(old) if part in ("train", "test") else None
        if new is None or new not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        context.note("old-interface", old=f"dataset.{name}", new=f"dataset.{new}")
        return self.__dict__[new]

    return __getattr__


def _renamed(old: str, new: str, context: Context) -> Any:
    """What sets the digits or labels of a data set by the name that they had once."""

    def put(self: Any, value: Any) -> None:
        context.note("old-interface", old=f"dataset.{old} = …", new=f"dataset.{new} = …")
        setattr(self, new, value)

    return put


def _either(original: Any, make: Any, context: Context) -> Any:
    def __init__(self: Any, *args: Any, **options: Any) -> None:
        try:
            with context.as_it_is():
                original(self, *args, **{key: value for key, value in options.items() if key != "download"})
        except (RuntimeError, ImportError, OSError):
            make(self, *args, **options)
            self.made_up = True
            context.note("stand-in-dataset", name=f"torchvision {type(self).__name__}", columns=f"{len(self)} pictures")

    return __init__


def _walk(context: Context) -> Any:
    """Going through a data set item by item. Made-up pictures say the same over and over: after `LEAST` of them and
    `SECONDS` it ends, and is told of."""

    def __iter__(self: Any) -> Iterator[Any]:
        began = time.process_time()
        for index in range(len(self)):
            yield self[index]
            if index + 1 >= LEAST and hasattr(self, "made_up") and time.process_time() - began > SECONDS:
                context.note("rows-left-out", count=index + 1, total=len(self))
                return

    return __iter__
