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

_TAGS = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
net = nn.Linear(5, 4)
data = TensorDataset(torch.randn(24, 5), torch.rand(24, 4).gt(0.5).float())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, tags in DataLoader(data, batch_size=8):
    logits = net(x)
    loss = nn.functional.binary_cross_entropy_with_logits(logits, tags)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    right = (logits > 0).eq(tags.bool())
    print({shown})
"""

FAULTY = (
    (_SCRIPT.replace("gather({dim}", "gather(1").replace("{dim}", "0").replace("{axis}", "1"), 12),
    (_SCRIPT.replace("gather({dim}", "gather(0").replace("{dim}", "1").replace("{axis}", "1"), 11),
    (_SCRIPT.replace("{dim}", "1").replace("{axis}", "0"), 13),
    (_TAGS.replace("{shown}", "right.all(dim=0).float().mean().item()"), 16),
)

SOUND = (
    _SCRIPT.replace("{dim}", "1").replace("{axis}", "-1"),
    _SCRIPT.replace("gather({dim}", "gather(1")
    .replace("(left.argmax({dim}) == y).float().mean()", "left.argmax(0)")
    .replace("{axis}", "1"),
    _TAGS.replace("{shown}", "right.all(dim=1).float().mean().item()"),
    _TAGS.replace("{shown}", "right.float().mean(0), right.all(0)"),
    _TAGS.replace("{shown}", "right.all().item(), right.all(0).any().item()"),
)
