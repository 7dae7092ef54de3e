"""DPO over packed pairs: the prompt computed once, logprobs of the answers only."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from shapewright.recipes.policy.logprobs import token_logprobs
from shapewright.recipes.policy.objectives import dpo_loss
from shapewright.recipes.policy.rollout import in_rows
from shapewright.recipes.policy.warm_up import pack_answers
from shapewright.recipes.preference.encoding import EncodedPair


def answer_logprobs(model: nn.Module, pairs: Sequence[EncodedPair]) -> Tensor:
    """Summed logprobs of both answers of each pair under a `LanguageModel` or an `ActorCritic`. Shape: (2, pairs),
    chosen first."""
    device = next(model.parameters()).device
    packed, tokens_S = pack_answers(pairs)
    packed, tokens_S = packed.to(device), tokens_S.to(device)
    logits = model(packed)
    logits_SV = logits[0] if isinstance(logits, tuple) else logits
    return in_rows(token_logprobs(logits_SV, tokens_S), packed)[0].sum(1).view(-1, 2).T


def pair_loss(
    model: nn.Module, reference: nn.Module, pairs: Sequence[EncodedPair], beta: float
) -> tuple[Tensor, dict[str, Tensor]]:
    """`dpo_loss` of a policy against its frozen reference."""
    with torch.no_grad():
        frozen_2P = answer_logprobs(reference, pairs)
    return dpo_loss(*answer_logprobs(model, pairs), *frozen_2P, beta=beta)


def pair_accuracy(model: nn.Module, reference: nn.Module, pairs: Sequence[EncodedPair], size: int) -> float:
    """Share of pairs whose chosen answer gained more logprob than the rejected one, over pairs, not over batches of
    `size`."""
    right = 0
    for first in range(0, len(pairs), size):
        part = pairs[first : first + size]
        with torch.no_grad():
            gained_2P = answer_logprobs(model, part) - answer_logprobs(reference, part)
        right += int((gained_2P[0] > gained_2P[1]).sum())
    return right / len(pairs)
