"""Cases of SW303."""

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
)
