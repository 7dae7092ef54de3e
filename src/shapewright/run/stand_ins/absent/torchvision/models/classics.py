"""AlexNet, VGG and SqueezeNet."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor, nn

from .registry import register


class AlexNet(nn.Module):
    """`(batch, 3, h, w)` to `(batch, num_classes)`; `features`, `avgpool`, `classifier`."""

    def __init__(self, num_classes: int = 1000, dropout: float = 0.5) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 64, 11, 4, 2),
            nn.ReLU(True),
            nn.MaxPool2d(3, 2),
            nn.Conv2d(64, 192, 5, padding=2),
            nn.ReLU(True),
            nn.MaxPool2d(3, 2),
            nn.Conv2d(192, 384, 3, padding=1),
            nn.ReLU(True),
            nn.Conv2d(384, 256, 3, padding=1),
            nn.ReLU(True),
            nn.Conv2d(256, 256, 3, padding=1),
            nn.ReLU(True),
            nn.MaxPool2d(3, 2),
        )
        self.avgpool = nn.AdaptiveAvgPool2d((6, 6))
        self.classifier = nn.Sequential(
            nn.Dropout(dropout),
            nn.Linear(256 * 6 * 6, 4096),
            nn.ReLU(True),
            nn.Dropout(dropout),
            nn.Linear(4096, 4096),
            nn.ReLU(True),
            nn.Linear(4096, num_classes),
        )

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, 3, h, w)` to `(batch, num_classes)`."""
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


_VGG = {11: [1, 1, 2, 2, 2], 13: [2, 2, 2, 2, 2], 16: [2, 2, 3, 3, 3], 19: [2, 2, 4, 4, 4]}


class VGG(nn.Module):
    """`(batch, 3, h, w)` to `(batch, num_classes)`; `features`, `avgpool`, `classifier`."""

    def __init__(self, depth: int, batch_norm: bool = False, num_classes: int = 1000, dropout: float = 0.5) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        channels = 3
        for width, repeats in zip((64, 128, 256, 512, 512), _VGG[depth]):
            for _ in range(repeats):
                layers += [
                    nn.Conv2d(channels, width, 3, padding=1),
                    *([nn.BatchNorm2d(width)] if batch_norm else []),
                    nn.ReLU(True),
                ]
                channels = width
            layers.append(nn.MaxPool2d(2, 2))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.Sequential(
            nn.Linear(512 * 7 * 7, 4096),
            nn.ReLU(True),
            nn.Dropout(dropout),
            nn.Linear(4096, 4096),
            nn.ReLU(True),
            nn.Dropout(dropout),
            nn.Linear(4096, num_classes),
        )

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, 3, h, w)` to `(batch, num_classes)`."""
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


class Fire(nn.Module):
    """SqueezeNet's block."""

    def __init__(self, inplanes: int, squeeze: int, expand: int) -> None:
        super().__init__()
        self.squeeze, self.squeeze_activation = nn.Conv2d(inplanes, squeeze, 1), nn.ReLU(True)
        self.expand1x1, self.expand1x1_activation = nn.Conv2d(squeeze, expand, 1), nn.ReLU(True)
        self.expand3x3, self.expand3x3_activation = nn.Conv2d(squeeze, expand, 3, padding=1), nn.ReLU(True)

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, inplanes, h, w)` to `(batch, 2 expand, h, w)`."""
        x = self.squeeze_activation(self.squeeze(x))
        return torch.cat(
            [self.expand1x1_activation(self.expand1x1(x)), self.expand3x3_activation(self.expand3x3(x))], 1
        )


class SqueezeNet(nn.Module):
    """Version 1.1. `(batch, 3, h, w)` to `(batch, num_classes)`; the last layer is the convolution `classifier[1]`."""

    def __init__(self, num_classes: int = 1000, dropout: float = 0.5) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.features = nn.Sequential(
            nn.Conv2d(3, 64, 3, 2),
            nn.ReLU(True),
            nn.MaxPool2d(3, 2, ceil_mode=True),
            Fire(64, 16, 64),
            Fire(128, 16, 64),
            nn.MaxPool2d(3, 2, ceil_mode=True),
            Fire(128, 32, 128),
            Fire(256, 32, 128),
            nn.MaxPool2d(3, 2, ceil_mode=True),
            Fire(256, 48, 192),
            Fire(384, 48, 192),
            Fire(384, 64, 256),
            Fire(512, 64, 256),
        )
        self.classifier = nn.Sequential(
            nn.Dropout(dropout), nn.Conv2d(512, num_classes, 1), nn.ReLU(True), nn.AdaptiveAvgPool2d((1, 1))
        )

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, 3, h, w)` to `(batch, num_classes)`."""
        return torch.flatten(self.classifier(self.features(x)), 1)


register("alexnet", "AlexNet", AlexNet)
for _depth in _VGG:
    register(f"vgg{_depth}", f"VGG{_depth}", partial(VGG, _depth))
    register(f"vgg{_depth}_bn", f"VGG{_depth}_BN", partial(VGG, _depth, True))
register("squeezenet1_1", "SqueezeNet1_1", SqueezeNet)
