"""Top-k routing, a capacity limit over the batch, a balancing loss."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class MoE(nn.Module):
    def __init__(self, dim=8, experts=4):
        super().__init__()
        self.gate = nn.Linear(dim, experts)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(dim, 16), nn.GELU(), nn.Linear(16, dim)) for _ in range(experts))
        self.aux = None

    def forward(self, x):
        b, t, d = x.shape
        flat = x.reshape(-1, d)
        probs = self.gate(flat).softmax(-1)
        weight, index = probs.topk(2, dim=-1)
        place = F.one_hot(index[:, 0], probs.shape[1]).cumsum(0)
        room = (place.gather(1, index[:, :1]) <= 200).float()
        out = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            rows, slot = (index == i).nonzero(as_tuple=True)
            if rows.numel():
                out.index_add_(0, rows, weight[rows, slot].unsqueeze(1) * expert(flat[rows]) * room[rows])
        load = F.one_hot(index[:, 0], probs.shape[1]).float().mean(0)
        self.aux = (load * probs.mean(0)).sum() * probs.shape[1]
        return out.view(b, t, d)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.moe, self.head = nn.Embedding(20, 8), MoE(), nn.Linear(8, 3)

    def forward(self, ids):
        h = self.emb(ids)
        h = h + self.moe(h)
        return {"logits": self.head(h.mean(1)), "aux": self.moe.aux}


loader = DataLoader(TensorDataset(torch.randint(0, 20, (60, 6)), torch.randint(0, 3, (60,))), batch_size=12, shuffle=True)
model = Model()
opt = torch.optim.Adam(model.parameters())
for epoch in range(2):
    for ids, y in loader:
        out = model(ids)
        loss = F.cross_entropy(out["logits"], y) + 0.01 * out["aux"]
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item())
