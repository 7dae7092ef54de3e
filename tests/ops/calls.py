"""Calls of the operators on tensors without values, every axis of another size: `name: (function, args, kwargs)`."""

from __future__ import annotations

import torch
import torch.nn.functional as F


def meta(*sizes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """A tensor of this shape that has no values."""
    return torch.empty(sizes, device="meta", dtype=dtype)


X, Y = meta(3, 5, 7), meta(5, 7)
ROWS = meta(11, dtype=torch.int64)
CALLS: dict[str, tuple] = {
    "linear": (F.linear, (X, meta(13, 7), meta(13)), {}),
    "bilinear": (F.bilinear, (meta(3, 5), meta(3, 7), meta(13, 5, 7)), {}),
    "matmul": (torch.matmul, (meta(3, 5, 7), meta(7, 11)), {}),
    "mm": (torch.mm, (meta(5, 7), meta(7, 11)), {}),
    "bmm": (torch.bmm, (meta(3, 5, 7), meta(3, 7, 11)), {}),
    "mv": (torch.mv, (meta(5, 7), meta(7)), {}),
    "addmm": (torch.addmm, (meta(5, 11), meta(5, 7), meta(7, 11)), {}),
    "baddbmm": (torch.baddbmm, (meta(3, 5, 11), meta(3, 5, 7), meta(3, 7, 11)), {}),
    "outer": (torch.outer, (meta(5), meta(7)), {}),
    "einsum": (torch.einsum, ("bij,jk->bik", meta(3, 5, 7), meta(7, 11)), {}),
    "conv1d": (F.conv1d, (meta(3, 5, 17), meta(11, 5, 2)), {}),
    "conv2d": (F.conv2d, (meta(3, 5, 17, 19), meta(11, 5, 2, 4)), {}),
    "conv_transpose2d": (F.conv_transpose2d, (meta(3, 5, 17, 19), meta(5, 11, 2, 4)), {}),
    "max_pool2d": (F.max_pool2d, (meta(3, 5, 17, 29), 2), {}),
    "adaptive_avg_pool2d": (F.adaptive_avg_pool2d, (meta(3, 5, 17, 19), (2, 4)), {}),
    "pad": (F.pad, (X, (1, 2)), {}),
    "interpolate": (F.interpolate, (meta(3, 5, 17), 23), {}),
    "embedding": (F.embedding, (meta(3, 5, dtype=torch.int64), meta(11, 7)), {}),
    "softmax": (torch.softmax, (X, 1), {}),
    "layer_norm": (F.layer_norm, (X, (7,)), {}),
    "relu": (torch.relu, (X,), {}),
    "add": (torch.add, (X, Y), {}),
    "masked_fill": (torch.masked_fill, (X, meta(5, 7, dtype=torch.bool), 0.0), {}),
    "where": (torch.where, (meta(5, 7, dtype=torch.bool), X, Y), {}),
    "sum": (torch.sum, (X, 1), {}),
    "mean": (torch.mean, (X,), {"dim": (0, 2)}),
    "amax": (torch.amax, (X, 1, True), {}),
    "max": (torch.max, (X, 1), {}),
    "argmax": (torch.argmax, (X,), {"dim": -1}),
    "std": (torch.std, (X,), {"dim": 0}),
    "logsumexp": (torch.logsumexp, (X, 1), {}),
    "norm": (torch.norm, (X,), {"dim": 1}),
    "topk": (torch.topk, (X, 2), {"dim": 1}),
    "sort": (torch.sort, (X, 1), {}),
    "cosine_similarity": (F.cosine_similarity, (X, meta(3, 5, 7)), {"dim": 1}),
    "pairwise_distance": (F.pairwise_distance, (X, meta(3, 5, 7)), {}),
    "cdist": (torch.cdist, (meta(3, 5, 7), meta(3, 11, 7)), {}),
    "view": (torch.Tensor.view, (X, 15, 7), {}),
    "reshape": (torch.reshape, (X, (3, 35)), {}),
    "flatten": (torch.flatten, (X, 1), {}),
    "permute": (torch.permute, (X, (2, 0, 1)), {}),
    "transpose": (torch.transpose, (X, 0, 2), {}),
    "t": (torch.t, (Y,), {}),
    "movedim": (torch.movedim, (X, 0, 2), {}),
    "unsqueeze": (torch.unsqueeze, (X, 1), {}),
    "squeeze": (torch.squeeze, (meta(3, 1, 7),), {}),
    "expand": (torch.Tensor.expand, (meta(3, 1, 7), 3, 5, 7), {}),
    "repeat": (torch.Tensor.repeat, (Y, 2, 1, 3), {}),
    "repeat_interleave": (torch.repeat_interleave, (X, 2), {"dim": 1}),
    "unfold": (torch.Tensor.unfold, (meta(3, 17), 1, 2, 3), {}),
    "narrow": (torch.narrow, (X, 1, 0, 2), {}),
    "select": (torch.select, (X, 1, 0), {}),
    "unbind": (torch.unbind, (X, 1), {}),
    "split": (torch.split, (X, 2, 1), {}),
    "chunk": (torch.chunk, (X, 2, 2), {}),
    "cat": (torch.cat, ([X, meta(3, 11, 7)], 1), {}),
    "hstack": (torch.hstack, ([X, meta(3, 11, 7)],), {}),
    "stack": (torch.stack, ([X, X], 1), {}),
    "index_select": (torch.index_select, (X, 1, ROWS), {}),
    "gather": (torch.gather, (X, 1, meta(3, 11, 7, dtype=torch.int64)), {}),
    "scaled_dot_product_attention": (
        F.scaled_dot_product_attention,
        (meta(2, 3, 5, 7), meta(2, 3, 11, 7), meta(2, 3, 11, 13)),
        {},
    ),
    "lstm_cell": (torch.lstm_cell, (meta(3, 5), (meta(3, 7), meta(3, 7)), meta(28, 5), meta(28, 7)), {}),
    "zeros": (torch.zeros, (3, 5), {"device": "meta"}),
    "ones_like": (torch.ones_like, (X,), {}),
    "cumsum": (torch.cumsum, (X, 1), {}),
    "flip": (torch.flip, (X, (1,)), {}),
}
INDICES = {
    "integer": (0,),
    "slice": (slice(None), slice(1, 3)),
    "ellipsis": (Ellipsis, 0),
    "new": (None, slice(None), None),
    "rows": (slice(None), ROWS),
    "listed": ([0, 1],),
    "two": (meta(11, dtype=torch.int64), meta(11, dtype=torch.int64)),
}
