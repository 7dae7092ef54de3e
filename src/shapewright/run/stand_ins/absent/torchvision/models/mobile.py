"""MobileNet v2 and v3, EfficientNet and ConvNeXt."""

from __future__ import annotations

import math
from functools import partial

import torch
from torch import Tensor, nn

from ..ops.misc import Conv2dNormActivation, SqueezeExcitation, StochasticDepth
from .registry import register


def divisible(value: float, by: int = 8) -> int:
    """The nearest multiple of `by` that is not 10 % smaller."""
    rounded = max(by, int(value + by / 2) // by * by)
    return rounded + by if rounded < 0.9 * value else rounded


class InvertedResidual(nn.Module):
    """Widen, filter each channel, narrow."""

    def __init__(
        self,
        inp: int,
        hidden: int,
        out: int,
        kernel: int,
        stride: int,
        activation: type,
        squeeze: int = 0,
        gate: type = nn.Sigmoid,
        drop: float = 0.0,
        squeeze_activation: type = nn.ReLU,
    ) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        if hidden != inp:
            layers.append(Conv2dNormActivation(inp, hidden, 1, activation_layer=activation))
        layers.append(Conv2dNormActivation(hidden, hidden, kernel, stride, groups=hidden, activation_layer=activation))
        if squeeze:
            layers.append(SqueezeExcitation(hidden, squeeze, squeeze_activation, gate))
        layers.append(Conv2dNormActivation(hidden, out, 1, activation_layer=None))
        self.block = nn.Sequential(*layers)
        self.use_res_connect = stride == 1 and inp == out
        self.stochastic_depth = StochasticDepth(drop, "row")

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, inp, h, w)` to `(batch, out, h / stride, w / stride)`."""
        return x + self.stochastic_depth(self.block(x)) if self.use_res_connect else self.block(x)


class _Features(nn.Module):
    """`features`, pooling, `classifier`."""

    features: nn.Sequential
    classifier: nn.Sequential

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, 3, h, w)` to `(batch, num_classes)`."""
        x = self.features(x)
        return self.classifier(torch.flatten(nn.functional.adaptive_avg_pool2d(x, (1, 1)), 1))


class MobileNetV2(_Features):
    """Sandler et al. 2018; the last layer is `classifier[1]`."""

    def __init__(self, num_classes: int = 1000, width_mult: float = 1.0, dropout: float = 0.2) -> None:
        super().__init__()
        channels = divisible(32 * width_mult)
        self.last_channel = divisible(1280 * max(1.0, width_mult))
        layers: list[nn.Module] = [Conv2dNormActivation(3, channels, 3, 2, activation_layer=nn.ReLU6)]
        for t, c, n, s in (
            (1, 16, 1, 1),
            (6, 24, 2, 2),
            (6, 32, 3, 2),
            (6, 64, 4, 2),
            (6, 96, 3, 1),
            (6, 160, 3, 2),
            (6, 320, 1, 1),
        ):
            for index in range(n):
                out = divisible(c * width_mult)
                layers.append(InvertedResidual(channels, channels * t, out, 3, s if index == 0 else 1, nn.ReLU6))
                channels = out
        layers.append(Conv2dNormActivation(channels, self.last_channel, 1, activation_layer=nn.ReLU6))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Linear(self.last_channel, num_classes))


_V3 = {
    "large": (
        1280,
        [
            (16, 3, 16, 16, 0, 0, 1),
            (16, 3, 64, 24, 0, 0, 2),
            (24, 3, 72, 24, 0, 0, 1),
            (24, 5, 72, 40, 1, 0, 2),
            (40, 5, 120, 40, 1, 0, 1),
            (40, 5, 120, 40, 1, 0, 1),
            (40, 3, 240, 80, 0, 1, 2),
            (80, 3, 200, 80, 0, 1, 1),
            (80, 3, 184, 80, 0, 1, 1),
            (80, 3, 184, 80, 0, 1, 1),
            (80, 3, 480, 112, 1, 1, 1),
            (112, 3, 672, 112, 1, 1, 1),
            (112, 5, 672, 160, 1, 1, 2),
            (160, 5, 960, 160, 1, 1, 1),
            (160, 5, 960, 160, 1, 1, 1),
        ],
    ),
    "small": (
        1024,
        [
            (16, 3, 16, 16, 1, 0, 2),
            (16, 3, 72, 24, 0, 0, 2),
            (24, 3, 88, 24, 0, 0, 1),
            (24, 5, 96, 40, 1, 1, 2),
            (40, 5, 240, 40, 1, 1, 1),
            (40, 5, 240, 40, 1, 1, 1),
            (40, 5, 120, 48, 1, 1, 1),
            (48, 5, 144, 48, 1, 1, 1),
            (48, 5, 288, 96, 1, 1, 2),
            (96, 5, 576, 96, 1, 1, 1),
            (96, 5, 576, 96, 1, 1, 1),
        ],
    ),
}


class MobileNetV3(_Features):
    """Howard et al. 2019; the last layer is `classifier[3]`."""

    def __init__(self, size: str, num_classes: int = 1000, dropout: float = 0.2) -> None:
        super().__init__()
        last, rows = _V3[size]
        layers: list[nn.Module] = [Conv2dNormActivation(3, 16, 3, 2, activation_layer=nn.Hardswish)]
        for inp, kernel, hidden, out, squeezed, hard, stride in rows:
            layers.append(
                InvertedResidual(
                    inp,
                    hidden,
                    out,
                    kernel,
                    stride,
                    nn.Hardswish if hard else nn.ReLU,
                    divisible(hidden // 4) if squeezed else 0,
                    nn.Hardsigmoid,
                )
            )
        wide = 6 * rows[-1][3]
        layers.append(Conv2dNormActivation(rows[-1][3], wide, 1, activation_layer=nn.Hardswish))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(
            nn.Linear(wide, last), nn.Hardswish(True), nn.Dropout(dropout, True), nn.Linear(last, num_classes)
        )


class EfficientNet(_Features):
    """Tan and Le 2019; the last layer is `classifier[1]`."""

    def __init__(
        self, width: float, depth: float, dropout: float, num_classes: int = 1000, stochastic_depth_prob: float = 0.2
    ) -> None:
        super().__init__()
        channels = divisible(32 * width)
        layers: list[nn.Module] = [Conv2dNormActivation(3, channels, 3, 2, activation_layer=nn.SiLU)]
        for expand, kernel, stride, out, repeats in (
            (1, 3, 1, 16, 1),
            (6, 3, 2, 24, 2),
            (6, 5, 2, 40, 2),
            (6, 3, 2, 80, 3),
            (6, 5, 1, 112, 3),
            (6, 5, 2, 192, 4),
            (6, 3, 1, 320, 1),
        ):
            out, stage = divisible(out * width), []
            for index in range(math.ceil(repeats * depth)):
                hidden = divisible(channels * expand)
                stage.append(
                    InvertedResidual(
                        channels,
                        hidden,
                        out,
                        kernel,
                        stride if index == 0 else 1,
                        nn.SiLU,
                        max(1, channels // 4),
                        squeeze_activation=nn.SiLU,
                    )
                )
                channels = out
            layers.append(nn.Sequential(*stage))
        layers.append(Conv2dNormActivation(channels, 4 * channels, 1, activation_layer=nn.SiLU))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Dropout(dropout, True), nn.Linear(4 * channels, num_classes))


class LayerNorm2d(nn.LayerNorm):
    """Layer normalisation over the channels of `(batch, channels, h, w)`."""

    def forward(self, x: Tensor) -> Tensor:
        """The same shape."""
        x = nn.functional.layer_norm(x.permute(0, 2, 3, 1), self.normalized_shape, self.weight, self.bias, self.eps)
        return x.permute(0, 3, 1, 2)


class CNBlock(nn.Module):
    """ConvNeXt's block."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(dim, dim, 7, padding=3, groups=dim)
        self.norm = nn.LayerNorm(dim, eps=1e-6)
        self.up, self.act, self.down = nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim)
        self.layer_scale = nn.Parameter(torch.ones(dim, 1, 1) * 1e-6)

    def forward(self, x: Tensor) -> Tensor:
        """The same shape."""
        inner = self.down(self.act(self.up(self.norm(self.conv(x).permute(0, 2, 3, 1))))).permute(0, 3, 1, 2)
        return x + self.layer_scale * inner


class ConvNeXt(nn.Module):
    """Liu et al. 2022; the last layer is `classifier[2]`."""

    def __init__(self, widths: list[int], depths: list[int], num_classes: int = 1000) -> None:
        super().__init__()
        layers: list[nn.Module] = [nn.Sequential(nn.Conv2d(3, widths[0], 4, 4), LayerNorm2d(widths[0], eps=1e-6))]
        for index, (width, depth) in enumerate(zip(widths, depths)):
            layers.append(nn.Sequential(*(CNBlock(width) for _ in range(depth))))
            if index + 1 < len(widths):
                layers.append(nn.Sequential(LayerNorm2d(width, eps=1e-6), nn.Conv2d(width, widths[index + 1], 2, 2)))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(
            LayerNorm2d(widths[-1], eps=1e-6), nn.Flatten(1), nn.Linear(widths[-1], num_classes)
        )

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, 3, h, w)` to `(batch, num_classes)`."""
        return self.classifier(self.avgpool(self.features(x)))


register("mobilenet_v2", "MobileNet_V2", MobileNetV2)
register("mobilenet_v3_large", "MobileNet_V3_Large", partial(MobileNetV3, "large"))
register("mobilenet_v3_small", "MobileNet_V3_Small", partial(MobileNetV3, "small"))
for _index, (_width, _depth, _drop) in enumerate(
    (
        (1.0, 1.0, 0.2),
        (1.0, 1.1, 0.2),
        (1.1, 1.2, 0.3),
        (1.2, 1.4, 0.3),
        (1.4, 1.8, 0.4),
        (1.6, 2.2, 0.4),
        (1.8, 2.6, 0.5),
        (2.0, 3.1, 0.5),
    )
):
    register(f"efficientnet_b{_index}", f"EfficientNet_B{_index}", partial(EfficientNet, _width, _depth, _drop))
for _name, _widths, _depths in (
    ("tiny", [96, 192, 384, 768], [3, 3, 9, 3]),
    ("small", [96, 192, 384, 768], [3, 3, 27, 3]),
    ("base", [128, 256, 512, 1024], [3, 3, 27, 3]),
    ("large", [192, 384, 768, 1536], [3, 3, 27, 3]),
):
    register(f"convnext_{_name}", f"ConvNeXt_{_name.capitalize()}", partial(ConvNeXt, _widths, _depths))
