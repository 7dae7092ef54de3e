"""DenseNet (Huang et al. 2017)."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .registry import register


class DenseLayer(nn.Module):
    """Adds `growth` channels."""

    def __init__(self, channels: int, growth: int, bn_size: int, drop_rate: float) -> None:
        super().__init__()
        self.norm1, self.relu1 = nn.BatchNorm2d(channels), nn.ReLU(True)
        self.conv1 = nn.Conv2d(channels, bn_size * growth, 1, bias=False)
        self.norm2, self.relu2 = nn.BatchNorm2d(bn_size * growth), nn.ReLU(True)
        self.conv2 = nn.Conv2d(bn_size * growth, growth, 3, padding=1, bias=False)
        self.drop_rate = drop_rate

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, channels, h, w)` to `(batch, channels + growth, h, w)`."""
        new = self.conv2(self.relu2(self.norm2(self.conv1(self.relu1(self.norm1(x))))))
        return torch.cat([x, F.dropout(new, self.drop_rate, self.training) if self.drop_rate else new], 1)


class DenseNet(nn.Module):
    """`(batch, 3, h, w)` to `(batch, num_classes)`; `features`, `classifier`."""

    def __init__(
        self,
        growth_rate: int = 32,
        block_config: tuple[int, ...] = (6, 12, 24, 16),
        num_init_features: int = 64,
        bn_size: int = 4,
        drop_rate: float = 0,
        num_classes: int = 1000,
        memory_efficient: bool = False,
    ) -> None:
        super().__init__()
        self.features = nn.Sequential()
        self.features.add_module("conv0", nn.Conv2d(3, num_init_features, 7, 2, 3, bias=False))
        self.features.add_module("norm0", nn.BatchNorm2d(num_init_features))
        self.features.add_module("relu0", nn.ReLU(True))
        self.features.add_module("pool0", nn.MaxPool2d(3, 2, 1))
        channels = num_init_features
        for number, repeats in enumerate(block_config, 1):
            block = nn.Sequential()
            for index in range(repeats):
                block.add_module(f"denselayer{index + 1}", DenseLayer(channels, growth_rate, bn_size, drop_rate))
                channels += growth_rate
            self.features.add_module(f"denseblock{number}", block)
            if number < len(block_config):
                half = channels // 2
                self.features.add_module(
                    f"transition{number}",
                    nn.Sequential(
                        nn.BatchNorm2d(channels),
                        nn.ReLU(True),
                        nn.Conv2d(channels, half, 1, bias=False),
                        nn.AvgPool2d(2, 2),
                    ),
                )
                channels = half
        self.features.add_module("norm5", nn.BatchNorm2d(channels))
        self.classifier = nn.Linear(channels, num_classes)

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, 3, h, w)` to `(batch, num_classes)`."""
        return self.classifier(torch.flatten(F.adaptive_avg_pool2d(F.relu(self.features(x)), (1, 1)), 1))


for _name, _growth, _blocks, _first in (
    ("121", 32, (6, 12, 24, 16), 64),
    ("161", 48, (6, 12, 36, 24), 96),
    ("169", 32, (6, 12, 32, 32), 64),
    ("201", 32, (6, 12, 48, 32), 64),
):
    register(f"densenet{_name}", f"DenseNet{_name}", partial(DenseNet, _growth, _blocks, _first))
