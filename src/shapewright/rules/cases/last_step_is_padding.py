"""Cases of SW256."""

_UNPACKED = """
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

torch.manual_seed(0)
texts = [torch.randint(1, 50, (n,)) for n in (4, 9, 6, 12, 5, 8, 11, 3) * 4]
kinds = torch.randint(0, 2, (32,))

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.rnn, self.out = nn.Embedding(50, 12), nn.LSTM(12, 20), nn.Linear(20, 2)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.words(ids), lengths, enforce_sorted=False)
        steps, sizes = pad_packed_sequence(self.rnn(packed)[0])
        return self.out({read})

net = Reader()
opt = torch.optim.Adam(net.parameters())
for epoch in range(2):
    for part in torch.randperm(32).split(8):
        ids = pad_sequence([texts[i] for i in part])
        loss = nn.functional.cross_entropy(net(ids, [len(texts[i]) for i in part]), kinds[part])
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

# a model that sorts its samples by length and does not put all that it says of them back
_SORTED = """
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 12)
        self.encoder, self.decoder = nn.GRU(12, 16, batch_first=True), nn.GRU(12, 16, batch_first=True)
        self.mean, self.deviation, self.begin = nn.Linear(16, 6), nn.Linear(16, 6), nn.Linear(6, 16)
        self.says = nn.Linear(16, 40)

    def forward(self, tokens, lengths):
        lengths, order = lengths.sort(descending=True)
        rows = self.words(tokens[order])
        packed = pack_padded_sequence(rows, lengths.tolist(), batch_first=True)
        state = self.encoder(packed)[1][-1]
        mean, deviation = self.mean(state), self.deviation(state)
        latent = mean + torch.randn_like(mean) * deviation.mul(0.5).exp()
        out, _ = pad_packed_sequence(self.decoder(packed, self.begin(latent)[None])[0], batch_first=True)
        return self.says(out[order.argsort()]).log_softmax(2), mean, deviation


def batches():
    for _ in range(30):
        lengths = torch.randint(2, 12, (16,))
        lengths[0] = 14
        tokens = torch.randint(3, 40, (16, 14))
        ahead = tokens.roll(-1, 1)
        padding = torch.arange(14) >= lengths[:, None]
        yield tokens, ahead.masked_fill(padding, 0), lengths


model = Autoencoder()
opt = torch.optim.Adam(model.parameters())
for tokens, ahead, lengths in batches():
    said, mean, deviation = model(tokens, lengths)
    loss = nn.functional.nll_loss(said.flatten(0, 1), ahead.flatten(), ignore_index=0)
    loss = loss - 0.5 * (1 + deviation - mean**2 - deviation.exp()).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_UNPACKED.format(read="steps[-1]"), 18),
    (_UNPACKED.format(read="steps.select(0, len(steps) - 1)"), 18),
    (
        """
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)

class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 8, padding_idx=0)
        self.rnn = nn.GRU(8, 12, batch_first=True)
        self.head = nn.Linear(12, 1)

    def forward(self, x):
        out, _ = self.rnn(self.words(x))
        return self.head(out[:, -1]).squeeze(-1)

model = Scorer()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    rows = [torch.randint(1, 40, (n,)) for n in (3, 9, 5, 7, 4, 8)]
    loss = nn.functional.binary_cross_entropy_with_logits(model(pad_sequence(rows, batch_first=True)),
        torch.rand(6).round())
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        17,
    ),
    (
        """
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
items = [(torch.randn(n, 3) + 1, n % 2) for n in range(4, 24)]

def collate(batch):
    longest = max(len(series) for series, _ in batch)
    padded = torch.zeros(len(batch), longest, 3)
    for i, (series, _) in enumerate(batch):
        padded[i, :len(series)] = series
    return padded, torch.tensor([label for _, label in batch])

class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 12, batch_first=True)
        self.head = nn.Linear(12, 2)

    def forward(self, x):
        _, (h, _) = self.rnn(x)
        return self.head(h[-1])

model = Scorer()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(items, batch_size=5, collate_fn=collate):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        23,
    ),
)

SOUND = (
    _UNPACKED.format(read="steps[sizes - 1, torch.arange(len(sizes))]"),
    _UNPACKED.format(read="steps.sum(0) / sizes[:, None]"),
    """
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

torch.manual_seed(0)

class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 8, padding_idx=0)
        self.rnn = nn.GRU(8, 12, batch_first=True, bidirectional=True)
        self.one = nn.LSTM(8, 12, batch_first=True)
        self.head = nn.Linear(36, 1)

    def forward(self, x, lengths):
        words = self.words(x)
        _, h = self.rnn(pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False))
        out, _ = self.one(words)
        last = out[torch.arange(len(x)), lengths - 1]
        return self.head(torch.cat([h[0], h[1], last], dim=1)).squeeze(-1)

model = Scorer()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    rows = [torch.randint(1, 40, (n,)) for n in (3, 9, 5, 7, 4, 8)]
    lengths = torch.tensor([len(row) for row in rows])
    loss = nn.functional.binary_cross_entropy_with_logits(model(pad_sequence(rows, batch_first=True), lengths),
        torch.rand(6).round())
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn

# padded at the front: the last step is a word
class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 8, padding_idx=0)
        self.rnn = nn.GRU(8, 12, batch_first=True)
        self.head = nn.Linear(12, 2)

    def forward(self, x):
        return self.head(self.rnn(self.words(x))[0][:, -1])

model = Scorer()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    x = torch.zeros(6, 9, dtype=torch.long)
    for i, n in enumerate((3, 9, 5, 7, 4, 8)):
        x[i, 9 - n:] = torch.randint(1, 40, (n,))
    loss = nn.functional.cross_entropy(model(x), torch.randint(0, 2, (6,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn

# pictures read row by row: the dark rows at the foot are no padding
class Rows(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, 12, batch_first=True)
        self.head = nn.Linear(12, 2)

    def forward(self, x):
        return self.head(self.rnn(x)[0][:, -1])

model = Rows()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    x = torch.rand(6, 8, 8)
    x[x < 0.5] = 0.0
    for i, n in enumerate((5, 7, 6, 5, 8, 7)):
        x[i, n:] = 0.0
    loss = nn.functional.cross_entropy(model(x), torch.randint(0, 2, (6,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    _SORTED,
)
