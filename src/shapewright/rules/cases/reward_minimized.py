"""Cases of SW291."""

_SCRIPT = """
import torch
from torch import nn
from torch.distributions import Categorical
torch.manual_seed(0)
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
s, reward = torch.randn(9, 5), torch.randn(9)
for step in range(3):
    dist = Categorical(logits=net(s))
    action = dist.sample()
    log_prob = dist.log_prob(action)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = tuple(
    (_SCRIPT.replace("{loss}", loss), 13)
    for loss in (
        "(log_prob * reward).mean()",
        "torch.stack([log_p * reward[i] for i, log_p in enumerate(log_prob)]).sum()",
        "-(-reward.sign().abs() * log_prob * reward).mean()",
    )
)

SOUND = (
    *tuple(
        _SCRIPT.replace("{loss}", loss)
        for loss in (
            "-(log_prob * reward).mean()",
            "(-log_prob * reward).mean()",
            "torch.stack([-log_p * reward[i] for i, log_p in enumerate(log_prob)]).sum()",
            "(log_prob * -reward).mean()",
            "(log_prob.exp().detach() * log_prob).mean()",
            "-1 * (reward * log_prob).sum() / 9",
            "(-reward.sign().abs() * torch.log(dist.probs[range(9), action]) * reward).mean()",
        )
    ),
    _SCRIPT.replace("{loss}", "(log_prob * reward).mean()").replace("lr=0.1", "lr=0.1, maximize=True"),
)
