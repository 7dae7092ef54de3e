"""Cases of SW311."""

FAULTY = (
    (
        """
import torch
from torch import nn
model = nn.Linear(3, 1)
seen = []
model.register_forward_hook(lambda module, given, answer: seen.append(answer.detach()))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    x = torch.randn(8, 3)
    loss = (model.forward(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        10,
    ),
    (
        """
import torch
from torch import nn
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
print(model.forward(torch.randn(2, 3)).shape)
""",
        5,
    ),
)

SOUND = (
    """
import torch
from torch import nn

class Scaled(nn.Linear):
    def forward(self, x):
        return 2 * super().forward(x) + nn.Linear.forward(self, x)

print(Scaled(3, 4)(torch.randn(2, 3)).shape)
""",
)
