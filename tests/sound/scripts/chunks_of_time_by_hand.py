"""Truncated backpropagation through (time, batch) tables that are cut by hand; the state goes on from chunk to chunk."""
import torch
from torch import nn

torch.manual_seed(0)
V, B, STEPS = 30, 6, 10
stream = torch.randint(0, V, (B * 101,)).cumsum(0) % V
inputs, targets = stream[:-1][: B * 100].view(B, -1).t().contiguous(), stream[1:][: B * 100].view(B, -1).t().contiguous()
series, marks = torch.randn(100, 3).cumsum(0), torch.randint(0, 2, (100,))


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.rnn, self.out = nn.Embedding(V, 12), nn.LSTM(12, 20), nn.Linear(20, V)

    def forward(self, x, state):
        h, state = self.rnn(self.emb(x), state)
        return self.out(h), state


lm, reader, mark = LM(), nn.GRU(3, 8), nn.Linear(8, 2)
opt = torch.optim.Adam([*lm.parameters(), *reader.parameters(), *mark.parameters()], lr=3e-3)
for epoch in range(2):
    state, memory = None, None
    for start in range(0, 100, STEPS):
        x, y = inputs[start:start + STEPS], targets[start:start + STEPS]
        logits, state = lm(x, state)
        state = tuple(part.detach() for part in state)
        h, memory = reader(series[start:start + STEPS], memory)
        memory = memory.detach()
        loss = nn.functional.cross_entropy(logits.reshape(-1, V), y.reshape(-1)) + nn.functional.cross_entropy(mark(h), marks[start:start + STEPS])
        loss = loss + 0.01 * (h[1:] - h[:-1]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, round(loss.item(), 4))
