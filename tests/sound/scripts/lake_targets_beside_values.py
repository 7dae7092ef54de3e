"""Values and targets listed side by side, one sample of the memory after the other; ends are told by an `if`."""

import random
from collections import deque

import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)


class Walker(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = nn.Linear(9, 8), nn.Linear(8, 3)

    def forward(self, spot):
        return self.out(torch.relu(self.hidden(spot)))


def seen(spot):
    return torch.eye(9)[spot]


walker, slow = Walker(), Walker()
with torch.no_grad():
    walker.out.bias.fill_(2)
    walker.out.weight.mul_(1e-4)
slow.load_state_dict(walker.state_dict())
with torch.no_grad():
    slow.out.weight.mul_(0.5)
opt = torch.optim.Adam(walker.parameters(), lr=1e-6)
memory = deque(maxlen=200)
for step in range(60):
    memory.append((step % 9, 1 + step % 2, random.randrange(9), 0.0, step % 11 == 10))

for update in range(6):
    batch = random.sample(memory, 16)
    values, targets = [], []
    for spot, move, after, gain, over in batch:
        if over:
            wanted = torch.tensor(gain)
        else:
            with torch.no_grad():
                wanted = gain + 0.9 * slow(seen(after)).max()
        values.append(walker(seen(spot)))
        with torch.no_grad():
            told = slow(seen(spot))
        told[move] = wanted
        targets.append(told)
    loss = nn.functional.mse_loss(torch.stack(values), torch.stack(targets))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if update % 3 == 2:
        slow.load_state_dict(walker.state_dict())
