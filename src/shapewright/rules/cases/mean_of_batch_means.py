"""Cases of SW395."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
data = TensorDataset(torch.randn(50, 5), torch.randint(0, 3, (50,)))
loader = DataLoader(data, batch_size={size})
for x, y in loader:
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
total = 0.0
with torch.no_grad():
    for x, y in loader:
        hits = (net(x).argmax(1) == y).float()
        {add}
print(total / {count})
"""


def _filled(add: str, count: str = "len(loader)", size: int = 16) -> str:
    return _SCRIPT.replace("{add}", add).replace("{count}", count).replace("{size}", str(size))


FAULTY = ((_filled("total += hits.mean().item()"), 21),)

SOUND = (
    _filled("total += hits.mean().item()", size=25),
    _filled("total += hits.sum().item()", "len(data)"),
    _filled("total += hits.mean().item() * len(x)", "len(data)"),
)
