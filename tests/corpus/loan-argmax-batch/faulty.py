import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

train = TensorDataset(torch.randn(48, 10), torch.randint(0, 8, (48,)))
model = nn.Linear(10, 8)
loader = DataLoader(train, batch_size=8)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    right = 0
    for x, y in loader:
        out = model(x)
        loss = F.cross_entropy(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        right += (out.argmax(0) == y).sum().item()
    print(epoch, f"{loss.item():.4f} {right / 48:.3f}")
