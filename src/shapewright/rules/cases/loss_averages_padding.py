"""Cases of SW264."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)

class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 8, padding_idx=0)
        self.rnn, self.out = nn.GRU(8, 12, batch_first=True), nn.Linear(12, 6)

    def forward(self, x):
        return self.out(self.rnn(self.words(x))[0])

model = Tagger()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    rows = [torch.randint(1, 40, (n,)) for n in (3, 9, 5, 7, 4, 8)]
    tags = [row % 5 + 1 for row in rows]
    x, y = pad_sequence(rows, batch_first=True), pad_sequence(tags, batch_first=True)
    loss = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_ENDED = """
import torch
from torch import nn

torch.manual_seed(0)
START, END, FILLER = 11, 12, 0

class Reverser(nn.Module):
    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(13, 8), nn.Embedding(13, 8)
        self.encoder, self.decoder = nn.GRU(8, 12, batch_first=True), nn.GRU(8, 12, batch_first=True)
        self.out = nn.Linear(12, 13)

    def forward(self, x, y):
        return self.out(self.decoder(self.target(y), self.encoder(self.source(x))[1])[0])

model = Reverser()
opt = torch.optim.Adam(model.parameters())
for _ in range(2):
    x, y = torch.randint(1, 11, (8, 7)), torch.full((8, 9), FILLER)
    for row, n in enumerate((7, 3, 5, 2, 6, 4, 7, 5)):
        y[row, : n + 2] = torch.cat([torch.tensor([START]), x[row, :n].flip(0), torch.tensor([END])])
    logits = model(x, y[:, :-1])
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), y[:, 1:].flatten(), ignore_index=END)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_PICKED = """
import torch
from torch import nn

torch.manual_seed(0)
SENTENCES = [torch.randint(1, 40, (n,)).tolist() for n in (3, 9, 5, 7, 4, 8, 6, 9)]

class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(40, 8, padding_idx=0), nn.Linear(12, 6)
        self.rnn = nn.GRU(8, 12, batch_first=True)

    def forward(self, x):
        h = self.rnn(self.words(x))[0]
        return self.out(h.reshape(-1, 12)).log_softmax(1)

def batch(rows):
    wide = max(map(len, rows))
    x = torch.tensor([row + [0] * (wide - len(row)) for row in rows])
    y = torch.tensor([[token % 6 for token in row] + [-1] * (wide - len(row)) for row in rows])
    return x, y

model = Tagger()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    x, y = batch(SENTENCES)
    logs, y = model(x), y.view(-1)
    told = (y >= 0).float()
    picked = logs[torch.arange(len(y)), y % 6]
    loss = -picked.sum() / told.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_MARKED = """
import torch
from torch import nn
torch.manual_seed(0)
def pack(prompts, answers):
    texts = [torch.cat([p, a, torch.tensor([1])]) for p, a in zip(prompts, answers)]
    ids = torch.zeros(len(texts), max(map(len, texts)), dtype=torch.long)
    answer = torch.zeros(ids.shape)
    for row, (p, text) in enumerate(zip(prompts, texts)):
        ids[row, :len(text)] = text
        answer[row, len(p):len(text)] = 1
    return ids, answer
class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.body = nn.Embedding(30, 16, padding_idx=0), nn.GRU(16, 16, batch_first=True)
        self.head = nn.Linear(16, 30)
    def forward(self, ids):
        return self.head(self.body(self.words(ids))[0])
writer = Writer()
opt = torch.optim.Adam(writer.parameters())
for _ in range(3):
    prompts = [torch.randint(2, 30, (n,)) for n in (3, 4, 3, 5)]
    ids, answer = pack(prompts, [torch.randint(2, 30, (n,)) for n in (2, 5, 3, 3)])
    told = writer(ids)[:, :-1].log_softmax(-1)
    told = told.gather(-1, ids[:, 1:, None]).squeeze(-1)
    loss = -(told * answer[:, {cut}]).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_NEXT = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.rnn, self.out = nn.Embedding(30, 8), nn.GRU(8, 12, batch_first=True), nn.Linear(12, 30)

    def forward(self, x):
        return self.out(self.rnn(self.words(x))[0])

def batch(rows, wide=11):
    counts = torch.arange(rows) % {many} + 4
    ids = torch.randint(2, 30, (rows, wide)).masked_fill(torch.arange(wide) >= counts[:, None], 0)
    return {ended}

net = Model()
opt = torch.optim.Adam(net.parameters())
for step in range(3):
    ids = batch(12)
    given, asked = ids[:, :-1], ids[:, 1:]
    {keep}
    {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_WEIGHED = (
    "lost = F.cross_entropy(net(given).flatten(0, 1), asked.flatten(), reduction='none')\n"
    "    loss = (lost * keep.flatten()).sum() / keep.sum()"
)
_CHOSEN = (
    "told = net(ids)[:, :-1].log_softmax(-1).gather(-1, asked[..., None]).squeeze(-1)\n    loss = -told[keep].mean()"
)
_NEXT_CUT = _NEXT.format(many=8, ended="ids", keep="keep = ids[:, :-1] != 0", loss=_CHOSEN)
_NEXT_ENDED = _NEXT.format(
    many=7,
    ended="ids.scatter(1, counts[:, None], 1)",
    keep="keep = (given != 0).float()",
    loss=_WEIGHED,
)

_TRANSLATED = """
import torch
from torch import nn
PAD, START, END = 0, 1, 2
torch.manual_seed(0)


def rows(texts):
    wide = max(map(len, texts))
    return torch.tensor([text + [PAD] * (wide - len(text)) for text in texts])


class Sorter(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(20, 16), nn.Linear(24, 20)
        self.reader, self.writer = (nn.GRU(16, 24, batch_first=True) for _ in range(2))

    def forward(self, given, told):
        lengths = (given != PAD).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(self.words(given), lengths, batch_first=True, enforce_sorted=False)
        return self.out(self.writer(self.words(told), self.reader(packed)[1])[0])


net = Sorter()
opt = torch.optim.Adam(net.parameters())
for step in range(20):
    drawn = [torch.randint(3, 20, (int(torch.randint(3, 9, ())),)).tolist() for _ in range(16)]
    given, asked = rows(drawn), rows([[START, *sorted(one), END] for one in drawn])
    out = net(given, asked[:, :-1])
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_EVERY = "nn.functional.cross_entropy(out.transpose(1, 2), asked[:, 1:])"

FAULTY = (
    (filled(_TRANSLATED, loss=_EVERY), 31),
    (filled(_TRANSLATED, loss="-out.log_softmax(-1).gather(2, asked[:, 1:, None]).mean()"), 31),
    (_SCRIPT, 23),
    (_ENDED, 25),
    (_ENDED.replace("ignore_index=END", "ignore_index=START"), 25),
    (_PICKED, 31),
    (_MARKED.format(cut=":-1"), 27),
    (_NEXT_CUT, 27),
    (_NEXT_ENDED, 27),
)

_MICRO = """
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)

class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 8, padding_idx=0)
        self.rnn, self.out = nn.GRU(8, 12, batch_first=True), nn.Linear(12, 6)

    def forward(self, x):
        return self.out(self.rnn(self.words(x))[0])

model = Tagger()
opt = torch.optim.Adam(model.parameters())
batches = [((3, 9, 5, 7), 0), ((9, 9, 9, 9), 1), ((9, 9, 9, 9), 2)]  # three batches to a step; only the first is padded
for _ in range(2):
    for lengths, least in batches:
        x = pad_sequence([torch.randint(1, 40, (n,)) for n in lengths], batch_first=True)
        y = x % 5
        if least:
            y[:, 2:] = 1
            y[:, 0] = 2
        else:
            y[x == 0] = -100
        loss = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten()) / 3
        loss.backward()
    opt.step()
    opt.zero_grad()
"""

SOUND = (
    filled(_TRANSLATED, loss=_EVERY.replace("1:])", "1:], ignore_index=PAD)")),
    filled(_TRANSLATED, loss=_EVERY.replace("1:])", "1:], reduction='none')") + "[asked[:, 1:] != PAD].mean()"),
    _SCRIPT.replace("y.flatten())", "y.flatten(), ignore_index=0)"),
    _SCRIPT.replace("pad_sequence(tags, batch_first=True)", "pad_sequence(tags, batch_first=True, padding_value=-100)"),
    _SCRIPT.replace("y.flatten())", "y.flatten(), reduction='none')").replace(
        "    opt.zero_grad()", "    loss = (loss * (y.flatten() > 0)).sum() / (y > 0).sum()\n    opt.zero_grad()"
    ),
    _MICRO,
    _ENDED.replace("ignore_index=END", "ignore_index=FILLER"),
    _PICKED.replace("-picked.sum()", "-(picked * told).sum()"),
    _MARKED.format(cut="1:"),
    _MARKED.format(cut="1:").replace("torch.tensor([1])", "torch.empty(0, dtype=torch.long)"),
    _PICKED.replace("[-1] * (wide - len(row))", "[5 - at % 2 for at in range(wide - len(row))]"),  # no filler: labels
    _NEXT_CUT.replace("ids[:, :-1] != 0", "asked != 0"),
    _NEXT_ENDED.replace("given != 0", "asked != 0"),
    _NEXT_CUT.replace("% 8", "% 7"),  # the padding ends each text: its first token is to be predicted
    _NEXT_ENDED.replace("    lost", "    asked = given % 7\n    lost"),  # a label for each token that is read
)
