"""Answers drawn from a policy, batched, with a cache of keys and values.

Each token is drawn by inverting the cumulative distribution at a uniform number that the caller supplies: what a prompt
is answered depends on
its own numbers only, not on the company, the number of processes or the device's generator.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from shapewright.recipes.backbone.body import Body
from shapewright.recipes.policy.language_model import LanguageModel


def uniforms(rows: int, length: int, *key: int) -> Tensor:
    """Uniform numbers in [0, 1) that depend on the key alone. Shape: (rows, length)."""
    seed = 0
    for part in key:
        seed = (seed * 1_000_003 + part) % 2**63
    return torch.rand(rows, length, generator=torch.Generator().manual_seed(seed))


@torch.no_grad()
def sample(
    model: LanguageModel,
    prompts: list[list[int]],
    uniforms_BT: Tensor,
    eos_id: int,
    *,
    temperature: float = 1.0,
    top_k: int = 0,
    min_new: int = 0,
) -> list[list[int]]:
    """Answers to prompts, each ended by eos unless the length of `uniforms_BT` came first.

    Args:
        prompts: token ids, none empty.
        uniforms_BT: one number per token to draw; its second size is the longest answer. Shape: (prompts, time).
        temperature: logits are divided by it (use the same for logprobs).
        top_k: draw among the k likeliest tokens only; 0 draws among all.
        min_new: no eos before so many tokens. This and `top_k` sample another distribution than the logprobs describe:
        KL estimates can go below zero.

    Returns:
        Token ids of the answers, eos included.

    Raises:
        ValueError: a prompt is empty, or prompt and answer do not fit the model.
    """
    new = uniforms_BT.shape[1]
    longest = max(map(len, prompts))
    if min(map(len, prompts)) == 0:
        raise ValueError(f"prompt {[len(prompt) for prompt in prompts].index(0)} has no token to answer to")
    if longest + new > model.body.limit + 1:
        raise ValueError(f"a prompt of {longest} tokens and {new} new ones exceed the model's {model.body.limit}")
    training = model.training
    model.eval()
    device = next(model.parameters()).device
    reader = (
        _PackedReader(model.body, prompts, new, device)
        if model.body.shape is not None
        else _PaddedReader(model.body, prompts, device)
    )
    uniforms_BT = uniforms_BT.to(device)
    tokens, ended_B = [], torch.zeros(len(prompts), dtype=torch.bool, device=device)
    hidden_BH = reader.begin()
    for time in range(new):
        logits_BV = model.logits(hidden_BH).float() / temperature
        if time < min_new:
            logits_BV[:, eos_id] = -torch.inf
        token_B = torch.where(ended_B, eos_id, _draw(logits_BV, uniforms_BT[:, time], top_k))
        tokens.append(token_B)
        ended_B = ended_B | (token_B == eos_id)
        if time == new - 1 or bool(ended_B.all()):
            break
        hidden_BH = reader.go_on(token_B)
    model.train(training)
    answers = torch.stack(tokens, 1).tolist()
    return [answer[: answer.index(eos_id) + 1] if eos_id in answer else answer for answer in answers]


def _draw(logits_BV: Tensor, uniform_B: Tensor, top_k: int) -> Tensor:
    """The token at which the cumulative probability passes the uniform number. Shape: (batch,)."""
    if top_k:
        kept_BK = logits_BV.topk(min(top_k, logits_BV.shape[-1])).values
        logits_BV = logits_BV.masked_fill(logits_BV < kept_BK[:, -1:], -torch.inf)
    cumulative_BV = logits_BV.softmax(-1).cumsum(-1)
    passed_B1 = uniform_B.unsqueeze(-1) * cumulative_BV[:, -1:]
    return torch.searchsorted(cumulative_BV, passed_B1, right=True).squeeze(-1).clamp_max(logits_BV.shape[-1] - 1)


class _PackedReader:
    """GPT-2 with a cache laid out from position 0 for every row: no left padding, each row writes at its own
    position."""

    def __init__(self, body: Body, prompts: list[list[int]], new: int, device: torch.device):
        self.model, self.heads = body.model, body.shape.n_head
        longest = max(map(len, prompts))
        self.ids_BT = torch.tensor([prompt + [0] * (longest - len(prompt)) for prompt in prompts], device=device)
        self.position_B = torch.tensor([len(prompt) - 1 for prompt in prompts], device=device)
        self.rows_B = torch.arange(len(prompts), device=device)
        self.longest = longest
        self.room = longest + new
        self.keys: list[Tensor] = []
        self.values: list[Tensor] = []

    def begin(self) -> Tensor:
        """Read the prompts. Shape: (batch, hidden)."""
        time = self.ids_BT.shape[1]
        x_BTH = self.model.wte(self.ids_BT) + self.model.wpe(torch.arange(time, device=self.ids_BT.device))
        for block in self.model.h:
            query, key, value = self._query_key_value(block, x_BTH)
            mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
            for store, part in ((self.keys, key), (self.values, value)):
                store.append(F.pad(part, (0, 0, 0, self.room - time)))
            x_BTH = self._rest(block, x_BTH, mixed)
        return self.model.ln_f(x_BTH[self.rows_B, self.position_B])

    def go_on(self, token_B: Tensor) -> Tensor:
        """Read one more token of every row. Shape: (batch, hidden)."""
        self.position_B = self.position_B + 1
        self.longest += 1
        x_B1H = (self.model.wte(token_B) + self.model.wpe(self.position_B)).unsqueeze(1)
        keep_mask_B11T = (torch.arange(self.longest, device=token_B.device) <= self.position_B.unsqueeze(-1))[
            :, None, None
        ]
        for block, keys, values in zip(self.model.h, self.keys, self.values):
            query, key, value = self._query_key_value(block, x_B1H)
            keys[self.rows_B, :, self.position_B] = key.squeeze(2)
            values[self.rows_B, :, self.position_B] = value.squeeze(2)
            mixed = F.scaled_dot_product_attention(
                query, keys[:, :, : self.longest], values[:, :, : self.longest], attn_mask=keep_mask_B11T
            )
            x_B1H = self._rest(block, x_B1H, mixed)
        return self.model.ln_f(x_B1H.squeeze(1))

    def _query_key_value(self, block: nn.Module, x_BTH: Tensor) -> tuple[Tensor, ...]:
        flat = block.attn.c_attn(block.ln_1(x_BTH).flatten(0, 1)).view(*x_BTH.shape[:2], 3, self.heads, -1)
        return tuple(part.transpose(1, 2) for part in flat.unbind(2))

    def _rest(self, block: nn.Module, x_BTH: Tensor, mixed: Tensor) -> Tensor:
        x_NH = x_BTH.flatten(0, 1) + block.attn.c_proj(mixed.transpose(1, 2).flatten(2).flatten(0, 1))
        x_NH = x_NH + block.mlp.c_proj(F.gelu(block.mlp.c_fc(block.ln_2(x_NH)), approximate="tanh"))
        return x_NH.view_as(x_BTH)


class _PaddedReader:
    """Any causal transformers model: left-padded prompts, explicit mask and positions, its own cache."""

    def __init__(self, body: Body, prompts: list[list[int]], device: torch.device):
        longest = max(map(len, prompts))
        self.model = body.model
        self.ids_BT = torch.tensor([[0] * (longest - len(prompt)) + prompt for prompt in prompts], device=device)
        self.keep_mask_BT = torch.tensor(
            [[0] * (longest - len(prompt)) + [1] * len(prompt) for prompt in prompts], device=device
        )
        self.cache = None

    def begin(self) -> Tensor:
        """Read the prompts. Shape: (batch, hidden)."""
        return self._read(self.ids_BT, (self.keep_mask_BT.cumsum(-1) - 1).clamp_min(0))

    def go_on(self, token_B: Tensor) -> Tensor:
        """Read one more token of every row. Shape: (batch, hidden)."""
        position_B1 = self.keep_mask_BT.sum(-1, keepdim=True)
        self.keep_mask_BT = F.pad(self.keep_mask_BT, (0, 1), value=1)
        return self._read(token_B.unsqueeze(-1), position_B1)

    def _read(self, ids_BT: Tensor, position_BT: Tensor) -> Tensor:
        read = self.model(
            input_ids=ids_BT,
            attention_mask=self.keep_mask_BT,
            position_ids=position_BT,
            past_key_values=self.cache,
            use_cache=True,
        )
        self.cache = read.past_key_values
        return read.last_hidden_state[:, -1]
