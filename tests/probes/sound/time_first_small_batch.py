"""Time first with a batch of two and of three, a state handed in, one answer a step."""
import torch
from torch import nn

torch.manual_seed(0)


class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.LSTM(3, 8), nn.Linear(8, 3)

    def forward(self, x, state):
        out, state = self.rnn(x, state)
        return self.head(out), state


class Attending(nn.Module):
    def __init__(self):
        super().__init__()
        self.att, self.head = nn.MultiheadAttention(8, 2), nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.att(x, x, x)[0])


steps, attending = Steps(), Attending()
opt = torch.optim.Adam([*steps.parameters(), *attending.parameters()])
for i in range(4):
    n = 2 + i % 2
    out, _ = steps(torch.randn(20, n, 3), (torch.zeros(1, n, 8), torch.zeros(1, n, 8)))
    loss = (out - torch.randn(20, n, 3)).pow(2).mean() + attending(torch.randn(20, n, 8)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
