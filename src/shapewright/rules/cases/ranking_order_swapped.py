"""Cases of SW312."""

FAULTY = (
    (
        """
import torch
from torch import nn
judge = nn.Linear(5, 1)
opt = torch.optim.SGD(judge.parameters(), lr=0.1)
for step in range(4):
    chosen_scores = judge(torch.randn(8, 5)).squeeze(-1)
    rejected_scores = judge(torch.randn(8, 5)).squeeze(-1)
    loss = nn.functional.margin_ranking_loss(rejected_scores, chosen_scores, torch.ones(8), margin=1.0)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        9,
    ),
    (
        """
import torch
from torch import nn
judge = nn.Linear(5, 1)
opt = torch.optim.SGD(judge.parameters(), lr=0.1)
for step in range(4):
    chosen = judge(torch.randn(8, 5)).squeeze(-1)
    rejected = judge(torch.randn(8, 5)).squeeze(-1)
    loss = -nn.functional.logsigmoid(rejected - chosen).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        9,
    ),
    (
        """
import torch
from torch import nn
net = nn.Linear(5, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
criterion = nn.TripletMarginLoss()
for step in range(4):
    anchor, positive, negative = net(torch.randn(8, 5)), net(torch.randn(8, 5)), net(torch.randn(8, 5))
    loss = criterion(anchor, negative, positive)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        9,
    ),
    (
        """
import torch
from torch import nn
net = nn.Linear(5, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    same, positive, negative = torch.randn(8, 5), torch.randn(8, 5), torch.randn(8, 5)
    u, v, w = net(same), nn.functional.normalize(net(positive)), nn.functional.normalize(net(negative))
    loss = nn.functional.triplet_margin_loss(u, w, v)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        9,
    ),
    (
        """
import torch
from torch import nn
policy = nn.Linear(5, 1)
for step in range(4):
    x, z = torch.randn(8, 5), torch.randn(8, 5)
    policy_chosen, policy_rejected = policy(x).squeeze(-1), policy(z).squeeze(-1)
    gap, reference = policy_rejected - policy_chosen, torch.randn(8)
    loss = -nn.functional.logsigmoid(0.1 * (gap - reference)).mean()
    loss.backward()
""",
        8,
    ),
)

SOUND = (
    *(
        f"""
import torch
from torch import nn
embed = nn.Linear(5, 3)
opt = torch.optim.SGD(embed.parameters(), lr=0.1)
for step in range(3):
    anchor, pos, neg = (embed(torch.randn(16, 5)) for _ in range(3))
    hardest_pos, hardest_neg = {far.replace("OTHER", "pos")}, {far.replace("OTHER", "neg")}
    loss = torch.relu(hardest_pos - hardest_neg + 0.3).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
        for far in ("(anchor - OTHER).pow(2).sum(1)", "(2 - 2 * (anchor * OTHER).sum(1)).clamp(min=1e-9).sqrt()")
    ),
    """
import torch
from torch import nn
from torch.nn import functional as F
judge = nn.Linear(5, 1)
opt = torch.optim.SGD(judge.parameters(), lr=0.1)
for step in range(4):
    a, p, n = torch.randn(8, 5), torch.randn(8, 5), torch.randn(8, 5)
    chosen, rejected = judge(p).squeeze(-1), judge(n).squeeze(-1)
    pos_dist, neg_dist = F.pairwise_distance(a, p), F.pairwise_distance(a, n)
    pos_score = (judge(a) - judge(p)).norm(dim=1)
    neg_score = (judge(a) - judge(n)).norm(dim=1)
    loss = F.margin_ranking_loss(chosen, rejected, torch.ones(8), margin=1.0)
    loss = loss + F.margin_ranking_loss(pos_score, neg_score, -torch.ones(8), margin=1.0)
    loss = loss + F.margin_ranking_loss(neg_dist, pos_dist, torch.ones(8)) - F.logsigmoid(chosen - rejected).mean()
    loss = loss - F.logsigmoid(-(rejected - chosen)).mean() + F.triplet_margin_loss(judge(a), judge(p), judge(n))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
