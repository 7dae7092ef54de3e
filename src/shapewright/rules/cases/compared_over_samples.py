"""Cases of SW212."""

_SCRIPT = """
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
net = nn.Linear(5, 8)
data = TensorDataset(torch.randn(24, 5), torch.randn(24, 5), torch.randint(0, 8, (24,)))
for a, b, y in DataLoader(data, batch_size=8):
    left, right = net(a), net(b)
    chosen = left.gather({dim}, y.unsqueeze(1))
    right_share = (left.argmax({dim}) == y).float().mean()
    loss = (1 - F.cosine_similarity(left, right, dim={axis})).mean()
    loss.backward()
"""

FAULTY = (
    (_SCRIPT.replace("gather({dim}", "gather(1").replace("{dim}", "0").replace("{axis}", "1"), 12),
    (_SCRIPT.replace("gather({dim}", "gather(0").replace("{dim}", "1").replace("{axis}", "1"), 11),
    (_SCRIPT.replace("{dim}", "1").replace("{axis}", "0"), 13),
)

SOUND = (
    _SCRIPT.replace("{dim}", "1").replace("{axis}", "-1"),
    _SCRIPT.replace("gather({dim}", "gather(1")
    .replace("(left.argmax({dim}) == y).float().mean()", "left.argmax(0)")
    .replace("{axis}", "1"),
)
