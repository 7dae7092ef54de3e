# cause: a count that is required and divided
import argparse
import random

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--n_iters", type=int, required=True, help="number of samples to learn from")
args = parser.parse_args()
pairs = [(torch.randn(4), torch.randint(3, ())) for _ in range(30)]
net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
report = args.n_iters // 100
for number in range(1, args.n_iters + 1):
    x, y = random.choice(pairs)
    loss = nn.functional.cross_entropy(net(x).unsqueeze(0), y.unsqueeze(0))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if number % report == 0:
        print(number, loss.item())
