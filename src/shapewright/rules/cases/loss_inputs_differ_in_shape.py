"""Cases of SW101."""

FAULTY = (
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
head = nn.Linear(8, 1)
good, bad = torch.randn(6, 8), torch.randn(6, 8)
first, second = head(good), head(bad)
labels = torch.ones(first.size(0))
loss = nn.MarginRankingLoss(margin=1.0)(first, second, labels)
""",
        9,
    ),
    (
        """
import torch
from torch import nn
a, b = torch.randn(5, 16), torch.randn(5, 16)
same = torch.ones(5, 1)
nn.functional.cosine_embedding_loss(a, b, same)
""",
        6,
    ),
    (
        """
import torch
from torch import nn
net = nn.Linear(10, 4)
anchor, positive, negative = net(torch.randn(8, 10)), net(torch.randn(8, 10)), net(torch.randn(6, 10))
loss = nn.TripletMarginLoss()(anchor, positive, negative)
""",
        6,
    ),
    (
        """
import torch
from torch import nn
logp = nn.Linear(10, 6)(torch.randn(8, 20, 10)).log_softmax(-1)
targets = torch.randint(1, 6, (8, 5))
nn.CTCLoss()(logp, targets, torch.full((8,), 20), torch.full((8,), 5))
""",
        6,
    ),
)

SOUND = (
    """
import torch
from torch import nn
head = nn.Linear(8, 1)
for n in (1, 2, 5):
    first, second = head(torch.randn(n, 8)).squeeze(-1), head(torch.randn(n, 8)).squeeze(-1)
    nn.MarginRankingLoss(margin=1.0)(first, second, torch.ones(n)).backward()
""",
    """
import torch
from torch import nn
a, b = torch.randn(5, 16), torch.randn(5, 16)
nn.functional.cosine_embedding_loss(a, b, torch.ones(5))
nn.TripletMarginLoss()(a, b, torch.randn(5, 16))
""",
)
