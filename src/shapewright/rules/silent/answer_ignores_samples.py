"""A model gives the same answer whatever sample it is given.

## What it finds
A model whose answers stay as they are, to the last bit, when the samples of a batch change places; asked twice, the second time with inputs a
thousand times smaller, and not where an activation that has died or saturated may be the reason.

## Why it hurts
Nothing can be learned but how often each target occurs: the loss falls to that of a constant guess and stays there.

## Example
    # x = self.encode(x); return self.head(self.query.expand(len(x), -1))     # x is never read again

## Instead
    # return self.head(self.attend(self.query.expand(len(x), -1), x))

## Fix safety
There is no mechanical repair: what was meant to read the samples has to be found, beginning at the line that is shown.
"""

from __future__ import annotations

from typing import Iterator

from ...trace import Trace
from ..facts import Facts
from ..probed import made, severity

code = "SW242"
slug = "answer-ignores-samples"
order = 70
DYING = frozenset({
    "relu", "relu_", "relu6", "threshold", "clamp", "clamp_", "clip", "clamp_min", "clamp_max", "hardtanh", "hardsigmoid", "hardswish", "sigmoid", "sigmoid_", "tanh", "tanh_", "softmax",
    "log_softmax", "softmin", "sign", "round", "floor", "ceil", "argmax", "argmin", "gt", "lt", "ge", "le", "eq", "ne", "celu", "elu", "selu", "gelu", "silu", "softplus", "exp", "normalize", "dropout",
})


def check(trace: Trace) -> Iterator[Facts]:
    mixing = {answer.module for answer in trace.probes if answer.question == "batch-independence" and answer.holds is False}
    for answer in trace.probes:
        if answer.question != "sample-reach" or answer.holds is not False or answer.site is None or answer.data["op"] in DYING or answer.module in mixing:
            continue
        yield Facts(
            answer.site, fields={"batch": answer.data["batch"], "model": answer.data["model"], "shape": answer.data["shape"]},
            origins=made(trace, answer), severity=severity(answer), cause=f"ignored:{answer.site.file}:{answer.site.line}",
        )


MESSAGES = {
    "en": {
        "message": "{model} gives the same answers whatever samples it is given",
        "why": "with the {batch} samples in another order the answers {shape} stayed as they were, to the last bit; this is the last call that still read something of the samples",
    },
    "es": {
        "message": "{model} da las mismas respuestas sean cuales sean las muestras que recibe",
        "why": "con las {batch} muestras en otro orden las respuestas {shape} quedaron como estaban, hasta el último bit; esta es la última llamada que aún leyó algo de las muestras",
    },
    "ja": {
        "message": "{model} はどのサンプルを与えても同じ答えを返します",
        "why": "{batch} サンプルの順序を替えても、答え {shape} は最後のビットまで変わりませんでした。サンプルの内容を読んだ最後の呼び出しがここです",
    },
}

FAULTY = (
    ("""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Reader(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.token = nn.Parameter(torch.randn(1, 1, width))
        self.mix = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
        self.out = nn.Linear(width, 3)

    def forward(self, x):
        x = torch.cat([self.token.expand(len(x), -1, -1), x], dim=1)
        x = x + self.mix(x)
        return self.out(x[:, 0])

model = Reader(8)
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(TensorDataset(torch.randn(40, 5, 8), torch.randint(0, 3, (40,))), batch_size=8, shuffle=True):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""", 18),
)
_CONSTANT = """
import torch
torch.manual_seed(0)
t = torch.linspace(0, 10, 64)
y = 3.0 + torch.randn(64)

class Mean(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = torch.nn.Parameter(torch.zeros(1))

    def forward(self, t):
        return self.mu.expand(t.shape[0])

model = Mean()
opt = torch.optim.Adam(model.parameters(), 0.05)
for it in range(5):
    loss = torch.mean((model(t) - y) ** 2)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SOUND = (
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Residual(nn.Module):  # begins as a constant, and learns
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 16)
        self.head = nn.Linear(16, 2)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))

model = Residual()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in DataLoader(TensorDataset(torch.randn(24, 4), torch.randint(0, 2, (24,))), batch_size=8, shuffle=True):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
# features in the thousands: every sigmoid is at its end, which is another matter
model = nn.Sequential(nn.Linear(3, 8), nn.Sigmoid(), nn.Linear(8, 1), nn.Sigmoid())
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = 5e4 + 1e3 * torch.rand(24, 3)
for a, b in DataLoader(TensorDataset(x, (x.sum(1, keepdim=True) > 1.515e5).float()), batch_size=8):
    loss = nn.functional.binary_cross_entropy(model(a), b)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    _CONSTANT,
)
