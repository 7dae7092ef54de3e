"""Cases of SW282."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as bce, mse_loss, relu, softplus
torch.manual_seed(0)
maker = nn.Linear(4, 6)
judge = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
one = torch.optim.SGD(maker.parameters(), lr=0.01)
two = torch.optim.SGD(judge.parameters(), lr=0.01)
for step in range(3):
    x = torch.randn(9, 6)
    yes, no = torch.ones(9, 1), torch.empty(9, 1).fill_(0.0)
    fake = maker(torch.randn(9, 4))
    two.zero_grad()
    real, made = judge(x), judge(fake.detach())
    ({judge}).backward()
    two.step()
    one.zero_grad()
    made = judge(fake)
    loss = {maker}
    loss.backward()
    one.step()
"""

_PLAIN = "bce(real, yes) + bce(made, no)"
_CRITIC = "made.mean() - real.mean()"


_PUSHED = filled(_SCRIPT, judge="J", maker="-made.mean()").replace("torch.manual_seed(0)", "up = torch.ones(())")
_PUSHED = _PUSHED.replace("(J).backward()", "real.mean().backward(-up); made.mean().backward({way})")


_LISTED = ("torch.ones(9, 1), torch.empty(9, 1).fill_(0.0)", "torch.tensor([[1.0]] * 9), torch.tensor([[-1.0]] * 9)")

_ONE_PASS = """
import torch
from torch import nn
torch.manual_seed(0)
maker, judge = nn.Linear(8, 12), nn.Sequential(nn.Linear(12, 8), nn.ReLU(), nn.Linear(8, 1), nn.Sigmoid())
make, tell = torch.optim.Adam(maker.parameters()), torch.optim.Adam(judge.parameters())
criterion = nn.BCELoss()
for real in torch.randn(4, 9, 12):
    judge.zero_grad()
    label = torch.full((9, 1), 1.0)
    criterion(judge(real), label).backward()
    fake = maker(torch.randn(9, 8))
    {label}
    criterion(judge(fake.detach()), label).backward()
    tell.step()
    maker.zero_grad()
    label.fill_(1.0)
    criterion(judge(fake), label).backward()
    make.step()
    break
"""

_LIKELY = "real.sigmoid().log().mean() + (1 - made.sigmoid()).log().mean()"
_ASCENDED = filled(_SCRIPT, judge=_LIKELY, maker="made.sigmoid().log().mean()").replace(
    "maker.parameters(), lr=0.01", "maker.parameters(), lr=0.01, maximize=True"
)

_TOLD = """
def told(given, invented):
    return bce(given, torch.ones(9, 1)) + bce(invented, torch.zeros(9, 1))

for step"""

FAULTY = (
    (filled(_PUSHED, way="-up"), 16),
    (filled(_SCRIPT, judge=_PLAIN, maker="bce(made, no)"), 20),
    (filled(_SCRIPT, judge=_CRITIC, maker="made.mean()"), 20),
    (filled(_SCRIPT, judge=_CRITIC, maker="0.5 * made.mean() + 0.1 * fake.pow(2).mean()"), 20),
    (
        filled(
            _SCRIPT,
            judge="-torch.mean(real.sigmoid().log() + (1 - made.sigmoid()).log())",
            maker="-(1 - made.sigmoid()).log().mean()",
        ),
        20,
    ),
    (
        filled(
            _SCRIPT,
            judge="mse_loss(real, yes) + mse_loss(made, no)",
            maker="mse_loss(made, torch.full_like(made, 0.0))",
        ),
        20,
    ),
    (filled(_SCRIPT, judge="bce(real, yes) + bce(made, yes)", maker="bce(made, yes)"), 16),
    (
        filled(_SCRIPT, judge="mse_loss(real, yes) + mse_loss(made, yes)", maker="mse_loss(made, yes)").replace(
            *_LISTED
        ),
        16,
    ),
    (_ONE_PASS.replace("{label}", "pass"), 14),
    (filled(_SCRIPT, judge=_LIKELY, maker="-made.sigmoid().log().mean()"), 16),
    (_ASCENDED, 16),
    (filled(_SCRIPT, judge="bce(real, no) + bce(made, yes)", maker="bce(made, yes)"), 16),
    (filled(_SCRIPT, judge="real.mean() - made.mean()", maker="-made.mean()"), 16),
    (filled(_SCRIPT, judge="told(made, real)", maker="bce(made, yes)").replace("for step", _TOLD), 20),
    (filled(_SCRIPT, judge="bce(real, yes) + bce(judge(x), no)", maker="bce(made, yes)"), 16),
)


_JOINT = """
import torch
from torch import nn
torch.manual_seed(0)
encoder, judge = nn.Linear(4, 6), nn.Linear(6, 1)
one, two = (torch.optim.SGD(net.parameters(), lr=0.01) for net in (encoder, judge))
for step in range(3):
    for net in (one, two):
        net.zero_grad()
    loss = -judge(encoder(torch.randn(9, 4))).mean() + judge(torch.randn(9, 6)).mean()
    loss.backward()
    one.step()
    two.step()
"""

# an encoder is trained to leave the judge in doubt, which learns in a step of its own
_DOUBT = """
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as bce
torch.manual_seed(0)
encoder, judge = nn.Linear(4, 6), nn.Linear(6, 1)
one, two = (torch.optim.SGD(net.parameters(), lr=0.01) for net in (encoder, judge))
yes, no = torch.ones(9, 1), torch.zeros(9, 1)
for step in range(3):
    here, there = torch.randn(9, 4), torch.randn(9, 4) + 1
    two.zero_grad()
    (bce(judge(encoder(here).detach()), yes) + bce(judge(encoder(there).detach()), no)).backward()
    two.step()
    one.zero_grad()
    told = judge(encoder(there))
    (0.5 * bce(told, yes) + 0.5 * bce(told, no)).backward()
    one.step()
"""
_TURNED = filled(_SCRIPT, judge="real.mean()", maker="made.mean()").replace(
    "(real.mean()).backward()", "real.mean().backward(-torch.ones(()))\n    made.mean().backward()"
)
SOUND = (
    filled(_PUSHED, way="up"),
    _ONE_PASS.replace("{label}", "label.fill_(0.0)"),
    filled(_SCRIPT, judge="mse_loss(real, yes) + mse_loss(made, no)", maker="mse_loss(made, 0 * yes)").replace(
        *_LISTED
    ),
    filled(_SCRIPT, judge=_PLAIN, maker="bce(made, yes)"),
    filled(_SCRIPT, judge=_PLAIN, maker="-bce(made, no)"),
    filled(_SCRIPT, judge="bce(real, no) + bce(made, yes)", maker="bce(made, no)"),  # it says how likely a fake is
    filled(_SCRIPT, judge="real.mean() - made.mean()", maker="made.mean()"),
    filled(_SCRIPT, judge="told(real, made)", maker="bce(made, yes)").replace("for step", _TOLD),
    filled(_SCRIPT, judge=_CRITIC, maker="-made.mean()"),
    filled(_SCRIPT, judge="relu(1 - real).mean() + relu(1 + made).mean()", maker="-made.mean()"),
    filled(_SCRIPT, judge="softplus(-real).mean() + softplus(made).mean()", maker="softplus(-made).mean()"),
    filled(
        _SCRIPT, judge="mse_loss(real, yes) + mse_loss(made, no)", maker="mse_loss(made, torch.full_like(made, 0.5))"
    ),
    filled(_SCRIPT, judge="bce(real - made.mean(), yes)", maker="bce(made - judge(x).mean().detach(), yes)"),
    filled(_SCRIPT, judge="mse_loss(real, x.sum(1, keepdim=True)) + mse_loss(made, yes * 0.3)", maker="-made.mean()"),
    _TURNED.replace("loss.backward()", "loss.backward(-torch.ones(()))"),  # signs are handed to backward
    _DOUBT,
    _JOINT,  # one loss for both: an encoder and what reads it work together
    _ASCENDED.replace("judge.parameters(), lr=0.01", "judge.parameters(), lr=0.01, maximize=True"),
    filled(_SCRIPT, judge=f"-({_LIKELY})", maker="(1 - made.sigmoid()).log().mean()"),  # the saturating game
)
