"""Cases of SW299."""

_SCRIPT = """
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence
torch.manual_seed(0)
rnn, head = nn.GRU(3, 4, batch_first=True), nn.Linear(4, 2)
opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
for step in range(3):
    x, lengths, y = torch.randn(6, 5, 3), torch.randint(1, 6, (6,)), torch.randint(0, 2, (6,))
    lengths, order = lengths.sort(descending=True)
    x = x[order]
    last = rnn(pack_padded_sequence(x, lengths, batch_first=True))[1][-1]
    {turn}
    loss = nn.functional.cross_entropy(head(last), {target})
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

# of SW224: pairs of two loaders, lists of texts of several lengths, and lists within one sample
PAIRED = """
import torch
from torch import nn
from torch.utils.data import DataLoader
torch.manual_seed(0)
sounds = torch.randn(60, 4)
pictures = sounds @ torch.randn(4, 5)
heard = DataLoader(sounds, batch_size=12, shuffle={on})
seen = DataLoader(pictures, batch_size=12, shuffle={on})
one, two = nn.Linear(4, 3), nn.Linear(5, 3)
opt = torch.optim.SGD([*one.parameters(), *two.parameters()], lr=0.1)
for x, y in zip(heard, seen):
    alike = one(x) @ two(y).t()
    loss = nn.functional.cross_entropy(alike, torch.arange(len(x)))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

RAGGED = """
import random
import torch
from torch import nn
random.seed(0)
torch.manual_seed(0)
texts = [[random.randint(1, 30) for _ in range(random.randint(2, 9))] for _ in range(60)]
kinds = [random.randint(0, 2) for _ in texts]
order = sorted(range(60), key=lambda i: len(texts[i]))
kinds = [kinds[i] for i in {order}]
texts = [texts[i] for i in order]
net = nn.EmbeddingBag(31, 3, padding_idx=0)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for at in range(0, 60, 12):
    part = texts[at:at + 12]
    longest = max(len(text) for text in part)
    rows = torch.tensor([text + [0] * (longest - len(text)) for text in part])
    loss = nn.functional.cross_entropy(net(rows), torch.tensor(kinds[at:at + 12]))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

ARRAYS = (
    RAGGED.replace(
        "[[random.randint(1, 30) for _ in range(random.randint(2, 9))] for", "[torch.randint(1, 31, (n,)) for"
    )
    .replace("_ in range(60)]", "n in [random.randint(2, 9) for _ in range(60)]]")
    .replace(
        "torch.tensor([text + [0] * (longest - len(text)) for text in part])", "nn.utils.rnn.pad_sequence(part, True)"
    )
)
STIRRED = ARRAYS.replace("kinds = [random.randint(0, 2) for _ in texts]", "random.shuffle(texts)\n\\g<0>").replace(
    "\\g<0>", "kinds = [int(text.sum()) % 3 for text in texts]"
)

LISTED = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
torch.manual_seed(0)
class Scenes(Dataset):
    def __init__(self):
        self.items = [(torch.rand(2 + i % 4, 4), torch.randint(0, 3, (2 + i % 4,))) for i in range(24)]
    def __len__(self):
        return 24
    def __getitem__(self, i):
        boxes, kinds = self.items[i]
        order = boxes[:, 0].argsort(descending=True)
        boxes = boxes[order]
        return boxes, TAKEN
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for rows in DataLoader(Scenes(), batch_size=6, collate_fn=list):
    boxes, kinds = (torch.cat(part) for part in zip(*rows))
    loss = nn.functional.cross_entropy(net(boxes), kinds)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

# the words and the targets are read from a list in the order of the lengths
_READ = """
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

def batches(items):
    for at in range(0, len(items), 12):
        part = items[at:at + 12]
        counts = torch.tensor([len(words) for words, _ in part])
        order = counts.argsort(descending=True)
        words = pad_sequence([part[k][0] for k in order.tolist()])
        yield words, counts[order], torch.tensor([part[k][1] for k in order.tolist()])

torch.manual_seed(0)
items = [(torch.rand(2 + i * 7 % 9, 4), i % 3) for i in range(36)]
net, head = nn.GRU(4, 8), nn.Linear(8, 3)
opt = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
for words, counts, kinds in batches(items):
    last = net(pack_padded_sequence(words, counts))[1][-1]
    loss = nn.functional.cross_entropy(head(last), kinds)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

# of SW224: rows that an object holds, that are kept under names, or picked by places
HELD = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

class Views(Dataset):
    def __init__(self):
        own = torch.randn(64, 8)
        one, two = own + 0.1 * torch.randn(64, 8), own + 0.1 * torch.randn(64, 8)
        order = torch.randperm(64)
        self.one = one[order]
        self.two = two[CHOSEN]

    def __len__(self):
        return 64

    def __getitem__(self, i):
        return self.one[i], self.two[i]

torch.manual_seed(0)
net = nn.Linear(8, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for one, two in DataLoader(Views(), batch_size=16, shuffle=True):
    loss = F.cross_entropy(net(one) @ net(two).T, torch.arange(16))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
NAMED = """
import random
import torch
from torch import nn

torch.manual_seed(0)
seen, sought = {}, {}
for day in range(40):
    seen[day] = [random.gauss(0, 1) for _ in range(4)]
    sought[day] = sum(seen[day])
days = sorted(seen)
random.shuffle(days)
x = torch.tensor([seen[day] for day in days])
y = torch.tensor([sought[day] for day in CHOSEN])
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for part in torch.randperm(40).split(10):
    loss = nn.functional.mse_loss(net(x[part]).squeeze(1), y[part])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
ASKED = """
import numpy as np
import torch
from torch import nn

rows = np.random.RandomState(0).rand(120, 6).astype("float32")
goals = rows.sum(1)
order = np.random.RandomState(1).permutation(120)
first, second, third = order[:60], order[60:90], order[90:]
torch.manual_seed(0)
net = nn.Linear(6, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.from_numpy(rows[first]), torch.from_numpy(goals[first])
held, wanted = torch.from_numpy(rows[second]), torch.from_numpy(goals[CHOSEN])
for i in range(4):
    loss = nn.functional.mse_loss(net(x[i * 15 : i * 15 + 15]).squeeze(1), y[i * 15 : i * 15 + 15])
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        answer = net(held).squeeze(1).sigmoid().numpy()
    print(np.mean((answer - wanted.numpy()) ** 2))
"""
# what comes next is no other order
ASKED_NEXT = (
    ASKED.replace("goals[first]", "goals[:60]")
    .replace("rows[first]", "rows[1:61]")
    .replace("rows[second]", "rows[90:119]")
    .replace("goals[CHOSEN]", "goals[91:]")
)

CYCLES = """
import torch
from torch import nn
from torch.utils.data import DataLoader
torch.manual_seed(0)
first = DataLoader(torch.rand(48, 6), batch_size=12, shuffle=True)
second = DataLoader(torch.rand(48, 6) + 1, batch_size=12, shuffle=True)
there, back, judge = nn.Linear(6, 6), nn.Linear(6, 6), nn.Linear(6, 1)
opt = torch.optim.Adam([*there.parameters(), *back.parameters()])
other = torch.optim.Adam(judge.parameters())
for x, y in zip(first, second):
    made = there(x)
    loss = (judge(y) - 1).pow(2).mean() + judge(made.detach()).pow(2).mean()
    other.zero_grad()
    loss.backward()
    other.step()
    loss = (judge(made) - 1).pow(2).mean() + (y - there(back(y))).abs().mean()
    loss = loss + ({kept} - back(made)).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_SCRIPT.replace("{turn}", "pass").replace("{target}", "y"), 11),
    (_SCRIPT.replace("{turn}", "last = last[order]").replace("{target}", "y"), 13),
)

SOUND = (
    _SCRIPT.replace("{turn}", "pass").replace("{target}", "y[order]"),
    _SCRIPT.replace("{turn}", "last = last[order.argsort()]").replace("{target}", "y"),
    # another tensor that learns is sorted with them, and the inverse is a table
    _SCRIPT.replace(
        "{turn}",
        "own = head.bias.expand(6, 2)[order]; back = torch.empty_like(order); back[order] = torch.arange(6); "
        "last = last[back] + 0 * own[back].sum()",
    ).replace("{target}", "y"),
    _READ,
    # keys that were computed in a drawn order go back to their places
    """
import torch
from torch import nn
torch.manual_seed(0)
asks, keys = nn.Linear(6, 4), nn.Linear(6, 4)
opt = torch.optim.SGD(asks.parameters(), lr=0.1)
kept = torch.randn(16, 4)
for turn in range(3):
    x = torch.randn(8, 6)
    order = torch.randperm(8)
    with torch.no_grad():
        key = keys(x[order])[order.argsort()]
    ask = asks(x + 0.1 * torch.randn(8, 6))
    scores = torch.cat([(ask * key).sum(1, keepdim=True), ask @ kept.t()], dim=1)
    loss = nn.functional.cross_entropy(scores, torch.zeros(8, dtype=torch.long))
    opt.zero_grad()
    loss.backward()
    opt.step()
    kept = torch.cat([key, kept])[:16]
""",
)
