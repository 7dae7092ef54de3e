"""A layer is made inside `forward`, so each call has a new one with new random weights.

## What it finds
`nn.Linear(...)(x)` and the like within a model's call: in two calls of the same model the layer from that line had different weights, and
gradients were recorded through it.

## Why it hurts
No optimiser ever has the layer: it is thrown away after the step, and the rest of the model learns behind a random map that changes every time.

## Example
    # def forward(self, x): return nn.Linear(64, 10)(self.body(x))

## Instead
    # self.head = nn.Linear(64, 10) in __init__, self.head(self.body(x)) in forward.

## Fix safety
Safe. A layer that is made once, at the first call, and one without random weights (`nn.LayerNorm(d)(x)`, a fixed kernel) are not reported.
"""

from __future__ import annotations

from typing import Iterator

from ...trace import Trace
from ..facts import Facts
from ..training import of_kind, place

code = "SW352"
slug = "layer-made-in-forward"
order = 14


def check(trace: Trace) -> Iterator[Facts]:
    for step in of_kind(trace, "passing"):
        model = trace.modules.get(step.data["owner"])
        if step.site is None or model is None:
            continue
        yield Facts(
            step.site, fields={"layer": step.data["kind"], "count": step.data["parameters"], "model": model.kind},
            origins=place(trace, model.stack[0]) if model.stack else (), cause=f"passing:{step.site.file}:{step.site.line}",
        )


MESSAGES = {
    "en": {
        "message": "{layer} is made anew in every call of {model}: its weights are random each time and never learn",
        "why": "in two calls this line gave {layer} different weights; its {count} parameters receive gradients and are thrown away with it, since no optimizer can have them",
    },
    "es": {
        "message": "{layer} se crea de nuevo en cada llamada de {model}: sus pesos son aleatorios cada vez y nunca aprenden",
        "why": "en dos llamadas esta línea dio a {layer} pesos distintos; sus {count} parámetros reciben gradientes y se tiran con ella, pues ningún optimizador puede tenerlos",
    },
    "ja": {
        "message": "{layer} が {model} の呼び出しごとに作り直されます。重みは毎回乱数で、学習されません",
        "why": "2 回の呼び出しで、この行の {layer} の重みは異なっていました。{count} 個のパラメータに勾配は届きますが、どのオプティマイザにも渡らず捨てられます",
    },
}

FAULTY = (
    ("""
import torch
from torch import nn

class Mixer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))

    def forward(self, x):
        weights = (self.query(x) @ self.key(x).transpose(-1, -2) / x.shape[-1] ** 0.5).softmax(-1)
        mixed = weights @ self.value(x)
        return nn.LayerNorm(x.shape[-1])(x + nn.Linear(x.shape[-1], x.shape[-1])(mixed))

model = nn.Sequential(Mixer(8), nn.Flatten(), nn.Linear(40, 3))
opt = torch.optim.Adam(model.parameters())
for step in range(4):
    x, y = torch.randn(6, 5, 8), torch.randint(0, 3, (6,))
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""", 13),
    ("""
import torch
from torch import nn

def head(features, classes):
    return nn.Sequential(nn.Linear(features.shape[1], 16), nn.ReLU(), nn.Linear(16, classes))(features)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)

    def forward(self, x):
        return head(torch.relu(self.conv(x)).flatten(1), 2)

net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    loss = nn.functional.cross_entropy(net(torch.randn(5, 1, 6, 6)), torch.randint(0, 2, (5,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
""", 6),
)
SOUND = (
    """
import torch
from torch import nn

class Late(nn.Module):  # made once, when the width is known
    def __init__(self):
        super().__init__()
        self.conv, self.heads = nn.Conv2d(1, 4, 3), None

    def forward(self, x):
        x = torch.relu(self.conv(x)).flatten(1)
        if self.heads is None:
            self.heads = nn.ModuleList(nn.Linear(x.shape[1], n) for n in (2, 3))
        return [head(nn.LayerNorm(x.shape[1])(x)) for head in self.heads]

net = Late()
net(torch.randn(2, 1, 6, 6))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    two, three = net(torch.randn(5, 1, 6, 6))
    loss = nn.functional.cross_entropy(two, torch.randint(0, 2, (5,))) + nn.functional.cross_entropy(three, torch.randint(0, 3, (5,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn

class Blurred(nn.Module):  # a fixed kernel in a layer's clothes
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(1, 4, 3)

    def forward(self, x):
        blur = nn.Conv2d(1, 1, 3, padding=1, bias=False)
        blur.weight.data = torch.full((1, 1, 3, 3), 1 / 9)
        return self.body(blur(x)).mean((2, 3))

net = Blurred()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    loss = nn.functional.cross_entropy(net(torch.randn(5, 1, 6, 6)), torch.randint(0, 4, (5,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
