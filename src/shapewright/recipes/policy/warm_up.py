"""A small language model that can already answer: next-token training on both answers of every pair, so that it prefers
neither.

PPO improves what a policy already says now and then; a model with random weights says nothing. Pretrained policies need
none of this.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from shapewright.recipes.backbone.packed import Packed, pack
from shapewright.recipes.policy.language_model import LanguageModel
from shapewright.recipes.policy.logprobs import token_logprobs
from shapewright.recipes.preference.encoding import EncodedPair


def pack_answers(pairs: Sequence[EncodedPair]) -> tuple[Packed, Tensor]:
    """Pairs as a packed batch that wants every position which predicts an answer token, chosen and rejected in turn;
    and those tokens.

    Shape: (wanted,). A row without prompt has nothing that predicts its first token: that one is left out.
    """
    spans, tokens = [], []
    for pair in pairs:
        for tail, count in zip((pair.chosen, pair.rejected), pair.answers):
            row = pair.prefix + tail
            first = max(len(row) - count, 1)
            spans.append((first - 1, len(row) - 1))
            tokens.extend(row[first:])
    return pack([(pair.prefix, (pair.chosen, pair.rejected)) for pair in pairs], spans), torch.tensor(tokens)


def warm_up(
    policy: LanguageModel,
    pairs: Sequence[EncodedPair],
    steps: int,
    *,
    seed: int,
    batch_size: int = 16,
    lr: float = 1e-3,
) -> float:
    """Train in place for so many steps of `batch_size` pairs; returns the mean loss of the last tenth of them, in nats
    per token."""
    optimizer = torch.optim.AdamW(
        policy.parameters(), lr=lr, weight_decay=0.0, fused=next(policy.parameters()).device.type != "mps"
    )
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=max(steps, 1))
    generator = torch.Generator().manual_seed(seed)
    device = next(policy.parameters()).device
    losses: list[Tensor] = []
    for _ in range(steps):
        part = [pairs[at] for at in torch.randint(0, len(pairs), (batch_size,), generator=generator).tolist()]
        packed, tokens_S = pack_answers(part)
        loss = -token_logprobs(policy(packed.to(device)), tokens_S.to(device)).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.detach())
    return float(torch.stack(losses[-max(steps // 10, 1) :]).mean()) if losses else float("nan")
