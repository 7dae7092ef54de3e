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
    (
        """
import torch
from torch import nn
net = nn.Linear(4, 2).to("cuda")
rows = [net(torch.randn(3, 4, device="cuda")).detach() for _ in range(3)]
print(rows[0].numpy().mean())
""",
        6,
    ),
)

SOUND = (
    """
import torch
net = torch.nn.Linear(4, 2).to("cuda")
print(net(torch.randn(3, 4).cuda()).detach().cpu().numpy().mean())
""",
    """
import torch
x = torch.randn(2, 4) * torch.tensor(3.0)
x.to("cpu") @ torch.randn(4, 3)
torch.nn.Linear(4, 3).to("cuda")(x.cuda()) * 2.0
""",
)
