"""Cases of SW146."""

from . import filled

_SCRIPT = """
import torch
torch.manual_seed(0)
w = torch.randn(5, 1, requires_grad=True)
net = torch.nn.Linear(5, 1)
x, y = torch.randn(64, 5), torch.randn(64, 1)
for _ in range(5):
    loss = (x @ w + net(x) - y).pow(2).mean()
    loss.backward()
    {update}
    w.grad = None
    net.zero_grad()
"""
FAULTY = (
    (filled(_SCRIPT, update="w -= 0.1 * w.grad"), 10),
    (filled(_SCRIPT, update="net.weight.add_(net.weight.grad, alpha=-0.1)"), 10),
)
SOUND = (
    filled(_SCRIPT, update="w.data -= 0.1 * w.grad"),
    filled(_SCRIPT, update="with torch.no_grad(): w -= 0.1 * w.grad"),
    filled(_SCRIPT, update="w = (w - 0.1 * w.grad).detach().requires_grad_()"),
)
