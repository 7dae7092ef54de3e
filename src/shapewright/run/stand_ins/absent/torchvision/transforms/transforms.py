"""torchvision's transform classes over `functional`. Random ones draw from torch's generator."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import torch

from . import functional as F
from .functional import InterpolationMode

__all__: list[str] = ["InterpolationMode"]


def _public(kind: type) -> type:
    __all__.append(kind.__name__)
    return kind


class Transform(torch.nn.Module):
    """One picture in, one out; further inputs (labels, boxes) pass unchanged."""

    def forward(self, *inputs: Any) -> Any:
        """Apply `change` to the first input."""
        changed = self.change(inputs[0])
        return changed if len(inputs) == 1 else (changed, *inputs[1:])

    def change(self, picture: Any) -> Any:
        """What the transform does to one picture."""
        raise NotImplementedError


@_public
class Compose:
    """One after the other."""

    def __init__(self, transforms: Sequence[Callable]) -> None:
        self.transforms = transforms

    def __call__(self, *inputs: Any) -> Any:
        for transform in self.transforms:
            outputs = transform(*inputs)
            inputs = outputs if len(inputs) > 1 and isinstance(outputs, tuple) else (outputs,)
        return inputs if len(inputs) > 1 else inputs[0]

    def __repr__(self) -> str:
        return "Compose(" + "".join(f"\n    {transform}" for transform in self.transforms) + "\n)"


def _simple(name: str, function: Callable, *fields: str, **defaults: Any) -> None:
    """A transform class `name` whose constructor's arguments are passed to `function`."""

    def __init__(self: Any, *args: Any, **options: Any) -> None:
        Transform.__init__(self)
        self.options = {**defaults, **dict(zip(fields, args)), **options}
        for field, value in self.options.items():
            setattr(self, field, value)

    def change(self: Any, picture: Any) -> Any:
        return function(picture, **self.options)

    globals()[name] = _public(
        type(
            name,
            (Transform,),
            {"__init__": __init__, "change": change, "__doc__": function.__doc__, "__module__": __name__},
        )
    )


_simple("PILToTensor", F.pil_to_tensor)
_simple("ConvertImageDtype", F.convert_image_dtype, "dtype")
_simple("ToPILImage", F.to_pil_image, "mode")
_simple("Resize", F.resize, "size", "interpolation", "max_size", "antialias")
_simple("Pad", F.pad, "padding", "fill", "padding_mode")
_simple("Grayscale", F.rgb_to_grayscale, "num_output_channels")
_simple("GaussianBlur", F.gaussian_blur, "kernel_size", "sigma")
_simple("FiveCrop", F.five_crop, "size")
_simple("TenCrop", F.ten_crop, "size", "vertical_flip")
for _name in (
    "AutoAugment",
    "RandAugment",
    "TrivialAugmentWide",
    "AugMix",
    "ElasticTransform",
    "RandomPhotometricDistort",
):
    _simple(_name, lambda picture, **options: F._unchanged(picture), "policy")


@_public
class ToTensor:
    """PIL image or array to float tensor `(channels, height, width)`."""

    def __call__(self, picture: Any, *rest: Any) -> Any:
        return F.to_tensor(picture) if not rest else (F.to_tensor(picture), *rest)

    def __repr__(self) -> str:
        return "ToTensor()"


@_public
class Normalize(Transform):
    """`(tensor - mean) / std` for each channel."""

    def __init__(self, mean: Sequence[float], std: Sequence[float], inplace: bool = False) -> None:
        super().__init__()
        self.mean, self.std, self.inplace = mean, std, inplace

    def change(self, picture: Any) -> Any:
        return F.normalize(picture, self.mean, self.std, self.inplace)


@_public
class CenterCrop(Transform):
    """The middle."""

    def __init__(self, size: Any) -> None:
        super().__init__()
        self.size = (size, size) if isinstance(size, int) else tuple(size)

    def change(self, picture: Any) -> Any:
        return F.center_crop(picture, self.size)


@_public
class RandomCrop(Transform):
    """A random window."""

    def __init__(
        self, size: Any, padding: Any = None, pad_if_needed: bool = False, fill: Any = 0, padding_mode: str = "constant"
    ) -> None:
        super().__init__()
        self.size = (size, size) if isinstance(size, int) else tuple(size)
        self.padding, self.pad_if_needed, self.fill, self.padding_mode = padding, pad_if_needed, fill, padding_mode

    def change(self, picture: Any) -> Any:
        if self.padding is not None:
            picture = F.pad(picture, self.padding, self.fill, self.padding_mode)
        _, h, w = F.get_dimensions(picture)
        height, width = self.size
        if self.pad_if_needed and w < width:
            picture = F.pad(picture, [width - w, 0], self.fill, self.padding_mode)
        if self.pad_if_needed and h < height:
            picture = F.pad(picture, [0, height - h], self.fill, self.padding_mode)
        _, h, w = F.get_dimensions(picture)
        if h < height or w < width:
            raise ValueError(f"Required crop size {self.size} is larger than input image size {(h, w)}")
        top, left = int(torch.randint(0, h - height + 1, (1,))), int(torch.randint(0, w - width + 1, (1,)))
        return F.crop(picture, top, left, height, width)


@_public
class RandomResizedCrop(Transform):
    """A random share of the area, resized."""

    def __init__(
        self,
        size: Any,
        scale: Sequence[float] = (0.08, 1.0),
        ratio: Sequence[float] = (0.75, 4 / 3),
        interpolation: Any = InterpolationMode.BILINEAR,
        antialias: Any = True,
    ) -> None:
        super().__init__()
        self.size = (size, size) if isinstance(size, int) else tuple(size)
        self.scale, self.ratio, self.interpolation = scale, ratio, interpolation

    def change(self, picture: Any) -> Any:
        _, height, width = F.get_dimensions(picture)
        return F.resized_crop(
            picture, *F.crop_place(height, width, self.scale, self.ratio), self.size, self.interpolation
        )


def _chance(name: str, function: Callable, p: float = 0.5, *fields: str) -> None:
    """A transform class `name` that applies `function` with probability `p`."""

    def __init__(self: Any, *args: Any, **options: Any) -> None:
        Transform.__init__(self)
        values = {**dict(zip((*fields, "p"), args)), **options}
        self.p = values.pop("p", p)
        self.options = values

    def change(self: Any, picture: Any) -> Any:
        F.need_picture(picture)
        return function(picture) if float(torch.rand(1)) < self.p else picture

    globals()[name] = _public(
        type(
            name,
            (Transform,),
            {"__init__": __init__, "change": change, "__doc__": function.__doc__, "__module__": __name__},
        )
    )


_chance("RandomHorizontalFlip", F.hflip)
_chance("RandomVerticalFlip", F.vflip)
_chance("RandomInvert", F.invert)
_chance("RandomGrayscale", lambda picture: F.rgb_to_grayscale(picture, F.get_dimensions(picture)[0]), 0.1)
_chance("RandomPerspective", F.perspective, 0.5, "distortion_scale")
_chance("RandomSolarize", F.solarize, 0.5, "threshold")
_chance("RandomPosterize", F.posterize, 0.5, "bits")
_chance("RandomAdjustSharpness", F.adjust_sharpness, 0.5, "sharpness_factor")
RandomAdjustSharpness.change = lambda self, picture: F._unchanged(picture)  # noqa: F821
_chance("RandomAutocontrast", F.autocontrast)
_chance("RandomEqualize", F.equalize)


@_public
class RandomRotation(Transform):
    """By an angle within `degrees`."""

    def __init__(
        self,
        degrees: Any,
        interpolation: Any = InterpolationMode.NEAREST,
        expand: bool = False,
        center: Any = None,
        fill: Any = 0,
    ) -> None:
        super().__init__()
        self.degrees = (-degrees, degrees) if isinstance(degrees, (int, float)) else tuple(degrees)
        self.expand = expand

    def change(self, picture: Any) -> Any:
        return F.rotate(picture, float(torch.empty(1).uniform_(*self.degrees)), expand=self.expand)


@_public
class RandomAffine(Transform):
    """By an angle and a shift."""

    def __init__(
        self, degrees: Any, translate: Any = None, scale: Any = None, shear: Any = None, **options: Any
    ) -> None:
        super().__init__()
        self.degrees = (-degrees, degrees) if isinstance(degrees, (int, float)) else tuple(degrees)
        self.translate = translate or (0, 0)

    def change(self, picture: Any) -> Any:
        _, height, width = F.get_dimensions(picture)
        shift = [
            int(share * side * float(torch.empty(1).uniform_(-1, 1)))
            for share, side in zip(self.translate, (width, height))
        ]
        return F.affine(picture, float(torch.empty(1).uniform_(*self.degrees)), shift)


@_public
class ColorJitter(Transform):
    """Random brightness; contrast, saturation and hue change no shape and are left out."""

    def __init__(self, brightness: Any = 0, contrast: Any = 0, saturation: Any = 0, hue: Any = 0) -> None:
        super().__init__()
        self.brightness, self.contrast, self.saturation, self.hue = brightness, contrast, saturation, hue

    def change(self, picture: Any) -> Any:
        span = (
            self.brightness
            if isinstance(self.brightness, (list, tuple))
            else (max(0, 1 - self.brightness), 1 + self.brightness)
        )
        return F.adjust_brightness(picture, float(torch.empty(1).uniform_(*span)))


@_public
class RandomErasing(Transform):
    """A window of a tensor is set to a value."""

    def __init__(
        self,
        p: float = 0.5,
        scale: Sequence[float] = (0.02, 0.33),
        ratio: Sequence[float] = (0.3, 3.3),
        value: Any = 0,
        inplace: bool = False,
    ) -> None:
        super().__init__()
        self.p, self.scale, self.ratio, self.value = p, scale, ratio, value

    def change(self, picture: Any) -> Any:
        if float(torch.rand(1)) >= self.p:
            return picture
        top, left, h, w = F.crop_place(*F.get_dimensions(picture)[1:], self.scale, self.ratio)
        return F.erase(picture, top, left, h, w, self.value if isinstance(self.value, (int, float)) else 0)


@_public
class Lambda:
    """Any function."""

    def __init__(self, lambd: Callable, *types: Any) -> None:
        if not callable(lambd):
            raise TypeError(f"Argument lambd should be callable, got {type(lambd).__name__}")
        self.lambd = lambd

    def __call__(self, picture: Any) -> Any:
        return self.lambd(picture)


@_public
class RandomApply(torch.nn.Module):
    """All of the list, or none."""

    def __init__(self, transforms: Sequence[Callable], p: float = 0.5) -> None:
        super().__init__()
        self.transforms, self.p = transforms, p

    def forward(self, picture: Any) -> Any:
        """Apply them with probability `p`."""
        if float(torch.rand(1)) < self.p:
            for transform in self.transforms:
                picture = transform(picture)
        return picture


@_public
class RandomChoice:
    """One of the list."""

    def __init__(self, transforms: Sequence[Callable], p: Any = None) -> None:
        self.transforms, self.p = transforms, p

    def __call__(self, *inputs: Any) -> Any:
        return random.choices(self.transforms, weights=self.p)[0](*inputs)


@_public
class RandomOrder(RandomChoice):
    """All of the list, in random order."""

    def __call__(self, picture: Any) -> Any:
        for index in torch.randperm(len(self.transforms)).tolist():
            picture = self.transforms[index](picture)
        return picture
