"""Time first all through: positions along axis 0, a causal mask, a language model on one long text cut into columns."""
import math
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
V, T, B = 30, 12, 6


class Places(nn.Module):
    def __init__(self, dim, longest=50):
        super().__init__()
        at = torch.arange(longest).unsqueeze(1)
        rate = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        table = torch.zeros(longest, 1, dim)
        table[:, 0, 0::2], table[:, 0, 1::2] = torch.sin(at * rate), torch.cos(at * rate)
        self.register_buffer("table", table)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(x + self.table[:x.size(0)])


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.places = nn.Embedding(V, 16), Places(16)
        self.body = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32), 2)
        self.out = nn.Linear(16, V)

    def forward(self, src, mask):
        return self.out(self.body(self.places(self.emb(src) * 4.0), mask))


def columns(text, n):
    return text[: len(text) // n * n].view(n, -1).t().contiguous()


train, held = columns(torch.randint(0, V, (1000,)), B), columns(torch.randint(0, V, (300,)), B)
model = LM()
opt = torch.optim.SGD(model.parameters(), lr=0.5)
plan = torch.optim.lr_scheduler.StepLR(opt, 1, gamma=0.95)
for epoch in range(2):
    model.train()
    for i in range(0, len(train) - 1, T):
        n = min(T, len(train) - 1 - i)
        data, target = train[i:i + n], train[i + 1:i + 1 + n].reshape(-1)
        loss = F.cross_entropy(model(data, nn.Transformer.generate_square_subsequent_mask(n)).view(-1, V), target)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        opt.step()
    model.eval()
    total = 0.0
    with torch.no_grad():
        for i in range(0, len(held) - 1, T):
            n = min(T, len(held) - 1 - i)
            data, target = held[i:i + n], held[i + 1:i + 1 + n].reshape(-1)
            total += n * F.cross_entropy(model(data, nn.Transformer.generate_square_subsequent_mask(n)).view(-1, V), target).item()
    plan.step()
print(total)
