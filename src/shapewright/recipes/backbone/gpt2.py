"""GPT-2 over packed tokens: the arithmetic of transformers' `GPT2Model`, without the work whose result nobody reads.

Three things are left out: padding (tokens are flat), the unfused GELU (`gelu.gelu` is the same function in half the
time), and in the last block everything but keys and values of tokens whose hidden state is not wanted. Dropout is left
out too, on purpose: PPO's ratio must be 1 in the first epoch and scores must not depend on a draw. `hidden` takes any
module with GPT-2's parts and names, so transformers' own `GPT2Model`, also with LoRA adapters inside, runs through the
same lines as the light `GPT2` here, which starts without importing transformers.
"""

import math
from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from shapewright.recipes.backbone.attention import causal_attention, masked_attention
from shapewright.recipes.backbone.gelu import gelu
from shapewright.recipes.backbone.packed import Packed, gather, spread


@dataclass(frozen=True)
class GPT2Shape:
    """The sizes of a GPT-2, under the names that transformers' `GPT2Config` gives them."""

    vocab_size: int = 50257
    n_positions: int = 1024
    n_embd: int = 768
    n_layer: int = 12
    n_head: int = 12
    layer_norm_epsilon: float = 1e-5
    initializer_range: float = 0.02

    def config(self, **more) -> dict:
        """The content of a `config.json` that transformers reads; dropout is zero because training used none."""
        fixed = {
            "model_type": "gpt2",
            "activation_function": "gelu_new",
            "attn_pdrop": 0.0,
            "embd_pdrop": 0.0,
            "resid_pdrop": 0.0,
        }
        return fixed | asdict(self) | more


class Conv1D(nn.Module):
    """GPT-2's linear map, whose weight is stored (in, out)."""

    def __init__(self, n_in: int, n_out: int, std: float):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_in, n_out).normal_(std=std))
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x_NH: Tensor) -> Tensor:
        return torch.addmm(self.bias, x_NH, self.weight)


class _Attention(nn.Module):
    def __init__(self, shape: GPT2Shape):
        super().__init__()
        std = shape.initializer_range
        self.c_attn = Conv1D(shape.n_embd, 3 * shape.n_embd, std)
        self.c_proj = Conv1D(shape.n_embd, shape.n_embd, std / math.sqrt(2 * shape.n_layer))


class _MLP(nn.Module):
    def __init__(self, shape: GPT2Shape):
        super().__init__()
        std = shape.initializer_range
        self.c_fc = Conv1D(shape.n_embd, 4 * shape.n_embd, std)
        self.c_proj = Conv1D(4 * shape.n_embd, shape.n_embd, std / math.sqrt(2 * shape.n_layer))


class Block(nn.Module):
    """One block of a GPT-2; transformers' own has the same parts."""

    def __init__(self, shape: GPT2Shape):
        super().__init__()
        self.ln_1 = nn.LayerNorm(shape.n_embd, eps=shape.layer_norm_epsilon)
        self.attn = _Attention(shape)
        self.ln_2 = nn.LayerNorm(shape.n_embd, eps=shape.layer_norm_epsilon)
        self.mlp = _MLP(shape)
        self.recompute = False

    def forward(self, x_NH: Tensor, packed: Packed, heads: int, last: bool = False) -> Tensor:
        """See `_block` and `_last_block`. Called as a module, so that its weights may be divided over processes; with
        `recompute` nothing within it is kept for the backward pass."""
        compute = _last_block if last else _block
        if self.recompute and torch.is_grad_enabled():
            return checkpoint(compute, self, x_NH, packed, heads, use_reentrant=False)
        return compute(self, x_NH, packed, heads)


class GPT2(nn.Module):
    """The parameters of a GPT-2 without head, named and laid out as transformers has them (initialised as there,
    too)."""

    def __init__(self, shape: GPT2Shape):
        super().__init__()
        self.shape = shape
        self.wte = nn.Embedding(shape.vocab_size, shape.n_embd)
        self.wpe = nn.Embedding(shape.n_positions, shape.n_embd)
        nn.init.normal_(self.wte.weight, std=shape.initializer_range)
        nn.init.normal_(self.wpe.weight, std=shape.initializer_range)
        self.h = nn.ModuleList(Block(shape) for _ in range(shape.n_layer))
        self.ln_f = nn.LayerNorm(shape.n_embd, eps=shape.layer_norm_epsilon)


def _heads(x_RTH: Tensor, heads: int) -> Tensor:
    """Shape: (rows, time, hidden) to (rows, heads, time, hidden / heads)."""
    return x_RTH.unflatten(-1, (heads, -1)).transpose(1, 2)


def _mlp(block: nn.Module, x_NH: Tensor) -> Tensor:
    return block.mlp.c_proj(gelu(block.mlp.c_fc(block.ln_2(x_NH))))


def _block(block: nn.Module, x_NH: Tensor, packed: Packed, heads: int) -> Tensor:
    """One whole block for every token. Rows end where their tokens end, and a causal query never sees what stands after
    it: no mask."""
    mixed_RTH = causal_attention(spread(block.attn.c_attn(block.ln_1(x_NH)), packed), heads, packed.lengths_R)
    x_NH = x_NH + block.attn.c_proj(gather(mixed_RTH, packed))
    return x_NH + _mlp(block, x_NH)


def _last_block(block: nn.Module, x_NH: Tensor, packed: Packed, heads: int) -> Tensor:
    """The last block for the wanted tokens only: keys and values of all, queries, projection and MLP of `S`. Shape:
    (wanted, hidden)."""
    x_SH = x_NH.index_select(0, packed.wanted_S)
    normed_NH = block.ln_1(x_NH)
    width = x_NH.shape[-1]
    plain = isinstance(
        getattr(block.attn.c_attn, "weight", None), nn.Parameter
    )  # An adapter around the map must be called whole.
    if plain:
        weight, bias = block.attn.c_attn.weight, block.attn.c_attn.bias
        keys_values_N2H = torch.addmm(bias[width:], normed_NH, weight[:, width:])
        queries_SH = torch.addmm(bias[:width], normed_NH.index_select(0, packed.wanted_S), weight[:, :width])
    else:
        whole = block.attn.c_attn(normed_NH)
        queries_SH, keys_values_N2H = whole[:, :width].index_select(0, packed.wanted_S), whole[:, width:]
    key, value = (_heads(part, heads) for part in spread(keys_values_N2H, packed).chunk(2, -1))
    query = _heads(queries_SH[packed.wanted_rows_RQ], heads)
    seen_RQ = packed.positions_N[packed.wanted_S][packed.wanted_rows_RQ]
    keep_mask_R1QT = (torch.arange(key.shape[2], device=x_NH.device) <= seen_RQ.unsqueeze(-1)).unsqueeze(1)
    mixed_RQH = masked_attention(query, key, value, keep_mask_R1QT).transpose(1, 2).flatten(2)
    real_RQ = torch.arange(mixed_RQH.shape[1], device=x_NH.device) < packed.wanted_R.unsqueeze(-1)
    x_SH = x_SH + block.attn.c_proj(mixed_RQH[real_RQ])
    return x_SH + _mlp(block, x_SH)


def hidden(model: nn.Module, packed: Packed, heads: int) -> Tensor:
    """The last hidden state, after the final norm, of the wanted tokens.

    Args:
        model: a module with GPT-2's parts (`wte`, `wpe`, `h`, `ln_f`).
        heads: number of attention heads.

    Returns:
        Shape: (wanted, hidden).
    """
    x_NH = model.wte(packed.ids_N) + model.wpe(packed.positions_N)
    for number, block in enumerate(model.h, 1):
        last = number == len(model.h) and not packed.everything
        if isinstance(block, Block):
            x_NH = block(x_NH, packed, heads, last)
        else:
            x_NH = (_last_block if last else _block)(block, x_NH, packed, heads)
    return model.ln_f(x_NH)
