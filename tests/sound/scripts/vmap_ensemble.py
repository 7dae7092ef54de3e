"""torch.func: an ensemble by stack_module_state and vmap, per-sample gradients, a Jacobian penalty."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, jacrev, stack_module_state, vmap

torch.manual_seed(0)
E = 4
x = torch.randn(128, 3)
y = torch.sin(x[:, :1]) + 0.1 * torch.randn(128, 1)
models = [nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1)) for _ in range(E)]
params, buffers = stack_module_state(models)
base = copy.deepcopy(models[0]).to("meta")


def call(p, b, data):
    return functional_call(base, (p, b), (data,))


def member_loss(p, b, data, target):
    return F.mse_loss(call(p, b, data), target)


optimizer = torch.optim.Adam(params.values(), lr=1e-2)
for step in range(30):
    idx = torch.randint(0, 128, (32,))
    loss = vmap(member_loss, in_dims=(0, 0, None, None))(params, buffers, x[idx], y[idx]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    preds = vmap(call, in_dims=(0, 0, None))(params, buffers, x)
print("spread", preds.std(dim=0).mean().item(), "rmse", (preds.mean(dim=0) - y).pow(2).mean().sqrt().item())

net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)


def one_loss(p, xi, yi):
    return F.mse_loss(functional_call(net, p, (xi.unsqueeze(0),)), yi.unsqueeze(0))


for step in range(20):
    idx = torch.randint(0, 128, (16,))
    p = {k: v.detach() for k, v in net.named_parameters()}
    per_sample = vmap(grad(one_loss), in_dims=(None, 0, 0))(p, x[idx], y[idx])
    norms = torch.stack([g.flatten(1).norm(dim=1) for g in per_sample.values()], dim=1).norm(dim=1)
    clip = (1.0 / norms.clamp(min=1e-6)).clamp(max=1.0)
    for name, param in net.named_parameters():
        g = per_sample[name]
        param.grad = (g * clip.view(-1, *[1] * (g.dim() - 1))).mean(dim=0) + 0.01 * torch.randn_like(param) / 16
    opt.step()
jac = vmap(jacrev(lambda v: net(v)))(x[:8])
print(norms.max().item(), jac.shape)
