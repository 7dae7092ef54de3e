"""Small modules that models are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Conv2dNormActivation(nn.Sequential):
    """Convolution, normalisation, activation."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any = 3,
        stride: Any = 1,
        padding: Any = None,
        groups: int = 1,
        norm_layer: Callable | None = nn.BatchNorm2d,
        activation_layer: Callable | None = nn.ReLU,
        dilation: int = 1,
        inplace: bool | None = True,
        bias: bool | None = None,
    ) -> None:
        if padding is None:
            padding = (kernel_size - 1) // 2 * dilation
        bias = norm_layer is None if bias is None else bias
        layers: list[nn.Module] = [
            nn.Conv2d(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias)
        ]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        if activation_layer is not None:
            layers.append(activation_layer(**({} if inplace is None else {"inplace": inplace})))
        super().__init__(*layers)
        self.out_channels = out_channels


class SqueezeExcitation(nn.Module):
    """Channels weighed by their means."""

    def __init__(
        self,
        input_channels: int,
        squeeze_channels: int,
        activation: Callable = nn.ReLU,
        scale_activation: Callable = nn.Sigmoid,
    ) -> None:
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = nn.Conv2d(squeeze_channels, input_channels, 1)
        self.activation, self.scale_activation = activation(), scale_activation()

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, channels, height, width)` to the same."""
        return x * self.scale_activation(self.fc2(self.activation(self.fc1(self.avgpool(x)))))


class StochasticDepth(nn.Module):
    """Drops whole samples of a residual branch in training."""

    def __init__(self, p: float, mode: str) -> None:
        super().__init__()
        self.p, self.mode = p, mode

    def forward(self, x: Tensor) -> Tensor:
        """The same shape."""
        return stochastic_depth(x, self.p, self.mode, self.training)


def stochastic_depth(x: Tensor, p: float, mode: str, training: bool = True) -> Tensor:
    """The same shape."""
    if not training or p == 0.0:
        return x
    shape = [x.shape[0] if mode == "row" else 1] + [1] * (x.dim() - 1)
    return x * torch.empty(shape, dtype=x.dtype, device=x.device).bernoulli_(1 - p) / (1 - p)


class Permute(nn.Module):
    """`permute` as a module."""

    def __init__(self, dims: list[int]) -> None:
        super().__init__()
        self.dims = dims

    def forward(self, x: Tensor) -> Tensor:
        """The axes in another order."""
        return torch.permute(x, self.dims)


class MLP(nn.Sequential):
    """Linear layers with activations between them."""

    def __init__(
        self,
        in_channels: int,
        hidden_channels: list[int],
        norm_layer: Callable | None = None,
        activation_layer: Callable = nn.ReLU,
        inplace: bool | None = None,
        bias: bool = True,
        dropout: float = 0.0,
    ) -> None:
        layers: list[nn.Module] = []
        for width in hidden_channels[:-1]:
            layers += [
                nn.Linear(in_channels, width, bias=bias),
                *([norm_layer(width)] if norm_layer else []),
                activation_layer(),
                nn.Dropout(dropout),
            ]
            in_channels = width
        super().__init__(*layers, nn.Linear(in_channels, hidden_channels[-1], bias=bias), nn.Dropout(dropout))


class FrozenBatchNorm2d(nn.Module):
    """Batch normalisation with fixed numbers."""

    def __init__(self, num_features: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        for name, value in (("weight", 1.0), ("bias", 0.0), ("running_mean", 0.0), ("running_var", 1.0)):
            self.register_buffer(name, torch.full((num_features,), value))

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, channels, height, width)` to the same."""
        return F.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias, False, 0.0, self.eps)


def sigmoid_focal_loss(
    inputs: Tensor, targets: Tensor, alpha: float = 0.25, gamma: float = 2, reduction: str = "none"
) -> Tensor:
    """Focal loss of logits against targets of the same shape."""
    p = torch.sigmoid(inputs)
    loss = (
        F.binary_cross_entropy_with_logits(inputs, targets, reduction="none")
        * (1 - (p * targets + (1 - p) * (1 - targets))) ** gamma
    )
    loss = (alpha * targets + (1 - alpha) * (1 - targets)) * loss if alpha >= 0 else loss
    return loss.mean() if reduction == "mean" else loss.sum() if reduction == "sum" else loss
