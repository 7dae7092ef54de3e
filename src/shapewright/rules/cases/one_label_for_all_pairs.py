"""Cases of SW215."""

_SCRIPT = """
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
left, right = nn.Linear(5, 6), nn.Linear(4, 6)
for a, b in DataLoader(TensorDataset(torch.randn(24, 5), torch.randn(24, 4)), batch_size=8):
    table = left(a) @ right(b).t()
    loss = F.cross_entropy({table}, {labels})
    loss.backward()
"""

FAULTY = ((_SCRIPT.replace("{table}", "table").replace("{labels}", "torch.zeros(8, dtype=torch.long)"), 10),)

SOUND = (
    _SCRIPT.replace("{table}", "table").replace("{labels}", "torch.arange(8)"),
    _SCRIPT.replace("{table}", "torch.cat((table.diag()[:, None], table @ torch.randn(8, 7)), 1)").replace(
        "{labels}", "torch.zeros(8, dtype=torch.long)"
    ),
)
