"""A reward model: a transformer and a `v_head` that turns its last real token, or the mean of its tokens, into one
score a text.

Scores are `(texts,)` at every batch size and do not depend on the company, on padding, or on its side: padding does not
exist inside. Saved, it is a plain `AutoModelForSequenceClassification` with one label.
"""

from pathlib import Path

import torch
from torch import Tensor, nn

from shapewright.recipes.backbone.body import Body, load_body
from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.backbone.folder import read_notes, save_folder
from shapewright.recipes.backbone.packed import Packed, spread
from shapewright.recipes.backbone.parts import Sources, empty_body, fill
from shapewright.recipes.backbone.refusal import one_sentence
from shapewright.recipes.preference.encoding import pack_rows, unpad

POOLINGS = ("last", "mean")


class RewardModel(nn.Module):
    """Scores packed rows of tokens.

    Args:
        body: the transformer; its `whole` scores alone where it is an encoder.
        pooling: `"last"` real token, or `"mean"` over a row's tokens.
        head: an existing head to go on with; None makes one: N(0, 1/√(hidden + 1)), no bias (Stiennon et al. 2020; a
        bias cancels in every pair).
        sources: where the weights of an empty body are; see `fill`.
    """

    def __init__(
        self, body: Body, pooling: str = "last", head: nn.Module | None = None, sources: Sources | None = None
    ):
        super().__init__()
        if pooling not in POOLINGS:
            raise ValueError(f"pooling is {' or '.join(POOLINGS)}, not {pooling!r}")
        self.body = body
        self.pooling = pooling
        self.sources = sources
        self.encoder = body.whole is not None and not hasattr(body.whole, "score")
        self.v_head = head if head is not None else nn.Linear(body.width, 1, bias=False)
        if self.encoder and pooling != "last":
            raise ValueError(
                f"{body.kind} is scored by transformers' own pooling; take the default in place of {pooling!r}"
            )
        if self.encoder:
            self.body = _Encoder(body.whole, body)
            self.v_head = nn.Identity()
        elif head is None:
            nn.init.normal_(self.v_head.weight, std=1 / (body.width + 1) ** 0.5)

    def fill(self, device: torch.device) -> None:
        """Read the weights of an empty body, or what this process keeps of them."""
        if self.sources:
            fill(self, self.body, self.sources, device)
            self.sources = None

    def units(self) -> list[nn.Module]:
        """See `Body.units`; besides the embedding, which only looks tokens up here."""
        body = self.body.body if self.encoder else self.body
        return [*body.units(), body.model.wte] if body.shape is not None else body.units()

    def forward(self, packed: Packed) -> Tensor:
        """One score a row. Shape: (rows,), float32."""
        if self.encoder:
            return self.body(packed).float()
        hidden_RH = self._mean(packed) if self.pooling == "mean" else self.body(packed)
        with torch.autocast(hidden_RH.device.type, enabled=False):  # A score of 8 bits would tie pairs that differ.
            scores_R1 = self.v_head(hidden_RH.to(self.v_head.weight.dtype))
            return (
                scores_R1.squeeze(-1).float().clone()
            )  # A view changed in place would lose what gathers a divided head.

    def _mean(self, packed: Packed) -> Tensor:
        """Mean hidden state of each row's real tokens. Shape: (rows, hidden)."""
        everywhere = packed.all_wanted()
        hidden_RTH = spread(self.body(everywhere), everywhere)
        keep_mask_RT1 = (
            torch.arange(hidden_RTH.shape[1], device=hidden_RTH.device) < packed.lengths_R.unsqueeze(-1)
        ).unsqueeze(-1)
        return torch.where(keep_mask_RT1, hidden_RTH, 0.0).sum(1) / packed.lengths_R.unsqueeze(-1)

    def score_padded(self, ids_BT: Tensor, keep_mask_BT: Tensor) -> Tensor:
        """Scores of a padded batch, left or right: where a text ends is read from the mask.

        Args:
            ids_BT: Shape: (batch, time).
            keep_mask_BT: True (or 1) on real tokens. Shape: (batch, time).

        Returns:
            Shape: (batch,).
        """
        return self(pack_rows(unpad(ids_BT, keep_mask_BT)).to(ids_BT.device))

    @torch.no_grad()
    def score_rows(self, rows: list[list[int]], batch_size: int = 64) -> Tensor:
        """Scores of rows of token ids, computed in order of length, returned in the order given. Shape: (rows,), on the
        CPU."""
        order = sorted(range(len(rows)), key=lambda row: len(rows[row]))
        device = next(self.parameters()).device
        scores = torch.empty(len(rows))
        for start in range(0, len(order), batch_size):
            part = order[start : start + batch_size]
            scores[part] = self(pack_rows([rows[row] for row in part]).to(device)).cpu()
        return scores

    def score_texts(self, texts: list[str], codec: Codec) -> Tensor:
        """Scores of texts (prompt and answer in one string), each ended by eos as in training. Shape: (texts,)."""
        return self.score_rows([[*ids, codec.eos_id] for ids in codec.encode_many(texts)])

    def save(self, folder: Path, codec: Codec, **notes) -> None:
        """Write the folder that `load_reward` and `AutoModelForSequenceClassification` read."""
        extra = {} if self.encoder else {"score.weight": self.v_head.weight}
        body = self.body.body if self.encoder else self.body
        if not self.encoder and body.whole is not None and body.whole.score is not self.v_head:
            body.whole.score.load_state_dict(self.v_head.state_dict())
        save_folder(folder, body, codec, "score", extra, {"pooling": self.pooling, "eos": True, **notes})


class _Encoder(nn.Module):
    """A model that reads both ways (BERT kinds) with transformers' own pooling and head. Padding at the right, by
    mask."""

    def __init__(self, whole: nn.Module, body: Body):
        super().__init__()
        self.whole = whole
        self._body = (body,)
        self.limit, self.width, self.shape = body.limit, body.width, None

    @property
    def body(self) -> Body:
        return self._body[0]

    def forward(self, packed: Packed) -> Tensor:
        ids_RT = packed.ids_N[packed.rows_RT]
        keep_mask_RT = torch.arange(ids_RT.shape[1], device=ids_RT.device) < packed.lengths_R.unsqueeze(-1)
        pad = self.whole.config.pad_token_id or 0  # RoBERTa counts positions from ids, so pads must look like pads.
        return self.whole(
            input_ids=ids_RT.masked_fill(~keep_mask_RT, pad), attention_mask=keep_mask_RT.long()
        ).logits.squeeze(-1)


def load_reward(
    name: str, *, pooling: str = "", lora: int = 0, trained: bool = False, empty: bool = False
) -> tuple[RewardModel, Codec]:
    """A reward model and its tokenizer from a folder or the hub; a model without a score head gets a new one.

    Args:
        pooling: empty takes what the folder notes, or `"last"`.
        trained: refuse a model without a score head: a new one's scores are noise.
        empty: without weights where that can be; `RewardModel.sources` then says where they are.

    Raises:
        UsageError: there is no such model, or it cannot be used.
    """
    with one_sentence(name):
        codec = Codec.load(name)
        pooling = pooling or read_notes(name).get("pooling", "last")
        found = empty_body(name, codec.size) if empty and not lora else None
        if found is not None:
            body, head, sources = found
            return RewardModel(body, pooling, head, sources), codec
        body, head = load_body(name, "score", size=codec.size, lora=lora)
        known = body.whole.config.architectures or [] if body.whole is not None else []
        if trained and head is None and not any("SequenceClassification" in architecture for architecture in known):
            raise ValueError("it has no score head, so it is not a reward model")
        return RewardModel(body, pooling, head), codec
