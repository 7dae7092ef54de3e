import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class SlotAttention(nn.Module):
    """Softmax over the slots (they compete), then a weighted mean over the inputs."""

    def __init__(self, slots=4, dim=24, iters=2):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(1, slots, dim))
        self.q, self.k, self.v = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.gru = nn.GRUCell(dim, dim)
        self.norm_in, self.norm_slot = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.iters = iters

    def forward(self, x):
        b, n, d = x.shape
        x = self.norm_in(x)
        k, v = self.k(x), self.v(x)
        slots = self.mu + 0.1 * torch.randn(b, self.mu.size(1), d)
        for _ in range(self.iters):
            prev = slots
            q = self.q(self.norm_slot(slots))
            attn = F.softmax(torch.einsum("bsd,bnd->bsn", q, k) * d ** -0.5, dim=1) + 1e-8
            attn = attn / attn.sum(dim=-1, keepdim=True)
            updates = torch.einsum("bsn,bnd->bsd", attn, v)
            slots = self.gru(updates.reshape(-1, d), prev.reshape(-1, d)).view(b, -1, d)
        return slots


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.cnn = nn.Sequential(nn.Conv2d(3, 24, 3, padding=1), nn.ReLU(), nn.Conv2d(24, 24, 3, 2, 1))
        self.slots = SlotAttention()
        self.decode = nn.Linear(24, 4 * 8 * 8)

    def forward(self, img):
        f = self.cnn(img).flatten(2).transpose(1, 2)
        s = self.slots(f)
        out = self.decode(s).view(img.size(0), -1, 4, 8, 8)
        rgb, alpha = out[:, :, :3], out[:, :, 3:].softmax(dim=1)
        return (rgb * alpha).sum(dim=1)


torch.manual_seed(0)
img = torch.zeros(96, 3, 8, 8)
for i in range(96):
    for c in range(3):
        a, b = torch.randint(0, 6, (2,)).tolist()
        img[i, c, a:a + 2, b:b + 2] = 1.0
model = Model()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(3):
    for xb, in DataLoader(TensorDataset(img), batch_size=16, shuffle=True):
        loss = F.mse_loss(model(xb), xb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, round(loss.item(), 4))
