"""A next-token model sees the token that it is to predict.

## What it finds
A loss whose targets are the inputs shifted by one, on a model whose outputs change when later tokens are taken away: a causal mask is
missing, or a recurrent net reads both ways.

## Why it hurts
The model copies the answer from its input. The loss falls to almost nothing; generation, where there is no future, is useless.

## Example
    # nn.TransformerEncoder without mask=... in a language model; nn.LSTM(..., bidirectional=True).

## Instead
    # mask=nn.Transformer.generate_square_subsequent_mask(T), is_causal=True; one direction.

## Fix safety
Safe where the loss is next-token.
"""

from __future__ import annotations

from typing import Iterator

from ...trace import Trace
from ..facts import Facts
from ..probed import line_of, made
from ..training import place

code = "SW259"
slug = "later-tokens-seen"


def check(trace: Trace) -> Iterator[Facts]:
    told = set()
    for answer in trace.probes:
        if answer.question != "causality" or answer.holds is not False or answer.data.get("shift") != 1 or answer.site is None or answer.site in told:
            continue
        told.add(answer.site)
        data = answer.data
        yield Facts(
            answer.site, fields={"source": line_of(trace, answer.site), "model": data["model"], "cut": data["cut"], "steps": data["steps"], "compared": data["compared"],
                                 "largest": f"{data['largest']:.3g}", "scale": f"{data['scale']:.3g}"},
            origins=made(trace, answer) + place(trace, data.get("loss")), cause=f"causal:{answer.module}", hint={"op": data.get("op"), "modules": data.get("modules", ())},
        )


MESSAGES = {
    "en": {
        "message": "{model} is trained to predict the next token and can see it: `{source}` looks ahead",
        "why": "all {compared} targets are the input one step later; with the tokens after step {cut} of {steps} taken away, the outputs before it moved by up to {largest} (of {scale})",
    },
    "es": {
        "message": "{model} se entrena para predecir el siguiente token y puede verlo: `{source}` mira hacia delante",
        "why": "los {compared} objetivos son la entrada un paso después; al quitar los tokens posteriores al paso {cut} de {steps}, las salidas anteriores se movieron hasta {largest} (de {scale})",
    },
    "ja": {
        "message": "{model} は次のトークンを予測する訓練なのに、`{source}` がその先を見ています",
        "why": "{compared} 個のターゲットはすべて入力を 1 ステップずらしたものです。全 {steps} ステップのうち {cut} より後を除くと、それより前の出力が最大 {largest} (出力の大きさは {scale}) 変わりました",
    },
}

FAULTY = (
    ("""
import torch
from torch import nn

torch.manual_seed(0)
V = 25

class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.places = nn.Embedding(V, 16), nn.Embedding(32, 16)
        self.body = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.out = nn.Linear(16, V)

    def forward(self, ids):
        h = self.emb(ids) + self.places(torch.arange(ids.size(1)))
        return self.out(self.body(h))

model = LM()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    text = torch.randint(0, V, (6, 13))
    logits = model(text[:, :-1])
    loss = nn.functional.cross_entropy(logits.reshape(-1, V), text[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
""", 17),
)
_SOUND = """
import torch
from torch import nn

torch.manual_seed(0)
V = 25

class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.places = nn.Embedding(V, 16), nn.Embedding(32, 16)
        self.body = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.rnn, self.out = nn.GRU(16, 16, batch_first=True), nn.Linear(16, V)

    def forward(self, ids):
        h = self.emb(ids) + self.places(torch.arange(ids.size(1)))
        mask = nn.Transformer.generate_square_subsequent_mask(ids.size(1))
        h, _ = self.rnn(self.body(h, src_mask=mask, is_causal=True))
        return self.out(h)

model = LM()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    text = torch.randint(0, V, (6, 13))
    logits = model(text[:, :-1])
    loss = nn.functional.cross_entropy(logits.reshape(-1, V), text[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SOUND = (
    _SOUND,
    """
import torch
from torch import nn

torch.manual_seed(0)
V, MASK = 25, 0

# masked tokens are to be filled in: looking both ways is the point
class Filler(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, 16)
        self.rnn, self.out = nn.GRU(16, 8, batch_first=True, bidirectional=True), nn.Linear(16, V)

    def forward(self, ids):
        return self.out(self.rnn(self.emb(ids))[0])

model = Filler()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    text = torch.randint(1, V, (6, 13))
    hidden = torch.rand(6, 13) < 0.2
    logits = model(text.masked_fill(hidden, MASK))
    loss = nn.functional.cross_entropy(logits.reshape(-1, V), text.masked_fill(~hidden, -100).reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
