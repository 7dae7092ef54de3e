import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical, Normal, kl_divergence

torch.manual_seed(0)
enc, dec = nn.Linear(10, 8), nn.Linear(4, 10)
cls, teacher = nn.Linear(10, 5), nn.Linear(10, 5)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters(), *cls.parameters()], lr=1e-3)
for step in range(20):
    x = torch.rand(24, 10)
    mu, log_sigma = enc(x).chunk(2, dim=-1)
    q = Normal(mu, log_sigma.exp())
    z = q.rsample((3,))
    recon = dec(z)
    log_px = -F.mse_loss(recon, x.expand_as(recon), reduction="none").sum(-1)
    kl = kl_divergence(q, Normal(torch.zeros_like(mu), torch.ones_like(mu))).sum(-1)
    elbo = (log_px - kl).mean()
    iwae = (torch.logsumexp(log_px + Normal(0.0, 1.0).log_prob(z).sum(-1) - q.log_prob(z).sum(-1), dim=0) - torch.log(torch.tensor(3.0))).mean()
    with torch.no_grad():
        t = teacher(x).softmax(-1)
    p = cls(x).softmax(-1)
    m = 0.5 * (p + t)
    js = 0.5 * (F.kl_div(m.log(), p, reduction="batchmean") + F.kl_div(m.log(), t, reduction="batchmean"))
    reverse = (p * (p.log() - t.log())).sum(-1).mean()
    confidence = -(p * p.log()).sum(-1)
    weighted = (confidence.detach() * F.cross_entropy(cls(x), t.argmax(-1), reduction="none")).mean()
    loss = -elbo - 0.1 * iwae + js + 0.1 * reverse + weighted
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 9:
        print(step + 1, round(loss.item(), 4))
