"""Two tensors whose rows stand for samples are joined though their rows come in different orders.

## What it finds
An operator inside a model that lays two tensors beside each other of which each alone keeps its samples apart, while the result mixes
them: the rows of one run sample by sample, those of the other copy by copy.

## Why it hurts
Rows of different samples are added or concatenated; sizes agree, so nothing raises.

## Example
    torch.cat([x.repeat(k, 1), y.repeat_interleave(k, 0)], dim=1)

## Instead
    # the same order on both sides: repeat_interleave twice, or repeat twice.

## Fix safety
The order must be that in which the result is read afterwards.
"""

from __future__ import annotations

from typing import Iterator

from ...trace import Trace
from ..facts import Facts
from ..probed import evidence, line_of, mixed, numbers, severity

code = "SW255"
slug = "samples-joined-in-two-orders"
order = 60


def check(trace: Trace) -> Iterator[Facts]:
    for answer in mixed(trace, "joining"):
        yield Facts(answer.site, why=evidence(answer), fields={"source": line_of(trace, answer.site), **numbers(answer)}, severity=severity(answer),
                    cause=f"copies:{answer.site.file}:{answer.site.line}", hint={"op": answer.data["op"]})


MESSAGES = {
    "en": {
        "message": "`{source}` joins rows of different samples: its operands hold the {batch} samples in different orders",
        "why": "each operand keeps the samples apart, the result does not: another sample in place 0 changed the outputs of {changed} of the {of} others (by up to {largest})",
        "alone": "each operand keeps the samples apart, the result does not: without some of the samples the outputs of the others change",
    },
    "es": {
        "message": "`{source}` une filas de muestras distintas: sus operandos tienen las {batch} muestras en órdenes diferentes",
        "why": "cada operando mantiene separadas las muestras, el resultado no: al poner otra en el lugar 0 cambiaron las salidas de {changed} de las otras {of} (hasta {largest})",
        "alone": "cada operando mantiene separadas las muestras, el resultado no: al quitar algunas cambian las salidas de las demás",
    },
    "ja": {
        "message": "`{source}` が別々のサンプルの行を結び付けています。二つのオペランドで {batch} サンプルの並び順が違います",
        "why": "各オペランドではサンプルが分かれていますが、結果では混ざります。サンプル 0 を替えると、ほかの {of} 件中 {changed} 件の出力が変わりました (最大 {largest})",
        "alone": "各オペランドではサンプルが分かれていますが、結果では混ざります。一部のサンプルを除くと残りの出力が変わります",
    },
}

FAULTY = (
    ("""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Matcher(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(5, 6), nn.Linear(4, 6)
        self.head = nn.Linear(12, 1)

    def forward(self, x, options):
        n, k, _ = options.shape
        x = self.left(x).repeat(k, 1)
        options = self.right(options).view(n * k, 6)
        both = torch.cat([x, options], dim=1)
        return self.head(both).view(n, k)

data = TensorDataset(torch.randn(40, 5), torch.randn(40, 3, 4), torch.randint(0, 3, (40,)))
model = Matcher()
opt = torch.optim.Adam(model.parameters())
for x, options, y in DataLoader(data, batch_size=10):
    loss = nn.functional.cross_entropy(model(x, options), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""", 18),
)
SOUND = (
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Matcher(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(5, 6), nn.Linear(4, 6)
        self.head = nn.Linear(12, 1)

    def forward(self, x, options):
        n, k, _ = options.shape
        x = self.left(x).repeat_interleave(k, dim=0)
        options = self.right(options).view(n * k, 6)
        both = torch.cat([x, options], dim=1)
        copies = both.repeat(2, 1).view(2, n, k, 12).mean(dim=0)
        return self.head(copies).squeeze(-1)

data = TensorDataset(torch.randn(40, 5), torch.randn(40, 3, 4), torch.randint(0, 3, (40,)))
model = Matcher()
opt = torch.optim.Adam(model.parameters())
for x, options, y in DataLoader(data, batch_size=10):
    loss = nn.functional.cross_entropy(model(x, options), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
