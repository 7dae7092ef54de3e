"""NumPy reshapes that keep the order of memory on purpose: flat pictures, days of hours, windows, blocks averaged."""
import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
torch.manual_seed(0)
flat = rng.integers(0, 255, (80, 3 * 16 * 16)).astype(np.uint8)
pictures = flat.reshape(-1, 3, 16, 16).astype(np.float32) / 255.0
shown = pictures.transpose(0, 2, 3, 1).reshape(80, -1)
small = pictures.reshape(80, 3, 8, 2, 8, 2).mean(axis=(3, 5))
hours = rng.standard_normal(80 * 24).reshape(80, 24).astype(np.float32)
weeks = hours.reshape(-1, 8, 24).mean(axis=1)
labels = (small[:, 0].reshape(len(small), -1).mean(axis=1) > 0.5).astype(np.int64).reshape(-1, 1).ravel()
table = np.stack([hours.min(1), hours.max(1), hours.mean(1)]).T.reshape(80, 3, 1)
steps = np.concatenate([table, table], axis=2).transpose(0, 2, 1)
x, t, y = torch.from_numpy(small.copy()), torch.from_numpy(steps.copy()), torch.from_numpy(labels)
conv = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
rnn, out = nn.GRU(3, 8, batch_first=True), nn.Linear(16, 2)
opt = torch.optim.Adam([*conv.parameters(), *rnn.parameters(), *out.parameters()], lr=1e-3)
for epoch in range(3):
    for xb, tb, yb in zip(x.split(16), t.split(16), y.split(16)):
        loss = nn.functional.cross_entropy(out(torch.cat([conv(xb), rnn(tb)[1][-1]], dim=1)), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, round(loss.item(), 4), shown.shape, weeks.shape)
