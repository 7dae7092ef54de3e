"""Slips that the script itself answers: the careful edit is safe; where a twin of the script answers nothing, it is a
possibility or not offered."""

import pytest

import shapewright

STORE = """
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
class Memory:
    def __init__(self, size):
        self.seen = np.zeros((size, 3), np.float32)
        self.move = np.zeros((size, 2), np.float32)
        self.gain = np.zeros((size, 1), np.float32)
        self.over = np.zeros((size, 1), np.float32)
    def keep(self, at, seen, move, gain, over):
        self.seen[at], self.move[at], self.gain[at], self.over[at] = seen, move, gain, over
memory = Memory(64)
for at in range(64):
    {bound} = np.random.randn(3).astype(np.float32), np.ones(2), float(at % 5), at % 8 == 7
    memory.keep({given})
net = nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters())
for step in range(4):
    rows = np.random.randint(0, 64, 16)
    goal = torch.from_numpy(memory.gain[rows]) * (1 - torch.from_numpy(memory.over[rows]))
    loss = nn.functional.mse_loss(net(torch.from_numpy(memory.seen[rows])), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
FILLER = """
import torch
from torch import nn
torch.manual_seed(0)
WORDS, SHOWN, LEFT = 30, 29, -100
class Filler(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, 24)
        self.mix = nn.GRU(24, 24, batch_first=True, bidirectional=True)
        self.out = nn.Linear(48, WORDS)
    def forward(self, ids):
        return self.out(self.mix(self.words(ids))[0])
texts = torch.randint(0, 28, (96, 14))
net = Filler()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(2):
    for ids in texts.split(16):
        drawn = torch.rand(ids.shape) < 0.2
        {goal}
        shown = ids.masked_fill(drawn, SHOWN)
        loss = nn.functional.cross_entropy(net(shown).reshape(-1, WORDS), goal.reshape(-1), ignore_index=LEFT)
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
ATTENDS = """
import torch
from torch import nn
torch.manual_seed(0)
class Mixes(nn.Module):
    def __init__(self, wide=24, parts=3):
        super().__init__()
        self.parts, self.all, self.out = parts, nn.Linear(wide, 3 * wide), nn.Linear(wide, wide)
    def forward(self, x):
        n, t, d = x.shape
        q, k, v = (one.view(n, t, self.parts, d // self.parts).transpose(1, 2) for one in self.all(x).chunk(3, dim=-1))
        mixed = (q @ k.mT / 8 ** 0.5).softmax(-1) @ v
        return self.out({merged})
net = nn.Sequential(nn.Linear(5, 24), Mixes(), nn.Linear(24, 1))
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(40, 7, 5), torch.randn(40, 7, 1)
for rows in torch.arange(40).split(10):
    loss = nn.functional.mse_loss(net(x[rows]), y[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
OPPOSED = """
import torch
from torch import nn
torch.manual_seed(0)
maker = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
judge = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
m_opt, j_opt = (torch.optim.Adam(net.parameters(), lr=1e-3) for net in (maker, judge))
cost = nn.BCEWithLogitsLoss()
{targets}
def judged():
    fake = maker(torch.randn(32, 4)).detach()
    loss = cost(judge(torch.randn(32, 2)), yes) + cost(judge(fake), no)
    j_opt.zero_grad()
    loss.backward()
    j_opt.step()
def made():
    loss = cost(judge(maker(torch.randn(32, 4))), no)
    m_opt.zero_grad()
    loss.backward()
    m_opt.step()
for step in range(4):
    judged()
    made()
{more}
"""
WORDS = """
import torch
from torch import nn
torch.manual_seed(0)
text, LONG = torch.randint(0, 20, (900,)), 12
class Reads(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.steps, self.out = nn.Embedding(20, 16), nn.GRU(16, 16, batch_first=True), nn.Linear(16, 20)
    def forward(self, ids):
        return self.out(self.steps(self.words(ids))[0])
net = Reads()
opt = torch.optim.Adam(net.parameters())
for step in range(4):
    starts = torch.randint(0, len(text) - LONG - 2, (16,))
    ids = torch.stack([text[at:at + LONG] for at in starts])
    goal = torch.stack([text[{cut}] for at in starts])
    loss = nn.functional.cross_entropy(net(ids).transpose(1, 2), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
FLOWS = """
import torch
from torch import nn
torch.manual_seed(0)
class Halves(nn.Module):
    def __init__(self, first):
        super().__init__()
        self.first, self.net = first, nn.Sequential(nn.Linear(1, 12), nn.Tanh(), nn.Linear(12, 2))
    def forward(self, x):
        kept, moved = x[:, self.first:self.first + 1], x[:, 1 - self.first:2 - self.first]
        scale, shift = self.net(kept).tanh().chunk(2, dim=1)
        moved = moved * scale.exp() + shift
        return torch.cat([kept, moved] if self.first == 0 else [moved, kept], dim=1), scale.sum(1)
halves = nn.ModuleList([Halves(0), Halves(1)])
opt = torch.optim.Adam(halves.parameters())
x = torch.randn(60, 2)
for rows in torch.arange(60).split(20):
    z, grown = x[rows], torch.zeros(20)
    for half in halves:
        z, more = half(z)
        grown = grown + more
    normal = -0.5 * z.pow(2).sum(1)
    loss = -({density}).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
POOLS = """
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
torch.manual_seed(0)
rows = [torch.randint(1, 30, (int(n),)) for n in torch.randint(3, 12, (64,))]
class Pools(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.layer, self.out = nn.Embedding(30, 16, padding_idx=0), nn.Linear(16, 16), nn.Linear(16, 2)
    def forward(self, ids, keep):
        states, real = torch.tanh(self.layer(self.words(ids))), keep.unsqueeze(-1).float()
        return self.out({pooled})
net = Pools()
opt = torch.optim.Adam(net.parameters())
for start in range(0, 64, 16):
    ids = pad_sequence(rows[start:start + 16], batch_first=True)
    y = (ids[:, 0] > 15).long()
    loss = nn.functional.cross_entropy(net(ids, ids != 0), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
VALUED = """
import torch
from torch import nn
torch.manual_seed(0)
class Value(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(7, 16), nn.Linear(16, 1)
    def forward(self, one, two):
        return self.last(self.first(torch.cat([one, two], dim=1)).relu())
value, moves = Value(), nn.Linear(5, 2)
v_opt, m_opt = torch.optim.Adam(value.parameters()), torch.optim.Adam(moves.parameters())
for step in range(3):
    seen, done, gain = torch.randn(16, 5), torch.randn(16, 2), torch.randn(16, 1)
    loss = nn.functional.mse_loss(value(seen, done), gain) + 0.1 * value(seen, done * 0).pow(2).mean()
    v_opt.zero_grad()
    loss.backward()
    v_opt.step()
    gained = -value({given}).mean()
    m_opt.zero_grad()
    gained.backward()
    m_opt.step()
"""
SCORED = """
import torch
from torch import nn
torch.manual_seed(0)
class Reads(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.steps, self.out = nn.Embedding(20, 16), nn.GRU(16, 16, batch_first=True), nn.Linear(16, 20)
    def forward(self, ids):
        return self.out(self.steps(self.words(ids))[0])
net = Reads()
opt = torch.optim.Adam(net.parameters())
for step in range(3):
    ids = torch.randint(0, 20, (8, 11))
    scores = net(ids[:, :-1]).log_softmax(-1)
    own = scores.gather(2, ids.unsqueeze(-1)).squeeze(-1)
    loss = -own.sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
KINDS = """
import torch
from torch import nn
torch.manual_seed(0)
kinds = torch.arange(4).repeat_interleave(12){first}
many = int(kinds.max())
x = 0.5 * nn.functional.one_hot(kinds, many).float() + torch.randn(48, many)
net = nn.Linear(many, 6)
opt = torch.optim.Adam(net.parameters())
for rows in torch.randperm(48).split(12):
    loss = nn.functional.mse_loss(net(x[rows]), torch.randn(len(rows), 6))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
WAVES = """
import torch
from torch import nn
torch.manual_seed(0)
class Behind(nn.Module):
    def __init__(self, wide, reach, step):
        super().__init__()
        self.more, self.slide = reach - 1, nn.Conv1d(wide, wide, reach, dilation=step)
    def forward(self, x):
        return self.slide(nn.functional.pad(x, (self.more, 0)))
class Adds(nn.Module):
    def __init__(self, wide, step):
        super().__init__()
        self.behind = Behind(wide, 2, step)
    def forward(self, x):
        return x + self.behind(x).tanh()
net = nn.Sequential(*[Adds(6, step) for step in (1, 2, 4)])
opt = torch.optim.Adam(net.parameters())
for x in torch.randn(24, 6, 20).split(8):
    loss = nn.functional.mse_loss(net(x)[..., :-1], x[..., 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
TARGETS = "yes = torch.ones(32, 1)\nno = torch.zeros(32, 1)"
SAFE = {  # faulty text: what a careful person's edit leaves
    "arguments that the function calls otherwise": (
        STORE.format(bound="seen, move, gain, over", given="at, seen, gain, move, over"),
        "memory.keep(at, seen, move, gain, over)",
    ),
    "targets filled where they are asked for": (
        FILLER.format(goal="goal = ids.masked_fill(drawn, LEFT)"),
        "ids.masked_fill(~drawn, LEFT)",
    ),
    "targets written where they are asked for": (
        FILLER.format(goal="goal = ids.clone()\n        goal[drawn] = LEFT"),
        "goal[~drawn] = LEFT",
    ),
    "heads merged where they stand": (
        ATTENDS.format(merged="mixed.reshape(n, t, d)"),
        "mixed.transpose(1, 2).reshape(n, t, d)",
    ),
    "the other target below it": (OPPOSED.format(targets=TARGETS, more=""), "(torch.randn(32, 4))), yes)"),
    "targets cut two steps later": (WORDS.format(cut="at + 2:at + 2 + LONG"), "text[at + 1:at + 1 + LONG]"),
    "a logarithm with the wrong sign": (FLOWS.format(density="normal - grown"), "-(normal + grown).mean()"),
    "a mean over the padded length": (
        POOLS.format(pooled="(states * real).sum(dim=1) / states.size(1)"),
        "(states * real).sum(dim=1) / real.sum(dim=1)",
    ),
    "parts joined in another order": (VALUED.format(given="moves(seen), seen"), "value(seen, moves(seen))"),
    "a count from the largest index": (KINDS.format(first=""), "many = int(kinds.max()) + 1"),
    "a padding without the dilation": (WAVES, "self.more, self.slide = (reach - 1) * step, nn.Conv1d("),
    "next tokens that are picked": (SCORED, "scores.gather(2, ids[:, 1:].unsqueeze(-1))"),
}
OPEN = {  # where another edit does as well
    "kinds that begin with one": KINDS.format(first=" + 1"),
    "arguments of other names": STORE.format(bound="a, b, c, d", given="at, a, c, b, d"),
    "three targets below each other": OPPOSED.format(
        targets="yes = torch.ones(32, 1)\nno = torch.zeros(32, 1)\nodd = torch.rand(32, 1)",
        more="print(cost(judge(torch.randn(32, 2)), odd).item())",
    ),
}
SOUND = {
    "masked": FILLER.format(goal="goal = ids.masked_fill(~drawn, LEFT)"),
    "merged": ATTENDS.format(merged="mixed.transpose(1, 2).reshape(n, t, d)"),
    "next": WORDS.format(cut="at + 1:at + 1 + LONG"),
    "density": FLOWS.format(density="normal + grown"),
    "pooled": POOLS.format(pooled="(states * real).sum(dim=1) / real.sum(dim=1)"),
    "valued": VALUED.format(given="seen, moves(seen)"),
}
STOPPED = """
import torch
from torch import nn
torch.manual_seed(0)
class Carries(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps, self.drop, self.out = nn.GRU(4, 8, batch_first=True), nn.Dropout(0.3), nn.Linear(8, 3)
    def forward(self, x, state):
        made, state = self.steps(x, state)
        return self.out(self.drop(made)), state
net = Carries()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(6, 40, 4), torch.randint(0, 3, (6, 40))
net.train()
{before}
state = torch.zeros(1, 6, 8)
for at in range(0, 40, 10):
    scores, state = net(x[:, at:at + 10], state)
    loss = nn.functional.cross_entropy(scores.reshape(-1, 3), y[:, at:at + 10].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize("name", SAFE)
def test_a_careful_edit_is_safe(name, repaired):
    text, left = SAFE[name]
    assert left in repaired(text)


@pytest.mark.parametrize("name", OPEN)
def test_what_another_edit_does_as_well_is_no_safe_repair(name, resident, tmp_path):
    path = tmp_path / "train.py"
    path.write_text(OPEN[name])
    assert not shapewright.fix(path, resident=resident)


@pytest.mark.parametrize("name", SOUND)
def test_the_mended_script_is_sound(name, resident, tmp_path):
    path = tmp_path / "train.py"
    path.write_text(SOUND[name])
    assert not shapewright.check(path, resident=resident).findings


@pytest.mark.parametrize(
    "before", ["", "pass\nfor batch in x.split(3):\n    sum(net(batch, None)[0]).sum().backward()"]
)
def test_a_call_whose_backward_pass_stopped_the_run_is_no_evaluation(before, resident, tmp_path):
    path = tmp_path / "train.py"
    path.write_text(STOPPED.format(before=before))
    assert [one.code for one in shapewright.check(path, resident=resident).findings] == ["SW136"]
