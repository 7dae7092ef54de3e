"""A step that the preflight can take with an actor: padded rows that can be cut to any batch size, and a loss that
reaches every weight."""

import torch
from torch import Tensor, nn

from shapewright.recipes.policy.logprobs import token_logprobs
from shapewright.recipes.preference.encoding import pack_rows, unpad


def padded_rows(rows: list[list[int]], device: torch.device) -> dict[str, Tensor]:
    """Prompts as the padded tensors that the preflight can cut. Shape: (rows, longest), both."""
    longest = max(map(len, rows)) + 1
    ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows], device=device)
    return {
        "ids": ids,
        "mask": torch.tensor([[True] * len(row) + [False] * (longest - len(row)) for row in rows], device=device),
    }


def step(model: nn.Module, batch: dict[str, Tensor]) -> Tensor:
    """Next-token loss of padded rows, plus the squared values, for the preflight. Shape: ()."""
    rows = unpad(batch["ids"], batch["mask"])
    packed = pack_rows(rows).all_wanted().to(batch["ids"].device)
    logits_SV, values_S = model(packed)
    follows_S = torch.cat([packed.ids_N[1:], packed.ids_N[:1]])
    inside_S = torch.cat([packed.positions_N[1:] != 0, packed.positions_N.new_zeros(1, dtype=torch.bool)])
    loss = -(token_logprobs(logits_SV, follows_S) * inside_S).sum() / inside_S.sum().clamp_min(1)
    return loss if values_S is None else loss + values_S.square().mean()
