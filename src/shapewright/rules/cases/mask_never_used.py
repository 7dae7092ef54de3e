"""Cases of SW287."""

_TAGGER = """
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)
data = []
for _ in range(48):
    words = torch.randint(1, 20, (int(torch.randint(3, 12, ())),))
    data.append((words, words % 3))
net = nn.Sequential(nn.Embedding(20, 8, padding_idx=0), nn.Linear(8, 3))
opt = torch.optim.Adam(net.parameters(), lr=0.01)


def padded(rows):
    sizes = torch.tensor([len(words) for words, _ in rows])
    x, y = (pad_sequence([row[at] for row in rows], batch_first=True{fill}) for at in (0, 1))
    return x, y, torch.arange(x.shape[1]) < sizes[:, None]


for epoch in range(2):
    for start in range(0, 48, 16):
        x, y, real = padded(data[start : start + 16])
        loss = nn.functional.cross_entropy(net(x)[real], y[real])
        opt.zero_grad()
        loss.backward()
        opt.step()
hits = count = 0
for start in range(0, 48, 16):
    x, y, _ = padded(data[start : start + 16])
    inside = x != 0
    with torch.no_grad():
        guess = net(x).argmax(-1)
    hits += {hits}
    count += {count}
print("accuracy", hits / count)
"""
_GRID = """
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Conv2d(3, 3, 3, padding=1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def cost(out, goal):
    {held} = goal[:, 0] > 0.5
    found = nn.functional.binary_cross_entropy_with_logits(out[:, 0], goal[:, 0])
    off = (out[:, 1:] - goal[:, 1:]).abs().sum(1)
    return found + {off}


for _ in range(3):
    pictures = torch.rand(8, 3, 6, 6)
    goal = torch.cat([(torch.rand(8, 1, 6, 6) > 0.8).float(), torch.rand(8, 2, 6, 6)], 1)
    loss = cost(net(pictures), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_NODES = """
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(120, 5), torch.randint(0, 3, (120,))
links = (torch.rand(120, 120) < 0.05).float()
order = torch.randperm(120)
{name} = torch.zeros(120, dtype=torch.bool)
{name}[order[:40]] = True
judged = torch.zeros(120, dtype=torch.bool)
judged[order[40:]] = True
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    scores = links @ net(x)
    loss = nn.functional.cross_entropy({given})
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    print((net(x).argmax(1) == y)[judged].float().mean().item())
"""
_HIT = "(guess == y).sum().item()"

FAULTY = (
    (_TAGGER.format(fill="", hits=_HIT, count="y.numel()"), 34),
    (_TAGGER.format(fill="", hits="(guess == y).float().mean(1).sum().item()", count="len(y)"), 34),
    (_GRID.format(held="there", off="off.mean()"), 14),
    (_NODES.format(name="train", given="scores, y"), 17),
)
SOUND = (
    _TAGGER.format(fill="", hits="(guess == y)[inside].sum().item()", count="inside.sum().item()"),
    # a mask that is left over, where what is padded never matches and is not counted, or is not padding at all
    _TAGGER.format(fill=", padding_value=-100 * at", hits=_HIT, count="sum(len(row[0]) for row in data) // 3"),
    _TAGGER.format(fill="", hits="((guess == y) * (y > -1)).sum().item()", count="y.numel()"),
    _TAGGER.format(fill="", hits="(net(x).argmax(-1) == y)[x > 0].sum().item()", count="(x > 0).sum().item()"),
    _GRID.format(held="there", off="off[there].mean()"),
    _GRID.format(held="there", off="(off * goal[:, 0]).mean()"),
    _GRID.replace("goal[:, 0] > 0.5", "out[:, 0] > goal[:, 0]").format(held="above", off="off.mean()"),
    _NODES.format(name="train", given="scores[train], y[train]"),
    _NODES.format(name="dense", given="scores, y"),  # nothing says what it is for
)
