"""BiDAF: one similarity matrix normalised over both axes in turn, start and end pointers over the context."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class BiDAF(nn.Module):
    def __init__(self, vocab=40, d=12):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.ctx = nn.LSTM(d, d, bidirectional=True, batch_first=True)
        self.sim = nn.Linear(6 * d, 1, bias=False)
        self.model = nn.LSTM(8 * d, d, bidirectional=True, batch_first=True)
        self.start, self.end = nn.Linear(10 * d, 1), nn.Linear(10 * d, 1)

    def forward(self, c, q):
        c, q = self.ctx(self.emb(c))[0], self.ctx(self.emb(q))[0]
        ce = c.unsqueeze(2).expand(-1, -1, q.size(1), -1)
        qe = q.unsqueeze(1).expand(-1, c.size(1), -1, -1)
        S = self.sim(torch.cat([ce, qe, ce * qe], dim=-1)).squeeze(-1)
        c2q = torch.bmm(S.softmax(dim=2), q)
        b = S.max(dim=2).values.softmax(dim=1)
        q2c = torch.bmm(b.unsqueeze(1), c).expand(-1, c.size(1), -1)
        back = torch.bmm(S.softmax(dim=2), torch.bmm(S.softmax(dim=1).transpose(1, 2), c))
        g = torch.cat([c, c2q, c * c2q, c * q2c], dim=-1)
        m, _ = self.model(g + torch.cat([back, c * back], dim=-1).repeat(1, 1, 2))
        both = torch.cat([g, m], dim=-1)
        return self.start(both).squeeze(-1), self.end(both).squeeze(-1)


context = torch.randint(0, 30, (72, 14))
question = torch.randint(30, 40, (72, 4))
begin = torch.randint(0, 10, (72,))
finish = begin + torch.randint(0, 4, (72,))
for i in range(72):
    context[i, begin[i]] = 30 + question[i, 0] % 5
loader = DataLoader(TensorDataset(context, question, begin, finish), batch_size=16, shuffle=True)
model = BiDAF()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(3):
    exact = 0
    for c, q, s, e in loader:
        ls, le = model(c, q)
        loss = F.cross_entropy(ls, s) + F.cross_entropy(le, e)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        joint = (ls.log_softmax(1)[:, :, None] + le.log_softmax(1)[:, None, :]).masked_fill(~torch.ones(14, 14, dtype=torch.bool).triu(), -1e9)
        best = joint.flatten(1).argmax(dim=1)
        exact += ((best // 14 == s) & (best % 14 == e)).sum().item()
    print(epoch, loss.item(), exact / 72)
