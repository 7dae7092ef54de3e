"""A learned parameter has one place for each sample of a batch.

## What it finds
A class token, a position table or a first state that is an `nn.Parameter` with the batch size among its sizes: the model fails with one sample
less, and works again when the parameter has one place less. Proven by playing the model.

## Why it hurts
Each place of the batch learns numbers of its own, though samples are shuffled among the places; a ragged last batch, a single sample and any other batch
size fail.

## Example
    # self.class_token = nn.Parameter(torch.randn(batch_size, 1, dim))

## Instead
    # self.class_token = nn.Parameter(torch.randn(1, 1, dim)), and self.class_token.expand(len(x), -1, -1) in forward.

## Fix safety
Changes what the model can learn, as intended; saved weights no longer fit. Parameters of a model that sees all its samples in one batch, such as
a code for each sample, are not reported.
"""

from __future__ import annotations

from typing import Iterator

from ...trace import Event, Origin, TensorFact, Trace
from ..facts import Facts
from ..probed import line_of

code = "SW241"
slug = "parameter-sized-by-batch"
order = 30
MOVING = frozenset({"to", "cuda", "cpu", "float", "double", "half", "bfloat16"})


def check(trace: Trace) -> Iterator[Facts]:
    for answer in trace.probes:
        if answer.question != "sized-by-batch" or answer.holds is not False or not 0 <= answer.event < len(trace.events):
            continue
        made = _made(trace, answer.event)
        if made.site is None:
            continue
        data = answer.data
        origins = tuple(Origin("constructor", line_of(trace, site), site) for site in reversed(made.stack[:-1]))
        yield Facts(
            made.site, fields={"name": data["names"][0].rpartition(".")[2], "names": ", ".join(data["names"]), "shape": data["shapes"][0], "batch": data["batch"], "less": data["batch"] - 1, "model": data["model"]},
            origins=origins, cause=f"sized:{made.site.file}:{made.site.line}",
        )


def _made(trace: Trace, index: int) -> Event:
    """The call that made a parameter, before it was moved to a device."""
    event = trace.events[index]
    while event.op in MOVING and isinstance(event.args[0], TensorFact) and 0 <= event.args[0].producer < event.index:
        event = trace.events[event.args[0].producer]
    return event


MESSAGES = {
    "en": {
        "message": "{name} {shape} has one place for each of the {batch} samples of a batch",
        "why": "{model} fails with {less} samples, and works again when {names} has {less} places: each place of the batch learns numbers of its own, and no other batch size fits",
    },
    "es": {
        "message": "{name} {shape} tiene un lugar para cada una de las {batch} muestras de un lote",
        "why": "{model} falla con {less} muestras y vuelve a funcionar cuando {names} tiene {less} lugares: cada lugar del lote aprende números propios y ningún otro tamaño de lote sirve",
    },
    "ja": {
        "message": "{name} {shape} がバッチの {batch} サンプルごとに別の場所を持っています",
        "why": "{model} は {less} サンプルでは失敗し、{names} を {less} 個にすると動きます。バッチ内の位置ごとに別の数値を学習し、ほかのバッチサイズでは使えません",
    },
}

FAULTY = (
    ("""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
batch_size = 8

class Pooler(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.token = nn.Parameter(torch.zeros(batch_size, 1, width))
        self.encoder = nn.TransformerEncoderLayer(width, 2, 32, batch_first=True)
        self.out = nn.Linear(width, 3)

    def forward(self, x):
        return self.out(self.encoder(torch.cat([self.token, x], dim=1))[:, 0])

model = Pooler(12)
opt = torch.optim.Adam(model.parameters())
data = TensorDataset(torch.randn(40, 5, 12), torch.randint(0, 3, (40,)))
for epoch in range(2):
    for x, y in DataLoader(data, batch_size=batch_size, shuffle=True):
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
""", 12),
    ("""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Series(nn.Module):
    def __init__(self, batch, hidden=6):
        super().__init__()
        self.start = nn.Parameter(torch.randn(1, batch, hidden))
        self.gru = nn.GRU(3, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(self.gru(x, self.start)[0][:, -1])

model = Series(10)
opt = torch.optim.Adam(model.parameters())
loader = DataLoader(TensorDataset(torch.randn(35, 7, 3), torch.randn(35, 1)), batch_size=10, shuffle=True, drop_last=True)
for x, y in loader:
    loss = (model(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""", 11),
)
SOUND = (
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Pooler(nn.Module):  # as wide as the batch is long, by chance
    def __init__(self, width):
        super().__init__()
        self.token = nn.Parameter(torch.zeros(1, 1, width))
        self.encoder = nn.TransformerEncoderLayer(width, 2, 32, batch_first=True)
        self.out = nn.Linear(width, 8)

    def forward(self, x):
        return self.out(self.encoder(torch.cat([self.token.expand(len(x), -1, -1), x], dim=1))[:, 0])

model = Pooler(8)
opt = torch.optim.Adam(model.parameters())
data = TensorDataset(torch.randn(40, 5, 8), torch.randint(0, 8, (40,)))
for x, y in DataLoader(data, batch_size=8, shuffle=True):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn

torch.manual_seed(0)

class Codes(nn.Module):  # one code for each shape that there is, all in one batch
    def __init__(self, count):
        super().__init__()
        self.codes = nn.Parameter(0.1 * torch.randn(count, 4))
        self.net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, points):
        return self.net(torch.cat([points, self.codes], dim=1))

points, distance = torch.randn(12, 2), torch.rand(12, 1)
model = Codes(12)
opt = torch.optim.Adam(model.parameters())
for step in range(5):
    loss = (model(points) - distance).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Stateful(nn.Module):  # the state is carried from batch to batch, and is no parameter
    def __init__(self, batch, hidden=6):
        super().__init__()
        self.register_buffer("state", torch.zeros(1, batch, hidden))
        self.gru = nn.GRU(3, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        steps, state = self.gru(x, self.state)
        self.state = state.detach()
        return self.out(steps)

model = Stateful(5)
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(TensorDataset(torch.randn(20, 7, 3), torch.randn(20, 7, 1)), batch_size=5):
    loss = (model(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
