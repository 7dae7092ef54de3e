"""A value is taken out of the graph between parameters and loss.

## What it finds
Parameters that an optimiser holds and that never receive a gradient, because what they computed was detached (`.detach()`, `.data`,
`.item()`, `.numpy()`, `torch.tensor(...)`, an index chosen by `argmax`) on its way to the loss.

## Why it hurts
Those parameters never learn. The rest may train around them, so the loss can fall all the same.

## Example
    loss = criterion(torch.tensor(model(x).tolist(), requires_grad=True), y)

## Instead
    # give the loss the tensor itself; detach copies for logging only.

## Fix safety
Safe where the detached value is used for nothing but the loss.
"""

from __future__ import annotations

from typing import Iterator

from ...trace import Event, ProbeFact, Trace
from ..facts import Facts
from ..flow import operands, tensors
from ..training import ancestors, descendants, losses, of_kind, place

code = "SW303"
slug = "gradient-cut"
order = 20
CUTS = {"detach": ".detach()", "detach_": ".detach_()", "data": ".data", "item": ".item()", "tolist": ".tolist()", "numpy": ".numpy()", "array": "NumPy"}
CHOICES = frozenset({"argmax", "argmin", "round", "sign", "floor", "ceil", "gt", "lt", "ge", "le", "eq", "long", "int", "bool", "heaviside"})
MAKERS = frozenset({"tensor", "as_tensor", "from_numpy", "Tensor", "FloatTensor", "new_tensor", "full", "scalar_tensor"})


def check(trace: Trace) -> Iterator[Facts]:
    told = set()
    for answer in trace.probes:
        if answer.question != "gradient-reach" or answer.data.get("kind") != "starved":
            continue
        cut = _cut(trace, answer)
        if cut is None or cut.site is None or cut.site in told:
            continue
        told.add(cut.site)
        first = next(losses(trace), None)
        calls = [s.site for s in of_kind(trace, "forward") if s.data["module"] == answer.module][:1]
        yield Facts(
            cut.site, fields={"how": CUTS.get(cut.op, cut.op), "model": answer.data["model"], "count": answer.data["parameters"]},
            origins=tuple(o for site in calls for o in place(trace, site)) + (place(trace, first[0].site) if first else ()) + place(trace, answer.site, "constructor"),
            severity="error" if answer.data.get("whole") else "warning", cause="empty-step" if answer.data.get("whole") else f"cut:{cut.site.line}", hint={"event": cut.index},
        )


def _cut(trace: Trace, answer: ProbeFact) -> Event | None:
    """The operator that took the value out of the graph on the way from the model's answer to a loss."""
    given = [fact for s in of_kind(trace, "forward") if s.data["module"] == answer.module for fact in tensors(s.data["result"])]
    starved = set(answer.data["modules"])
    inside = [event.index for event in trace.events if starved & set(event.modules) and "grad" in event.flags]
    after = descendants(trace, [fact for fact in given if fact.producer >= 0][:8]) if answer.data.get("whole") else {}
    for index in inside[:40]:
        after |= descendants(trace, [fact for fact in tensors(trace.events[index].result)], 200)
    for step, loss in losses(trace):
        before = ancestors(trace, loss)
        on_the_way = [event for index, event in sorted(before.items()) if index in after]
        found = next((event for event in on_the_way if event.op in CUTS and _differentiable(event)), None)
        if found is None and answer.data.get("whole"):
            found = next((event for event in on_the_way if event.op in CHOICES and _differentiable(event)), None)
        if found is None and not on_the_way:
            made = [event for event in before.values() if event.op in MAKERS and not any(fact.producer >= 0 for fact in operands(event))]
            until = max((event.index for event in made), default=-1)
            taken = [event for index, event in after.items() if event.op in ("item", "tolist", "numpy", "detach", "data") and index < until]
            if not made:  # what NumPy gives back has no event of its own
                taken = [event for index, event in after.items() if event.op in ("tolist", "numpy") and index < loss.producer]
            found = min(taken, key=lambda event: event.index, default=None)
        if found is not None:
            return found
    return None


def _differentiable(event: Event) -> bool:
    return any(fact.requires_grad for fact in operands(event))


MESSAGES = {
    "en": {
        "message": "{how} takes the answer of {model} out of the graph before the loss",
        "why": "{count} parameters that the optimizer holds never received a gradient: backward cannot pass this line",
    },
    "es": {
        "message": "{how} saca del grafo la respuesta de {model} antes de la pérdida",
        "why": "{count} parámetros que tiene el optimizador nunca recibieron gradiente: backward no puede atravesar esta línea",
    },
    "ja": {
        "message": "{how} によって {model} の出力が損失の手前で計算グラフから切り離されています",
        "why": "オプティマイザが持つ {count} 個のパラメータに勾配が一度も届いていません。backward はこの行を越えられません",
    },
}

FAULTY = (
    ("""
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    x = torch.randn(8, 3)
    guess = model(x)
    values = guess.detach().numpy()
    loss = (torch.tensor(values, requires_grad=True) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""", 9),
    ("""
import torch
from torch import nn
encoder, head = nn.Linear(3, 4), nn.Linear(4, 1)
opt = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
for step in range(6):
    x = torch.randn(8, 3)
    code = torch.relu(encoder(x)).data
    loss = (head(code) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""", 8),
)
SOUND = (
    """
import torch
from torch import nn
from torch.nn import functional as F
net, guess = nn.Linear(6, 4), nn.Linear(4, 4)
opt = torch.optim.SGD([*net.parameters(), *guess.parameters()], lr=0.1)
seen = []
for step in range(6):
    a, b = torch.randn(8, 6), torch.randn(8, 6)
    za, zb = net(a), net(b)
    loss = -(F.cosine_similarity(guess(za), zb.detach()).mean() + F.cosine_similarity(guess(zb), za.detach()).mean()) / 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    seen.append(za.detach().numpy().mean() + loss.item())
""",
    """
import torch
from torch import nn

class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.used, self.spare = nn.Linear(3, 4), nn.Linear(4, 1), nn.Linear(4, 9)

    def forward(self, x):
        h = self.body(x)
        return self.used(h), self.spare(h)

model = Two()
opt = torch.optim.Adam(model.parameters())
for step in range(4):
    x = torch.randn(8, 3)
    guess, extra = model(x)
    loss = (guess - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(extra.detach().mean().item())
""",
)
