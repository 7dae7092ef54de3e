"""A grid of hyper-parameters with a dataclass, fresh models, results as records, early pruning, the best retrained from its saved state."""
import io
import itertools
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)


@dataclass
class Config:
    lr: float
    hidden: int
    act: str
    epochs: int = 3
    log: list = field(default_factory=list)


class Net(nn.Module):
    def __init__(self, cfg: Config, n_in: int, n_out: int) -> None:
        super().__init__()
        act = {"relu": nn.ReLU, "tanh": nn.Tanh}[cfg.act]
        self.layers = nn.Sequential(nn.Linear(n_in, cfg.hidden), act(), nn.Dropout(0.1), nn.Linear(cfg.hidden, n_out))

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)


def train(cfg: Config, train_set, val_set):
    model = Net(cfg, 6, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    criterion = nn.CrossEntropyLoss()
    loader = DataLoader(train_set, batch_size=32, shuffle=True)
    for epoch in range(cfg.epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            x, y = map(torch.stack, zip(*val_set))
            acc = (model(x).argmax(-1) == y).float().mean().item()
        cfg.log.append({"epoch": epoch, "loss": loss.item(), "acc": acc})
        if epoch == 0 and acc < 0.2:
            break
    return model, cfg.log[-1]["acc"]


y = torch.randint(0, 3, (200,))
x = torch.randn(3, 6)[y] + 0.6 * torch.randn(200, 6)
train_set, val_set = random_split(TensorDataset(x, y), [0.8, 0.2], generator=torch.Generator().manual_seed(1))
results, best = [], (None, -1.0)
for lr, hidden, act in itertools.product((1e-2, 1e-3), (8, 16), ("relu", "tanh")):
    cfg = Config(lr, hidden, act)
    model, acc = train(cfg, train_set, val_set)
    buffer = io.BytesIO()
    torch.save(model.state_dict(), buffer)
    results.append((acc, lr, hidden, act))
    if acc > best[1]:
        best = ((cfg, buffer.getvalue()), acc)
results.sort(reverse=True)
cfg, blob = best[0]
model = Net(cfg, 6, 3)
model.load_state_dict(torch.load(io.BytesIO(blob), weights_only=True))
model.eval()
with torch.no_grad():
    print(results[0], (model(x).argmax(1) == y).float().mean().item(), len(results) == 8)
assert len(results) == 8
