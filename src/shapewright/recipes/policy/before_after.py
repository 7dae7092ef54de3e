"""What a policy answers to held-out prompts, beside what the start policy answered: win rate, mean reward, and a page
for people.

The judge is the reward model that was optimised, so a win rate here is an upper bound on what people would say; the
page says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor

from shapewright.recipes.policy.rollout import Group
from shapewright.recipes.preference.accuracy import Accuracy, judge


@dataclass(frozen=True)
class Answers:
    """Answers to the held-out prompts, raw scores, the mean KL of an answer to the reference (nats), the mean length
    of an answer (tokens) and the mean entropy of a token (nats)."""

    texts: list[str]
    scores: list[float]
    kl: float = 0.0
    length: float = 0.0
    entropy: float = 0.0

    @classmethod
    def of(cls, groups: Sequence[Group], texts: list[str]) -> Answers:
        """The figures of judged and observed groups of one answer each. An answer's KL is the sum over its tokens of
        the logprob less the reference's (k1)."""
        count = len(groups)
        kl = sum(sum(group.logprobs[0]) - sum(group.reference[0]) for group in groups) / count
        length = sum(len(group.answers[0]) for group in groups) / count
        entropy = sum(group.entropy for group in groups) / count
        return cls(texts, [group.scores[0] for group in groups], kl, length, entropy)

    @property
    def mean(self) -> float:
        return sum(self.scores) / len(self.scores)

    @property
    def std(self) -> float:
        """Biased, and never so small that dividing by it would make noise of nothing; 1 where a single answer has
        none."""
        return 1.0 if len(self.scores) < 2 else max(torch.tensor(self.scores).std(correction=0).item(), 1e-3)

    def histogram(self) -> Tensor:
        return torch.tensor(self.scores)

    def state_dict(self) -> dict[str, Any]:
        return asdict(self)


def wins(before: Answers, after: Answers) -> Accuracy:
    """How many prompts the later answers win; ties count half."""
    return judge(torch.tensor(after.scores), torch.tensor(before.scores))


def figures(before: Answers, after: Answers) -> dict[str, float]:
    """Score in standard deviations of the start policy's, win rate with its 95 % interval, KL."""
    won = wins(before, after)
    low, high = won.interval
    return {
        "test_score": (after.mean - before.mean) / before.std,
        "win_rate": won.value,
        "low": low,
        "high": high,
        "test_kl": after.kl,
        "test_length": after.length,
        "test_entropy": after.entropy,
    }


def beside(prompts: list[str], before: Answers, after: Answers, shown: int = 6) -> str:
    """A Markdown list of prompts with both answers and their scores."""
    parts = []
    for number, prompt in enumerate(prompts[:shown]):
        parts.append(f"- {json.dumps(prompt.strip()[-120:])}")
        parts += [
            f"  - {word} `{answers.scores[number]:+.2f}` {json.dumps(answers.texts[number])}"
            for word, answers in (("before", before), ("after", after))
        ]
    return "\n".join(parts)


def headline(before: Answers, after: Answers) -> str:
    """One sentence on who won, and by whose judgement."""
    return f"won against the start policy, by the reward model that was optimised: {wins(before, after)}".replace(
        "pairs", "prompts"
    )


def course(history: Sequence[Mapping[str, float]], kept: float | None = None) -> str:
    """The evaluations as a Markdown table: score, KL, length and entropy by step; `kept` is the score of the policy
    that is in the folder."""
    columns = {"step": "step", "test_score": "score", "win_rate": "win rate", "test_kl": "KL"}
    columns |= {"test_length": "length", "test_entropy": "entropy"}
    rows = ["| " + " | ".join([*columns.values(), ""]) + " |", "| --- " * (len(columns) + 1) + "|"]
    best = next((number for number, row in enumerate(history) if row["test_score"] == kept), None)
    for number, row in enumerate(history):
        values = [f"{row[key]:.0f}" if key == "step" else f"{row[key]:.2f}" for key in columns]
        rows.append("| " + " | ".join([*values, "kept" if number == best else ""]) + " |")
    return "\n".join(rows)


def page(
    method: str,
    prompts: list[str],
    before: Answers,
    after: Answers,
    hardware: str,
    signs: Sequence[str] = (),
    history: str = "",
) -> str:
    """The report of a run, in Markdown; `signs` are those of a gamed reward (`gaming.signs`), `history` is `course`."""
    reward = (
        f"Mean reward {before.mean:.3f} before, {after.mean:.3f} after; KL to the start policy {after.kl:.2f} nats an "
        f"answer."
    )
    parts = [
        f"# Policy by {method}",
        headline(before, after).capitalize() + ".",
        reward,
        f"An answer has {after.length:.1f} tokens ({before.length:.1f} before), a token {after.entropy:.2f} nats of "
        f"entropy ({before.entropy:.2f} before).",
        *(["## Signs of a gamed reward", "\n".join(f"- {sign}" for sign in signs)] if signs else []),
        *(["## Evaluations", history] if history else []),
        hardware,
        "## Answers to held-out prompts",
        beside(prompts, before, after),
    ]
    return "\n\n".join(parts) + "\n"
