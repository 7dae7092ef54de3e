"""Cases of SW119."""

FAULTY = (
    (
        """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 6, 2, batch_first=True)
    def forward(self, x, h):
        return self.lstm(x, h)
    def init_hidden(self, n):
        return torch.zeros(2, n, 6), torch.zeros(2, n, 6)
net, batch_size = Net(), 8
data = torch.randn(20, 5, 3)
for i in range(0, 20, batch_size):
    h = net.init_hidden(batch_size)
    out, h = net(data[i:i + batch_size], h)
""",
        9,
    ),
    (
        """
import torch
from torch import nn
gru = nn.GRU(7, 9, num_layers=2, bidirectional=True, batch_first=True)
x = torch.randn(4, 10, 7)
gru(x, torch.zeros(2, x.size(0), 9))
""",
        6,
    ),
    (
        """
import torch
from torch import nn
lstm = nn.LSTM(7, 9)
x = torch.randn(4, 10, 7)
h0 = torch.zeros(1, x.size(0), 9)
lstm(x, (h0, h0))
""",
        7,
    ),
    *(
        (
            f"""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence
lstm = nn.LSTM(7, 9, batch_first=True, bidirectional=True)
x = torch.randn(4, 10, 7)
packed = pack_padded_sequence(x, torch.tensor([10, 8, 9, 3]), batch_first=True, enforce_sorted=False)
h0 = {made}
lstm(packed, (h0, h0))
""",
            9,
        )
        for made in ("torch.zeros(1, 4, 9)", "torch.zeros(4, 2, 9)")
    ),
)

SOUND = (
    """
import torch
from torch import nn
gru = nn.GRU(7, 9, num_layers=2, bidirectional=True, batch_first=True)
x = torch.randn(4, 10, 7)
gru(x, torch.zeros(4, 4, 9))
gru(x[0], torch.zeros(4, 9))
packed = nn.utils.rnn.pack_padded_sequence(x, torch.tensor([10, 8, 9, 3]), batch_first=True, enforce_sorted=False)
gru(packed, torch.zeros(4, 4, 9))
""",
)
