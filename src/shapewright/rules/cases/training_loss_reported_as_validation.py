"""Cases of SW313."""

_FUNCTION = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

def assess(model, loader):
    model.eval()
    with torch.no_grad():
        return sum(nn.functional.mse_loss(model(x), y, reduction="sum").item() for x, y in loader) / len(loader.dataset)

train_loader = DataLoader(TensorDataset(torch.randn(24, 3), torch.randn(24, 1)), batch_size=8)
val_loader = DataLoader(TensorDataset(torch.randn(8, 3), torch.randn(8, 1)), batch_size=8)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    model.train()
    for x, y in train_loader:
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    {report}
"""

FAULTY = (
    (_FUNCTION.replace("{report}", "val_loss = assess(model, train_loader)"), 22),
    (
        _FUNCTION.replace(
            "{report}",
            "with torch.no_grad():\n        gap = sum(nn.functional.l1_loss(model(x), y).item() for _ in range(2))\n   "
            "     for rows, goals in val_loader:\n            gap += nn.functional.l1_loss(model(x), y).item()",
        ),
        25,
    ),
    (
        """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
held = [torch.randn(8, 3) for _ in range(3)]
for epoch in range(3):
    for _ in range(4):
        x = torch.randn(8, 3)
        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    val_loss = 0.0
    with torch.no_grad():
        for x in held:
            error = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
            val_loss += loss.item()
    print(epoch, val_loss / len(held))
""",
        18,
    ),
)

SOUND = (
    _FUNCTION.replace(
        "{report}",
        "for number, batch in enumerate(val_loader):\n        x, y = batch\n        print(number, "
        "nn.functional.l1_loss(model(x), y).item())",
    ),
    _FUNCTION.replace(
        "{report}",
        "for rows, goals in val_loader:\n        print(nn.functional.l1_loss(model(rows), goals).item(), "
        "float(model(x).mean()))",
    ),
    _FUNCTION.replace("{report}", "train_loss, val_loss = assess(model, train_loader), assess(model, val_loader)"),
    _FUNCTION.replace(
        "{report}",
        "fitted = assess(model, train_loader)\n    val_loss = assess(model, val_loader)\n    test_error = "
        "max(assess(model, train_loader), assess(model, val_loader))",
    ),
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
held = [torch.randn(8, 3) for _ in range(3)]
for epoch in range(3):
    train_loss = 0.0
    for _ in range(4):
        x = torch.randn(8, 3)
        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        train_loss += loss.item()
    val_loss = 0.0
    with torch.no_grad():
        for x in held:
            loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
            val_loss += loss.item()
    print(epoch, train_loss / 4, val_loss / len(held))
""",
)
