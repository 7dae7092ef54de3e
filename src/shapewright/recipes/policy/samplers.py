"""Who writes the answers: our own sampler, or an engine beside the trainer. The trainer computes every logprob anew, so
a sampler's rounding shows as a figure (`sampler_gap`) and never as a wrong ratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from torch import Tensor

from shapewright.recipes.loop import sharding
from shapewright.recipes.policy.language_model import ActorCritic
from shapewright.recipes.policy.rollout import Drawing, Group, draw
from shapewright.recipes.settings import UsageError


class Sampler(Protocol):
    """Fills in each group's `answers`, and `drawn` (the logprobs that it drew them with) where it knows them.

    Every process calls it at the same times, with its own groups. The actor's weights may have changed since the last
    call: taking them over is the sampler's part.
    """

    def __call__(self, actor: ActorCritic, groups: Sequence[Group], uniforms_GRT: Tensor, drawing: Drawing) -> None: ...


def own(actor: ActorCritic, groups: Sequence[Group], uniforms_GRT: Tensor, drawing: Drawing) -> None:
    """`sampling.sample` on the policy itself; the weights of a divided one are gathered meanwhile."""
    with sharding.gathered(actor):
        draw(groups, actor.policy, uniforms_GRT, drawing)


class VLLM:
    """vLLM in the trainer's own process, on its device. Its random numbers are its own: a request is seeded by the
    group's first uniform number, so an answer depends on that and on vLLM's arithmetic.

    Not tested with vLLM itself, which needs a GPU: the tests put a module of the same interface in its place.

    Args:
        folder: a saved policy; its weights are replaced before each draw.
        share: of the device's memory, for weights and cache.
    """

    def __init__(self, folder: Path, share: float = 0.3) -> None:
        try:
            import vllm
        except ModuleNotFoundError as error:
            raise UsageError(
                "--sampler vllm needs vLLM, which is not installed: pip install 'shapewright[vllm]'"
            ) from error
        self.parameters: Any = vllm.SamplingParams
        self.engine = vllm.LLM(
            model=str(folder), gpu_memory_utilization=share, distributed_executor_backend="external_launcher"
        )

    def __call__(self, actor: ActorCritic, groups: Sequence[Group], uniforms_GRT: Tensor, drawing: Drawing) -> None:
        with sharding.gathered(actor):
            model = self.engine.llm_engine.model_executor.driver_worker.model_runner.model
            model.load_weights(list(actor.policy.named_for_transformers()))
        self.engine.reset_prefix_cache()
        copies = uniforms_GRT.shape[1]
        asked = [
            self.parameters(
                max_tokens=drawing.max_new,
                min_tokens=drawing.min_new,
                temperature=drawing.temperature,
                top_k=drawing.top_k or -1,
                seed=int(first * 2**31),
                stop_token_ids=[drawing.eos_id],
                logprobs=0,
            )
            for first in uniforms_GRT[:, :, 0].flatten().tolist()
        ]
        prompts = [{"prompt_token_ids": group.prompt} for group in groups for _ in range(copies)]
        written = [result.outputs[0] for result in self.engine.generate(prompts, asked, use_tqdm=False)]
        for number, group in enumerate(groups):
            part = written[number * copies : (number + 1) * copies]
            group.answers = [list(answer.token_ids) for answer in part]
            group.drawn = [
                [entry[token].logprob for token, entry in zip(answer.token_ids, answer.logprobs)] for answer in part
            ]


def gap(groups: Sequence[Group]) -> float | None:
    """Mean distance, in nats a token, between the logprobs that answers were drawn with and the trainer's; None where
    the sampler told none."""
    pairs = [
        (drawn, own)
        for group in groups
        for row, ours in zip(group.drawn, group.logprobs)
        for drawn, own in zip(row, ours)
    ]
    return sum(abs(drawn - own) for drawn, own in pairs) / len(pairs) if pairs else None
