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


FAULTY = (
    (_SCRIPT.format(read="out[:, 0, :]", rnn="GRU(5, 6, batch_first=True)", shape="8, 7, 5", width=6), 11),
    (_SCRIPT.format(read="out[0]", rnn="LSTM(5, 6)", shape="7, 8, 5", width=6), 11),
    (_SCRIPT.format(read="out.transpose(0, 1)[0]", rnn="RNN(5, 6, batch_first=True)", shape="8, 7, 5", width=6), 11),
    (_SCRIPT.format(read="state[0]", rnn="GRU(5, 6, 2, batch_first=True)", shape="8, 7, 5", width=6), 11),
    (
        _SCRIPT.format(
            read="torch.cat((state[0][0], state[0][1]), 1)",
            rnn="LSTM(5, 6, 3, batch_first=True, bidirectional=True)",
            shape="8, 7, 5",
            width=12,
        ),
        11,
    ),
)

SOUND = (
    _SCRIPT.format(read="state[-1]", rnn="GRU(5, 6, 2, batch_first=True)", shape="8, 7, 5", width=6),
    _SCRIPT.format(read="state[0] + state[1]", rnn="GRU(5, 6, 2, batch_first=True)", shape="8, 7, 5", width=6),
    _SCRIPT.format(
        read="torch.cat((state[0][2], state[0][3]), 1)",
        rnn="LSTM(5, 6, 2, batch_first=True, bidirectional=True)",
        shape="8, 7, 5",
        width=12,
    ),
    _SCRIPT.format(read="out[:, -1, :]", rnn="GRU(5, 6, batch_first=True)", shape="8, 7, 5", width=6),
    _SCRIPT.format(read="out[-1]", rnn="LSTM(5, 6)", shape="7, 8, 5", width=6),
    _SCRIPT.format(
        read="torch.cat((out[:, -1, :6], out[:, 0, 6:]), 1)",
        rnn="GRU(5, 6, batch_first=True, bidirectional=True)",
        shape="8, 7, 5",
        width=12,
    ),
    _SCRIPT.format(read="out[:, 0] + out.mean(1)", rnn="GRU(5, 6, batch_first=True)", shape="8, 7, 5", width=6),
    _SCRIPT.format(read="state[0]", rnn="GRU(5, 6, batch_first=True)", shape="8, 7, 5", width=6),
    _SCRIPT.format(read="out[:, 0] + state[-1]", rnn="GRU(5, 6, batch_first=True)", shape="8, 7, 5", width=6),
    _SCRIPT.format(
        read="out[:, 0]", rnn="GRU(5, 6, batch_first=True)", shape="8, 1, 5", width=6
    ),  # one step is all there is
)
