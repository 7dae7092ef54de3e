"""Cases of SW138."""

_HEAD = """
import torch
from torch import nn
conv = nn.Conv1d(3, 6, 3, stride=2, padding=1)
x, lengths = torch.randn(2, 3, 20), torch.tensor([20, 16])
scores = conv(x).permute(2, 0, 1).log_softmax(-1)
y, y_lengths = torch.randint(1, 6, (2, 4)), torch.tensor([4, 3])
"""

FAULTY = (
    (_HEAD + "nn.CTCLoss()(scores, y, lengths, y_lengths)", 8),
    (_HEAD + "nn.CTCLoss()(scores, y, lengths // 2, y_lengths + 1)", 8),
)

SOUND = (_HEAD + "nn.CTCLoss()(scores, y, (lengths + 1) // 2, y_lengths)",)
