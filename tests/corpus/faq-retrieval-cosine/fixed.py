import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Tower(nn.Module):
    def __init__(self, words, dim):
        super().__init__()
        self.embed = nn.EmbeddingBag(words, dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, ids):
        return self.proj(self.embed(ids))

questions, answers = torch.randint(0, 90, (120, 7)), torch.randint(0, 90, (120, 9))
train = TensorDataset(questions, answers)
q_net, a_net = Tower(90, 20), Tower(90, 20)
params = list(q_net.parameters()) + list(a_net.parameters())
opt = torch.optim.Adam(params, lr=1e-3)
for epoch in range(2):
    for q, a in DataLoader(train, batch_size=24, shuffle=True):
        sim = F.cosine_similarity(q_net(q), a_net(a), dim=1)
        loss = (1 - sim).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{loss.item():.4f}")
