import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Drives(Dataset):
    def __init__(self, n=150):
        g = torch.Generator().manual_seed(0)
        self.x = torch.randn(n, 20, 5, generator=g)
        self.manoeuvre = self.x[:, :, 0].mean(1).gt(0).long() + self.x[:, :, 1].mean(1).gt(0).long()
        self.speed = self.x[:, -5:, 2].mean(1, keepdim=True)
        self.hazard = (self.x[:, :, 3:].abs().mean(1) > 0.8).float()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], {"manoeuvre": self.manoeuvre[i], "speed": self.speed[i], "hazard": self.hazard[i]}


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(5, 24, 3, padding=1)
        self.gru = nn.GRU(24, 24, batch_first=True)
        self.query = nn.Parameter(torch.randn(24))
        self.heads = nn.ModuleDict({"manoeuvre": nn.Linear(24, 3), "speed": nn.Linear(24, 1), "hazard": nn.Linear(24, 2)})
        self.log_var = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        h = F.relu(self.conv(x.transpose(1, 2))).transpose(1, 2)
        h, _ = self.gru(h)
        w = torch.softmax(h @ self.query, dim=1)
        z = torch.einsum("bt,btd->bd", w, h)
        return {k: head(z) for k, head in self.heads.items()}

    def loss(self, out, y):
        parts = torch.stack([
            F.cross_entropy(out["manoeuvre"], y["manoeuvre"]),
            F.mse_loss(out["speed"], y["speed"]),
            F.binary_cross_entropy_with_logits(out["hazard"], y["hazard"], pos_weight=torch.tensor([2.0, 3.0])),
        ])
        return (torch.exp(-self.log_var) * parts + self.log_var).sum()


torch.manual_seed(0)
model = MultiTask()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
loader = DataLoader(Drives(), batch_size=32, shuffle=True)
for epoch in range(3):
    right = torch.zeros(2)
    for x, y in loader:
        out = model(x)
        loss = model.loss(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            right[0] += (out["manoeuvre"].argmax(-1) == y["manoeuvre"]).sum()
            right[1] += ((out["hazard"] > 0).float() == y["hazard"]).all(dim=1).sum()
    print(epoch, round(loss.item(), 4), (right / 150).tolist())
