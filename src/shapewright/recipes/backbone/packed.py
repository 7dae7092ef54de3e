"""A batch of token sequences without padding, in which a prefix shared by several sequences stands once.

What a transformer does token by token (embeddings, norms, projections, MLP: nine tenths of the work of a small model)
runs over the flat, unpadded tokens; only attention looks at rows. Ends come from the lengths of the lists, never from
token ids, so that an eos inside a text, or a pad token equal to eos, changes nothing. This module does not know any
model.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor


@dataclass(frozen=True)
class Packed:
    """`R` sequences over `N` distinct tokens; `S` of the tokens are wanted at the top of the model.

    Attributes:
        ids_N: token ids; the shared prefixes of all groups first, then every row's own tokens.
        positions_N: each token's position in its own sequence, from 0.
        rows_RT: for row r and position t the flat index of that token; 0 beyond the row's end (a causal query before
        the end never looks there).
        lengths_R: number of real tokens of each row.
        shared: how many of the `N` tokens belong to shared prefixes.
        homes_KN: for the k-th copy of a flat token its place in `rows_RT.flatten()`; prefixes have `K` copies, other
        tokens one (row 0).
        wanted_S: flat indices of the wanted tokens, row by row.
        wanted_R: how many wanted tokens each row has (they are its last ones, or its last ones but one where logits are
        wanted).
        wanted_rows_RQ: place in `wanted_S` of row r's q-th wanted token, 0 where the row has fewer.
        everything: every flat token is wanted, once, in flat order (`all_wanted`).
    """

    ids_N: Tensor
    positions_N: Tensor
    rows_RT: Tensor
    lengths_R: Tensor
    shared: int
    homes_KN: Tensor
    wanted_S: Tensor
    wanted_R: Tensor
    wanted_rows_RQ: Tensor
    everything: bool = False

    def to(self, device: torch.device | str) -> "Packed":
        """The same batch on another device; copies are asynchronous."""
        moved = {
            name: value.to(device, non_blocking=True) if isinstance(value, Tensor) else value
            for name, value in vars(self).items()
        }
        return Packed(**moved)

    def all_wanted(self) -> "Packed":
        """The same rows with every flat token wanted once, in flat order, so that `spread` lays what comes out in rows
        again."""
        all_N = torch.arange(self.ids_N.numel(), device=self.ids_N.device)
        return replace(self, wanted_S=all_N, wanted_R=self.lengths_R, wanted_rows_RQ=self.rows_RT, everything=True)


def pack(
    groups: Sequence[tuple[Sequence[int], Sequence[Sequence[int]]]], wanted: Sequence[tuple[int, int]] | None = None
) -> Packed:
    """Lay groups of sequences that share a prefix out flat.

    Args:
        groups: for each group its shared prefix and the continuations; every group has the same number of them (1 where
        nothing is shared).
            A row is `prefix + continuation` and must not be empty. The rows stand group by group.
        wanted: for each row `(first, end)`, the positions whose hidden state is wanted; default: the row's last token.

    Raises:
        ValueError: a row has no token, the groups differ in size, or a wanted span lies outside its row.

    Example:
        >>> packed = pack([([5, 6], [[7], [8, 9]])])
        >>> packed.ids_N.tolist(), packed.rows_RT.tolist()
        ([5, 6, 7, 8, 9], [[0, 1, 2, 0], [0, 1, 3, 4]])
    """
    copies = len(groups[0][1]) if groups else 0
    if not copies or any(len(continuations) != copies for _, continuations in groups):
        raise ValueError(
            f"every group needs the same number of continuations, at least one; got {[len(c) for _, c in groups]}"
        )
    shared = sum(len(prefix) for prefix, _ in groups)
    lengths = [len(prefix) + len(continuation) for prefix, continuations in groups for continuation in continuations]
    if min(lengths) == 0:
        raise ValueError(f"row {lengths.index(0)} has no token at all")
    longest = max(lengths)
    spans = [(length - 1, length) for length in lengths] if wanted is None else list(wanted)
    ids = [token for prefix, _ in groups for token in prefix]
    positions = [position for prefix, _ in groups for position in range(len(prefix))]
    rows, homes, picked, prefix_start = [], [[] for _ in range(copies)], [], 0
    own_homes = []
    for prefix, continuations in groups:
        for copy, continuation in enumerate(continuations):
            row = len(rows)
            first, end = spans[row]
            if not 0 <= first < end <= lengths[row]:
                raise ValueError(f"row {row} has {lengths[row]} tokens; positions {first} to {end} were wanted")
            flat = list(range(prefix_start, prefix_start + len(prefix))) + list(
                range(len(ids), len(ids) + len(continuation))
            )
            homes[copy].extend(range(row * longest, row * longest + len(prefix)))
            own_homes.extend(range(row * longest + len(prefix), row * longest + lengths[row]))
            picked.append(flat[first:end])
            rows.append(flat + [0] * (longest - len(flat)))
            ids.extend(continuation)
            positions.extend(range(len(prefix), lengths[row]))
        prefix_start += len(prefix)
    own = len(ids) - shared
    most = max(map(len, picked))
    wanted_rows, start = [], 0
    for span in picked:
        wanted_rows.append(list(range(start, start + len(span))) + [0] * (most - len(span)))
        start += len(span)
    return Packed(
        ids_N=torch.tensor(ids),
        positions_N=torch.tensor(positions),
        rows_RT=torch.tensor(rows),
        lengths_R=torch.tensor(lengths),
        shared=shared,
        homes_KN=torch.tensor([homes[copy] + (own_homes if copy == 0 else [0] * own) for copy in range(copies)]),
        wanted_S=torch.tensor([token for span in picked for token in span]),
        wanted_R=torch.tensor([len(span) for span in picked]),
        wanted_rows_RQ=torch.tensor(wanted_rows),
    )


class _Spread(torch.autograd.Function):
    """Flat tokens to padded rows. Every copy's place is known, so the way back gathers too: far faster than a
    scattering sum."""

    @staticmethod
    def forward(ctx, values_NH: Tensor, packed: Packed) -> Tensor:
        ctx.packed = packed
        return values_NH.index_select(0, packed.rows_RT.flatten()).unflatten(0, packed.rows_RT.shape)

    @staticmethod
    def backward(ctx, gradient_RTH: Tensor) -> tuple[Tensor, None]:
        packed = ctx.packed
        flat = gradient_RTH.flatten(0, 1)
        gradient_NH = flat.index_select(0, packed.homes_KN[0])
        for homes_N in packed.homes_KN[1:]:
            gradient_NH[: packed.shared] += flat.index_select(0, homes_N[: packed.shared])
        return gradient_NH, None


def spread(values_NH: Tensor, packed: Packed) -> Tensor:
    """Flat values as rows.

    Args:
        values_NH: one vector per flat token. Shape: (tokens, hidden).

    Returns:
        Shape: (rows, longest row, hidden). What stands beyond a row's end is some other token: mask it, or never look
        there.
    """
    return _Spread.apply(values_NH, packed)


def gather(values_RTH: Tensor, packed: Packed) -> Tensor:
    """The inverse of `spread`: each flat token's value, read at its first copy. Shape: (rows, longest, hidden) to
    (tokens, hidden)."""
    return values_RTH.flatten(0, 1).index_select(0, packed.homes_KN[0])
