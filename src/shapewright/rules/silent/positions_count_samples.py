"""Positions are counted along the batch instead of along time.

## What it finds
Position numbers, or a slice of a table of positions, whose length is the number of samples, so that a sample's answer depends on its
place in the batch.

## Why it hurts
Every token of a sequence gets the same position, and the same sequence is encoded differently in another place of the batch.

## Example
    # pos = torch.arange(x.size(0)).unsqueeze(1) for tokens (batch, time); x + self.pe[:x.size(0)] for (batch,
    # time, dim).

## Instead
    # torch.arange(x.size(1)).unsqueeze(0); x + self.pe[:, :x.size(1)] with a table (1, max_len, dim).

## Fix safety
Safe where the input is `(batch, time, ...)`.
"""

from __future__ import annotations

from typing import Iterator

from ...trace import Trace
from ..facts import Facts
from ..probed import line_of, mixed, numbers, severity

code = "SW254"
slug = "positions-count-samples"


def check(trace: Trace) -> Iterator[Facts]:
    for answer in mixed(trace, "placing"):
        yield Facts(answer.site, fields={"source": line_of(trace, answer.site), **numbers(answer)}, severity=severity(answer),
                    cause=f"mixed:{answer.site.file}:{answer.site.line}", hint={"op": answer.data["op"]})


MESSAGES = {
    "en": {
        "message": "positions are counted over the {batch} samples: a sample's output depends on its place in the batch",
        "why": "`{source}` is as long as the batch; when the first sample was left out, every other moved up by one and its output changed",
    },
    "es": {
        "message": "las posiciones se cuentan sobre las {batch} muestras: la salida de una muestra depende de su lugar en el lote",
        "why": "`{source}` mide lo que el lote; al quitar la primera muestra, las demás avanzaron un lugar y su salida cambió",
    },
    "ja": {
        "message": "位置が {batch} 個のサンプルに沿って数えられ、サンプルの出力がバッチ内の順番に左右されます",
        "why": "`{source}` の長さはバッチの大きさです。先頭のサンプルを除くと、残りは一つずつ前にずれ、出力が変わりました",
    },
}

FAULTY = (
    ("""
import math
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Places(nn.Module):
    def __init__(self, dim, longest=100):
        super().__init__()
        at = torch.arange(longest).unsqueeze(1)
        rate = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        table = torch.zeros(longest, 1, dim)
        table[:, 0, 0::2] = torch.sin(at * rate)
        table[:, 0, 1::2] = torch.cos(at * rate)
        self.register_buffer("table", table)

    def forward(self, x):
        return x + self.table[:x.size(0)]

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(50, 16), Places(16)
        self.body = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.body(self.places(self.words(x))).mean(dim=1))

data = TensorDataset(torch.randint(0, 50, (40, 8)), torch.randint(0, 3, (40,)))
model = Reader()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(data, batch_size=10):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""", 20),
)
SOUND = (
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(50, 16), nn.Embedding(20, 16)
        self.table = nn.Parameter(torch.randn(20, 1, 16))
        self.body = nn.TransformerEncoderLayer(16, 2, 32)
        self.head = nn.Linear(16, 3)

    def forward(self, x, lengths):
        h = self.words(x) + self.places(torch.arange(x.size(1)))
        h = h.transpose(0, 1)
        h = self.body(h + self.table[:h.size(0)]).transpose(0, 1)
        return self.head(h[torch.arange(x.size(0)), lengths - 1])

data = TensorDataset(torch.randint(0, 50, (40, 8)), torch.randint(1, 9, (40,)), torch.randint(0, 3, (40,)))
model = Reader()
opt = torch.optim.Adam(model.parameters())
for x, n, y in DataLoader(data, batch_size=10):
    loss = nn.functional.cross_entropy(model(x, n), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
