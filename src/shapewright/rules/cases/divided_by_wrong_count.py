"""Cases of SW330."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(20, 3), torch.randint(0, 2, (20,))), batch_size=8)
model = nn.Linear(3, 2)
total = 0
with torch.no_grad():
    for x, y in loader:
        scores = model(x)
        loss = nn.functional.cross_entropy(scores, y{reduction})
        total += {added}
print({figure})
"""


def _script(added: str, figure: str, reduction: str = "") -> str:
    return _SCRIPT.replace("{added}", added).replace("{figure}", figure).replace("{reduction}", reduction)


FAULTY = (
    (_script("(scores.argmax(1) == y).sum().item()", "100 * total / len(loader)"), 14),
    (_script("loss.item() * x.size(0)", "total / len(loader)"), 14),
)

SOUND = (
    _script("loss.item()", "total / len(loader)"),
    _script("loss.item()", "total / len(loader.dataset)", ", reduction='sum'"),
    _script("loss.item() * len(x)", "total / len(loader.dataset)"),
    _script(
        "(scores.argmax(1) == y).sum().item()",
        "total / len(loader.dataset), f'{100 * total / len(loader.dataset):.1f}'",
    ),
    _script("(scores.argmax(1) == y).float().mean().item()", "total / len(loader)"),
    _script("loss.sum().item()", "total / len(loader.dataset)", ", reduction='none'"),
)
