"""A policy as a language model over packed rows, and the actor with its critic as one module (so that one wrapper
suffices for several processes)."""

from collections.abc import Iterator
from pathlib import Path

import torch.nn.functional as F
from torch import Tensor, nn

from shapewright.recipes.backbone.body import Body, load_body, plain_tensors
from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.backbone.folder import save_folder
from shapewright.recipes.backbone.packed import Packed
from shapewright.recipes.backbone.refusal import one_sentence


class LanguageModel(nn.Module):
    """Next-token logits of the wanted tokens.

    Args:
        body: the transformer.
        head: None where the output weights are the embedding's (tied, as in GPT-2).
    """

    def __init__(self, body: Body, head: nn.Module | None = None):
        super().__init__()
        self.body = body
        self.head = head

    def forward(self, packed: Packed) -> Tensor:
        """Shape: (wanted, vocabulary)."""
        return self.logits(self.body(packed))

    def logits(self, hidden_SH: Tensor) -> Tensor:
        """Hidden states to logits. Shape: (…, hidden) to (…, vocabulary)."""
        return F.linear(hidden_SH, self.body.model.wte.weight) if self.head is None else self.head(hidden_SH)

    def named_for_transformers(self) -> Iterator[tuple[str, Tensor]]:
        """The weights under the names of transformers' causal model, a tied output left out."""
        body = self.body
        tensors = plain_tensors(body.model)
        prefix = "transformer" if body.shape is not None else body.whole.base_model_prefix
        yield from ((f"{prefix}.{name}", tensor) for name, tensor in tensors.items())
        if self.head is not None and self.head.weight is not body.model.get_input_embeddings().weight:
            yield "lm_head.weight", self.head.weight.detach()

    def save(self, folder: Path, codec: Codec, **notes) -> None:
        """Write the folder that `load_policy` and `AutoModelForCausalLM` read."""
        save_folder(folder, self.body, codec, "lm", {}, notes)


class ActorCritic(nn.Module):
    """A policy and what estimates its values: nothing, a head on its own hidden states, or a transformer of its own.

    Args:
        policy: the actor.
        critic: None (RLOO, GRPO, DPO), `"head"`, or a separate body. The value head starts at zero, so the first
        advantages are plain returns.
    """

    def __init__(self, policy: LanguageModel, critic: Body | str | None):
        super().__init__()
        self.policy = policy
        self.critic = critic if isinstance(critic, Body) else None
        width = None if critic is None else self.critic.width if self.critic is not None else policy.body.width
        self.v_head = None if width is None else nn.Linear(width, 1)
        if self.v_head is not None:
            nn.init.zeros_(self.v_head.weight)
            nn.init.zeros_(self.v_head.bias)

    def units(self) -> list[nn.Module]:
        """See `Body.units`. The policy's embedding is none of them: its output weights are the same."""
        critic = [] if self.critic is None else self.critic.units()
        return self.policy.body.units() + critic

    def forward(self, packed: Packed) -> tuple[Tensor, Tensor | None]:
        """Logits (wanted, vocabulary) and values (wanted,), or None without a critic."""
        hidden_SH = self.policy.body(packed)
        values_S = None
        if self.v_head is not None:
            valued_SH = hidden_SH if self.critic is None else self.critic(packed)
            values_S = self.v_head(valued_SH).squeeze(-1).float()
        return self.policy.logits(hidden_SH), values_S


def load_policy(name: str, *, lora: int = 0) -> tuple[LanguageModel, Codec]:
    """A policy and its tokenizer from a folder or the hub.

    Raises:
        UsageError: there is no such model, or it cannot be used.
    """
    with one_sentence(name):
        codec = Codec.load(name)
        body, head = load_body(name, "lm", size=codec.size, lora=lora)
        return LanguageModel(body, head), codec
