"""Cases of SW303."""

from . import filled

_WEIGHTS = """
import torch
w = {name: (torch.randn(6, 6) * 0.3).requires_grad_() for name in ("in", "back")}
opt = torch.optim.SGD(w.values(), lr=0.1)
for step in range(4):
    x, y = torch.randn(5, 8, 6), torch.randn(8, 6)
    h = torch.zeros(8, 6)
    for part in x:
        h = torch.tanh(part @ w["in"] + h @ w['back'])
    loss = (h - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_LATENT = """
import torch
from torch import nn
from torch.distributions import Normal, kl_divergence
enc, dec = nn.Linear(6, 3), nn.Linear(3, 6)
opt = torch.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.1)
for step in range(4):
    x = torch.randn(8, 6)
    q, z = (d := Normal(enc(x), 1.0)), d.rsample()
    spread = kl_divergence(q, Normal(torch.zeros(3), torch.ones(3))).sum(1).mean()
    loss = (dec(z) - x).pow(2).sum(1).mean() + spread
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_THROUGH = """
import torch
from torch import nn
torch.manual_seed(0)
coder, decoder, book = nn.Linear(6, 4), nn.Linear(4, 6), nn.Embedding(8, 4)
opt = torch.optim.SGD([*coder.parameters(), *decoder.parameters(), *book.parameters()], lr=0.1)
for step in range(4):
    x = torch.randn(16, 6)
    z = coder(x)
    near = book(torch.cdist(z, book.weight).argmin(1))
    also = (near - z.detach()).pow(2).mean() + 0.25 * (z - near.detach()).pow(2).mean()
    through = {through}
    loss = (decoder(through) - x).pow(2).mean() + also
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_STEPS = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(32, 9, 3), torch.randn(32, 1)
cell, out = nn.{kind}(3, 8), nn.Linear(8, 1)
opt = torch.optim.Adam([*cell.parameters(), *out.parameters()])
for _ in range(3):
    h = torch.zeros(32, 8)
    for t in range(9):
        h = {step}
        {each}
    loss = (out(h) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_CELLS = _STEPS.replace("h = torch", "h = c = torch").replace("        h = ", "        h, c = ")

_LISTED = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    losses = [(model(x) - x.sum()).square().mean() for x in torch.randn(5, 3)]
    loss = {joined}.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        seen = sum(float(model(x)) for x in torch.randn(5, 3))
    print(loss.item(), seen)
"""

_INNER = """
import torch
torch.manual_seed(0)
w, scale = torch.randn(3, 2, requires_grad=True), torch.zeros(1, requires_grad=True)
opt = torch.optim.SGD([w, scale], lr=0.1)
for step in range(4):
    x, y = torch.randn(2, 8, 3), torch.randint(0, 2, (2, 8))
    loss = torch.nn.functional.cross_entropy(x[0] @ w * scale.exp(), y[0])
    g, = torch.autograd.grad(loss, [w], create_graph=True)
    fast = {fast}
    loss = torch.nn.functional.cross_entropy(x[1] @ fast * scale.exp(), y[1])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_THREE = """
import torch
from torch import nn
torch.manual_seed(0)
maker, judge, reader = nn.Linear(5, 6), nn.Linear(6, 1), nn.Linear(6, 2)
opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
opt_j = torch.optim.Adam(judge.parameters(), lr=1e-3)
opt_r = torch.optim.Adam([*maker.parameters(), *reader.parameters()], lr=1e-3)
score = nn.BCEWithLogitsLoss()
for step in range(4):
    real, code, noise = torch.randn(8, 6), torch.randn(8, 2), torch.randn(8, 3)
    opt_m.zero_grad()
    score(judge(maker(torch.cat([noise, code], 1))), torch.ones(8, 1)).backward()
    opt_m.step()
    opt_j.zero_grad()
    made = maker(torch.cat([noise, code], 1)).detach()
    (score(judge(real), torch.ones(8, 1)) + score(judge(made), torch.zeros(8, 1))).backward()
    opt_j.step()
    opt_r.zero_grad()
    made = maker(torch.cat([noise, code], 1))
    nn.functional.mse_loss(reader({made}), code).backward()
    opt_r.step()
"""

_DRAW = """
import torch
from torch import nn
reads, writes, judge = nn.Linear(6, 4), nn.Linear(2, 6), nn.Linear(2, 1)
opt = torch.optim.Adam([*reads.parameters(), *writes.parameters(), *judge.parameters()])
for x in torch.randn(4, 16, 6):
    mean, spread = reads(x).chunk(2, 1)
    drawn = mean + torch.randn_like(mean) * spread.exp()
    near = (mean.pow(2) + (2 * spread).exp() - 2 * spread).mean()
    loss = (writes(drawn{cut}) - x).pow(2).mean() + 0.1 * near + judge({other}).square().mean()
    opt.zero_grad(); loss.backward(); opt.step()
"""

FAULTY = (
    (
        """
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
""",
        9,
    ),
    (
        """
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
""",
        8,
    ),
    (_WEIGHTS.replace("@ w['back']", "@ w['back'].data"), 9),
    (_LATENT.replace("rsample", "sample"), 9),
    (_LATENT.replace("d.rsample()", "torch.normal(d.mean, d.stddev)"), 9),
    (_THROUGH.format(through="z + (near - z)"), 12),
    (_THROUGH.format(through="near + (z - near).detach()"), 12),
    (_THROUGH.format(through="z.detach() + near - near.detach()"), 12),
    (_STEPS.format(kind="GRUCell", step="cell(x[:, t], h.detach())", each="pass"), 11),
    (_CELLS.format(kind="LSTMCell", step="cell(x[:, t], (h.detach(), c.detach()))", each="pass"), 11),
    (_STEPS.format(kind="RNNCell", step="cell(x[:, t], h)", each="h = torch.relu(h.data)"), 12),
    (filled(_LISTED, joined="torch.tensor(losses, requires_grad=True)"), 9),
    (filled(_INNER, fast="(w - 0.1 * g).detach().requires_grad_()"), 10),
    (filled(_THREE, made="made.detach()"), 21),
    (filled(_DRAW, cut=".detach()", other="mean"), 10),
)

SOUND = (
    # the word that was chosen is read next: no gradient comes back through a choice
    """
import random
import torch
from torch import nn
class Speaker(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.cell, self.out = nn.Embedding(12, 8), nn.GRUCell(8, 8), nn.Linear(8, 12)
    def forward(self, text, state):
        word, scores = text[0], []
        for t in range(1, len(text)):
            state = self.cell(self.words(word), state)
            scores.append(self.out(state))
            best = scores[-1].data.max(1)[1]
            word = text[t] if random.random() < 0.5 else best
        return torch.stack(scores)
torch.manual_seed(0)
net = Speaker()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(4):
    text = torch.randint(0, 12, (6, 5))
    loss = nn.functional.cross_entropy(net(text, torch.zeros(5, 8)).flatten(0, 1), text[1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    filled(_THREE, made="made"),
    filled(_THREE, made="made.detach()").replace(
        "opt_r = torch.optim.Adam([*maker.parameters(), *", "opt_r = torch.optim.Adam([*"
    ),
    filled(_THREE, made="made.detach() if step % 2 else made"),
    _THROUGH.format(through="z + (near - z).detach()"),
    _THROUGH.format(through="z + 0.5 * (near - z)"),
    _THROUGH.format(through="near.detach() + z - z.detach()"),
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
    loss = -(F.cosine_similarity(guess(za), zb.detach()).mean() + F.cosine_similarity(guess(zb),
        za.detach()).mean()) / 2
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
    _WEIGHTS,
    _LATENT,
    # the log-probability of what was drawn teaches, a critic may read it besides
    """
import torch
from torch import nn
from torch.distributions import Normal
mean, critic = nn.Linear(5, 2), nn.Linear(7, 1)
opt = torch.optim.SGD([*mean.parameters(), *critic.parameters()], lr=0.1)
for step in range(4):
    x = torch.randn(8, 5)
    dist = Normal(mean(x), 1.0)
    move = dist.sample()
    value = critic(torch.cat([x, move], 1)).squeeze(1)
    loss = (value - move.sum(1)).pow(2).mean() - (dist.log_prob(move).sum(1) * value.detach()).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    _STEPS.format(kind="GRUCell", step="cell(x[:, t], h)", each="pass"),
    _CELLS.format(kind="LSTMCell", step="cell(x[:, t], (h.detach(), c))", each="pass"),  # the cell carries on
    _STEPS.format(kind="GRUCell", step="cell(x[:, t], h.detach() if t == 4 else h)", each="pass"),
    _STEPS.format(kind="GRUCell", step="cell(x[:, t], h.detach())", each="(out(h) - y).pow(2).mean().backward()")
    .replace("    loss = (out(h) - y).pow(2).mean()\n    opt.zero_grad()\n    loss.backward()\n", "")
    .replace("    h = torch", "    opt.zero_grad()\n    h = torch"),
    filled(_LISTED, joined="torch.stack(losses)"),
    # what the last block leaves over is read by nobody
    """
import numpy as np
import torch
from torch import nn
class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.back, self.fore = (nn.ModuleList(nn.Linear(6, n) for _ in range(2)) for n in (6, 2))
    def forward(self, x):
        told = 0
        for back, fore in zip(self.back, self.fore):
            told = told + fore(x)
            x = x - back(x)
        return told
data = torch.tensor(np.random.default_rng(0).normal(size=(64, 8)), dtype=torch.float32)
net = Stack()
opt = torch.optim.Adam(net.parameters())
for rows in data.split(16):
    loss = (net(rows[:, :6]) - rows[:, 6:]).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    # one number of the model is never used
    """
import torch
from torch import nn
class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.own, self.layers = nn.Parameter(torch.zeros(1)), nn.ModuleList(nn.Linear(4, 4) for _ in range(12))
    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x)) + x
        return x
net = Graph()
opt = torch.optim.Adam(net.parameters())
total = 0
for _ in range(4):
    loss = (net(torch.randn(8, 4)) - 1).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    total += loss.detach().cpu().numpy()
print(total)
""",
    filled(_INNER, fast="w - 0.1 * g"),
    filled(_INNER, fast="w - 0.1 * g.detach()"),  # of first order
    # long, and filled in a tensor that takes no value of what it is made like
    """
import torch
from torch import nn

class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.reads = nn.Embedding(12, 8), nn.GRU(8, 8)
        self.cell, self.out = nn.GRUCell(8, 8), nn.Linear(8, 12)

    def forward(self, words):
        memory, state = self.reads(self.table(words))
        made, state = memory.data.new(len(words) - 1, words.size(1), 12), state[0]
        for step, word in enumerate(words[:-1]):
            state = self.cell(self.table(word), state)
            made[step] = self.out(state)
        return made

torch.manual_seed(0)
net = Translator()
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    words = torch.randint(1, 12, (60, 4))
    loss = nn.functional.cross_entropy(net(words).flatten(0, 1), words[1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    # actions that change the states of what a policy is asked about next, more often than calls are recorded
    """
import torch
from torch import nn
from torch.distributions import Normal
torch.manual_seed(0)
net, value = nn.Linear(3, 1), nn.Linear(3, 1)
opt = torch.optim.Adam([*net.parameters(), *value.parameters()])
scale = torch.ones(())
for _ in range(6):
    state = torch.randn(8, 3)
    logs, vals, rews = [], [], []
    for _ in range(20):
        law = Normal(net(state).squeeze(-1), scale)
        action = law.sample()
        logs.append(law.log_prob(action))
        vals.append(value(state).squeeze(-1))
        state = state + action.clamp(-1, 1)[:, None]
        rews.append(-state.abs().sum(1))
    logs, vals, rews = map(torch.stack, (logs, vals, rews))
    loss = -(logs * (rews - vals).detach()).mean() + (vals - rews).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    filled(_DRAW, cut="", other="drawn.detach()"),  # for a judge alone
    filled(_DRAW, cut="", other="torch.eye(2)[torch.normal(mean, spread.exp()).argmax(1)]"),  # a choice cuts by itself
)
