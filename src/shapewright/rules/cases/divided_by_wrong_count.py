"""Cases of SW330."""

from . import filled

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


def _added(added, figure, reduction=""):
    return filled(_SCRIPT, added=added, figure=figure, reduction=reduction)


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
_ZERO = (
    PADDED.replace("randint(0, 4, (48, 7))", "randint(1, 4, (48, 7))")
    .replace("= -100", "= 0")
    .replace("b >= 0", "b > 0")
)  # padded with a number that the model may answer too
_CE_ZERO = _CE.replace("b.flatten())", "b.flatten(), ignore_index=0)")
_SURPRISE = (
    PADDED.replace(
        "{hits}.sum().item()", 'nn.functional.cross_entropy(net(a).flatten(0, 1), b.flatten(), reduction="sum").item()'
    )
    .replace("{loss}", _CE)
    .replace("print(hits / places, {mean}.float().mean())", "print(2.718 ** (hits / places))")
)
_SINGLE = _SURPRISE.replace('"sum").item()', '"none").sum().item()')
_SHARE = "(guess == b)[keep]"
_PICKED = "nn.functional.cross_entropy(net(a)[b >= 0], b[b >= 0])"
_BY_HAND = "((net(a).exp()[..., 0] - b).pow(2) * (b >= 0)).sum() / (b >= 0).sum()"

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

_ROWS = (
    PADDED.split("hits =")[0].replace("torch\n", "numpy as np, torch\n", 1)
    + """
def share(scores, truth):
    guess, truth = np.argmax(scores, axis=1), truth.ravel()
    return {figure}
with torch.no_grad():
    print(share(net(x).flatten(0, 1).numpy(), y.numpy()))
"""
)

_RAGGED = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(37, 3), torch.randint(0, 2, (37,))
net = nn.Linear(3, 2)
right, seen = 0, 0
with torch.no_grad():
    for a, b in zip(x.split(10), y.split(10)):
        right += (net(a).argmax(1) == b).sum().item()
        seen += {size}
print(right / seen)
"""

# a training loss that is a mean, or a sum, and what it is divided by
_FOUND = """
import torch
from torch import nn
x, y = torch.randn(96, 8), (torch.rand(96, 4) > 0.6).float()
net = nn.Linear(8, 4)
opt = torch.optim.Adam(net.parameters())
for i in range(0, 96, 24):
    out, wanted = net(x[i:i + 24]), y[i:i + 24]
    count = wanted.sum().clamp(min=1)
    loss = nn.functional.binary_cross_entropy_with_logits(out, wanted, reduction="{how}")
    loss = {divided}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_GATHERED = """
import torch
from torch import nn
net, every = nn.Linear(6, 3), 4
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def lost(x, y):
    return nn.functional.cross_entropy(net(x), y){inner}
for i in range(8):
    loss = lost(torch.randn(10, 6), torch.randint(0, 3, (10,)))
    loss = {outer}
    loss.backward()
    if i % every == every - 1:
        opt.step()
        opt.zero_grad()
"""

# several guesses for each sample
_GUESSED = """
import torch
from torch import nn
x, y = torch.randn(80, 6), torch.randint(0, 9, (80,))
net = nn.Linear(6, 9)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(0, 40, 20):
    loss = nn.functional.cross_entropy(net(x[i:i + 20]), y[i:i + 20])
    opt.zero_grad()
    loss.backward()
    opt.step()
found = seen = 0
net.eval()
with torch.no_grad():
    for i in range(40, 80, 20):
        best = net(x[i:i + 20]).topk(3, dim=1).indices
        same = best == y[i:i + 20, None]
        found += same{found}.sum().item()
        seen += {seen}
{name} = found / seen
print({name})
"""

FAULTY = (
    (_added("(scores.argmax(1) == y).sum().item()", "100 * total / len(loader)"), 14),
    (_added("loss.item() * x.size(0)", "total / len(loader)"), 14),
    (_added("loss.item()", "total / len(loader.dataset)"), 14),
    (_added("loss", "(total / len(loader.dataset)).item()"), 14),
    (_added("(scores.argmax(1) == y).float().mean()", "total / len(loader.dataset)"), 14),
    *((COUNTED.format(size=size), 12) for size in ("len(y)", "y.size(0)", "1")),
    *(
        (PADDED.format(hits=hits, places=places, loss=loss, mean=_SHARE), 22)
        for hits, places, loss in (
            ("(guess == b)", "b.numel()", _CE),
            ("(((guess - b).abs() < 2) & keep)", "keep.numel()", _BY_HAND),
            ("((guess == b) & keep)", "b.numel()", _CE),
            ("(guess == b)[keep]", "b.numel()", _CE),
            ("(guess[keep] == b[keep])", "b.numel()", _CE),
            ("(guess == b)[keep]", "keep.numel()", _PICKED),
        )
    ),
    (PADDED.format(hits="(guess == b)", places="keep.sum().item()", loss=_CE, mean="(guess == b)"), 22),
    (_SURPRISE.format(places="b.numel()"), 22),
    (_ZERO.format(hits="(guess == b)", places="b.numel()", loss=_CE_ZERO, mean=_SHARE), 22),
    (METERED.format(added="loss.item(), len(a)", figure=_MEAN, how="mean"), 25),
    (METERED.format(added="1, 1", figure="total / len(x)", how="mean"), 25),
    (METERED.format(added="1, 1", figure="sum(parts) / x.shape[0]", how="mean"), 25),
    (_added("loss.item() / len(x)", "total / len(loader.dataset)", reduction=", reduction='sum'"), 14),
    (_added(_EACH, "total / len(loader.dataset)"), 14),
    (_ARRAYS.format(figure="matches / len(loader)", matches="same.sum()"), 24),
    (_ARRAYS.format(figure="shares / len(loader.dataset)", matches="same.sum()"), 24),
    (_ARRAYS.format(figure="matches / len(loader)", matches="np.sum(guess == truth)"), 24),
    (_ARRAYS.format(figure="float((guess == truth).astype(int).sum()) / float(16)", matches="same.sum()"), 24),
    (_RAGGED.format(size="10"), 12),
    (filled(_FOUND, how="mean", divided="loss / count"), 11),
    (filled(_FOUND, how="mean", divided="2 * (loss / (wanted > 0).sum())"), 11),
    (filled(_GATHERED, inner=" / every", outer="loss / every"), 10),
    (filled(_GATHERED, inner=" * (1 / every)", outer="loss / every"), 10),
    (filled(_GUESSED, found="", seen="same.numel()", name="top"), 20),
    (filled(_GUESSED, found="", seen="best.numel()", name="share"), 20),
    (filled(_GUESSED, found=".float()", seen="20 * 3", name="share"), 20),
    (_added("loss.data.cpu().numpy() * x.size(0)", "total / len(loader)"), 14),
    (_SINGLE.format(places="b.numel()"), 22),
    (_ROWS.format(loss=_CE, figure="np.sum(guess == truth) / float(len(truth))"), 19),
    (_ROWS.format(loss=_CE, figure="(guess == truth).mean()"), 19),
)
SHARES = """
import torch
from torch import nn
torch.manual_seed(0)
y = ((x := torch.randn(100, 5)).sum(1) > 0).float()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=16, shuffle=True)
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def share(scores, wanted):
    same = torch.sigmoid(scores).round() == wanted
    return {share}
for epoch in range(2):
    right = 0
    for a, b in loader:
        scores = net(a).squeeze(1)
        opt.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(scores, b).backward()
        opt.step()
        right += share(scores, b).item()
    print(right / len(loader))
"""

SOUND = (
    _RAGGED.format(size="len(b)"),
    METERED.format(
        added="loss.item() * len(a), len(a)", figure=f"{_MEAN}, total / 6, sum(parts) / len(parts)", how="mean"
    ),
    METERED.format(added="loss.item(), 1", figure=f"{_MEAN}, total / (len(x) // 16), total / 3", how="mean"),
    METERED.format(added="loss.item(), len(a)", figure=f"{_MEAN}, total / len(x), sum(parts) / x.shape[0]", how="sum"),
    METERED.format(added="(loss.detach() * len(a)).item(), len(a)", figure=_MEAN, how="mean"),
    METERED.format(added="float(loss) * a.shape[0], a.shape[0]", figure=f"{_MEAN}, total / 100", how="mean"),
    *(
        PADDED.format(hits=hits, places=places, loss=loss, mean=_SHARE)
        for hits, places, loss in (
            ("(guess == b)", "keep.sum().item()", _CE),
            ("(guess == b)[keep]", "keep.sum().item()", _PICKED),
            ("(guess[keep] == b[keep])", "int(keep.sum())", _CE),
            ("(guess == b)[b == 2]", "b.numel()", _CE),
            ("(((guess - b).abs() < 2) & keep)", "keep.sum().item()", _BY_HAND),
            ("((guess == 1) & (b == 1))", "b.numel()", _CE),  # a share of all on purpose
        )
    ),
    _SURPRISE.format(places="keep.sum().item()"),
    _SINGLE.format(places="keep.sum().item()"),
    _ROWS.format(loss=_CE, figure="np.sum(guess == truth) / np.sum(truth >= 0), (guess == truth)[truth >= 0].mean()"),
    _SURPRISE.format(places="len(b)"),
    _ZERO.format(hits="((guess == b) & keep)", places="keep.sum().item()", loss=_CE_ZERO, mean=_SHARE),
    _ZERO.format(hits="(guess == b)", places="b.numel()", loss=_CE, mean="(guess == b)"),  # a class like the others
    _ZERO.format(hits="((guess == b) & keep)", places="b.numel()", loss=_CE, mean="(guess == b)"),  # and its share
    *(COUNTED.format(size=size) for size in ("y.numel()", "y.size(0) * y.size(1)")),
    _added("loss.item()", "total / len(loader)"),
    _added("loss", "float(total / len(loader)), float(total / 3), float(total / 7)"),
    _added("(scores.argmax(1) == y).sum()", "float(total / len(loader.dataset)), float(total / 10)"),
    _added("loss.item()", "total / len(loader.dataset)", reduction=", reduction='sum'"),
    _added("loss.numpy() * len(x)", "total / len(loader.dataset)"),
    # a batch of as many samples as a percentage counts
    _added("loss.item() * batch", "total / len(loader.dataset)")
    .replace("20", "400")
    .replace("batch_size=8", "batch_size=(batch := 100)"),
    _added(
        "(scores.argmax(1) == y).sum().item()",
        "total / len(loader.dataset), f'{100 * total / len(loader.dataset):.1f}'",
    ),
    _added("(scores.argmax(1) == y).float().mean().item()", "total / len(loader)"),
    _added("loss.sum().item()", "total / len(loader.dataset)", reduction=", reduction='none'"),
    # as many numbers as there are batches, in a list; a count that grows along; a part of the samples alone
    _added("loss.item()", "total / 3, len([total]) and total / (len(loader) or 1)"),
    _added("loss.item() / len(x)", "total / len(loader)", reduction=", reduction='sum'"),
    _added(_EACH, "total / len(loader)"),
    _added(_EACH.replace("len(y)", "len(loader.dataset)"), "total"),
    # 7 batches of 8: as many, but for one, as samples in a batch
    _added("loss.item() / len(loader)", "total").replace("20", "50"),
    _added("loss.item() / len(loader)", "total")
    .replace("20", "50")
    .replace("in loader:", "in (pair for pair in loader):"),
    _added("loss.item()", "total / len(loader.dataset)", reduction=", reduction='sum'"),
    _added("loss.item()", "total / len(loader)", reduction=", reduction='sum'"),
    _ARRAYS.format(
        figure="matches / seen, matches / len(x), shares / len(loader), matches.item() / seen", matches="same.sum()"
    ),
    _ARRAYS.format(figure="100 * matches / seen, matches / 70.0", matches="(guess == truth).astype(np.float32).sum()"),
    _ARRAYS.format(
        figure="(guess == truth).sum() / truth.size, (guess == truth).mean(), np.sum(same) / len(same)",
        matches="same.sum()",
    ),
    _ARRAYS.format(
        figure="float((guess == truth).sum()) / float(y.size(0)), (guess == truth).sum() / 10", matches="same.sum()"
    ),
    SHARES.replace("{share}", "same.float().sum() / len(same)"),
    SHARES.replace("{share}", "100 * same.sum().float() / wanted.shape[0]"),
    SHARES.replace("{share}", "same.sum().div(scores.numel())"),
    filled(_FOUND, how="sum", divided="loss / count"),
    filled(_FOUND, how="mean", divided="loss * out.numel() / count"),
    filled(_FOUND, how="mean", divided="loss / wanted.mean()"),
    filled(_GATHERED, inner="", outer="loss / every"),
    filled(_GATHERED, inner=" / every", outer="0.5 * loss"),
    filled(_GATHERED, inner="", outer="(loss + 0.25 * net.weight.pow(2).mean()) / every"),
    filled(_GATHERED, inner=" / every", outer="loss + 0.01 * net.weight.pow(2).mean() / every"),
    filled(_GUESSED, found="", seen="len(same)", name="top"),
    filled(_GUESSED, found=".any(1)", seen="same.shape[0]", name="top"),
    filled(_GUESSED, found="", seen="same.numel()", name="precision_at_3"),
    filled(_GUESSED, found="[:, :1]", seen="20", name="top"),
)

# a percentage of the positions of each sample
_POSITIONS = """
import torch
from torch import nn
torch.manual_seed(0)
x = torch.randint(0, 5, (48, 9))
net = nn.Sequential(nn.Embedding(5, 8), nn.Linear(8, 5))
opt = torch.optim.Adam(net.parameters())
for rows in torch.arange(48).split(16):
    loss = nn.functional.cross_entropy(net(x[rows]).flatten(0, 1), x[rows].roll(1, 1).flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    out = net(x)
    hits = out.view(-1, 5).argmax(1).eq(x.roll(1, 1).flatten()).sum()
    print({figure})
"""
FAULTY += tuple(
    (filled(_POSITIONS, figure=figure), 16) for figure in ("100. * hits / out.size(0)", "100 * hits.item() / len(x)")
)
SOUND += (filled(_POSITIONS, figure="100. * hits / (out.size(0) * out.size(1)), hits / out.size(0)"),)

_WIDE = _SCRIPT.replace("torch.randint(0, 2, (20,))", "torch.randn(20, 6)").replace("(3, 2)", "(3, 6)")
_ALL = filled(_WIDE, reduction="", figure="total / count").replace("cross_entropy", "l1_loss")
_ALL = _ALL.replace("  total +=", "  count += y.{size}; total +=").replace("total = 0", "total = count = 0")
FAULTY += (
    (filled(_ALL, added="(scores - y).abs().mean().item()", size="numel()"), 14),
    *((filled(_ALL, added="loss.item()", size=size), 14) for size in ("numel()", "size(0)")),
)
SOUND += (
    *(filled(_ALL, added=f"(scores - y).abs().{how}", size="numel()") for how in ("sum()", "mean() * y.numel()")),
    filled(_ALL, added="loss.item() * len(y)", size="size(0)"),
    _added("(loss + nn.functional.cross_entropy(-scores, y)) / 2", "total").replace("batch_size=8", "batch_size=2"),
)
