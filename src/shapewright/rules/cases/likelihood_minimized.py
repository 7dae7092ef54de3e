"""Cases of SW295."""

_SCRIPT = """
import torch
from torch import nn
from torch.distributions import Normal
torch.manual_seed(0)
net = nn.Linear(5, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.randn(9, 5), torch.randn(9)
for step in range(3):
    mean, scale = net(x).unbind(1)
    dist = Normal(mean, nn.functional.softplus(scale) + 0.1)
    z = dist.rsample()
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = tuple(
    (_SCRIPT.replace("{loss}", loss), 13)
    for loss in ("dist.log_prob(y).mean()", "dist.log_prob(y).sum() / 9 + 1e-3 * scale.pow(2).mean()")
)

SOUND = tuple(
    _SCRIPT.replace("{loss}", loss)
    for loss in (
        "-dist.log_prob(y).mean()",
        "-(dist.log_prob(y) * 0.5).sum()",
        "dist.log_prob(z).mean() - Normal(0.0, 1.0).log_prob(z).mean()",
        "(1 - dist.log_prob(y)).mean()",
    )
)
