"""Cases of SW132."""

FAULTY = (
    (
        """
import torch
from torch import nn
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
    def forward(self, x):
        scale = torch.ones(4)
        return self.body(x * scale)
net = Model().to("cuda")
net(torch.randn(3, 4).to("cuda"))
""",
        10,
    ),
)

SOUND = (
    """
import torch
x = torch.randn(2, 4) * torch.tensor(3.0)
x.to("cpu") @ torch.randn(4, 3)
torch.nn.Linear(4, 3).to("cuda")(x.cuda()) * 2.0
""",
)
