"""Logprobs and entropy of tokens from logits."""

import torch
from torch import Tensor


def token_logprobs(logits_SV: Tensor, tokens_S: Tensor, temperature: float = 1.0) -> Tensor:
    """log p(token) at the temperature at which it was sampled (dividing at sampling only would make PPO's ratio differ
    from 1).

    Args:
        logits_SV: logits at the position *before* each token. Shape: (..., vocabulary).
        tokens_S: Shape: (...).
        temperature: above 0.

    Returns:
        Shape: (...), float32. The full matrix of log probabilities is never built.
    """
    if logits_SV.shape[:-1] != tokens_S.shape:
        raise ValueError(f"logits {tuple(logits_SV.shape)} do not match tokens {tuple(tokens_S.shape)}")
    scaled_SV = logits_SV.float() / temperature
    return scaled_SV.gather(-1, tokens_S.unsqueeze(-1)).squeeze(-1) - scaled_SV.logsumexp(-1)


def entropy(logits_SV: Tensor, temperature: float = 1.0) -> Tensor:
    """Entropy of each position's distribution, in nats. Shape: (..., vocabulary) to (...)."""
    logprobs_SV = torch.log_softmax(logits_SV.float() / temperature, -1)
    return -(logprobs_SV.exp() * logprobs_SV).sum(-1)
