"""Cases of SW322."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
forger = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 8))
judge = nn.Sequential(nn.Linear(8, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
forger_opt = torch.optim.Adam(forger.parameters(), lr=2e-4)
judge_opt = torch.optim.Adam(judge.parameters(), lr=2e-4)
bce = nn.BCEWithLogitsLoss()
for epoch in range(2):
    for (real,) in DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=16):
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        judge_opt.zero_grad()
        {early}
        fake = forger(torch.randn(len(real), 6))
        real_loss = bce(judge(real), ones)
        fake_loss = bce(judge({fake}), zeros)
        (real_loss + fake_loss).backward()
        judge_opt.step()
        {late}
        score = judge(forger(torch.randn(len(real), 6)))
        bce(score, ones).backward()
        forger_opt.step()
"""

_SHARED = """
import torch
from torch import nn
torch.manual_seed(0)
body, left, right = nn.Linear(5, 8), nn.Linear(8, 1), nn.Linear(8, 3)
opts = [torch.optim.Adam(part.parameters()) for part in (body, left, right)]
for step in range(6):
    x = torch.randn(12, 5)
    for opt in opts:
        opt.zero_grad()
    (left(body(x)).squeeze(1) - x.sum(1)).square().mean().backward()
    opts[1].step()
    nn.functional.cross_entropy(right(body(x)), x[:, :3].argmax(1)).backward()
    opts[2].step()
    opts[0].step()
"""

_TURNS = """
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as bce, softplus
torch.manual_seed(0)
maker, judge = nn.Linear(4, 6), nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
make, tell = torch.optim.Adam(maker.parameters()), torch.optim.Adam(judge.parameters())

def judging(real, fake):
    tell.zero_grad()
    (bce(judge(real), torch.ones(9, 1)) + bce(judge(fake.detach()), torch.zeros(9, 1))).backward()
    {told}

def making(fake):
    make.zero_grad()
    {frozen}
    softplus(-judge(fake)).mean().backward({inputs})
    make.step()
    {late}

for real in torch.randn(4, 9, 6):
    fake = maker(torch.randn(9, 4))
    {turns}
"""
_WHOLE = {"told": "tell.step()", "frozen": "pass", "inputs": "", "late": "pass"}
_LATE = {**_WHOLE, "told": "pass", "late": "tell.step()"}
_MAKER_FIRST = "making(fake); judging(real, fake)"
_JUDGE_FIRST = "judging(real, fake); making(fake)"

_CRITIC = """
import torch
from torch import nn
torch.manual_seed(0)
actor, critic, later = nn.Linear(3, 1), nn.Linear(4, 1), nn.Linear(4, 1)
later.load_state_dict(critic.state_dict())
act, judge = torch.optim.Adam(actor.parameters()), torch.optim.Adam(critic.parameters())
for step in range(6):
    s, a, r, after = torch.randn(32, 3), torch.rand(32, 1), torch.randn(32, 1), torch.randn(32, 3)
    with torch.no_grad():
        wanted = r + 0.9 * later(torch.cat([after, actor(after)], 1))
    act.zero_grad()
    judge.zero_grad()
    (-critic(torch.cat([s, actor(s)], 1)).mean()).backward()
    act.step()
    {clear}
    nn.functional.mse_loss(critic(torch.cat([s, a], 1)), wanted).backward()
    judge.step()
    later.load_state_dict(critic.state_dict())
"""

_TOGETHER = """
import torch
from torch import nn
torch.manual_seed(0)
reader, writer = nn.Linear(6, 3), nn.Linear(3, 6)
read, write = torch.optim.Adam(reader.parameters()), torch.optim.Adam(writer.parameters())
for x in torch.randn(5, 16, 6):
    read.zero_grad()
    write.zero_grad()
    nn.functional.mse_loss(writer(reader(x)), x).backward()
    read.step()
    (0.1 * writer(torch.randn(16, 3)).abs().mean()).backward()
    write.step()
"""

FAULTY = (
    (filled(_SCRIPT, early="forger_opt.zero_grad()", fake="fake", late="pass"), 19),
    (filled(_TURNS, **_LATE, turns=_JUDGE_FIRST), 17),
    (
        filled(_TURNS, **_WHOLE, turns=_MAKER_FIRST)
        .replace("    tell.zero_grad()\n", "", 1)
        .replace("    make.zero_grad()", "    make.zero_grad(); tell.zero_grad()"),
        16,
    ),
    (filled(_CRITIC, clear="pass"), 14),
)

SOUND = (
    filled(_SCRIPT, early="forger_opt.zero_grad()", fake="fake.detach()", late="pass"),
    filled(_SCRIPT, early="pass", fake="fake", late="forger_opt.zero_grad()"),
    filled(_SCRIPT, early="pass", fake="fake", late="forger.zero_grad()"),
    _SHARED,
    filled(_TURNS, **_WHOLE, turns=_JUDGE_FIRST),
    filled(_TURNS, **_WHOLE, turns=_MAKER_FIRST),
    filled(_TURNS, **{**_LATE, "inputs": "inputs=list(maker.parameters())"}, turns=_JUDGE_FIRST),
    filled(_TURNS, **{**_LATE, "frozen": "judge.requires_grad_(False)"}, turns=_JUDGE_FIRST).replace(
        "    tell.zero_grad()", "    tell.zero_grad(); judge.requires_grad_(True)"
    ),
    filled(_CRITIC, clear="judge.zero_grad()"),
    _TOGETHER,
)
