"""MAML: inner updates by autograd.grad, functional_call with fast weights, second-order outer step."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.manual_seed(0)


def task():
    amp = torch.rand(1) * 4 + 0.1
    phase = torch.rand(1) * torch.pi

    def draw(k):
        x = torch.rand(k, 1) * 10 - 5
        return x, amp * torch.sin(x + phase)

    return draw


model = nn.Sequential(nn.Linear(1, 40), nn.ReLU(), nn.Linear(40, 40), nn.ReLU(), nn.Linear(40, 1))
meta = torch.optim.Adam(model.parameters(), lr=1e-3)
for it in range(25):
    outer = 0.0
    for _ in range(4):
        draw = task()
        xs, ys = draw(10)
        fast = dict(model.named_parameters())
        for _ in range(2):
            inner = F.mse_loss(functional_call(model, fast, (xs,)), ys)
            grads = torch.autograd.grad(inner, tuple(fast.values()), create_graph=True)
            fast = {name: w - 0.01 * g for (name, w), g in zip(fast.items(), grads)}
        xq, yq = draw(15)
        outer = outer + F.mse_loss(functional_call(model, fast, (xq,)), yq)
    meta.zero_grad()
    (outer / 4).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 10.0)
    meta.step()
    if it % 10 == 0:
        print(it, outer.item() / 4)
