"""Cases of SW234."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 8)
        self.encoder = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.decoder = nn.TransformerDecoderLayer(8, 2, 16{flag})
        self.out = nn.Linear(8, 20)
    def forward(self, src, tgt):
        memory = self.encoder(self.words(src))
        return self.out(self.decoder(self.words(tgt), memory))
net = Net()
src, tgt = torch.randint(0, 20, (6, 9)), torch.randint(0, 20, (6, 9))
nn.functional.cross_entropy(net(src, tgt).flatten(0, 1), tgt.flatten()).backward()
"""

_ROWS = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(5, 8, batch_first=True)
        self.among = nn.MultiheadAttention(8, 2, batch_first=True)
        self.time = nn.MultiheadAttention(8, 2)
        self.out = nn.Linear(8, 3)
    def forward(self, x):
        h = self.rnn(x)[0]
        t = h.transpose(0, 1)
        h = h + self.time(t, t, t)[0].transpose(0, 1)
        rows = h[:, -1].unsqueeze(0)
        return self.out(self.among(rows, rows, rows)[0].squeeze(0))
net = Net()
nn.functional.cross_entropy(net(torch.randn(6, 9, 5)), torch.randint(0, 3, (6,))).backward()
"""

FAULTY = ((_SCRIPT.replace("{flag}", ""), 14),)

SOUND = (_SCRIPT.replace("{flag}", ", batch_first=True"), _ROWS)

# a relaxed choice among categories
_RELAXED = """
import torch
from torch import nn
torch.manual_seed(0)
class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.into, self.back = nn.Linear(12, 24), nn.Linear(24, 12)
    def forward(self, x):
        logits = self.into(x).view(len(x), 6, 4)
        noise = -(-(torch.rand_like(logits) + 1e-9).log()).log()
        code = {code}
        return self.back(code.flatten(1)), {probabilities}
net = Coder()
opt = torch.optim.Adam(net.parameters())
for x in torch.rand(3, 16, 12):
    made, p = net(x)
    loss = (made - x).pow(2).mean() + 0.01 * (p * (p + 1e-9).log()).sum(-1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_CODE, _P = "((logits + noise) / 0.5).softmax({})", "logits.softmax(-1)"
FAULTY += (
    (filled(_RELAXED, code=_CODE.format(1), probabilities=_P), 12),
    (filled(_RELAXED, code="nn.functional.gumbel_softmax(logits, 0.5, dim=1)", probabilities=_P), 12),
)
SOUND += (
    filled(_RELAXED, code=_CODE.format(2), probabilities=_P),
    filled(_RELAXED, code="nn.functional.gumbel_softmax(logits, 0.5)", probabilities=_P),
    filled(_RELAXED, code="logits.softmax(1) * logits.softmax(-1)", probabilities=_P),  # both ways on purpose
)
