"""Cases of SW118."""

FAULTY = (
    (
        """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self, lags):
        super().__init__()
        self.rnn = nn.GRU(lags, 16, batch_first=True)
    def forward(self, x, extra):
        out, _ = self.rnn(torch.cat([x, extra], dim=-1))
        return out
Net(6)(torch.randn(4, 9, 6), torch.randn(4, 9, 2))
""",
        9,
    ),
    (
        """
import torch
from torch import nn
vocab, length = 11, 5
lstm = nn.LSTM(input_size=vocab, hidden_size=50)
one_hot = torch.eye(vocab)[torch.randint(0, vocab, (1, length))]
lstm(one_hot.permute(0, 2, 1))
""",
        7,
    ),
    (
        """
import torch
from torch import nn
frames = torch.randn(2, 6, 3, 8, 8)
nn.LSTM(192, 10, batch_first=True)(frames)
""",
        5,
    ),
)

SOUND = (
    """
import torch
from torch import nn
lstm = nn.LSTM(11, 50)
lstm(torch.randn(5, 1, 11))
lstm(torch.randn(5, 11))
nn.GRUCell(4, 6)(torch.randn(3, 4))
""",
)
