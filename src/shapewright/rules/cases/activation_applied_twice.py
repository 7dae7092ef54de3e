"""Cases of SW205."""

_SCRIPT = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 3){tail})
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(9, 5), torch.randint(0, 3, (9,))
for step in range(3):
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_DISTILLED = """
import torch
from torch import nn
import torch.nn.functional as F
teacher, net = nn.Linear(5, 4).eval(), nn.Linear(5, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    x = torch.randn(9, 5)
    with torch.no_grad():
        goal = teacher(x)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_MAP = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 4, 1){tail})
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    pictures, labels = torch.randn(5, 3, 6, 6), torch.randint(0, 4, (5, 6, 6))
    loss = F.nll_loss(net(pictures), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_LOGS = "F.log_softmax(net(x), 1)"

_DICE = """
import torch
from torch import nn
torch.manual_seed(0)
class Overlap(nn.Module):
    def forward(self, p, t, eps=1.0):
        p, t = p.flatten(1), t.flatten(1)
        hit = (p * t).sum(1)
        return 1 - ((2 * hit + eps) / {below}).mean()
net = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 1, 1))
opt, overlap = torch.optim.SGD(net.parameters(), lr=0.1), Overlap()
x = torch.randn(8, 1, 6, 6)
t = (x > 0.5).float()
for step in range(3):
    out = net(x)
    loss = nn.functional.binary_cross_entropy_with_logits(out, t) + overlap({given}, t)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_BELOW = "(p.sum(1) + t.sum(1) + eps)"

FAULTY = (
    tuple(
        (_SCRIPT.replace("{tail}", tail).replace("{loss}", loss), 10)
        for tail, loss in (
            (", nn.Softmax(dim=1)", "F.cross_entropy(net(x), y)"),
            ("", "F.cross_entropy(torch.softmax(net(x), dim=-1), y)"),
            ("", "F.binary_cross_entropy_with_logits(torch.sigmoid(net(x)), F.one_hot(y, 3).float())"),
            ("", "F.nll_loss(net(x).softmax(1), y)"),
            ("", "F.nll_loss(net(x), y)"),
            ("", "F.ctc_loss(net(x).softmax(-1)[:, None], y[None, :3] % 2 + 1, (9,), (3,))"),
        )
    )
    + tuple(
        (_DISTILLED.replace("{loss}", loss), 11)
        for loss in (
            f"F.kl_div({_LOGS}, F.log_softmax(goal / 2.0, 1), reduction='batchmean')",
            f"F.kl_div({_LOGS}, goal / 2.0, reduction='batchmean')",
            f"F.kl_div({_LOGS}, goal.softmax(1), reduction='batchmean', log_target=True)",
            "F.cross_entropy(net(x), goal)",
            "nn.CrossEntropyLoss()(net(x), goal.log_softmax(dim=-1))",
            "F.kl_div(F.relu(net(x)), goal.softmax(1), reduction='batchmean')",
        )
    )
    + tuple(
        (_DICE.replace("{below}", below).replace("{given}", "out"), 9)
        for below in (_BELOW, "((p * p).sum(1) + (t * t).sum(1) + eps)", "(p.sum(1) + t.sum(1) - hit + eps)")
    )
    + ((_MAP.replace("{tail}", ""), 10),)
)

SOUND = (
    tuple(
        _SCRIPT.replace("{tail}", tail).replace("{loss}", loss)
        for tail, loss in (
            ("", "F.cross_entropy(net(x), y)"),
            (", nn.LogSoftmax(dim=1)", "F.nll_loss(net(x), y)"),
            (", nn.LogSoftmax(dim=1)", "F.ctc_loss(net(x)[:, None], y[None, :3] % 2 + 1, (9,), (3,))"),
            ("", "F.nll_loss(torch.log(net(x).softmax(1) + 1e-8), y)"),
            ("", "F.cross_entropy(net(x), torch.softmax(torch.randn(9, 3), 1))"),
            ("", "F.binary_cross_entropy(torch.sigmoid(net(x)), F.one_hot(y, 3).float())"),
            ("", "F.kl_div(F.log_softmax(net(x), 1), F.softmax(torch.randn(9, 3), 1), reduction='batchmean')"),
        )
    )
    + tuple(
        _DISTILLED.replace("{loss}", loss)
        for loss in (
            f"F.kl_div({_LOGS}, F.log_softmax(goal / 2.0, 1), reduction='batchmean', log_target=True)",
            f"F.kl_div({_LOGS}, (goal / 2.0).softmax(1), reduction='batchmean')",
            "F.cross_entropy(net(x), goal.softmax(dim=-1))",
            "F.cross_entropy(net(x), goal.argmax(1))",
            "F.binary_cross_entropy_with_logits(net(x), goal.sigmoid())",
            "F.mse_loss(net(x), goal)",
        )
    )
    + tuple(
        _DICE.replace("{below}", _BELOW).replace("{given}", given)
        for given in (
            "out.sigmoid()",
            "torch.cat([1 - out.sigmoid(), out.sigmoid()], 1)[:, 1:]",
            "nn.functional.relu(out)",
        )
    )
    + (_MAP.replace("{tail}", ", nn.LogSoftmax(dim=1)"),)
)
