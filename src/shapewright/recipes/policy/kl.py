"""How far a policy has moved from its reference, estimated from sampled tokens, and the controllers that price it.

With x drawn from the policy and log r = log p_ref(x) - log p(x) (Schulman, http://joschu.net/blog/kl-approx.html): k1 =
-log r is unbiased and can be negative; k3 = (r - 1) - log r is unbiased and never negative. Both assume that x was
sampled from the very distribution whose logprobs are given: with a minimum length or top-k that is not so, and k1 can
drift below zero.
"""

import torch
from torch import Tensor


def k1(logprobs_BT: Tensor, reference_logprobs_BT: Tensor) -> Tensor:
    """Per-token KL(policy || reference), first estimator. Shape: (batch, time)."""
    return logprobs_BT - reference_logprobs_BT


def k3(logprobs_BT: Tensor, reference_logprobs_BT: Tensor) -> Tensor:
    """Per-token KL(policy || reference), third estimator, at least 0. Shape: (batch, time).

    Example:
        >>> k3(torch.tensor(-1.0), torch.tensor(-1.0)).item()
        0.0
    """
    log_ratio = reference_logprobs_BT - logprobs_BT
    return torch.expm1(log_ratio) - log_ratio


class FixedKL:
    """A price per unit of KL that never changes."""

    def __init__(self, coefficient: float):
        self.coefficient = coefficient

    def update(self, kl: float, samples: int) -> None:
        """Nothing."""

    def state_dict(self) -> dict[str, float]:
        return {"coefficient": self.coefficient}

    def load_state_dict(self, state: dict[str, float]) -> None:
        self.coefficient = state["coefficient"]


class AdaptiveKL(FixedKL):
    """A price that rises while the KL is above its target and falls below it (Ziegler et al. 2019, section 2.2).

    Args:
        coefficient: the price to begin with.
        target: wanted KL of a whole answer, in nats.
        horizon: samples over which a constant error of 20 % changes the price by a factor of about e^0.2.

    Example:
        >>> control = AdaptiveKL(0.2, target=6.0, horizon=10_000)
        >>> control.update(12.0, samples=500)
        >>> round(control.coefficient, 4)
        0.202
    """

    def __init__(self, coefficient: float, target: float, horizon: float):
        super().__init__(coefficient)
        if target <= 0 or horizon <= 0:
            raise ValueError(f"target and horizon must be positive, got {target} and {horizon}")
        self.target = target
        self.horizon = horizon

    def update(self, kl: float, samples: int) -> None:
        """Take the mean KL of `samples` new answers into account; the error is clipped to ± 0.2."""
        error = min(max(kl / self.target - 1.0, -0.2), 0.2)
        self.coefficient *= 1.0 + error * samples / self.horizon
