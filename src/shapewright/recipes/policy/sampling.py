"""Answers drawn from a policy, batched, with a cache of keys and values.

Each token is drawn by inverting the cumulative distribution at a uniform number that the caller supplies: what a prompt
is answered depends on its own numbers only, not on the company, the number of processes or the device's generator.
"""

from collections import deque

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from shapewright.recipes.backbone.body import Body
from shapewright.recipes.policy.language_model import LanguageModel

REFILL = 4
"""Waiting prompts are read in once a slot in so many is free: a prompt read alone costs as much as several at once."""


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
    slots: int = 0,
) -> list[list[int]]:
    """Answers to prompts, each ended by eos unless the length of `uniforms_BT` came first.

    No row waits for the longest: what ended leaves the batch, and a waiting prompt takes its slot.

    Args:
        prompts: token ids, none empty.
        uniforms_BT: one number per token to draw; its second size is the longest answer. Shape: (prompts, time).
        temperature: logits are divided by it (use the same for logprobs).
        top_k: draw among the k likeliest tokens only; 0 draws among all.
        min_new: no eos before so many tokens. This and `top_k` sample another distribution than the logprobs describe:
        KL estimates can go below zero.
        slots: rows that are computed at once; 0 takes all.

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
    uniforms_BT = uniforms_BT.to(device)
    answers: list[list[int]] = [[] for _ in prompts]
    waiting = deque(range(len(prompts)))
    slots = min(slots or len(prompts), len(prompts))
    packed = model.body.shape is not None
    while waiting:
        rows = [waiting.popleft() for _ in range(min(slots, len(waiting)))]
        reader = _PackedReader(model.body, longest + new, device) if packed else _PaddedReader(model.body, device)
        hidden_BH = reader.add([prompts[row] for row in rows])
        rows_B, times_B = torch.tensor(rows, device=device), torch.zeros(len(rows), dtype=torch.long, device=device)
        while rows:
            logits_BV = model.logits(hidden_BH).float() / temperature
            if min_new and any(len(answers[row]) < min_new for row in rows):
                logits_BV[times_B < min_new, eos_id] = -torch.inf
            token_B = _draw(logits_BV, uniforms_BT[rows_B, times_B], top_k)
            for row, token in zip(rows, token_B.tolist()):
                answers[row].append(token)
            times_B = times_B + 1
            going = [at for at, row in enumerate(rows) if answers[row][-1] != eos_id and len(answers[row]) < new]
            if len(going) < len(rows):
                rows, token_B = [rows[at] for at in going], token_B[going]
                rows_B, times_B = rows_B[going], times_B[going]
                reader.keep(going)
            parts = [reader.go_on(token_B)] if rows else []
            free = slots - len(rows)
            if packed and waiting and (free * REFILL >= slots or not rows):
                entering = [waiting.popleft() for _ in range(min(free, len(waiting)))]
                parts.append(reader.add([prompts[row] for row in entering]))
                rows += entering
                rows_B = torch.tensor(rows, device=device)
                times_B = F.pad(times_B, (0, len(entering)))
            if rows:
                hidden_BH = torch.cat(parts)
    model.train(training)
    return answers


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
    position.

    Args:
        room: positions that a row of the cache has.
    """

    def __init__(self, body: Body, room: int, device: torch.device):
        self.model, self.heads, self.room, self.device = body.model, body.shape.n_head, room, device
        self.position_B = torch.empty(0, dtype=torch.long, device=device)
        self.keys: list[Tensor] = []
        self.values: list[Tensor] = []

    def add(self, prompts: list[list[int]]) -> Tensor:
        """Read prompts into new rows, below those that are there. Shape: (prompts, hidden)."""
        longest = max(map(len, prompts))
        ids_BT = torch.tensor([prompt + [0] * (longest - len(prompt)) for prompt in prompts], device=self.device)
        last_B = torch.tensor([len(prompt) - 1 for prompt in prompts], device=self.device)
        x_BTH = self.model.wte(ids_BT) + self.model.wpe(torch.arange(longest, device=self.device))
        for layer, block in enumerate(self.model.h):
            query, key, value = self._query_key_value(block, x_BTH)
            mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
            for stores, part in ((self.keys, key), (self.values, value)):
                rows = F.pad(part, (0, 0, 0, self.room - longest))
                if layer == len(stores):
                    stores.append(rows)
                else:
                    stores[layer] = torch.cat([stores[layer], rows])
            x_BTH = self._rest(block, x_BTH, mixed)
        self.position_B = torch.cat([self.position_B, last_B])
        return self.model.ln_f(x_BTH[torch.arange(len(prompts), device=self.device), last_B])

    def keep(self, rows: list[int]) -> None:
        """Drop all rows but these."""
        self.position_B = self.position_B[rows]
        index = torch.tensor(rows, dtype=torch.long, device=self.device)
        for stores in (self.keys, self.values):
            stores[:] = [store.index_select(0, index) for store in stores]

    def go_on(self, token_B: Tensor) -> Tensor:
        """Read one more token of every row. Shape: (batch, hidden)."""
        self.position_B = self.position_B + 1
        longest = int(self.position_B.max()) + 1
        rows_B = torch.arange(len(token_B), device=self.device)
        x_B1H = (self.model.wte(token_B) + self.model.wpe(self.position_B)).unsqueeze(1)
        keep_mask_BT = torch.arange(longest, device=self.device) <= self.position_B.unsqueeze(-1)
        for block, keys, values in zip(self.model.h, self.keys, self.values):
            query, key, value = self._query_key_value(block, x_B1H)
            keys[rows_B, :, self.position_B] = key.squeeze(2)
            values[rows_B, :, self.position_B] = value.squeeze(2)
            mixed = F.scaled_dot_product_attention(
                query, keys[:, :, :longest], values[:, :, :longest], attn_mask=keep_mask_BT[:, None, None]
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
    """Any causal transformers model: left-padded prompts, explicit mask and positions, its own cache. Rows leave it;
    new ones wait until it is empty, since their cache would have another length."""

    def __init__(self, body: Body, device: torch.device):
        self.model, self.device = body.model, device
        self.keep_mask_BT = torch.empty(0, 0, dtype=torch.long, device=device)
        self.cache = None

    def add(self, prompts: list[list[int]]) -> Tensor:
        """Read the prompts. Shape: (batch, hidden)."""
        longest = max(map(len, prompts))
        ids_BT = torch.tensor([[0] * (longest - len(prompt)) + prompt for prompt in prompts], device=self.device)
        self.keep_mask_BT = torch.tensor(
            [[0] * (longest - len(prompt)) + [1] * len(prompt) for prompt in prompts], device=self.device
        )
        return self._read(ids_BT, (self.keep_mask_BT.cumsum(-1) - 1).clamp_min(0))

    def keep(self, rows: list[int]) -> None:
        """Drop all rows but these."""
        self.keep_mask_BT = self.keep_mask_BT[rows]
        if rows:
            self.cache.batch_select_indices(torch.tensor(rows, device=self.device))

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
