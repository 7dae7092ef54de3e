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

_WRITER = """
import torch
from torch import nn
torch.manual_seed(0)
class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.look, self.run, self.out = nn.Embedding(9, 8), nn.GRU(8, 8, batch_first=True), nn.Linear(8, 9)
    def forward(self, text):
        return self.out(self.run(self.look(text))[0])
net = Writer()
opt = torch.optim.Adam(net.parameters())
text = torch.randint(0, 9, (80,))
for at in range(0, 60, 20):
    rows = torch.stack([text[i : i + 7] for i in range(at, at + 12)])
    loss = nn.functional.cross_entropy(net(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
told, longest = text[None, :3], 6
with torch.no_grad():
    for _ in range({count}):
        seen = {seen}
        new = net(seen)[:, -1].softmax(1).multinomial(1)
        told = torch.cat([told, new], dim=1)
    print(told{shown}.tolist())
"""

_AHEAD = """
import torch
from torch import nn
torch.manual_seed(0)
wave = (torch.arange(120.0) / 5).sin()
rows = wave.unfold(0, 9, 1)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters())
for part in rows[torch.randperm(64)].split(16):
    loss = (net(part[:, :8]) - part[:, 8:]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
guesses = []
with torch.no_grad():
    window = rows[-1:, 1:]
    for _ in range(10):
        step = net(window)
        guesses.append(step)
        window = {next}
print(torch.cat(guesses, 1))
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
    (filled(_WRITER, count="8", seen="told[:, :longest]", shown=""), 24),
    (filled(_AHEAD, next="torch.cat([window, step], 1)[:, :8]"), 20),
)

SOUND = (
    filled(_WRITER, count="8", seen="told[:, -longest:]", shown="[:, :longest]"),
    filled(_WRITER, count="3", seen="told[:, :longest]", shown=""),  # never longer than that
    filled(_WRITER, count="8", seen="text[None, : told.size(1)]", shown="[:, 3:]"),  # the text itself, step by step
    filled(_AHEAD, next="torch.cat([window, step], 1)[:, 1:]"),
    filled(_AHEAD, next="torch.cat([step, window], 1)[:, :8].roll(-1, 1)"),
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
