"""Vision transformers (Dosovitskiy et al. 2020)."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial

import torch
from torch import Tensor, nn

from .registry import register


class EncoderBlock(nn.Module):
    """Attention and a two-layer network, each with its normalisation before it."""

    def __init__(self, heads: int, dim: int, mlp_dim: int, dropout: float) -> None:
        super().__init__()
        self.ln_1 = nn.LayerNorm(dim, eps=1e-6)
        self.self_attention = nn.MultiheadAttention(dim, heads, dropout=dropout, batch_first=True)
        self.dropout = nn.Dropout(dropout)
        self.ln_2 = nn.LayerNorm(dim, eps=1e-6)
        self.mlp = nn.Sequential(
            nn.Linear(dim, mlp_dim), nn.GELU(), nn.Dropout(dropout), nn.Linear(mlp_dim, dim), nn.Dropout(dropout)
        )

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, tokens, dim)` to the same."""
        y = self.ln_1(x)
        x = x + self.dropout(self.self_attention(y, y, y, need_weights=False)[0])
        return x + self.mlp(self.ln_2(x))


class Encoder(nn.Module):
    """Position table, blocks, normalisation."""

    def __init__(self, length: int, layers: int, heads: int, dim: int, mlp_dim: int, dropout: float) -> None:
        super().__init__()
        self.pos_embedding = nn.Parameter(torch.empty(1, length, dim))
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.Sequential(
            OrderedDict(
                (f"encoder_layer_{index}", EncoderBlock(heads, dim, mlp_dim, dropout)) for index in range(layers)
            )
        )
        self.ln = nn.LayerNorm(dim, eps=1e-6)

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, tokens, dim)` to the same."""
        return self.ln(self.layers(self.dropout(x + self.pos_embedding)))


class VisionTransformer(nn.Module):
    """`(batch, 3, image_size, image_size)` to `(batch, num_classes)`; the last layer is `heads.head`."""

    def __init__(
        self,
        image_size: int = 224,
        patch_size: int = 16,
        num_layers: int = 12,
        num_heads: int = 12,
        hidden_dim: int = 768,
        mlp_dim: int = 3072,
        dropout: float = 0.0,
        num_classes: int = 1000,
    ) -> None:
        super().__init__()
        self.image_size, self.patch_size, self.hidden_dim = image_size, patch_size, hidden_dim
        self.conv_proj = nn.Conv2d(3, hidden_dim, patch_size, patch_size)
        self.class_token = nn.Parameter(torch.zeros(1, 1, hidden_dim))
        self.encoder = Encoder((image_size // patch_size) ** 2 + 1, num_layers, num_heads, hidden_dim, mlp_dim, dropout)
        self.heads = nn.Sequential(OrderedDict(head=nn.Linear(hidden_dim, num_classes)))

    def _process_input(self, x: Tensor) -> Tensor:
        batch, _, height, width = x.shape
        torch._assert(height == self.image_size, f"Wrong image height! Expected {self.image_size} but got {height}!")
        torch._assert(width == self.image_size, f"Wrong image width! Expected {self.image_size} but got {width}!")
        return self.conv_proj(x).reshape(batch, self.hidden_dim, -1).permute(0, 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        """`(batch, 3, image_size, image_size)` to `(batch, num_classes)`."""
        x = self._process_input(x)
        x = torch.cat([self.class_token.expand(x.shape[0], -1, -1), x], dim=1)
        return self.heads(self.encoder(x)[:, 0])


for _name, _kind, _patch, _layers, _heads, _dim, _mlp in (
    ("vit_b_16", "ViT_B_16", 16, 12, 12, 768, 3072),
    ("vit_b_32", "ViT_B_32", 32, 12, 12, 768, 3072),
    ("vit_l_16", "ViT_L_16", 16, 24, 16, 1024, 4096),
    ("vit_l_32", "ViT_L_32", 32, 24, 16, 1024, 4096),
):
    register(_name, _kind, partial(VisionTransformer, 224, _patch, _layers, _heads, _dim, _mlp))
