"""A loop that only asks a model jumps to its last iteration once it has taken long, and the report says so."""

import dataclasses

from shapewright.graph.metrics import ratios
from shapewright.run.ending.uncut import confirmed
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions
from shapewright.run.script import loops
from shapewright.trace import Assumption, Outcome

SAMPLER = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 64))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    loss = model(torch.randn(8, 64)).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
seen, x = [], torch.randn(8, 64)
with torch.no_grad():
    for t in {steps}:
        x = x - 0.01 * model(x)
        seen.append(t)
print(len(seen), seen[-1])
assert len(seen) <= {least}
"""


def traced(tmp_path, monkeypatch, text, seconds):
    monkeypatch.setattr(loops, "ASKING", seconds)
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    return execute(RunRequest(script=str(script), engine="live"), tmp_path, Assumptions())


def test_it_jumps_to_the_last_iteration_and_says_so(tmp_path, monkeypatch):
    for steps, last in (("reversed(range(3000))", 0), ("range(3000)", 2999)):
        trace = traced(tmp_path, monkeypatch, SAMPLER.format(steps=steps, least=3000), 0.02)
        count, at = map(int, trace.output.split())
        assert trace.outcome.state == "complete" and count < 3000 and at == last
        assert [(item.kind, item.site.line) for item in trace.assumptions] == [("loop-shortened", 12)]


def test_a_quick_loop_runs_whole(tmp_path, monkeypatch):
    trace = traced(tmp_path, monkeypatch, SAMPLER.format(steps="range(40)", least=40), 4.0)
    assert trace.output.split() == ["40", "39"] and not trace.assumptions


GROWING = """
import torch
from torch import nn
model, rows = nn.Linear(16, 16), torch.randn(400, 400)

def drawn(work):
    held = torch.randn(8, 16)
    with torch.no_grad():
        for t in range(3000):
            for _ in range(work):
                rows @ rows
            held = torch.cat([held, model(held[-8:])])
    return held

print(*(len(drawn(work)) for work in (1, 6, 2, 9)))
"""


def test_several_executions_are_shortened_alike_however_busy_the_machine_is(tmp_path, monkeypatch):
    trace = traced(tmp_path, monkeypatch, GROWING, 0.02)
    assert len(set(trace.output.split())) == 1 and int(trace.output.split()[0]) < 3000 * 8


WORKING = """
import torch
model = torch.nn.Linear(64, 64)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
count, played = 0, 0
for epoch in range(9):
    for step in range(50):
        if step % 5 == 0 and epoch:
            count += 10
        loss = model(torch.randn(8, 64)).pow(2).mean()
        opt.zero_grad(); loss.backward(); opt.step()
        count += 1
    with torch.no_grad():
        for move in range(100):
            model(torch.randn(8, 64))
            played += 1
print(count, played)
"""


def test_fewer_iterations_are_enough_once_much_work_was_done(tmp_path, monkeypatch):
    few = traced(tmp_path, monkeypatch, WORKING, 100.0)
    monkeypatch.setattr(loops, "WORN", 0.0)
    fewer = traced(tmp_path, monkeypatch, WORKING, 0.0)
    assert (few.output.split(), fewer.output.split()) == (["51", "300"], ["14", "4"])


def test_a_failure_that_the_jump_may_have_caused_is_none_of_the_script_s(tmp_path, monkeypatch):
    trace = traced(tmp_path, monkeypatch, SAMPLER.format(steps="range(3000)", least=-1), 0.02)
    assert trace.outcome.state == "incomplete"
    asked = RunRequest(script=trace.script)
    unfinished = dataclasses.replace(trace, outcome=Outcome("incomplete", "timeout"), failure=None)
    settled = confirmed(asked, trace, lambda request: unfinished)
    assert settled.failure is None and settled.outcome.reason == "timeout"
    without = dataclasses.replace(trace, assumptions=(Assumption("library-loop", {}),))
    assert confirmed(asked, without, lambda request: without if request.longer else unfinished) is without
    assert (
        confirmed(asked, without, lambda request: unfinished).failure is None
    )  # a loop that was cut may have caused it


WITHIN = """
import torch
from torch import nn
torch.manual_seed(0)
class Chain(nn.Module):
    def __init__(self, net, layers):
        super().__init__()
        self.net, self.layers = net, layers
    def forward(self, x):
        self.seen = []
        for t in reversed(range(len(self.layers))):
            x = x - 0.01 * {asked}(x)
            self.seen.append(t)
        return x
net = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 64))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    loss = net(torch.randn(8, 64)).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
chain = Chain(net, nn.ModuleList([nn.Linear(64, 64) for _ in range(900)]))
with torch.set_grad_enabled({graded}):
    chain(torch.randn(8, 64))
print(len(chain.seen), chain.seen[-1])
"""


def test_a_sampler_that_is_a_module_asks_its_model_fewer_times(tmp_path, monkeypatch):
    trace = traced(tmp_path, monkeypatch, WITHIN.format(asked="self.net", graded=False), 0.001)
    count, last = map(int, trace.output.split())
    assert count < 100 and not last and [one.kind for one in trace.assumptions] == ["loop-shortened"]
    for asked, graded in (("self.net", True), ("self.layers[t]", False)):  # what learns, and layers one after another
        trace = traced(tmp_path, monkeypatch, WITHIN.format(asked=asked, graded=graded), 0.001)
        assert trace.output.split() == ["900", "0"] and not trace.assumptions


MEMORY = """
import random
import torch
from torch import nn
model = nn.Linear(3, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
memory, trained = [], []
for episode in range(3000):
    for move in range(5):
        state = torch.randn(3)
        memory.append((state, model(state).argmax().item()))
    if len(memory) > {least}:
        rows = random.sample(memory, 100)
        loss = nn.functional.cross_entropy(model(torch.stack([r[0] for r in rows])), torch.tensor([r[1] for r in rows]))
        opt.zero_grad(); loss.backward(); opt.step()
        trained.append(len(memory))
print(trained[0])
"""


def test_a_memory_that_fills_slowly_is_drawn_from(tmp_path, monkeypatch):
    for least, first in ((8000, 130), (1024, 1025)):  # 1024 may be the size of a batch
        assert traced(tmp_path, monkeypatch, MEMORY.format(least=least), 4.0).output.split() == [str(first)]


RING = """
import random
import torch
from torch import nn
class Ring:
    def __init__(self, most):
        self.most, self.rows, self.at = most, [], 0
    def keep(self, row):
        if len(self.rows) < self.most:
            self.rows.append(None)
        self.rows[self.at] = row
        self.at = (self.at + 1) % self.most
model, ring = nn.Linear(3, 2), Ring(9000)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for move in range(600):
    ring.keep(torch.randn(3))
    if len(ring.rows) > 256:
        loss = model(torch.stack(random.sample(ring.rows, 100))).pow(2).mean()
        opt.zero_grad(); loss.backward(); opt.step()
print(len(ring.rows))
"""


def test_a_ring_that_is_not_full_goes_on_growing(tmp_path, monkeypatch):
    trace = traced(tmp_path, monkeypatch, RING, 4.0)
    assert trace.outcome.state == "complete" and int(trace.output) > 128, trace.outcome


COUNTED = """
import torch
from torch import nn
from tqdm import tqdm
model = nn.Linear(3, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(50, 3)), batch_size=4)
seen = []
for at, (x,) in {loop}:
    loss = model(x).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    seen.append((at, len(x)))
print(seen[-1], len(seen) < 13)
"""


def test_the_count_of_the_last_batch_is_the_last(tmp_path, monkeypatch):
    for loop in ("enumerate(loader)", "tqdm(enumerate(loader), total=13)", "(lambda pairs: pairs)(enumerate(loader))"):
        assert traced(tmp_path, monkeypatch, COUNTED.format(loop=loop), 4.0).output.strip() == "(12, 2) True", loop


REPORTED = """
import torch
from torch import nn
model = nn.Linear(3, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
moves = ended = 0
while moves < 20000:
    for move in range(150):
        moves += 1
        if moves % 400 == 0:
            loss = model(torch.randn(4, 3)).pow(2).mean()
            opt.zero_grad(); loss.backward(); opt.step()
        if moves % 200 == 0:
            print(moves / ended)
            ended = 0
    ended += 1
"""


def test_a_branch_that_came_by_itself_is_not_taken_before_its_time(tmp_path, monkeypatch):
    trace = traced(tmp_path, monkeypatch, REPORTED, 4.0)
    assert trace.outcome.state == "complete" and trace.output, trace.outcome


MANY = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
codes = []
for line in range(4200):
    row = 0
    for letter in "abc":
        row += ord(letter)
    codes.append(row)
x = torch.randn(60, 4)
y = (x.sum(1) > 0).long()
model = nn.Linear(4, 2)
judge = DataLoader(TensorDataset(x, y), batch_size=4)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for a, b in judge:
    opt.zero_grad(); nn.functional.cross_entropy(model(a), b).backward(); opt.step()
model.eval()
hits = 0
with torch.no_grad():
    for a, b in judge:
        hits += (model(a).argmax(1) == b).sum().item()
print(hits / len(judge.dataset))
"""


def test_a_cut_loop_is_known_as_one_after_thousands_of_others(tmp_path, monkeypatch):
    trace = traced(tmp_path, monkeypatch, MANY, 4.0)
    assert [(loop.site.line, loop.cut) for loop in trace.loops] == [(17, True), (22, True)]
    assert not [ratio for ratio in ratios(trace) if not ratio.fits]


STEPS = """
import torch
from torch import nn
torch.manual_seed(0)
class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.kept = nn.GRUCell(64, 64), [0] * 200
    def loss(self, x):
        state = torch.zeros_like(x)
        for t in range(200):
            state = self.cell(x, state)
            self.kept[t] = state
        return sum(kept.pow(2).mean() for kept in self.kept)
model = Steps()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    loss = model.loss(torch.randn(8, 64))
    opt.zero_grad(); loss.backward(); opt.step()
"""


def test_what_a_model_keeps_of_its_steps_is_of_one_step(tmp_path, monkeypatch):
    trace = traced(tmp_path, monkeypatch, STEPS, 0.001)
    assert trace.outcome.state == "complete" and not trace.assumptions, trace.failure
