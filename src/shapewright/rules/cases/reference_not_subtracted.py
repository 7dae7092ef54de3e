"""Cases of SW375."""

from . import filled

SPEAKER = """
import copy
import torch
from torch import nn
torch.manual_seed(0)
class Speaker(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(9, 8), nn.Linear(8, 9)
    def forward(self, text):
        return self.out(self.words(text)).log_softmax(-1)
def said(net, text, real):
    told = net(text[:, :-1]).gather(2, text[:, 1:, None])[..., 0]
    return (told * real[:, 1:]).sum(1)
speaker = Speaker()
anchor = copy.deepcopy(speaker).requires_grad_(False)
opt = torch.optim.Adam(speaker.parameters(), lr=0.01)
for step in range(4):
    win, lose, real = torch.randint(0, 9, (6, 5)), torch.randint(0, 9, (6, 5)), (torch.rand(6, 5) < 0.8).float()
    with torch.no_grad():
        a, b = said(anchor, win, real), said(anchor, lose, real)
    u, v = said(speaker, win, real), said(speaker, lose, real)
    {margin}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


FAULTY = (
    (filled(SPEAKER, margin="loss = -nn.functional.logsigmoid(0.2 * ((u - a) - (v + b))).mean()"), 23),
    (filled(SPEAKER, margin="loss = nn.functional.softplus(0.2 * ((v - a) - (u - b))).mean()"), 23),
    (filled(SPEAKER, margin="loss = -nn.functional.logsigmoid(0.1 * (u - v) - 0.1 * (b - a)).mean()"), 23),
)

SOUND = (
    filled(SPEAKER, margin="loss = -nn.functional.logsigmoid(0.2 * ((u - a) - (v - b))).mean()"),
    filled(SPEAKER, margin="loss = nn.functional.softplus(0.2 * ((v - u) - (b - a))).mean()"),
    filled(SPEAKER, margin="loss = ((a - u).exp() - (a - u) - 1).mean() - u.mean()"),
    filled(SPEAKER, margin="loss = ((u - a) - (v - b) - 0.5).square().mean()"),
)
