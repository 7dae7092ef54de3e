"""Cases of SW130."""

FAULTY = (
    (
        """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Linear(8, 16)
        self.head = nn.Linear(16, classes)
pretrained = Net(classes=100)
net = Net(classes=10)
net.load_state_dict(pretrained.state_dict())
""",
        11,
    ),
)

SOUND = (
    """
import torch
from torch import nn
net = nn.Linear(3, 4)
net.load_state_dict(nn.Linear(3, 4).state_dict())
net.load_state_dict({"weight": torch.zeros(4, 3)}, strict=False)
""",
)
