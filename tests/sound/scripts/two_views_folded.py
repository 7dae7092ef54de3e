"""Two views joined along the batch and folded apart by view(2, B, -1); groups of answers folded by view(-1, G); chosen and rejected interleaved."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
G = 4
encoder = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 8))
score = nn.Linear(8, 1)
optimizer = torch.optim.Adam([*encoder.parameters(), *score.parameters()], lr=2e-3)
loader = DataLoader(TensorDataset(torch.randn(66, 10)), batch_size=12, shuffle=True)
for epoch in range(3):
    for (x,) in loader:
        b = x.size(0)
        both = torch.cat([x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)], dim=0)
        z = F.normalize(encoder(both), dim=-1).view(2, b, -1)
        align = (z[0] - z[1]).pow(2).sum(dim=-1).mean()
        uniform = torch.pdist(z[0]).pow(2).mul(-2).exp().mean().log() if b > 1 else 0.0

        prompts = x.repeat_interleave(G, dim=0)
        answers = prompts + torch.randn_like(prompts)
        reward = -(answers - prompts).pow(2).mean(dim=1)
        grouped = reward.view(-1, G)
        adv = ((grouped - grouped.mean(dim=1, keepdim=True)) / (grouped.std(dim=1, keepdim=True) + 1e-6)).view(-1)
        logp = F.logsigmoid(score(encoder(answers)).squeeze(-1))
        policy = -(adv * logp).mean()

        better, worse = x + 0.5, x - 0.5
        rows = torch.stack([better, worse], dim=1).flatten(0, 1)
        pair = score(encoder(rows)).view(-1, 2)
        prefer = -F.logsigmoid(pair[:, 0] - pair[:, 1]).mean()

        loss = align + 0.1 * uniform + policy + prefer
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item(), (pair[:, 0] > pair[:, 1]).float().mean().item())
