"""Token sequences of different lengths for next-token prediction, flat in memory, padded one batch at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from ..settings import UsageError
from .vocabulary import PAD, Vocabulary

IGNORE = -100
"""The target where there is nothing to predict (`ignore_index` of cross-entropy)."""


@dataclass(frozen=True)
class Sequences:
    """`tokens` of all texts one behind the other, Shape: (all,); each sequence begins at `starts` and predicts
    `lengths` tokens, Shape: (count,)."""

    tokens: Tensor
    starts: Tensor
    lengths: Tensor

    def __len__(self) -> int:
        return len(self.starts)

    @classmethod
    def of(cls, texts: Iterable[str], vocabulary: Vocabulary, longest: int = 0) -> Sequences:
        """Encode texts. One with more than `longest` tokens to predict is cut into several sequences, each token still
        predicted once."""
        tokens: list[int] = []
        starts, lengths = [], []
        for text in texts:
            numbers = vocabulary.encode(text)
            targets = len(numbers) - 1
            piece = longest or targets
            for begin in range(0, targets, piece):
                starts.append(len(tokens) + begin)
                lengths.append(min(piece, targets - begin))
            tokens += numbers
        if not starts:
            raise UsageError("there is no text to read sequences from")
        return cls(torch.tensor(tokens), torch.tensor(starts), torch.tensor(lengths))

    def to(self, device: torch.device) -> Sequences:
        """The tokens on a device; the lengths stay on the CPU, where packing wants them."""
        return Sequences(self.tokens.to(device), self.starts.to(device), self.lengths)

    def batch(self, index_B: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Inputs, targets (the same tokens, one further on) and lengths of some sequences.

        Returns:
            inputs, Shape: (batch, time), PAD behind the end; targets, Shape: (batch, time), IGNORE there; lengths,
            Shape: (batch,), on the CPU.
        """
        lengths_B = self.lengths[index_B]
        time_T = torch.arange(int(lengths_B.max()))
        keep_mask_BT = (time_T < lengths_B[:, None]).to(self.tokens.device)
        places_BT = (self.starts[index_B.to(self.starts.device)][:, None] + time_T.to(self.tokens.device)).clamp(
            max=len(self.tokens) - 2
        )
        inputs_BT = torch.where(keep_mask_BT, self.tokens[places_BT], PAD)
        targets_BT = torch.where(keep_mask_BT, self.tokens[places_BT + 1], IGNORE)
        return inputs_BT, targets_BT, lengths_B
