"""Cases of SW380."""

from . import filled

_EPOCHS = """
import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(60, 4)
y = (x[:, 0] > 0).long()
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
plan = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, mode="max", patience=1)
best = 0.0
{above}
for epoch in range(5):
    {inside}
    for part in torch.randperm(40).split(10):
        loss = nn.functional.cross_entropy(model(x[part]), y[part])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    with torch.no_grad():
        for part in torch.arange(40, 60).split(10):
            hits += (model(x[part]).argmax(1) == y[part]).sum().item()
            seen += len(part)
    share = {share}
    {used}
    print(epoch, {shown})
"""
_BEGUN = "hits, seen = 0, 0"
_FAULTY = {
    "above": _BEGUN,
    "inside": "total = 0.0",
    "share": "hits / seen",
    "used": "plan.step(share)",
    "shown": "share",
}
_SOUND = {**_FAULTY, "above": "pass", "inside": f"total = 0.0; {_BEGUN}"}

FAULTY = (
    (filled(_EPOCHS, **_FAULTY), 11),
    (
        filled(
            _EPOCHS, **{**_FAULTY, "share": "100.0 * hits / seen", "used": "best = share if share > best else best"}
        ),
        11,
    ),
    (filled(_EPOCHS, **{**_SOUND, "above": "total = 0.0", "inside": _BEGUN, "shown": "total / 4"}), 11),
)

SOUND = (
    filled(_EPOCHS, **_SOUND),
    filled(_EPOCHS, **{**_SOUND, "shown": "total / 4"}),
    filled(_EPOCHS, **{**_SOUND, "share": "100.0 * hits / seen", "used": "best = share if share > best else best"}),
    filled(_EPOCHS, **{**_FAULTY, "used": "pass"}),
    filled(_EPOCHS, **{**_FAULTY, "used": "plan.step(share); hits, seen = 0, 0"}),
)
