"""Cases of SW262."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 8), nn.Linear(8, 1)

    def forward(self, x):
        return self.head(torch.relu(self.body(x))).squeeze()

model = Scorer()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(TensorDataset(torch.randn(25, 4), torch.randn(25)), batch_size=8):
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = ((_SCRIPT, 14), (_SCRIPT.replace("25", "24"), 14))

SOUND = (_SCRIPT.replace("squeeze()", "squeeze(-1)"),)
