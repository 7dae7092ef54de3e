"""ArcFace margins scattered into cosine logits, CPC by time-step negatives, hierarchical and class-weighted cross entropy."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class ArcMargin(nn.Module):
    def __init__(self, d, classes, s=16.0, m=0.3):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(classes, d))
        nn.init.xavier_uniform_(self.weight)
        self.s, self.cos_m, self.sin_m = s, math.cos(m), math.sin(m)

    def forward(self, z, label):
        cosine = F.linear(F.normalize(z), F.normalize(self.weight))
        sine = torch.sqrt((1.0 - cosine.pow(2)).clamp(1e-7, 1))
        phi = cosine * self.cos_m - sine * self.sin_m
        one_hot = torch.zeros_like(cosine).scatter_(1, label.view(-1, 1).long(), 1)
        return (one_hot * phi + (1.0 - one_hot) * cosine) * self.s


class CPC(nn.Module):
    def __init__(self, d=16, ahead=2):
        super().__init__()
        self.enc, self.ar = nn.Conv1d(1, d, 4, stride=4), nn.GRU(d, d, batch_first=True)
        self.heads = nn.ModuleList([nn.Linear(d, d, bias=False) for _ in range(ahead)])

    def forward(self, wave):
        z = self.enc(wave.unsqueeze(1)).transpose(1, 2)
        c, _ = self.ar(z)
        losses = []
        for k, head in enumerate(self.heads, start=1):
            pred, target = head(c[:, :-k]), z[:, k:]
            scores = torch.einsum("btd,std->tbs", pred, target)
            labels = torch.arange(wave.size(0)).expand(scores.size(0), -1)
            losses.append(F.cross_entropy(scores.flatten(0, 1), labels.flatten()))
        return sum(losses) / len(losses), c[:, -1]


y = torch.randint(0, 5, (120,))
wave = torch.sin(torch.arange(48)[None, :] * (0.2 + 0.15 * y[:, None])) + 0.2 * torch.randn(120, 48)
weights = 1 / torch.bincount(y, minlength=5).clamp(min=1).float()
loader = DataLoader(TensorDataset(wave, y), batch_size=24, shuffle=True)
cpc, arc = CPC(), ArcMargin(16, 5)
coarse = nn.Linear(16, 2)
parent = torch.tensor([0, 0, 1, 1, 1])
optimizer = torch.optim.AdamW([{"params": cpc.parameters()}, {"params": [*arc.parameters(), *coarse.parameters()], "lr": 1e-2}], lr=3e-3)
for epoch in range(3):
    hits = 0
    for w, t in loader:
        self_supervised, feature = cpc(w)
        logits = arc(feature, t)
        loss = F.cross_entropy(logits, t, weight=weights) + F.cross_entropy(coarse(feature), parent[t]) + self_supervised
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            hits += (F.linear(F.normalize(feature), F.normalize(arc.weight)).argmax(1) == t).sum().item()
    print(epoch, loss.item(), hits / len(y))
