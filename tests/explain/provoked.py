"""Calls that fail, one per message that `explain` must know: the true wording of the installed torch, not a copy of it."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

t = torch.zeros
ids = lambda *shape: torch.zeros(*shape, dtype=torch.long)  # noqa: E731


def checkpoint(strict: bool = True, **parts: nn.Module) -> None:
    """Loads a Linear(4, 2)'s state into a Linear(5, 2)."""
    nn.Sequential(nn.Linear(5, 2)).load_state_dict(nn.Sequential(nn.Linear(4, 2)).state_dict(), strict=strict)


def missing_keys() -> None:
    nn.ModuleDict({"head": nn.Linear(4, 2)}).load_state_dict(nn.ModuleDict({"fc": nn.Linear(4, 2)}).state_dict())


def collate(*samples: object) -> None:
    torch.utils.data.default_collate(list(samples))


def attention(embed: int = 8, heads: int = 2, **kwargs: torch.Tensor) -> None:
    x = kwargs.pop("x", t(5, 3, embed))
    nn.MultiheadAttention(embed, heads)(x, x, x, **kwargs)


def samples() -> None:
    from sklearn.metrics import accuracy_score

    accuracy_score([0, 1, 1], [0, 1])


def second_backward() -> None:
    x = torch.ones(3, requires_grad=True)
    y = (x * x).sum()
    y.backward()
    y.backward()


def inplace() -> None:
    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    y += 1
    y.sum().backward()


def packed(lengths: list[int], batch: int, sort: bool = True) -> None:
    nn.utils.rnn.pack_padded_sequence(t(batch, 5, 3), torch.tensor(lengths), batch_first=True, enforce_sorted=sort)


def tokenizer(pad: str | None = None):
    """A word tokenizer of Transformers, made on the spot."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.WordLevel({"a": 0, "b": 1, "[UNK]": 2}, unk_token="[UNK]"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="[UNK]", pad_token=pad, model_max_length=2)


CALLS: dict[str, Callable[[], object]] = {
    "linear": lambda: nn.Linear(4096, 10)(t(4, 1024)),
    "matmul-2d": lambda: t(3, 4) @ t(5, 6),
    "matmul-vector": lambda: torch.mv(t(3, 4), t(5)),
    "dot": lambda: torch.dot(t(3), t(4)),
    "dot-rank": lambda: torch.dot(t(3, 1), t(3)),
    "bmm": lambda: torch.bmm(t(2, 3, 4), t(2, 5, 6)),
    "bmm-batch": lambda: torch.bmm(t(2, 3, 4), t(3, 4, 6)),
    "bmm-rank": lambda: torch.bmm(t(2, 3), t(2, 3)),
    "mm-rank": lambda: torch.mm(t(2, 3, 4), t(4, 5)),
    "matmul-scalar": lambda: torch.matmul(t(()), t(3)),
    "matmul-batch": lambda: t(2, 3, 4) @ t(5, 4, 6),
    "addmm-bias": lambda: torch.addmm(t(7), t(2, 3), t(3, 5)),
    "broadcast": lambda: t(4, 3) + t(4, 2),
    "broadcast-inplace": lambda: t(3).add_(t(2, 3)),
    "masked-fill": lambda: t(4, 3).masked_fill(torch.zeros(4, 2, dtype=torch.bool), 0.0),
    "where": lambda: torch.where(torch.zeros(4, dtype=torch.bool), t(3), t(3)),
    "cat-size": lambda: torch.cat([t(2, 3), t(2, 4)], dim=0),
    "cat-rank": lambda: torch.cat([t(2, 3), t(2, 3, 1)]),
    "stack": lambda: torch.stack([t(3), t(4)]),
    "view-count": lambda: t(4, 1024).view(-1, 1000),
    "view-count-all": lambda: t(4096).view(4, 1000),
    "view-stride": lambda: t(2, 3, 4).transpose(1, 2).view(2, 12),
    "reshape-empty": lambda: t(0, 3).reshape(-1, 0),
    "dim-range": lambda: t(3).sum(1),
    "dim-scalar": lambda: t(()).size(0),
    "permute": lambda: t(2, 3).permute(0, 2, 1),
    "permute-repeated": lambda: t(2, 3).permute(0, 0),
    "transpose-t": lambda: t(2, 3, 4).t(),
    "expand-size": lambda: t(3, 2).expand(3, 4),
    "expand-rank": lambda: t(3, 2, 2).expand(3, 4),
    "repeat-rank": lambda: t(3, 2).repeat(2),
    "unflatten": lambda: t(2, 10).unflatten(1, (3, 4)),
    "split": lambda: t(10).split([3, 4]),
    "chunk-unpack": lambda: t(2, 3).unbind(5),
    "conv-channels": lambda: nn.Conv2d(3, 8, 3)(t(4, 1, 28, 28)),
    "conv1d-channels": lambda: nn.Conv1d(16, 8, 3)(t(4, 50, 16)),
    "conv-rank": lambda: nn.Conv2d(3, 8, 3)(t(28, 28)),
    "conv1d-rank": lambda: nn.Conv1d(3, 8, 3)(t(2, 3, 5, 5)),
    "conv-kernel": lambda: nn.Conv2d(3, 8, 5)(t(1, 3, 3, 3)),
    "conv-transpose-channels": lambda: nn.ConvTranspose2d(16, 8, 2)(t(1, 8, 4, 4)),
    "conv-groups": lambda: nn.Conv2d(3, 8, 3, groups=2),
    "pool-small": lambda: nn.MaxPool2d(4)(t(1, 3, 2, 2)),
    "pool-rank": lambda: nn.MaxPool2d(2)(t(3, 4)),
    "adaptive-pool-rank": lambda: nn.AdaptiveAvgPool2d(1)(t(3, 4)),
    "max-unpool": lambda: nn.ReflectionPad2d(3)(t(1, 1, 2, 2)),
    "batchnorm-features": lambda: nn.BatchNorm1d(64)(t(4, 36, 64)),
    "batchnorm-rank": lambda: nn.BatchNorm2d(3)(t(4, 3)),
    "batchnorm1d-rank": lambda: nn.BatchNorm1d(3)(t(4, 3, 5, 5)),
    "batchnorm-one": lambda: nn.BatchNorm1d(3)(t(1, 3)),
    "layernorm": lambda: nn.LayerNorm(64)(t(4, 32)),
    "groupnorm": lambda: nn.GroupNorm(4, 8)(t(2, 6, 5)),
    "groupnorm-divide": lambda: nn.GroupNorm(4, 6),
    "instancenorm": lambda: nn.InstanceNorm2d(3)(t(1, 3, 1, 1)),
    "embedding-range": lambda: nn.Embedding(10, 4)(torch.tensor([12])),
    "embedding-float": lambda: nn.Embedding(10, 4)(t(3)),
    "index-range": lambda: t(5)[torch.tensor([7])],
    "index-int-range": lambda: t(5, 3)[7],
    "index-too-many": lambda: t(5)[0, 1],
    "index-mask": lambda: t(5)[torch.zeros(4, dtype=torch.bool)],
    "index-broadcast": lambda: t(5, 5)[torch.tensor([0, 1]), torch.tensor([0, 1, 2])],
    "index-float": lambda: t(5)[t(2)],
    "gather-rank": lambda: t(3, 4).gather(1, ids(3)),
    "gather-size": lambda: t(3, 4).gather(1, ids(5, 2)),
    "gather-range": lambda: t(3, 4).gather(1, ids(3, 2) + 9),
    "scatter-size": lambda: t(3, 4).scatter_(1, ids(3, 2), t(2, 2)),
    "index-select": lambda: t(3, 4).index_select(0, ids(2, 2)),
    "one-hot": lambda: F.one_hot(torch.tensor([5]), 3),
    "setitem": lambda: t(4, 3).__setitem__(0, t(2)),
    "lstm-input": lambda: nn.LSTM(8, 4)(t(5, 2, 11)),
    "lstm-rank": lambda: nn.LSTM(8, 4)(t(1, 5, 2, 8)),
    "lstm-hidden": lambda: nn.LSTM(8, 4)(t(5, 2, 8), (t(1, 3, 4), t(1, 3, 4))),
    "lstm-hidden-rank": lambda: nn.LSTM(8, 4)(t(5, 2, 8), (t(1, 4), t(1, 4))),
    "gru-hidden": lambda: nn.GRU(8, 4)(t(5, 2, 8), t(1, 3, 4)),
    "gru-rank": lambda: nn.GRU(8, 4)(t(1, 5, 2, 8)),
    "lstm-cell": lambda: nn.LSTMCell(8, 4)(t(2, 7)),
    "lstm-cell-hidden": lambda: nn.LSTMCell(8, 4)(t(2, 8), (t(3, 4), t(3, 4))),
    "pack-lengths": lambda: packed([5, 4], 3),
    "pack-sorted": lambda: packed([4, 5], 2),
    "pack-zero": lambda: packed([5, 0], 2),
    "heads": lambda: nn.MultiheadAttention(30, 8),
    "attention-embed": lambda: attention(x=t(5, 3, 6)),
    "attention-padding": lambda: attention(key_padding_mask=torch.zeros(5, 3, dtype=torch.bool)),
    "attention-mask": lambda: attention(attn_mask=t(3, 3)),
    "attention-mask-3d": lambda: attention(attn_mask=t(3, 5, 5)),
    "encoder-batch": lambda: nn.Transformer(8, 2, 1, 1)(t(5, 3, 8), t(5, 4, 8)),
    "encoder-features": lambda: nn.Transformer(8, 2, 1, 1)(t(5, 3, 8), t(5, 3, 6)),
    "sdpa": lambda: F.scaled_dot_product_attention(t(2, 4, 8), t(2, 5, 6), t(2, 5, 8)),
    "ce-batch": lambda: F.cross_entropy(t(4, 10), ids(16)),
    "ce-multi-target": lambda: F.cross_entropy(t(20, 2), ids(20, 1)),
    "ce-spatial": lambda: F.cross_entropy(t(4, 12, 100), ids(4, 100)),
    "ce-spatial-only": lambda: F.cross_entropy(t(4, 5, 8, 8), ids(4, 1, 8, 8)),
    "ce-range": lambda: F.cross_entropy(t(4, 3), ids(4) + 3),
    "ce-float": lambda: F.cross_entropy(t(4, 3), t(4)),
    "ce-onehot-shape": lambda: F.cross_entropy(t(4, 3), t(4, 5)),
    "ce-onehot-integers": lambda: F.cross_entropy(t(4, 3), ids(4, 3)),
    "nll-onehot": lambda: F.nll_loss(t(4, 3), t(4, 3)),
    "nll-rank": lambda: F.nll_loss(t(3), ids(4)),
    "ce-weight": lambda: F.cross_entropy(t(4, 3), ids(4), weight=t(5)),
    "bce-size": lambda: F.binary_cross_entropy(t(4, 1), t(4)),
    "bce-logits-size": lambda: F.binary_cross_entropy_with_logits(t(4, 1), t(4)),
    "bce-range": lambda: F.binary_cross_entropy(t(4) + 2.0, t(4)),
    "bce-int": lambda: F.binary_cross_entropy(t(4), ids(4)),
    "mse-size": lambda: F.mse_loss(t(4, 3), t(4, 2)),
    "margin-ranking": lambda: nn.MarginRankingLoss(1.0)(t(1, 1), t(1, 1), t(1)),
    "cosine-embedding": lambda: nn.CosineEmbeddingLoss()(t(3, 4), t(3, 4), t(3, 1)),
    "triplet": lambda: nn.TripletMarginLoss()(t(3, 4), t(3, 4), t(3, 4, 1)),
    "kl-size": lambda: F.kl_div(t(4, 3), t(4, 2)),
    "ctc-lengths": lambda: F.ctc_loss(t(5, 2, 4), ids(2, 3), torch.tensor([6, 5]), torch.tensor([3, 3])),
    "ctc-targets": lambda: F.ctc_loss(t(5, 2, 4), ids(2, 3), torch.tensor([5, 5]), torch.tensor([4, 3])),
    "gaussian-nll": lambda: F.gaussian_nll_loss(t(4, 3), t(4, 3), t(4, 2)),
    "multilabel-margin": lambda: F.multi_margin_loss(t(4, 3), ids(5)),
    "margin-float": lambda: F.multi_margin_loss(t(4, 3), t(4)),
    "einsum-size": lambda: torch.einsum("ij,jk->ik", t(2, 3), t(4, 5)),
    "einsum-rank": lambda: torch.einsum("ijk->i", t(2, 3)),
    "einsum-count": lambda: torch.einsum("ij,jk", t(2, 3)),
    "einsum-output": lambda: torch.einsum("ij->ik", t(2, 3)),
    "collate": lambda: collate(t(3, 4), t(3, 5)),
    "collate-numpy": lambda: collate([1, 2], [1, 2, 3]),
    "ragged-tensor": lambda: torch.tensor([[1, 2], [3]]),
    "tensor-of-tensors": lambda: torch.tensor([t(2), t(2)]),
    "checkpoint-size": checkpoint,
    "checkpoint-keys": missing_keys,
    "dtype-linear": lambda: nn.Linear(3, 2)(t(4, 3, dtype=torch.float64)),
    "dtype-conv": lambda: nn.Conv2d(3, 8, 3)(torch.zeros(1, 3, 8, 8, dtype=torch.uint8)),
    "dtype-result": lambda: ids(3).add_(t(3) + 0.5),
    "device-conv": lambda: nn.Linear(3, 2)(torch.zeros(4, 3, device="meta")),
    "scalar-item": lambda: t(3).item(),
    "bool-ambiguous": lambda: bool(t(3) > 0),
    "only-integer": lambda: range(t(3)),
    "backward-nonscalar": lambda: (torch.ones(3, requires_grad=True) * 2).backward(),
    "backward-nograd": lambda: t(3).sum().backward(),
    "backward-twice": second_backward,
    "backward-inplace": inplace,
    "numpy-grad": lambda: torch.ones(3, requires_grad=True).numpy(),
    "leaf-inplace": lambda: torch.ones(3, requires_grad=True).add_(1),
    "unpack": lambda: (lambda: [0 for a, b in [t(3)]])(),
    "pixel-shuffle": lambda: nn.PixelShuffle(2)(t(1, 6, 4, 4)),
    "interpolate": lambda: F.interpolate(t(3, 8, 8), size=(16, 16)),
    "cdist": lambda: torch.cdist(t(3, 4), t(3, 5)),
    "cosine": lambda: F.cosine_similarity(t(4, 3), t(4, 2)),
    "normal-size": lambda: torch.normal(t(3), torch.ones(2)),
    "distribution": lambda: torch.distributions.Normal(t(3), torch.ones(3)).log_prob(t(2)),
    "categorical": lambda: torch.distributions.Categorical(logits=t(4, 3)).log_prob(ids(5)),
    "cross-dim": lambda: torch.linalg.cross(t(2, 4), t(2, 4)),
    "inverse": lambda: torch.linalg.inv(t(2, 3)),
    "multinomial": lambda: torch.multinomial(t(2, 3, 4), 1),
    "topk": lambda: t(3).topk(5),
    "arange-narrow": lambda: t(5).narrow(0, 3, 4),
    "squeeze-range": lambda: t(3, 1).squeeze(2),
    "flatten-order": lambda: t(2, 3, 4).flatten(2, 1),
    "bilinear": lambda: nn.Bilinear(3, 4, 5)(t(2, 3), t(2, 5)),
    "module-args": lambda: nn.Linear(3, 2)(),
    "empty-stack": lambda: torch.stack([]),
    "empty-cat": lambda: torch.cat([]),
    "negative": lambda: torch.zeros(2, -3),
    "gradient-shape": lambda: (torch.ones(3, requires_grad=True) * 2).backward(torch.ones(2)),
    "mean-long": lambda: ids(3).mean(),
    "grad-long": lambda: torch.tensor([1, 2], requires_grad=True),
    "pad-missing": lambda: tokenizer()(["a b", "a"], padding=True),
    "pad-forgotten": lambda: tokenizer("a")(["a b", "a"], return_tensors="pt"),
    "array-broadcast": lambda: np.zeros((3, 4)) + np.zeros((4, 3)),
    "array-assign": lambda: np.zeros((2, 3)).__setitem__(slice(None), np.zeros(4)),
    "array-dot": lambda: np.zeros((2, 3)).dot(np.zeros((2, 3))),
    "array-matmul": lambda: np.zeros((2, 3)) @ np.zeros((2, 3)),
    "array-reshape": lambda: np.zeros(100).reshape(3, 28),
    "samples": samples,
    "stack-tensor": lambda: torch.cat(t(3), t(4)),
    "stack-list": lambda: torch.stack([[1, 2], [3, 4]]),
    "collate-none": lambda: collate(None, None),
    "softmax-long": lambda: ids(3).softmax(0),
    "two-free": lambda: t(4, 6).view(-1, -1),
    "take": lambda: t(3).take(ids(1) + 7),
    "outer": lambda: torch.outer(t(2, 2), t(3)),
    "std-long": lambda: ids(3).std(),
    "argmax-empty": lambda: t(0, 3).argmax(0),
    "kth": lambda: t(3).kthvalue(5),
    "tensor-data-set": lambda: torch.utils.data.TensorDataset(t(3), t(4)),
    "interpolate-mode": lambda: F.interpolate(t(1, 1, 4, 4), size=(8, 8), mode="linear"),
    "rms-norm": lambda: nn.RMSNorm(4)(t(2, 5)),
    "tensordot": lambda: torch.tensordot(t(2, 3), t(4, 5), 1),
    "vmap": lambda: torch.vmap(lambda a, b: a @ b)(t(3, 2), t(4, 2)),
    "no-parameters": lambda: torch.optim.SGD([], 0.1),
    "deepcopy": lambda: copy.deepcopy(torch.ones(3, requires_grad=True) * 2),
    "split-lengths": lambda: torch.utils.data.random_split(range(10), [7, 2]),
    "tuple-attribute": lambda: nn.Linear(4, 2)(nn.LSTM(3, 4)(t(5, 2, 3))),
}


def message(name: str) -> str:
    """`RuntimeError: …` as Python prints it. Raises `AssertionError` where the call no longer fails."""
    try:
        CALLS[name]()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    raise AssertionError(f"{name} does not fail with this torch")
