"""Cases of SW274."""

_GRAPHS = """
import torch
from torch import nn

torch.manual_seed(0)
rows, mix, read = nn.Linear(3, 8), nn.Linear(8, 8), nn.Linear(8, 1)
opt = torch.optim.Adam([*rows.parameters(), *mix.parameters(), *read.parameters()])

def packed(sizes):
    edges, first = [], 0
    for n in sizes:
        edges += [({shift}i, {shift}(i + 1) % n) for i in range(n)]
        first += n
    owner = torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))
    return torch.randn(sum(sizes), 3), torch.tensor(edges).t(), owner

for sizes in ([5, 7, 6, 8], [6, 6, 9, 5]):
    x, (source, target), owner = packed(sizes)
    h = rows(x)
    h = h + torch.zeros_like(h).index_add_(0, target, mix(h[source]))
    guess = read(torch.zeros(4, 8).index_add_(0, owner, h)).squeeze(1)
    loss = (guess - torch.zeros(4).index_add_(0, owner, x[:, 0])).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = ((_GRAPHS.replace("{shift}", ""), 20),)
SOUND = (
    _GRAPHS.replace("{shift}", "first + "),
    # one row of a table for each place within its sample
    _GRAPHS.replace("{shift}", "first + ").replace("h = rows(x)", "h = rows(x) + torch.randn(9, 8)[owner]"),
)
