"""Multi-task: classification, regression and multi-label heads, learned uncertainty weights, a dict batch."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class People(Dataset):
    def __init__(self, n):
        self.x = torch.randn(n, 12)
        self.group = self.x[:, :3].argmax(dim=1)
        self.age = 40 + 10 * self.x[:, 3] + torch.randn(n)
        self.tags = (self.x[:, 4:8] > 0.3).float()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return {"x": self.x[i], "group": self.group[i], "age": self.age[i], "tags": self.tags[i]}


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(12, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.1))
        self.heads = nn.ModuleDict({"group": nn.Linear(32, 3), "age": nn.Linear(32, 1), "tags": nn.Linear(32, 4)})
        self.log_vars = nn.ParameterDict({k: nn.Parameter(torch.zeros(())) for k in self.heads})

    def forward(self, x):
        h = self.trunk(x)
        return {"group": self.heads["group"](h), "age": self.heads["age"](h)[:, 0], "tags": self.heads["tags"](h)}

    def loss(self, out, batch):
        parts = {
            "group": F.cross_entropy(out["group"], batch["group"]),
            "age": F.smooth_l1_loss(out["age"], (batch["age"] - 40) / 10),
            "tags": F.binary_cross_entropy_with_logits(out["tags"], batch["tags"]),
        }
        return sum(torch.exp(-self.log_vars[k]) * v + self.log_vars[k] for k, v in parts.items()), parts


train = DataLoader(People(160), batch_size=32, shuffle=True, drop_last=True)
test = DataLoader(People(65), batch_size=32)
model = MultiTask()
decay = [p for n, p in model.named_parameters() if p.dim() > 1]
rest = [p for n, p in model.named_parameters() if p.dim() <= 1]
optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 1e-2}, {"params": rest, "weight_decay": 0.0}], lr=3e-3)
for epoch in range(4):
    model.train()
    for batch in train:
        loss, parts = model.loss(model(batch["x"]), batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    correct = mae = tag = n = 0
    with torch.inference_mode():
        for batch in test:
            out = model(batch["x"])
            correct += (out["group"].argmax(1) == batch["group"]).sum().item()
            mae += (10 * out["age"] + 40 - batch["age"]).abs().sum().item()
            tag += ((out["tags"] > 0) == batch["tags"].bool()).all(dim=1).sum().item()
            n += len(batch["x"])
    print(epoch, {k: round(v.item(), 3) for k, v in parts.items()}, correct / n, mae / n, tag / n)
