"""Cases of SW130."""

from . import filled

_NAMES = """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
saved = {saved}.state_dict()
{own}.load_state_dict(saved)
"""

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
    (filled(_NAMES, saved="nn.DataParallel(Net())", own="Net()"), 9),
    (filled(_NAMES, saved="Net()", own="nn.ModuleDict({'body': Net(), 'head': nn.Linear(4, 2)})"), 9),
    (filled(_NAMES, saved="nn.Sequential(Net(), nn.Linear(2, 2))", own="nn.Sequential(Net())"), 9),
)

SOUND = (
    filled(_NAMES, saved="nn.DataParallel(Net())", own="nn.DataParallel(Net())"),
    filled(_NAMES, saved="nn.DataParallel(Net()).module", own="Net()"),
    """
import torch
from torch import nn
net = nn.Linear(3, 4)
net.load_state_dict(nn.Linear(3, 4).state_dict())
net.load_state_dict({"weight": torch.zeros(4, 3)}, strict=False)
""",
)
