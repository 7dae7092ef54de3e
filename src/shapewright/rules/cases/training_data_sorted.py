"""Cases of SW238."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
y = torch.arange(3).repeat_interleave(16){turn}
loader = DataLoader(TensorDataset(torch.randn(48, 3), y), batch_size=8{shuffle})
model = nn.Linear(3, 3)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.cross_entropy(model(a), b)
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

FAULTY = ((_SCRIPT.replace("{turn}", "").replace("{shuffle}", ""), 7),)

SOUND = (
    _SCRIPT.replace("{turn}", "").replace("{shuffle}", ", shuffle=True"),
    _SCRIPT.replace("{turn}", "[torch.randperm(48)]").replace("{shuffle}", ""),
)
