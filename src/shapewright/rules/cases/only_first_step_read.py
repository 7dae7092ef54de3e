"""Cases of SW283."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.{rnn}, nn.Linear({width}, 3)
    def forward(self, x):
        out, state = self.rnn(x)
        return self.head({read})
net = Net()
opt = torch.optim.Adam(net.parameters())
for step in range(3):
    x, y = torch.randn({shape}), torch.randint(0, 3, (8,))
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def _read(read: str, rnn: str = "GRU(5, 6, batch_first=True)", shape: str = "8, 7, 5", width: int = 6) -> str:
    return _SCRIPT.format(read=read, rnn=rnn, shape=shape, width=width)


FAULTY = (
    (_read("out[:, 0, :]"), 11),
    (_read("out[0]", "LSTM(5, 6)", "7, 8, 5"), 11),
    (_read("out.transpose(0, 1)[0]", "RNN(5, 6, batch_first=True)"), 11),
)

SOUND = (
    _read("out[:, -1, :]"),
    _read("out[-1]", "LSTM(5, 6)", "7, 8, 5"),
    _read("torch.cat((out[:, -1, :6], out[:, 0, 6:]), 1)", "GRU(5, 6, batch_first=True, bidirectional=True)", width=12),
    _read("out[:, 0] + out.mean(1)"),
    _read("state[0]"),
    _read("out[:, 0] + state[-1]"),
    _read("out[:, 0]", shape="8, 1, 5"),  # one step is all there is
)
