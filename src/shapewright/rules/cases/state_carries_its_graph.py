"""Cases of SW323."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
rnn, head = nn.GRU(5, 8, batch_first=True), nn.Linear(8, 3)
opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
series, classes = torch.randn(4, 60, 5), torch.randint(0, 3, (4, 60))
for epoch in range(2):
    state = torch.zeros(1, 4, 8)
    opt.zero_grad()
    for start in range(0, 60, 10):
        out, state = rnn(series[:, start:start + 10], {state})
        scores = head(out).flatten(0, 1)
        loss = nn.functional.cross_entropy(scores, classes[:, start:start + 10].flatten())
        {backward}
    opt.step()
"""

_SHARED = """
import torch
from torch import nn
torch.manual_seed(0)
body, heads = nn.Linear(5, 8), nn.ModuleList(nn.Linear(8, 2) for _ in range(4))
opt = torch.optim.SGD([*body.parameters(), *heads.parameters()], lr=0.1)
for step in range(3):
    features = body(torch.randn(16, 5)).tanh()
    opt.zero_grad()
    for head in heads:
        nn.functional.cross_entropy(head(features), torch.randint(0, 2, (16,))).backward(retain_graph=True)
    opt.step()
"""


FAULTY = ((filled(_SCRIPT, state="state", backward="loss.backward(retain_graph=True)"), 12),)

SOUND = (
    filled(_SCRIPT, state="state.detach()", backward="loss.backward()"),
    filled(_SCRIPT, state="state.detach()", backward="loss.backward(retain_graph=True)"),
    _SHARED,
)
