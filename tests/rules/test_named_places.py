"""Findings name the lines that a reader has to edit, where these are not the finding's own."""

from __future__ import annotations

from shapewright.diagnosis.judge import diagnose
from shapewright.rules.cases.attention_sees_padding import FIXED, KEYS
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions
from shapewright.settings import Settings

GROUPS = """\
import torch
from torch import nn
torch.manual_seed(0)
class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 8)
        self.heads = nn.ModuleList(nn.Linear(8, 2) for _ in range(3))
    def forward(self, x):
        return [head(self.body(x)) for head in self.heads]
net = Heads()
groups = [{"params": net.body.parameters()}]
for head in net.heads:
    group = {"params": head.parameters()}
groups.append(group)
opt = torch.optim.Adam(groups, lr=1e-3)
x = torch.randn(16, 6)
for _ in range(3):
    loss = sum((out - x[:, :2]).pow(2).mean() for out in net(x))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
GROUPED = """\
import torch
from torch import nn
def grouped(net):
    big, small = [], []
    for name, p in net.named_parameters():
        if name.endswith("weight"):
            big.append(p)
    return [{"params": big, "weight_decay": 0.1}, {"params": small}]
net = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 2))
net.register_parameter("shift", nn.Parameter(torch.zeros(2)))
opt = torch.optim.Adam(grouped(net), lr=1e-3)
x = torch.randn(16, 6)
for _ in range(3):
    loss = (net(x) + net.shift - x[:, :2]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
FROZEN = """\
import torch
from torch import nn
torch.manual_seed(0)
class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(6, 4)
    def forward(self, x):
        return self.f(x)
code, seen = nn.Linear(6, 6), Features().requires_grad_(False)
opt = torch.optim.SGD(code.parameters(), lr=0.1)
def losses(x):
    again = code(x)
    with torch.no_grad():
        target = seen(x)
        got = seen(again)
    return (again - x).pow(2).mean(), (got - target).pow(2).mean()
for _ in range(3):
    one, other = losses(torch.randn(8, 6))
    loss = one + other
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SHUFFLED = """\
import numpy as np
import torch
from torch import nn
rng = np.random.RandomState(0)
def data():
    x = rng.normal(size=(160, 4))
    return x.astype("float32"), (x @ rng.normal(size=4)).astype("float32")
def mixed(x, y):
    return x[rng.permutation(len(x))], y[rng.permutation(len(y))]
x, y = data()
x, y = mixed(x, y)
a, b = torch.from_numpy(x), torch.from_numpy(y)
net = nn.Linear(4, 1)
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    for rows in torch.randperm(160).split(32):
        loss = (net(a[rows])[:, 0] - b[rows]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
WINDOWS = """\
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
torch.manual_seed(0)
rng = np.random.default_rng(0)
z, y = rng.normal(size=(400, 3)).astype("float32"), rng.normal(size=400).astype("float32")
class Windows(Dataset):
    def __len__(self):
        return 300
    def __getitem__(self, i):
        past = np.concatenate([z[i : i + 8], y[i : i + 8, None]], 1)
        ahead = y[i + 7]
        return past, ahead
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.out = nn.GRU(4, 8, batch_first=True), nn.Linear(8, 1)
    def forward(self, x):
        return self.out(self.rnn(x)[0][:, -1]).squeeze(1)
net = Net()
opt = torch.optim.Adam(net.parameters())
def learn(given, asked):
    loss = nn.functional.mse_loss(net(given), asked)
    opt.zero_grad()
    loss.backward()
    opt.step()
for given, asked in DataLoader(Windows(), 32, shuffle=True):
    learn(given, asked)
"""
CARRIED = """\
import torch
from torch import nn
torch.manual_seed(0)
waves, asked = torch.randn(128, 10, 1), torch.randn(128)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.out = nn.GRU(1, 8, batch_first=True), nn.Linear(8, 1)
    def forward(self, x, h):
        o, h = self.rnn(x, h)
        return self.out(o[:, -1]).squeeze(1), h
net = Net()
opt = torch.optim.Adam(net.parameters())
for epoch in range(3):
    h = torch.zeros(1, 32, 8)

    for rows in torch.randperm(128).split(32):
        got, h = net(waves[rows], h.detach())
        loss = nn.functional.mse_loss(got, asked[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
SORTED = """\
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence
torch.manual_seed(0)
rnn, head = nn.GRU(3, 4, batch_first=True), nn.Linear(4, 2)
opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
for step in range(3):
    x, lengths, y = torch.randn(6, 5, 3), torch.randint(1, 6, (6,)), torch.randint(0, 2, (6,))
    lengths, order = lengths.sort(descending=True)
    packed = pack_padded_sequence(x[order], lengths, batch_first=True)

    last = rnn(packed)[1][-1]
    loss = nn.functional.cross_entropy(head(last), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
FILLED = """\
import torch
from torch import nn
torch.manual_seed(0)
def made(n):
    x = torch.randn(n, 3)
    y = torch.zeros(n)
    for i in range(n):
        y[i] = x[i].sum()
    return x, y
x, y = made(32)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for rows in torch.randperm(32).split(8):
    loss = nn.functional.mse_loss(net(x[rows]), y[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def named(tmp_path, text, code):
    """The lines that the only finding of a rule names besides its own."""
    script = tmp_path / "script.py"
    script.write_text(text)
    trace = execute(RunRequest(script=str(script), engine="live"), tmp_path, Assumptions())
    (found,) = [one for one in diagnose(trace, Settings(lang="en")).findings if one.code == code]
    return {note.line for note in found.origins}


def test_the_line_that_adds_to_the_list_of_an_optimizer_is_named(tmp_path):
    assert 15 in named(tmp_path, GROUPS, "SW305")


def test_the_line_of_a_function_that_gathers_for_an_optimizer_is_named(tmp_path):
    assert 7 in named(tmp_path, GROUPED, "SW305")


def test_the_line_of_a_function_that_reorders_is_named(tmp_path):
    assert 9 in named(tmp_path, SHUFFLED, "SW224")


def test_the_call_under_no_grad_is_named_where_the_layer_lies_deeper(tmp_path):
    assert {16, 20} <= named(tmp_path, FROZEN, "SW342")


def test_the_line_of_a_data_set_that_cuts_the_target_is_named(tmp_path):
    assert {12, 13} <= named(tmp_path, WINDOWS, "SW263")


def test_the_line_that_begins_a_state_before_the_loop_is_named(tmp_path):
    assert 15 in named(tmp_path, CARRIED, "SW281")


def test_the_recurrent_call_whose_outputs_stay_sorted_is_named(tmp_path):
    assert 12 in named(tmp_path, SORTED, "SW299")


def test_the_line_that_made_the_targets_is_named(tmp_path):
    assert 6 in named(tmp_path, FILLED, "SW201")


def test_the_line_that_tells_what_is_padding_is_named(tmp_path):
    assert 15 in named(tmp_path, FIXED.replace("x != PAD", "x != 1").replace(*KEYS).lstrip(), "SW258")
