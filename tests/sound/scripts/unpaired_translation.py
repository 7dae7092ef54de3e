"""Two domains without pairs: each is shuffled by itself, generators and discriminators have optimisers of their own."""

import itertools
import random

import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
np.random.seed(0)
summer = np.random.randn(40, 8).astype("float32")
winter = (np.random.randn(40, 8) * 2 + 1).astype("float32")


def net(outputs):
    return nn.Sequential(nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Linear(16, outputs))


to_winter, to_summer, judge_winter, judge_summer = net(8), net(8), net(1), net(1)
makers = torch.optim.Adam(itertools.chain(to_winter.parameters(), to_summer.parameters()), lr=2e-4, betas=(0.5, 0.999))
judges = torch.optim.Adam(itertools.chain(judge_winter.parameters(), judge_summer.parameters()), lr=2e-4, betas=(0.5, 0.999))
mse, l1 = nn.MSELoss(), nn.L1Loss()

for epoch in range(2):
    np.random.shuffle(summer)
    np.random.shuffle(winter)
    for start in range(0, 40, 8):
        a, b = torch.from_numpy(summer[start:start + 8]), torch.from_numpy(winter[start:start + 8])
        makers.zero_grad()
        fake_b, fake_a = to_winter(a), to_summer(b)
        score_b, score_a = judge_winter(fake_b), judge_summer(fake_a)
        fooling = mse(score_b, torch.ones_like(score_b)) + mse(score_a, torch.ones_like(score_a))
        cycle = l1(to_summer(fake_b), a) + l1(to_winter(fake_a), b)
        same = l1(to_winter(b), b) + l1(to_summer(a), a)
        (fooling + 10 * cycle + 5 * same).backward()
        makers.step()
        judges.zero_grad()
        for judge, real, fake in ((judge_winter, b, fake_b), (judge_summer, a, fake_a)):
            right, wrong = judge(real), judge(fake.detach())
            loss = 0.5 * (mse(right, torch.ones_like(right)) + mse(wrong, torch.zeros_like(wrong)))
            loss.backward()
        judges.step()
    print(epoch, float(cycle), float(loss))
