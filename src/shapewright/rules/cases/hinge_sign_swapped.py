"""Cases of SW321."""

_SCRIPT = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Linear(5, 4)
a, p, n = net(torch.randn(8, 5)), net(torch.randn(8, 5)), net(torch.randn(8, 5))
pos, neg = F.{measure}(a, p), F.{measure}(a, n)
loss = {hinge}.mean()
loss.backward()
"""

FAULTY = (
    (_SCRIPT.replace("{measure}", "cosine_similarity").replace("{hinge}", "F.relu(0.2 + pos - neg)"), 9),
    (_SCRIPT.replace("{measure}", "pairwise_distance").replace("{hinge}", "torch.clamp(0.5 - pos + neg, min=0)"), 9),
    (_SCRIPT.replace("{measure}", "cosine_similarity").replace("{hinge}", "(0.2 - neg + pos).clamp(min=0)"), 9),
)

SOUND = (
    _SCRIPT.replace("{measure}", "cosine_similarity").replace("{hinge}", "F.relu(0.2 - pos + neg)"),
    _SCRIPT.replace("{measure}", "pairwise_distance").replace("{hinge}", "torch.clamp(0.5 + pos - neg, min=0)"),
    _SCRIPT.replace("{measure}", "pairwise_distance").replace("{hinge}", "(pos - neg + 0.5).clamp(min=0)"),
)
