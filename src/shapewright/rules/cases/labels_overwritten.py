"""Cases of SW298."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(12, 8), nn.Linear(8, 12))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    ids = torch.randint(0, 11, (6, 5))
    {labels}
    mask = torch.rand(6, 5) < 0.4
    ids[mask] = 11
    loss = nn.functional.cross_entropy(model(ids)[mask], labels[mask])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = ((_SCRIPT.replace("{labels}", "labels = ids"), 9),)

SOUND = (
    _SCRIPT.replace("{labels}", "labels = ids.clone()"),
    _SCRIPT.replace("{labels}", "labels = ids").replace(
        "    ids[mask] = 11\n", "    ids = ids.masked_fill(mask, 11)\n"
    ),
)
