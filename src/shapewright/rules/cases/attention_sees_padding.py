"""Cases of SW258."""

FIXED = """
import torch
from torch import nn

torch.manual_seed(0)
PAD, STEPS = 0, 9

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 8, padding_idx=PAD)
        self.places = nn.Parameter(torch.randn(STEPS, 8))
        self.three, self.head = nn.Linear(8, 24), nn.Linear(8, 2)

    def forward(self, x):
        real = x != PAD
        q, k, v = self.three(self.words(x) + self.places).chunk(3, dim=-1)
        scores = q @ k.transpose(1, 2) / 8**0.5
        scores = scores.masked_fill(~real[:, :, None], -1e9)
        h = scores.softmax(dim=-1) @ v
        weights = real.float().unsqueeze(-1)
        return self.head((h * weights).sum(1) / weights.sum(1))

model = Reader()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    lengths = torch.tensor([3, 9, 5, 7, 4, 8])
    x = torch.randint(1, 40, (6, STEPS)).masked_fill(torch.arange(STEPS) >= lengths[:, None], PAD)
    loss = nn.functional.cross_entropy(model(x), torch.randint(0, 2, (6,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
BY_VALUE = FIXED.replace("real = x != PAD", "real = self.words(x).abs().sum(-1) > 0")
KEYS = ("~real[:, :, None]", "~real[:, None, :]")

_FILLED = """
import torch
from torch import nn
torch.manual_seed(0)
q, k, v = nn.Linear(6, 6), nn.Linear(6, 6), nn.Linear(6, 6)
opt = torch.optim.Adam([*q.parameters(), *k.parameters(), *v.parameters()], lr=0.01)
for step in range(3):
    x = torch.randn(5, 7, 6)
    hidden = torch.ones(7, 7, dtype=torch.bool).triu(1)
    scores = q(x) @ k(x).transpose(1, 2) / 6**0.5
    {masked}
    loss = ((weights @ v(x)).mean((1, 2)) - x[:, 0, 0]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (
        """
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 8, padding_idx=0)
        self.body = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(self.words(x))[:, 0])

model = Reader()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    rows = [torch.randint(1, 40, (n,)) for n in (3, 9, 5, 7, 4, 8)]
    x = pad_sequence(rows, batch_first=True)
    loss = nn.functional.cross_entropy(model(x), torch.randint(0, 2, (6,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        16,
    ),
    (FIXED, 20),
    (_FILLED.format(masked="weights = scores.masked_fill(hidden, 0).softmax(-1)"), 11),
    (_FILLED.format(masked="scores.masked_fill_(hidden, 0.0)\n    weights = torch.softmax(scores, dim=2)"), 11),
)

SOUND = (
    """
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 8, padding_idx=0)
        self.body = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2)
        self.score, self.head = nn.Linear(8, 1), nn.Linear(8, 2)

    def forward(self, x):
        pad = x == 0
        h = self.body(self.words(x), src_key_padding_mask=pad)
        weights = self.score(h).squeeze(-1).masked_fill(pad, float("-inf")).softmax(dim=1)
        return self.head((weights.unsqueeze(-1) * h).sum(dim=1))

model = Reader()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    rows = [torch.randint(1, 40, (n,)) for n in (3, 9, 5, 7, 4, 8)]
    x = pad_sequence(rows, batch_first=True)
    loss = nn.functional.cross_entropy(model(x), torch.randint(0, 2, (6,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    FIXED.replace(*KEYS),
    BY_VALUE.replace(*KEYS),  # what the padding is embedded as tells the mask
    _FILLED.format(masked="weights = scores.masked_fill(hidden, float('-inf')).softmax(-1)"),
    _FILLED.format(masked="weights = scores.softmax(-1).masked_fill(hidden, 0)"),
    _FILLED.format(masked="weights = scores.masked_fill(hidden, 0).softmax(-1) * ~hidden"),
)
