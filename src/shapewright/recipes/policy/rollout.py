"""Sampled answers with everything that optimisation needs to know about them, as plain lists: they can be sent between
processes.

A group is one prompt with its answers (one for PPO, several for RLOO and GRPO); its prompt is computed once. Logprobs
are those of answer tokens only: the hidden state at the token before each of them.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.backbone.packed import Packed, pack
from shapewright.recipes.policy.language_model import ActorCritic, LanguageModel
from shapewright.recipes.policy.logprobs import entropy, token_logprobs
from shapewright.recipes.policy.sampling import sample
from shapewright.recipes.preference.reward_model import RewardModel


@dataclass
class Group:
    """A prompt and its answers; `scores` are one number an answer, the others one list of numbers per answer token.
    `drawn` are the sampler's own logprobs, where it tells them."""

    prompt: list[int]
    answers: list[list[int]]
    scores: list[float] = field(default_factory=list)
    logprobs: list[list[float]] = field(default_factory=list)
    reference: list[list[float]] = field(default_factory=list)
    values: list[list[float]] = field(default_factory=list)
    advantages: list[list[float]] = field(default_factory=list)
    returns: list[list[float]] = field(default_factory=list)
    entropy: float = 0.0
    drawn: list[list[float]] = field(default_factory=list)


def pack_groups(groups: Sequence[Group]) -> tuple[Packed, Tensor]:
    """Prompts and answers as a packed batch that wants every position which predicts an answer token; and those tokens.
    Shape: (wanted,)."""
    spans = [
        (len(group.prompt) - 1, len(group.prompt) + len(answer) - 1) for group in groups for answer in group.answers
    ]
    packed = pack([(group.prompt, group.answers) for group in groups], spans)
    return packed, torch.tensor([token for group in groups for answer in group.answers for token in answer])


def in_rows(values_S: Tensor, packed: Packed) -> tuple[Tensor, Tensor]:
    """Numbers of the wanted tokens as a padded matrix with its mask, True where real. Shape: (answers, longest answer),
    both."""
    values_BT = values_S[packed.wanted_rows_RQ]
    keep_mask_BT = torch.arange(values_BT.shape[1], device=values_S.device) < packed.wanted_R.unsqueeze(-1)
    return torch.where(keep_mask_BT, values_BT, 0.0), keep_mask_BT


def padded(lists: Sequence[Sequence[float]]) -> tuple[Tensor, Tensor]:
    """Lists of numbers as a padded matrix and its mask. Shape: (lists, longest), both.

    >>> padded([[1.0, 2.0], [3.0]])[0].tolist()
    [[1.0, 2.0], [3.0, 0.0]]
    """
    longest = max(map(len, lists))
    values = torch.tensor([list(row) + [0.0] * (longest - len(row)) for row in lists])
    return values, torch.arange(longest) < torch.tensor([len(row) for row in lists]).unsqueeze(-1)


@dataclass(frozen=True)
class Drawing:
    """How answers are drawn; see `sampling.sample`. `size` groups are drawn together."""

    eos_id: int
    max_new: int
    temperature: float = 1.0
    top_k: int = 0
    min_new: int = 0
    size: int = 32


def draw(groups: Sequence[Group], policy: LanguageModel, uniforms_GRT: Tensor, drawing: Drawing) -> None:
    """Fill in answers. `uniforms_GRT` holds their random numbers: (groups, answers per group, longest answer)."""
    copies = uniforms_GRT.shape[1]
    prompts = [group.prompt for group in groups for _ in range(copies)]
    how = {"temperature": drawing.temperature, "top_k": drawing.top_k, "min_new": drawing.min_new}
    answers = sample(policy, prompts, uniforms_GRT.flatten(0, 1), drawing.eos_id, slots=drawing.size * copies, **how)
    for number, group in enumerate(groups):
        group.answers = answers[number * copies : (number + 1) * copies]


@torch.no_grad()
def observe(
    groups: Sequence[Group], actor: ActorCritic, reference: LanguageModel, temperature: float, size: int
) -> None:
    """Fill in logprobs under the policy and the reference, values and entropy, in micro-batches of `size` groups.

    The forward pass is the very one that training runs, so PPO's first ratio is 1.
    """
    device = next(actor.parameters()).device
    for start in range(0, len(groups), size):
        part = groups[start : start + size]
        packed, tokens_S = pack_groups(part)
        packed, tokens_S = packed.to(device), tokens_S.to(device)
        logits_SV, values_S = actor(packed)
        columns = [
            token_logprobs(logits_SV, tokens_S, temperature),
            token_logprobs(reference(packed), tokens_S, temperature),
        ]
        spread_out = entropy(logits_SV, temperature)
        columns += [values_S if values_S is not None else torch.zeros_like(spread_out), spread_out]
        logprobs, reference_logprobs, values, entropies = torch.stack(columns).tolist()
        at = 0
        for group in part:
            ends = [at]
            for answer in group.answers:
                ends.append(ends[-1] + len(answer))
            spans = list(itertools.pairwise(ends))
            group.logprobs = [logprobs[first:end] for first, end in spans]
            group.reference = [reference_logprobs[first:end] for first, end in spans]
            group.values = [values[first:end] for first, end in spans]
            group.entropy = sum(entropies[at : ends[-1]]) / (ends[-1] - at)
            at = ends[-1]


def judge_answers(
    groups: Sequence[Group],
    reward: RewardModel,
    reward_codec: Codec,
    codec: Codec,
    *,
    missing_eos: float,
    mean: float = 0.0,
    std: float = 1.0,
) -> None:
    """Fill in scores, normalised, less a penalty where the answer did not end.

    Ids are scored as they are where both tokenizers agree; otherwise they pass through text. The score is read at the
    answer's last token, which is its eos where it ended.
    """
    same = codec.same_as(reward_codec)
    rows, ended = [], []
    for group in groups:
        for answer in group.answers:
            ended.append(answer[-1] == codec.eos_id)
            row = group.prompt + answer
            if not same:
                row = reward_codec.encode(codec.decode(row)) + ([reward_codec.eos_id] if ended[-1] else [])
            rows.append(reward_codec.shorten(row, reward.body.limit))
    scores = ((reward.score_rows(rows) - mean) / std).tolist()
    judged = iter([score - (0.0 if done else missing_eos) for score, done in zip(scores, ended)])
    for group in groups:
        group.scores = [next(judged) for _ in group.answers]
