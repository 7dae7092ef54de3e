"""Cases of SW329."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(20, 3), torch.randint(0, 2, (20,))), batch_size=8)
model = nn.Linear(3, 2)
{before}
with torch.no_grad():
    for x, y in loader:
        {body}
{after}
"""


def _script(before: str, body: str, after: str) -> str:
    return (
        _SCRIPT.replace("{before}", before)
        .replace("{body}", body.replace("\n", "\n        "))
        .replace("{after}", after)
    )


FAULTY = (
    (_script("", "scores = model(x)\npred = scores.argmax(1)", "print((pred == y).float().mean().item())"), 13),
    (_script("", "loss = nn.functional.cross_entropy(model(x), y)", "print(loss.item())"), 12),
    (
        _script(
            "",
            "right, seen = 0, 0\nright += (model(x).argmax(1) == y).sum().item()\nseen += len(y)",
            "print(right / seen)",
        ),
        11,
    ),
)

SOUND = (
    _script("right = 0", "right += (model(x).argmax(1) == y).sum().item()", "print(right / 20, y.shape)"),
    _script(
        "found = []",
        "pred = model(x).argmax(1)\nfound.append(pred == y)",
        "print(torch.cat(found).float().mean().item(), pred.shape)",
    ),
    _script(
        "total = torch.zeros(())",
        "loss = nn.functional.cross_entropy(model(x), y, reduction='sum')\ntotal = total + loss",
        "print(total.item() / 20, loss.item())",
    ),
    _script("", "pred = model(x)\nprint(nn.functional.cross_entropy(pred, y).item())", "print(pred[:2])"),
    _script("", "scores = model(x)\nbreak", "print(nn.functional.cross_entropy(scores, y).item())"),
    _script(
        "kept = {}",
        "loss = nn.functional.cross_entropy(model(x), y)\nkept[len(kept)] = loss.item()",
        "print(loss.item(), kept)",
    ),
)
