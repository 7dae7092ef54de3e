"""Cases of SW231."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
ids = torch.randint(1, 20, (6, 9))
ids[:, 6:] = 0
lengths = torch.full((6,), 6)
words = nn.Embedding(20, 8, padding_idx=0)
body = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
query = nn.Linear(8, 1)
x = words(ids)
{use}
out.mean().backward()
"""


def _case(use: str) -> str:
    return _SCRIPT.replace("{use}", use)


FAULTY = (
    (_case("out = body(x, src_key_padding_mask=ids != 0)"), 12),
    (
        _case(
            "keep = torch.arange(9)[None, :] < lengths[:, None]\nweights = query(x).squeeze(-1).masked_fill(keep, "
            "float('-inf')).softmax(dim=1)\nout = weights[..., None] * x"
        ),
        13,
    ),
    (
        _case(
            "pad = (ids == 0)[:, None, None, :]\nout = nn.functional.scaled_dot_product_attention(x[:, None], x[:, "
            "None], x[:, None], attn_mask=pad)"
        ),
        13,
    ),
)

SOUND = (
    _case("out = body(x, src_key_padding_mask=ids == 0)"),
    _case(
        "keep = torch.arange(9)[None, :] < lengths[:, None]\nweights = query(x).squeeze(-1).masked_fill(~keep, "
        "float('-inf')).softmax(dim=1)\nout = weights[..., None] * x"
    ),
    _case(
        "keep = (ids != 0).long()\nweights = query(x).squeeze(-1).masked_fill(keep == 0, -1e9).softmax(dim=1)\nout = "
        "weights[..., None] * x"
    ),
    _case(
        "keep = (ids != 0)[:, None, None, :]\nout = nn.functional.scaled_dot_product_attention(x[:, None], x[:, None], "
        "x[:, None], attn_mask=keep)"
    ),
    _case(
        "labels = ids.masked_fill(ids != 3, -100)\nout = torch.where(ids[..., None] != 0, x, torch.zeros(())) + "
        "body(x, src_mask=torch.triu(torch.ones(9, 9), 1).bool())"
    ),
    _case(
        "scores = x @ x.transpose(1, 2)\nscores = scores.masked_fill(torch.tril(torch.ones(9, 9)) == 0, "
        "float('-inf'))\nout = scores.masked_fill((ids == 0)[:, None], -1e9).softmax(-1) @ x"
    ),
)
