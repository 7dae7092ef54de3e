"""A script that trains in several stages: each is recorded, whatever the one before it used up."""

from shapewright.trace import TensorFact

STAGES = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
    def forward(self, x):
        return self.layer(x).tanh()
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def learn(goal):
    loss = (net(torch.randn(8, 4)) - goal).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
for _ in range(120):
    learn(0.0)
for _ in range(20):
    learn(1.0)
"""


def test_a_second_stage_is_recorded_as_the_first_was(run):
    trace = run(STAGES, whole=True)
    first, second = (loop.uid for loop in trace.loops)
    calls = {uid: [one for one in trace.events if one.op == "linear" and one.loop == uid] for uid in (first, second)}
    assert len(calls[first]) >= 40 and len(calls[second]) >= 15
    answers = [step.data["result"] for step in trace.steps if step.kind == "forward" and step.loop == second]
    assert sum(isinstance(made, TensorFact) and made.producer >= 0 for made in answers) >= 15
