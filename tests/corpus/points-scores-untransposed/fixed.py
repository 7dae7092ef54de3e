import torch
import torch.nn as nn

torch.manual_seed(0)


class Mixer(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.emb = nn.Linear(5, dim)
        self.wq, self.wk, self.wv = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.fc = nn.Linear(dim, 2)

    def forward(self, x):
        h = self.emb(x)
        q, k, v = self.wq(h), self.wk(h), self.wv(h)
        scores = torch.bmm(q, k.transpose(1, 2)) / 4.0
        w = torch.softmax(scores, dim=-1)
        return self.fc(torch.bmm(w, v).mean(1))


x = torch.randn(96, 16, 5)
y = (x[:, 3, 0] > 0).long()
net = Mixer()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(3):
    for i in range(0, 96, 24):
        loss = nn.functional.cross_entropy(net(x[i:i + 24]), y[i:i + 24])
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, round(loss.item(), 4))
