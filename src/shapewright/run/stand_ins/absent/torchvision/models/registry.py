"""Builders by name, and their weights enumerations. Real weights are never loaded: a check downloads nothing."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import torch

from shapewright.run.stand_ins.context import tell
from shapewright.run.stand_ins.weights import cheap_weights, fill

_BUILDERS: dict[str, Callable[..., torch.nn.Module]] = {}
_ENUMS: dict[str, type] = {}


class Weights:
    """What a member of a weights enumeration holds."""

    def __init__(self, name: str) -> None:
        self.url = name
        self.meta = {"categories": [f"class_{index}" for index in range(1000)], "num_params": 0}

    def transforms(self, **options: Any) -> Callable:
        """The preprocessing for ImageNet: 224 × 224, normalised."""
        from ..transforms import CenterCrop, Compose, ConvertImageDtype, Lambda, Normalize, Resize
        from ..transforms.functional import is_pil, pil_to_tensor

        return Compose(
            [
                Resize(options.get("resize_size", 256)),
                CenterCrop(options.get("crop_size", 224)),
                Lambda(lambda picture: pil_to_tensor(picture) if is_pil(picture) else picture),
                ConvertImageDtype(torch.float),
                Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
            ]
        )


class WeightsEnum(Enum):
    """A weights enumeration."""

    @property
    def url(self) -> str:
        return self.value.url

    @property
    def meta(self) -> dict[str, Any]:
        return self.value.meta

    @property
    def transforms(self) -> Callable:
        return self.value.transforms

    def get_state_dict(self, *args: Any, **options: Any) -> Any:
        """Not on this machine."""
        raise OSError(f"weights {self} are not on this machine, and a check downloads nothing")


def register(name: str, kind: str, make: Callable[..., torch.nn.Module]) -> None:
    """Make `models.NAME(weights=None, progress=True, **options)` and `models.KIND_Weights`."""
    enum = _ENUMS.setdefault(
        kind,
        WeightsEnum(
            f"{kind}_Weights",
            {
                "IMAGENET1K_V1": Weights(f"{kind}.V1"),
                "IMAGENET1K_V2": Weights(f"{kind}.V2"),
                "DEFAULT": Weights(f"{kind}.default"),
            },
        ),
    )

    def build(weights: Any = None, progress: bool = True, pretrained: Any = None, **options: Any) -> torch.nn.Module:
        if isinstance(weights, bool):
            weights = enum["DEFAULT"] if weights else None
        if isinstance(weights, str):
            weights = enum[weights]
        if weights is not None or pretrained:
            tell("stand-in-model", name=f"torchvision {name}", width="ImageNet")
            if options.get("num_classes", 1000) != 1000:
                raise ValueError(
                    f"The parameter 'num_classes' expected value 1000 but got {options['num_classes']} instead."
                )
        for unused in ("aux_logits", "transform_input", "init_weights", "weights_backbone"):
            options.pop(unused, None)
        with cheap_weights():
            model = make(**options)
        fill(model)
        return model

    build.__name__ = build.__qualname__ = name
    _BUILDERS[name] = build


def publish(namespace: dict[str, Any]) -> None:
    """Put builders and enumerations into `torchvision.models`."""
    namespace.update(_BUILDERS)
    namespace.update({f"{kind}_Weights": enum for kind, enum in _ENUMS.items()})


def get_model(name: str, **options: Any) -> torch.nn.Module:
    """Build a model by its name."""
    if name.lower() not in _BUILDERS:
        raise ValueError(f"Unknown model {name}")
    return _BUILDERS[name.lower()](**options)


def list_models(*args: Any, **options: Any) -> list[str]:
    """The names of all models."""
    return sorted(_BUILDERS)


def get_weight(name: str) -> Any:
    """`ResNet50_Weights.DEFAULT` by its name."""
    kind, _, member = name.partition(".")
    return _ENUMS[kind.removesuffix("_Weights")][member]
