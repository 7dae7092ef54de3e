import torch
import torch.nn as nn

torch.manual_seed(0)


class KMaxPool(nn.Module):
    def __init__(self, k=3):
        super().__init__()
        self.k = k
        self.conv = nn.Conv1d(4, 8, 3, padding=1)
        self.fc = nn.Linear(8 * k, 2)

    def forward(self, x):
        h = torch.relu(self.conv(x))
        top = h.sort(dim=0, descending=True).values[:, :, :self.k]
        return self.fc(top.flatten(1))


x = torch.randn(100, 4, 18)
y = (x[:, 0].max(1).values > 2).long()
net = KMaxPool()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(3):
    for i in range(0, 100, 20):
        loss = nn.functional.cross_entropy(net(x[i:i + 20]), y[i:i + 20])
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, round(loss.item(), 4))
