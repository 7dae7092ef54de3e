import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
P, K = 6, 4


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(24, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 16))

    def forward(self, x):
        return F.normalize(self.net(x))


def batch_hard(emb, labels, margin=0.3):
    sq = emb.pow(2).sum(1)
    dist = (sq.unsqueeze(0) - 2 * emb @ emb.t() + sq.unsqueeze(1)).clamp(min=1e-9).sqrt()
    same = labels.unsqueeze(0) == labels.unsqueeze(1)
    hardest_pos = (dist * same).max(dim=1).values
    hardest_neg = (dist + 10 * same).min(dim=1).values
    return F.relu(hardest_pos - hardest_neg + margin).mean()


def center_loss(emb, labels, centers):
    return (emb - centers[labels]).pow(2).sum(dim=1).mean()


def arcface(emb, weight, labels, s=16.0, m=0.2):
    cos = F.linear(emb, F.normalize(weight)).clamp(-1 + 1e-6, 1 - 1e-6)
    theta = torch.acos(cos)
    onehot = F.one_hot(labels, weight.size(0)).bool()
    return F.cross_entropy(s * torch.where(onehot, torch.cos(theta + m), cos), labels)


means = 2 * torch.randn(20, 24)
model = Embedder()
centers = nn.Parameter(torch.randn(20, 16))
weight = nn.Parameter(torch.randn(20, 16))
opt = torch.optim.Adam([*model.parameters(), centers, weight], lr=2e-3)
for step in range(40):
    ids = torch.randperm(20)[:P]
    labels = ids.repeat_interleave(K)
    x = means[labels] + torch.randn(P * K, 24)
    emb = model(x)
    loss = batch_hard(emb, labels) + 0.1 * center_loss(emb, labels, centers) + 0.1 * arcface(emb, weight, labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 9:
        model.eval()
        with torch.no_grad():
            e = model(means)
            nn_ok = (torch.cdist(emb, e).argmin(1) == labels).float().mean()
        model.train()
        print(step + 1, round(loss.item(), 4), round(nn_ok.item(), 3))
