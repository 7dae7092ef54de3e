"""Functions on one picture: a PIL image, or a tensor `(..., channels, height, width)`. Geometry and errors are
torchvision's;
photometric changes are simplified, because only shapes and ranges matter to a check."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from typing import Any

import numpy
import torch
from PIL import Image, ImageOps
from torch import Tensor


class InterpolationMode(enum.Enum):
    """As torchvision's."""

    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


_PIL_MODES = {"nearest": 0, "nearest-exact": 0, "bilinear": 2, "bicubic": 3, "box": 4, "hamming": 5, "lanczos": 1}


def is_pil(picture: Any) -> bool:
    """Whether this is a PIL image."""
    return isinstance(picture, Image.Image)


def need_picture(picture: Any) -> None:
    """Raise torchvision's complaint about what is no picture."""
    if not (is_pil(picture) or isinstance(picture, Tensor)):
        raise TypeError(f"Unexpected type {type(picture)}")


def get_dimensions(picture: Any) -> list[int]:
    """`[channels, height, width]`."""
    if is_pil(picture):
        return [len(picture.getbands()), picture.height, picture.width]
    need_picture(picture)
    return [1 if picture.dim() == 2 else picture.shape[-3], picture.shape[-2], picture.shape[-1]]


def get_image_size(picture: Any) -> list[int]:
    """`[width, height]`."""
    return get_dimensions(picture)[:0:-1]


def get_image_num_channels(picture: Any) -> int:
    """The number of channels."""
    return get_dimensions(picture)[0]


def pil_to_tensor(picture: Any) -> Tensor:
    """PIL image to uint8 `(channels, height, width)`."""
    if not is_pil(picture):
        raise TypeError(f"pic should be PIL Image. Got {type(picture)}")
    array = numpy.array(picture, copy=True)
    if picture.mode == "1":
        array = array.astype("uint8") * 255
    return torch.as_tensor(array.reshape(picture.height, picture.width, -1)).permute(2, 0, 1).contiguous()


def to_tensor(picture: Any) -> Tensor:
    """PIL image or array `(height, width, channels)` to `(channels, height, width)`; bytes become floats in 0 .. 1."""
    if isinstance(picture, numpy.ndarray):
        if picture.ndim not in (2, 3):
            raise ValueError(f"pic should be 2/3 dimensional. Got {picture.ndim} dimensions.")
        array = picture[:, :, None] if picture.ndim == 2 else picture
        tensor = torch.from_numpy(array.transpose((2, 0, 1))).contiguous()
    elif is_pil(picture):
        tensor = pil_to_tensor(picture)
    else:
        raise TypeError(f"pic should be PIL Image or ndarray. Got {type(picture)}")
    return tensor.to(torch.get_default_dtype()).div(255) if tensor.dtype == torch.uint8 else tensor


def convert_image_dtype(picture: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    """Change the dtype and the range with it."""
    if picture.dtype == dtype:
        return picture
    if dtype.is_floating_point:
        return picture.to(dtype) if picture.is_floating_point() else picture.to(dtype) / torch.iinfo(picture.dtype).max
    if picture.is_floating_point():
        return picture.mul(torch.iinfo(dtype).max + 1.0 - 1e-3).to(dtype)
    return picture.to(dtype)


def to_pil_image(picture: Any, mode: str | None = None) -> Image.Image:
    """Tensor `(channels, height, width)` or array `(height, width, channels)` to PIL image."""
    if isinstance(picture, Tensor):
        if picture.dim() not in (2, 3):
            raise ValueError(f"pic should be 2/3 dimensional. Got {picture.ndimension()} dimensions.")
        tensor = picture.detach().cpu()
        tensor = tensor[None] if tensor.dim() == 2 else tensor
        if tensor.shape[0] > 4:
            raise ValueError(f"pic should not have > 4 channels. Got {tensor.shape[0]} channels.")
        if tensor.is_floating_point():
            tensor = tensor.mul(255).byte()
        array = tensor.permute(1, 2, 0).numpy()
    elif isinstance(picture, numpy.ndarray):
        if picture.ndim not in (2, 3):
            raise ValueError(f"pic should be 2/3 dimensional. Got {picture.ndim} dimensions.")
        array = picture[:, :, None] if picture.ndim == 2 else picture
    else:
        raise TypeError(f"pic should be Tensor or ndarray. Got {type(picture)}.")
    array = array[:, :, 0] if array.shape[2] == 1 else array
    return Image.fromarray(array if array.dtype != numpy.int64 else array.astype("uint8"))


def normalize(tensor: Tensor, mean: Sequence[float], std: Sequence[float], inplace: bool = False) -> Tensor:
    """`(tensor - mean) / std`, a value for each channel."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"img should be Tensor Image. Got {type(tensor)}")
    if not tensor.is_floating_point():
        raise TypeError(f"Input tensor should be a float tensor. Got {tensor.dtype}.")
    if tensor.ndim < 3:
        raise ValueError(
            f"Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = {tensor.size()}"
        )
    if not inplace:
        tensor = tensor.clone()
    mean_C = torch.as_tensor(mean, dtype=tensor.dtype, device=tensor.device)
    std_C = torch.as_tensor(std, dtype=tensor.dtype, device=tensor.device)
    if bool((std_C == 0).any()):
        raise ValueError(f"std evaluated to zero after conversion to {tensor.dtype}, leading to division by zero.")
    mean_C = mean_C.view(-1, 1, 1) if mean_C.ndim == 1 else mean_C
    std_C = std_C.view(-1, 1, 1) if std_C.ndim == 1 else std_C
    return tensor.sub_(mean_C).div_(std_C)


def resize(
    picture: Any,
    size: Any,
    interpolation: Any = InterpolationMode.BILINEAR,
    max_size: int | None = None,
    antialias: Any = True,
) -> Any:
    """To `(height, width)`, or the shorter side to one number."""
    _, height, width = get_dimensions(picture)
    if isinstance(size, (list, tuple)) and len(size) == 1:
        size = size[0]
    if isinstance(size, int):
        short, long = sorted((height, width))
        new_long = int(size * long / short)
        new_short = size
        if max_size is not None and new_long > max_size:
            new_short, new_long = int(max_size * new_short / new_long), max_size
        size = (new_long, new_short) if height > width else (new_short, new_long)
    if (height, width) == tuple(size):
        return picture
    name = interpolation.value if isinstance(interpolation, InterpolationMode) else "bilinear"
    if is_pil(picture):
        return picture.resize((size[1], size[0]), _PIL_MODES[name])
    name = name if name in ("nearest", "bilinear", "bicubic", "nearest-exact") else "bilinear"
    batched = picture if picture.dim() == 4 else picture.reshape(1, -1, height, width)
    options = {} if name.startswith("nearest") else {"align_corners": False}
    out = torch.nn.functional.interpolate(batched.float(), size=tuple(size), mode=name, **options)
    return out.to(picture.dtype).reshape(*picture.shape[:-2], *size)


def crop(picture: Any, top: int, left: int, height: int, width: int) -> Any:
    """A window; what lies outside is zero."""
    if is_pil(picture):
        return picture.crop((left, top, left + width, top + height))
    _, h, w = get_dimensions(picture)
    right, bottom = left + width, top + height
    window = picture[..., max(top, 0) : bottom, max(left, 0) : right]
    if left < 0 or top < 0 or right > w or bottom > h:
        before_left, before_top = max(-left + min(0, right), 0), max(-top + min(0, bottom), 0)
        window = torch.nn.functional.pad(
            window,
            [
                before_left,
                width - window.shape[-1] - before_left,
                before_top,
                height - window.shape[-2] - before_top,
            ],
        )
    return window


def center_crop(picture: Any, output_size: Any) -> Any:
    """The middle."""
    size = (output_size, output_size) if isinstance(output_size, int) else tuple(output_size)
    size = size * 2 if len(size) == 1 else size
    _, h, w = get_dimensions(picture)
    return crop(picture, round((h - size[0]) / 2), round((w - size[1]) / 2), *size)


def resized_crop(
    picture: Any,
    top: int,
    left: int,
    height: int,
    width: int,
    size: Any,
    interpolation: Any = InterpolationMode.BILINEAR,
    antialias: Any = True,
) -> Any:
    """Crop, then resize."""
    return resize(crop(picture, top, left, height, width), size, interpolation)


def pad(picture: Any, padding: Any, fill: Any = 0, padding_mode: str = "constant") -> Any:
    """One number, `[left/right, top/bottom]` or `[left, top, right, bottom]`."""
    sides = [padding] * 4 if isinstance(padding, int) else list(padding) * {1: 4, 2: 2, 4: 1}[len(padding)]
    left, top, right, bottom = sides
    if is_pil(picture):
        return ImageOps.expand(
            picture,
            (left, top, right, bottom),
            fill=fill
            if len(picture.getbands()) == 1 or not isinstance(fill, int)
            else (fill,) * len(picture.getbands()),
        )
    mode = {"edge": "replicate", "symmetric": "reflect"}.get(padding_mode, padding_mode)
    if mode == "constant":
        return torch.nn.functional.pad(
            picture, [left, right, top, bottom], value=float(fill) if not isinstance(fill, (list, tuple)) else 0.0
        )
    batched = picture.reshape(-1, *picture.shape[-3:]).float()
    out = torch.nn.functional.pad(batched, [left, right, top, bottom], mode=mode).to(picture.dtype)
    return out.reshape(*picture.shape[:-2], *out.shape[-2:])


def hflip(picture: Any) -> Any:
    """Left and right exchanged."""
    need_picture(picture)
    return picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if is_pil(picture) else picture.flip(-1)


def vflip(picture: Any) -> Any:
    """Top and bottom exchanged."""
    need_picture(picture)
    return picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM) if is_pil(picture) else picture.flip(-2)


def rotate(
    picture: Any,
    angle: float,
    interpolation: Any = InterpolationMode.NEAREST,
    expand: bool = False,
    center: Any = None,
    fill: Any = None,
) -> Any:
    """Degrees, counter-clockwise; a tensor is turned by the nearest quarter that keeps its shape."""
    if is_pil(picture):
        return picture.rotate(angle, expand=expand)
    need_picture(picture)
    return torch.rot90(picture, 2 * (round(angle / 180) % 2), (-2, -1))


def affine(
    picture: Any, angle: float = 0.0, translate: Any = (0, 0), scale: float = 1.0, shear: Any = 0.0, **options: Any
) -> Any:
    """Rotation and translation; the shape stays."""
    if is_pil(picture):
        return picture.rotate(angle, translate=tuple(int(value) for value in translate))
    return torch.roll(picture, [int(value) for value in reversed(list(translate))], (-2, -1))


def perspective(picture: Any, *args: Any, **options: Any) -> Any:
    """The shape stays."""
    need_picture(picture)
    return picture


def gaussian_blur(picture: Any, kernel_size: Any, sigma: Any = None) -> Any:
    """The shape stays; a tensor is averaged over its neighbours."""
    if is_pil(picture):
        from PIL import ImageFilter

        return picture.filter(ImageFilter.GaussianBlur(1))
    size = kernel_size if isinstance(kernel_size, int) else kernel_size[0]
    batched = picture.reshape(-1, 1, *picture.shape[-2:]).float()
    return (
        torch.nn.functional.avg_pool2d(batched, size, 1, size // 2, count_include_pad=False)
        .reshape(picture.shape)
        .to(picture.dtype)
    )


def rgb_to_grayscale(picture: Any, num_output_channels: int = 1) -> Any:
    """One channel, or the same three times."""
    if is_pil(picture):
        gray = picture.convert("L")
        return gray if num_output_channels == 1 else Image.merge("RGB", (gray,) * 3)
    if picture.shape[-3] not in (1, 3):
        raise TypeError(f"Input image tensor permitted channel values are 1 or 3, but found {picture.shape[-3]}")
    gray = picture.float().mean(-3, keepdim=True).to(picture.dtype)
    return gray if num_output_channels == 1 else gray.expand(*picture.shape[:-3], 3, *picture.shape[-2:])


to_grayscale = rgb_to_grayscale


def invert(picture: Any) -> Any:
    """Bright becomes dark."""
    if is_pil(picture):
        return ImageOps.invert(picture if picture.mode in ("L", "RGB") else picture.convert("RGB"))
    return (1.0 - picture) if picture.is_floating_point() else 255 - picture


def adjust_brightness(picture: Any, factor: float) -> Any:
    """Multiply, within the range."""
    need_picture(picture)
    if is_pil(picture):
        return picture.point(lambda value: min(255, int(value * factor)))
    return (picture * factor).clamp(0, 1.0 if picture.is_floating_point() else 255).to(picture.dtype)


adjust_contrast = adjust_saturation = adjust_gamma = adjust_sharpness = adjust_brightness


def adjust_hue(picture: Any, factor: float) -> Any:
    """The shape stays."""
    need_picture(picture)
    return picture


def _unchanged(picture: Any, *args: Any, **options: Any) -> Any:
    need_picture(picture)
    return picture


solarize = posterize = autocontrast = equalize = elastic_transform = _unchanged


def erase(picture: Tensor, i: int, j: int, h: int, w: int, v: Any, inplace: bool = False) -> Tensor:
    """Write `v` into a window."""
    picture = picture if inplace else picture.clone()
    picture[..., i : i + h, j : j + w] = v
    return picture


def five_crop(picture: Any, size: Any) -> tuple[Any, ...]:
    """Four corners and the middle."""
    height, width = (size, size) if isinstance(size, int) else size
    _, h, w = get_dimensions(picture)
    places = ((0, 0), (0, w - width), (h - height, 0), (h - height, w - width))
    return (*(crop(picture, top, left, height, width) for top, left in places), center_crop(picture, (height, width)))


def ten_crop(picture: Any, size: Any, vertical_flip: bool = False) -> tuple[Any, ...]:
    """`five_crop` of the picture and of its mirror image."""
    return five_crop(picture, size) + five_crop(vflip(picture) if vertical_flip else hflip(picture), size)


def crop_place(height: int, width: int, scale: Sequence[float], ratio: Sequence[float]) -> tuple[int, int, int, int]:
    """A random window `(top, left, height, width)` of a share of the area."""
    for _ in range(10):
        area = height * width * float(torch.empty(1).uniform_(*scale))
        aspect = math.exp(float(torch.empty(1).uniform_(math.log(ratio[0]), math.log(ratio[1]))))
        w, h = round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))
        if 0 < w <= width and 0 < h <= height:
            return int(torch.randint(0, height - h + 1, (1,))), int(torch.randint(0, width - w + 1, (1,))), h, w
    side = min(height, width)
    return (height - side) // 2, (width - side) // 2, side, side
