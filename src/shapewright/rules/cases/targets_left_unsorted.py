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

FAULTY = ((_SCRIPT.replace("{turn}", "pass").replace("{target}", "y"), 11),)

SOUND = (
    _SCRIPT.replace("{turn}", "pass").replace("{target}", "y[order]"),
    _SCRIPT.replace("{turn}", "last = last[order.argsort()]").replace("{target}", "y"),
    _READ,
)
