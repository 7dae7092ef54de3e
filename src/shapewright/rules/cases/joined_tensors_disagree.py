"""Cases of SW105."""

FAULTY = (
    (
        """
import torch
from torch import nn
down, up = nn.Conv2d(3, 4, 3, stride=2, padding=1), nn.ConvTranspose2d(4, 3, 2, stride=2)
x = torch.randn(2, 3, 25, 25)
y = torch.cat([x, up(down(x))], dim=1)
""",
        6,
    ),
    (
        """
import torch
def context(state, frames):
    return torch.cat((state, frames), dim=-1)
context(torch.randn(4, 7), torch.randn(4, 3, 7))
""",
        4,
    ),
    (
        """
import torch
rows = [torch.zeros(n) for n in (3, 3, 2)]
batch = torch.stack(rows)
""",
        4,
    ),
)

SOUND = (
    """
import torch
torch.cat([torch.zeros(2, 3), torch.zeros(2, 5)], dim=-1)
torch.cat([torch.zeros(0), torch.zeros(2, 5)])
torch.stack([torch.zeros(3), torch.ones(3)], dim=1)
torch.hstack([torch.zeros(3), torch.zeros(4)])
""",
)
