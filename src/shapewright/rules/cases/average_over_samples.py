"""Cases of SW265."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(8, 8)

    def forward(self, x):
        summary = x.mean(dim=(0, 2))
        return x * self.score(summary).sigmoid().view(1, -1, 1)

model = nn.Sequential(nn.Conv1d(3, 8, 3), nn.ReLU(), Gate(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(8, 2))
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(TensorDataset(torch.randn(40, 3, 12), torch.randint(0, 2, (40,))), batch_size=10):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = ((_SCRIPT, 14),)

SOUND = (
    _SCRIPT.replace("dim=(0, 2))", "dim=2)").replace("view(1, -1, 1)", "unsqueeze(2)"),
    _SCRIPT.replace(
        "summary = x.mean(dim=(0, 2))",
        "x = (x - x.mean(dim=(0, 2), keepdim=True)) / x.std(dim=(0, 2), keepdim=True)\n        summary = x.mean(dim=2)",
    ).replace("view(1, -1, 1)", "unsqueeze(2)"),
)
