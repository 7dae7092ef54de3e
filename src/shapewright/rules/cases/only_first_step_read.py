"""Cases of SW283."""

from . import filled

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


_TEXTS = """
import torch
from torch import nn
torch.manual_seed(0)
class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 8, padding_idx=0)
        self.block = nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True)
        self.out = nn.Linear(8, 2)
    def forward(self, text, sizes):
        ahead = torch.ones(text.shape[1], text.shape[1], dtype=torch.bool).triu(1)
        told = self.block(self.words(text), src_mask={mask}, src_key_padding_mask=text == 0)
        rows = torch.arange(len(text))
        return self.out({read})
judge = Judge()
opt = torch.optim.Adam(judge.parameters(), lr=0.01)
for step in range(3):
    sizes = torch.randint(4, 9, (6,))
    text = nn.utils.rnn.pad_sequence([torch.randint(2, 20, (n,)) for n in sizes.tolist()], batch_first=True)
    loss = nn.functional.cross_entropy(judge(text, sizes), torch.randint(0, 2, (6,)))
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
    (filled(_TEXTS, mask="ahead", read="told[:, 0]"), 15),
    (filled(_TEXTS, mask="ahead", read="told[rows, sizes - 2]"), 15),
    (filled(_TEXTS, mask="ahead", read="told.gather(1, (sizes - 2)[:, None, None].expand(-1, 1, 8))[:, 0]"), 15),
)

SOUND = (
    filled(_TEXTS, mask="ahead", read="told[rows, sizes - 1]"),
    filled(_TEXTS, mask="None", read="told[:, 0]"),
    filled(_TEXTS, mask="None", read="(told * (text > 0)[..., None]).sum(1) + told[:, 0]"),
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
