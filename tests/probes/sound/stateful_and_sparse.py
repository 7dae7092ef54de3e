"""A model with memory: running statistics, an EMA teacher, a queue; a truncated recurrent state carried along, detached."""
import copy
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(6))
        self.register_buffer("seen", torch.tensor(0))
        self.net, self.history = nn.Linear(6, 4), []

    def forward(self, x):
        with torch.no_grad():
            self.mean.lerp_(x.mean(0), 0.1)
            self.seen += 1
            self.history.append(float(x.mean()))
        return self.net(x - self.mean)


class Queue(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(6, 4)
        self.key = copy.deepcopy(self.query)
        self.register_buffer("queue", F.normalize(torch.randn(16, 4), dim=1))
        self.at = 0

    def forward(self, a, b):
        q = F.normalize(self.query(a), dim=1)
        with torch.no_grad():
            for p, k in zip(self.query.parameters(), self.key.parameters()):
                k.mul_(0.9).add_(p, alpha=0.1)
            k = F.normalize(self.key(b), dim=1)
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ self.queue.clone().t()], dim=1)
        self.queue[self.at:self.at + len(k)] = k
        self.at = (self.at + len(k)) % 16
        return logits / 0.1


class Stream(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.LSTM(3, 8, batch_first=True), nn.Linear(8, 1)

    def forward(self, x, state=None):
        out, state = self.rnn(x, state)
        return self.head(out), state


counting, queue, stream = Counting(), Queue(), Stream()
for model in (counting, queue, stream):
    opt = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.05)
    state = None
    for step in range(5):
        if model is counting:
            loss = F.cross_entropy(model(torch.randn(8, 6)), torch.randint(0, 4, (8,)))
        elif model is queue:
            loss = F.cross_entropy(model(torch.randn(8, 6), torch.randn(8, 6)), torch.zeros(8, dtype=torch.long))
        else:
            out, state = model(torch.randn(8, 5, 3), state)
            state = tuple(part.detach() for part in state)
            loss = out.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item())
