"""Pairs as token ids that share their prefix, cut so that no answer loses a token silently; and the order in which
batches take them.

A text is tokenized whole (prompt and answer in one string), as anyone who scores `prompt + answer` later does, and ends
in eos, always. The shared prefix is what both rows of ids have in common, so its hidden states are the same in both, to
the last bit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.backbone.packed import Packed, pack
from shapewright.recipes.preference.rows import Complaints, Pair

WINDOW = 64
"""Batches per window within which pairs are sorted by length: near-random order at 8 % padding instead of 47 %."""


@dataclass(frozen=True)
class EncodedPair:
    """Token ids: `prefix + chosen` and `prefix + rejected` are the two rows. `answers` counts the tokens of each that
    belong to its answer; `subset` as in `Pair`."""

    prefix: tuple[int, ...]
    chosen: tuple[int, ...]
    rejected: tuple[int, ...]
    answers: tuple[int, int]
    margin: float | None = None
    line: int = 0
    subset: str = ""

    @property
    def length(self) -> int:
        """Tokens of the longer row."""
        return len(self.prefix) + max(len(self.chosen), len(self.rejected))

    @property
    def tokens(self) -> int:
        """Real tokens of both rows together, the prefix counted in each."""
        return 2 * len(self.prefix) + len(self.chosen) + len(self.rejected)


def encode_pairs(
    pairs: Sequence[Pair], codec: Codec, limit: int, complaints: Complaints, *, overlong: str = "trim"
) -> list[EncodedPair]:
    """Tokenize pairs and fit them into `limit` tokens a row.

    Args:
        limit: longest row, eos included.
        complaints: gets the pairs that were shortened or left out.
        overlong: `"trim"` cuts the beginning of the prompt (never the answer), `"drop"` leaves such pairs out.

    Raises:
        ValueError: `overlong` is neither.
    """
    if overlong not in ("trim", "drop"):
        raise ValueError(f"overlong is trim or drop, not {overlong!r}")
    prompts = codec.encode_many([pair.prompt for pair in pairs])
    chosen = codec.encode_many([pair.prompt + pair.chosen for pair in pairs])
    rejected = codec.encode_many([pair.prompt + pair.rejected for pair in pairs])
    encoded = []
    for pair, prompt_ids, chosen_ids, rejected_ids in zip(pairs, prompts, chosen, rejected):
        rows = [[*ids, codec.eos_id] for ids in (chosen_ids, rejected_ids)]
        common = common_length(*rows)
        opening = len(codec.opening)
        own = (
            common_length(prompt_ids, rows[0][:common]) - opening
        )  # A merge across the border may pull the prompt's last token into the answer.
        over = max(map(len, rows)) - limit
        if over > 0 and overlong == "drop":
            complaints.add(f"left out: longer than {limit} tokens", pair.line)
            continue
        if over > max(own, 0):
            complaints.add(f"left out: an answer alone is longer than {limit} tokens", pair.line)
            continue
        if over > 0:
            complaints.add(f"shortened: beginning of the prompt cut to fit {limit} tokens", pair.line)
        cut = max(over, 0)
        prefix = tuple(rows[0][:opening] + rows[0][opening + cut : common])
        tails = tuple(rows[0][common:]), tuple(rows[1][common:])
        answers = len(rows[0]) - opening - own, len(rows[1]) - opening - own
        if not tails[0] or not tails[1]:
            complaints.add("left out: one row of tokens is the beginning of the other", pair.line)
            continue
        encoded.append(EncodedPair(prefix, *tails, answers, pair.margin, pair.line, pair.subset))
    return encoded


def common_length(first: Sequence[int], second: Sequence[int]) -> int:
    """How many tokens two rows share at their beginning.

    >>> common_length([1, 2, 3], [1, 2, 4])
    2
    """
    for at, (one, other) in enumerate(zip(first, second)):
        if one != other:
            return at
    return min(len(first), len(second))


def grouping(pairs: Sequence[EncodedPair], step_size: int, seed: int) -> Callable[[Tensor, int], Tensor]:
    """The `grouping` of `loop.order.Order` that takes pairs by their length, `step_size` at a time."""
    lengths = torch.tensor([pair.length for pair in pairs])

    def grouped(indices: Tensor, epoch: int) -> Tensor:
        return by_length(lengths, indices, step_size, torch.Generator().manual_seed(seed * 1_000_003 + epoch))

    return grouped


def by_length(lengths: Tensor, indices: Tensor, batch_size: int, generator: torch.Generator) -> Tensor:
    """A shuffled order in which neighbours are about equally long.

    Cuts the shuffled indices into windows, sorts each by length, and shuffles the batches, so that no epoch runs from
    short to long.

    Args:
        lengths: of all samples. Shape: (samples,).
        indices: a permutation of them. Shape: (samples,).
        batch_size: samples that are computed together.
        generator: shuffles the batches; the ragged one stays last.

    Returns:
        The same indices, rearranged. Shape: (samples,).
    """
    window = WINDOW * batch_size
    sorted_indices = torch.cat([part[lengths[part].argsort(stable=True)] for part in indices.split(window)])
    batches = list(sorted_indices.split(batch_size))
    ragged = [batches.pop()] if len(batches[-1]) < batch_size else []
    order = torch.randperm(len(batches), generator=generator).tolist()
    return torch.cat([batches[at] for at in order] + ragged)


def pack_pairs(pairs: Sequence[EncodedPair], *, share: bool = True) -> Packed:
    """Pairs as one packed batch: rows chosen, rejected, chosen, rejected …, each wanted at its last token.

    Args:
        share: False repeats the prefix in both rows (for models that read both ways, and for tests).
    """
    if share:
        return pack([(pair.prefix, (pair.chosen, pair.rejected)) for pair in pairs])
    return pack([((), (pair.prefix + pair.chosen, pair.prefix + pair.rejected)) for pair in pairs])


def pack_rows(rows: Sequence[Sequence[int]]) -> Packed:
    """Single rows of token ids, each wanted at its last token."""
    return pack([((), (row,)) for row in rows])


def unpad(ids_BT: Tensor, keep_mask_BT: Tensor) -> list[list[int]]:
    """Padded ids as lists, by the mask alone: at either side, with any pad token, with eos inside.

    Raises:
        ValueError: shapes differ, or a row has no real token, or a mask with a hole (a pad between real tokens).
    """
    if ids_BT.shape != keep_mask_BT.shape or ids_BT.dim() != 2:
        raise ValueError(f"ids {tuple(ids_BT.shape)} and mask {tuple(keep_mask_BT.shape)} must both be (batch, time)")
    rows = []
    for number, (ids, keep) in enumerate(zip(ids_BT.tolist(), keep_mask_BT.bool().tolist())):
        if True not in keep:
            raise ValueError(f"row {number} has no real token")
        first, length = keep.index(True), sum(keep)
        if not all(keep[first : first + length]):
            raise ValueError(f"row {number}: there is padding between real tokens")
        rows.append(ids[first : first + length])
    return rows
