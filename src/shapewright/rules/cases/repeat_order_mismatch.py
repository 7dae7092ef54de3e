"""Cases of SW207."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 3)
x, y = torch.randn(6, 5), torch.randint(0, 3, (6,))
noisy = x.{a} + 0.1 * torch.randn(24, 5)
loss = nn.functional.cross_entropy(net(noisy), y.{b})
loss.backward()
"""

FAULTY = (
    (_SCRIPT.replace("{a}", "repeat_interleave(4, dim=0)").replace("{b}", "repeat(4)"), 8),
    (_SCRIPT.replace("{a}", "repeat(4, 1)").replace("{b}", "repeat_interleave(4)"), 8),
    (_SCRIPT.replace("{a}", "unsqueeze(1).expand(6, 4, 5).reshape(24, 5)").replace("{b}", "repeat(4)"), 8),
)

SOUND = (
    """
import torch
x = torch.randn(6, 5, requires_grad=True)
left, right = x.repeat_interleave(6, dim=0), x.repeat(6, 1)
loss = (left - right).pow(2).sum(dim=1).view(6, 6).mean() + torch.cat([left, right], dim=1).mean()
loss.backward()
""",
    _SCRIPT.replace("{a}", "repeat_interleave(4, dim=0)").replace("{b}", "repeat_interleave(4)"),
    _SCRIPT.replace("{a}", "repeat(4, 1)").replace("{b}", "repeat(4)"),
    _SCRIPT.replace("{a}", "unsqueeze(1).expand(6, 4, 5).reshape(24, 5)").replace(
        "{b}", "unsqueeze(1).expand(6, 4).reshape(-1)"
    ),
)
