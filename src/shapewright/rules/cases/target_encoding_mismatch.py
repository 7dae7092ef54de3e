"""Cases of SW235."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
a, b = torch.randn(9, 5), torch.randn(9, 5)
same = (torch.arange(9) % 2).float()
for step in range(3):
    u, v = net(a), net(b)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = tuple(
    (_SCRIPT.replace("{loss}", loss), 11)
    for loss in (
        "nn.CosineEmbeddingLoss()(u, v, same)",
        "nn.MarginRankingLoss(0.5)(u[:, 0], v[:, 0], same)",
        "nn.functional.soft_margin_loss(u[:, 0] - v[:, 0], same)",
        "nn.BCEWithLogitsLoss()(u[:, 0] - v[:, 0], 2 * same - 1)",
        "nn.functional.binary_cross_entropy_with_logits(u[:, 0], same + 1)",
        "nn.BCEWithLogitsLoss()(u, torch.randint(0, 256, (9, 3)).float())",
        "nn.functional.binary_cross_entropy_with_logits(u, b[:, :3])",
    )
)

SOUND = tuple(
    _SCRIPT.replace("{loss}", loss)
    for loss in (
        "nn.CosineEmbeddingLoss()(u, v, 2 * same - 1)",
        "nn.CosineEmbeddingLoss()(u, v, torch.ones(9)) + nn.MarginRankingLoss(0.5)(u[:, 0], v[:, 0], torch.ones(9))",
        "nn.functional.soft_margin_loss(u[:, 0], same.sign() * 2 - 1)",
        "nn.functional.binary_cross_entropy_with_logits(u[:, 0], 0.9 * same + 0.05)",
        "nn.functional.binary_cross_entropy_with_logits(u[:, 0], torch.full((9,), 1.1))",
        "nn.BCEWithLogitsLoss()(u, torch.rand(9, 3))",
        "nn.BCEWithLogitsLoss()(u, torch.softmax(3 * b[:, :3], 1) * 1.0005)",
    )
)
