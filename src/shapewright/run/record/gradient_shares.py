"""What each `backward` adds to the gradients of each optimizer, where there are several: whether the shares of two
losses pull against each other."""

from __future__ import annotations

import torch

PASSES = 24
LARGEST = 4_000_000


class Shares:
    """`before` and `after` enclose a `backward`. It keeps, for each optimizer, the share of the last pass as long as it
    is not cleared."""

    def __init__(self) -> None:
        self.passes = 0
        self._last: dict[int, tuple[int, torch.Tensor]] = {}

    def before(self, optimizers: dict[int, torch.optim.Optimizer]) -> dict[int, list[torch.Tensor | None]] | None:
        """The gradients as they are; `None` where there is nothing to compare."""
        if len(optimizers) < 2 or self.passes >= PASSES:
            return None
        self.passes += 1
        parameters = {
            key: [p for group in optimizer.param_groups for p in group["params"]]
            for key, optimizer in optimizers.items()
        }
        if (
            any(p.is_meta for own in parameters.values() for p in own)
            or sum(p.numel() for own in parameters.values() for p in own) > LARGEST
        ):
            self.passes = PASSES
            return None
        with torch._C.DisableTorchFunction(), torch.no_grad():
            return {
                key: [p.grad.clone() if p.grad is not None and not p.grad.is_sparse else None for p in own]
                for key, own in parameters.items()
            }

    def after(
        self,
        optimizers: dict[int, torch.optim.Optimizer],
        before: dict[int, list[torch.Tensor | None]] | None,
        index: int,
    ) -> dict[int, tuple]:
        """For each optimizer that this pass reached: `(landmark of the pass before it whose share is still in place or
        -1, cosine of the two shares)`."""
        found: dict[int, tuple] = {}
        if before is None:
            return found
        with torch.no_grad():
            for key, old in before.items():
                own = [p for group in optimizers[key].param_groups for p in group["params"]]
                if len(own) != len(old) or any(p.grad is not None and p.grad.is_sparse for p in own):
                    continue
                kept = (
                    torch.cat([(torch.zeros_like(p) if g is None else g).flatten().float() for p, g in zip(own, old)])
                    if own
                    else torch.zeros(0)
                )
                now = (
                    torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten().float() for p in own])
                    if own
                    else torch.zeros(0)
                )
                share = now - kept
                if not bool(share.abs().sum() > 0):
                    continue
                earlier, last = self._last.get(key, (-1, None))
                cosine = 0.0
                # still in place: what stands in the gradients is that share and nothing else
                if (
                    last is not None
                    and last.shape == kept.shape
                    and bool(kept.abs().sum() > 0)
                    and torch.allclose(kept, last, rtol=1e-3, atol=1e-8)
                ):
                    cosine = float(torch.nn.functional.cosine_similarity(last, share, dim=0))
                else:
                    earlier = -1
                found[key] = (earlier, cosine)
                self._last[key] = (index, now if earlier >= 0 else share)
        return found
