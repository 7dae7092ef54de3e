"""Cases of SW330."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(20, 3), torch.randint(0, 2, (20,))), batch_size=8)
model = nn.Linear(3, 2)
total = 0
with torch.no_grad():
    for x, y in loader:
        scores = model(x)
        loss = nn.functional.cross_entropy(scores, y{reduction})
        total += {added}
print({figure})
"""


def _script(added: str, figure: str, reduction: str = "") -> str:
    return _SCRIPT.replace("{added}", added).replace("{figure}", figure).replace("{reduction}", reduction)


COUNTED = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
loader = DataLoader(TensorDataset(torch.randn(60, 5, 3), torch.randint(0, 2, (60, 5))), batch_size=8)
model = nn.Linear(3, 2)
found, seen = 0.0, 0
with torch.no_grad():
    for x, y in loader:
        found += (model(x).argmax(-1) == y).sum().item()
        seen += {size}
print(100.0 * found / seen)
"""


PADDED = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x, y = torch.randn(48, 7, 3), torch.randint(0, 4, (48, 7))
y[torch.arange(7)[None] >= torch.randint(2, 8, (48, 1))] = -100
loader = DataLoader(TensorDataset(x, y), batch_size=16)
net = nn.Linear(3, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for a, b in loader:
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
hits = places = 0
with torch.no_grad():
    for a, b in loader:
        guess, keep = net(a).argmax(-1), b >= 0
        hits += {hits}.sum().item()
        places += {places}
print(hits / places, {mean}.float().mean())
"""
_CE = "nn.functional.cross_entropy(net(a).flatten(0, 1), b.flatten())"
_BY_HAND = "((net(a).exp()[..., 0] - b).pow(2) * (b >= 0)).sum() / (b >= 0).sum()"


def _padded(hits: str, places: str, loss: str = _CE, mean: str = "(guess == b)[keep]") -> str:
    return PADDED.format(hits=hits, places=places, loss=loss, mean=mean)


METERED = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(96, 3), torch.randint(0, 2, (96,))
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
class Meter:
    def __init__(self):
        self.sum, self.count = 0.0, 0
    def add(self, value, n):
        self.sum += value
        self.count += n
for epoch in range(2):
    meter, total, parts = Meter(), 0, []
    for a, b in zip(x.split(16), y.split(16)):
        score = net(a).log_softmax(1).gather(1, b[:, None])
        loss = -(score + 0.01).{how}() + 1e-3 * sum(p.square().sum() for p in net.parameters())
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.add({added})
        total += float(loss)
        parts.append(loss.item())
    print({figure})
"""


def _metered(added: str, figure: str, how: str = "mean") -> str:
    return METERED.format(added=added, figure=figure, how=how)


_MEAN = "meter.sum / meter.count"


_EACH = "(scores.argmax(1) == y).sum().item() / len(y)"

_ARRAYS = """
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x, y = torch.randn(70, 5), torch.randint(0, 3, (70,))
loader = DataLoader(TensorDataset(x, y), batch_size=16)
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for a, b in loader:
    opt.zero_grad()
    nn.functional.cross_entropy(net(a), b).backward()
    opt.step()
matches = shares = seen = 0
with torch.no_grad():
    for a, b in loader:
        guess, truth = net(a).argmax(1).numpy(), b.numpy()
        same = guess == truth
        matches += {matches}
        shares += np.mean(guess == truth)
        seen += len(truth)
    guess, truth = net(x).argmax(1).numpy(), y.numpy()
print({figure})
"""


def _arrays(figure: str, matches: str = "same.sum()") -> str:
    return _ARRAYS.format(figure=figure, matches=matches)


FAULTY = (
    (_script("(scores.argmax(1) == y).sum().item()", "100 * total / len(loader)"), 14),
    (_script("loss.item() * x.size(0)", "total / len(loader)"), 14),
    (_script("loss.item()", "total / len(loader.dataset)"), 14),
    (_script("loss", "(total / len(loader.dataset)).item()"), 14),
    (_script("(scores.argmax(1) == y).float().mean()", "total / len(loader.dataset)"), 14),
    (COUNTED.format(size="len(y)"), 12),
    (COUNTED.format(size="y.size(0)"), 12),
    (COUNTED.format(size="1"), 12),
    (_padded("(guess == b)", "b.numel()"), 22),
    (_padded("(((guess - b).abs() < 2) & keep)", "keep.numel()", _BY_HAND), 22),
    (_padded("(guess == b)", "keep.sum().item()", mean="(guess == b)"), 22),
    (_metered("loss.item(), len(a)", _MEAN), 25),
    (_metered("1, 1", "total / len(x)"), 25),
    (_metered("1, 1", "sum(parts) / x.shape[0]"), 25),
    (_script("loss.item() / len(x)", "total / len(loader.dataset)", ", reduction='sum'"), 14),
    (_script(_EACH, "total / len(loader.dataset)"), 14),
    (_arrays("matches / len(loader)"), 24),
    (_arrays("shares / len(loader.dataset)"), 24),
    (_arrays("matches / len(loader)", "np.sum(guess == truth)"), 24),
    (_arrays("float((guess == truth).astype(int).sum()) / float(16)"), 24),
)
SOUND = (
    _metered("loss.item() * len(a), len(a)", f"{_MEAN}, total / 6, sum(parts) / len(parts)"),
    _metered("loss.item(), 1", f"{_MEAN}, total / (len(x) // 16), total / 3"),
    _metered("loss.item(), len(a)", f"{_MEAN}, total / len(x), sum(parts) / x.shape[0]", "sum"),
    _metered("(loss.detach() * len(a)).item(), len(a)", _MEAN),
    _metered("float(loss) * a.shape[0], a.shape[0]", f"{_MEAN}, total / 100"),
    _padded("(guess == b)", "keep.sum().item()"),
    _padded("(((guess - b).abs() < 2) & keep)", "keep.sum().item()", _BY_HAND),
    _padded("((guess == 1) & (b == 1))", "b.numel()"),  # a share of all on purpose
    COUNTED.format(size="y.numel()"),
    COUNTED.format(size="y.size(0) * y.size(1)"),
    _script("loss.item()", "total / len(loader)"),
    _script("loss", "float(total / len(loader)), float(total / 3), float(total / 7)"),
    _script("(scores.argmax(1) == y).sum()", "float(total / len(loader.dataset)), float(total / 10)"),
    _script("loss.item()", "total / len(loader.dataset)", ", reduction='sum'"),
    _script("loss.item() * len(x)", "total / len(loader.dataset)"),
    _script(
        "(scores.argmax(1) == y).sum().item()",
        "total / len(loader.dataset), f'{100 * total / len(loader.dataset):.1f}'",
    ),
    _script("(scores.argmax(1) == y).float().mean().item()", "total / len(loader)"),
    _script("loss.sum().item()", "total / len(loader.dataset)", ", reduction='none'"),
    # as many numbers as there are batches, in a list; a count that grows along; a part of the samples alone
    _script("loss.item()", "total / 3, len([total]) and total / (len(loader) or 1)"),
    _script("loss.item() / len(x)", "total / len(loader)", ", reduction='sum'"),
    _script(_EACH, "total / len(loader)"),
    _script("loss.item()", "total / len(loader.dataset)", ", reduction='sum'"),
    _script("loss.item()", "total / len(loader)", ", reduction='sum'"),
    _arrays("matches / seen, matches / len(x), shares / len(loader), matches.item() / seen"),
    _arrays("100 * matches / seen, matches / 70.0", "(guess == truth).astype(np.float32).sum()"),
    _arrays("(guess == truth).sum() / truth.size, (guess == truth).mean(), np.sum(same) / len(same)"),
    _arrays("float((guess == truth).sum()) / float(y.size(0)), (guess == truth).sum() / 10"),
)
