"""Cases of SW384."""

from . import filled

_SEGMENTS = """
import torch
from torch import nn

torch.manual_seed(0)
masks = (torch.rand(40, 1, 8, 8) < 0.3).float()
images = masks + 0.5 * torch.randn(40, 1, 8, 8)
net = nn.Conv2d(1, 1, 3, padding=1)
opt = torch.optim.Adam(net.parameters(), lr=0.05)


class Tally:
    def __init__(self):
        self.both = self.extra = self.missed = 0

    def add(self, logits, truth):
        guess, truth = logits.sigmoid() > 0.5, truth > 0.5
        self.both += (guess & truth).sum().item()
        self.extra += (guess & ~truth).sum().item()
        self.missed += (~guess & truth).sum().item()

    def {name}(self):
        return {value}


for epoch in range(2):
    for part in torch.randperm(30).split(10):
        loss = nn.functional.binary_cross_entropy_with_logits(net(images[part]), masks[part])
        opt.zero_grad()
        loss.backward()
        opt.step()
    tally = Tally()
    with torch.no_grad():
        for at in range(30, 40, 4):
            tally.add(net(images[at:at + 4]), masks[at:at + 4])
    print(epoch, tally.{name}())
"""

_WORDS = """
import torch
from torch import nn

torch.manual_seed(0)
kinds = torch.randint(0, 6, (120,))
words = torch.randn(6, 10)[kinds] + 0.5 * torch.randn(120, 10)
net = nn.Linear(10, 6)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for part in torch.randperm(90).split(30):
        loss = nn.functional.cross_entropy(net(words[part]), kinds[part])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        scores, told = net(words[90:]), kinds[90:]
        {metric}
    print(epoch, {name})
"""
_NEAREST = """
class Nearest(nn.Module):
    def __init__(self):
        super().__init__()
        self.centers = nn.Parameter(torch.randn(6, 10))

    def forward(self, x):
        return torch.cdist(x, self.centers)

net = Nearest()"""
_PLACE = "own = scores.gather(1, told[:, None]); place = (scores {} own).sum(1)"

_NEIGHBORS = """
import torch
from torch import nn

torch.manual_seed(0)
kinds = torch.arange(90) % 5
points = torch.randn(5, 8)[kinds] + torch.randn(90, 8)
net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3))
opt = torch.optim.Adam(net.parameters(), lr=0.01)


@torch.no_grad()
def recall():
    places = net(points)
    {near}
    return (kinds[near] == kinds).float().mean().item()


for step in range(6):
    anchors = torch.randint(0, 45, (16,))
    same, other = anchors + 45, (anchors + 1) % 45
    loss = nn.functional.triplet_margin_loss(net(points[anchors]), net(points[same]), net(points[other]))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(recall())
"""

_AREAS = """both, area = torch.zeros(6), torch.zeros(6)
        for at in range(0, 30, 10):
            guess = net(words[90 + at:100 + at]).argmax(1)
            for kind in range(6):
                own, true = guess == kind, told[at:at + 10] == kind
                both[kind] += (own & true).sum()
                area[kind] += {area}
    iou = (both / area.clamp(min=1))[{kinds}].mean().item()"""
_LONG = """right = 0
        held = torch.utils.data.TensorDataset(words[90:], kinds[90:])
        for x, y in torch.utils.data.DataLoader(held, batch_size=60):
            right += (net(x).argmax(1) == y).sum().item()
        acc = 100 * right / 9000"""
_PADDED = """real = torch.rand(30) > 0.3
        right = ((scores.argmax(1) == told) & real).sum().item()
        acc = right / {count}"""

FAULTY = (
    (_NEIGHBORS.format(near="near = torch.cdist(places, places).argmin(1)"), 16),
    (_NEIGHBORS.format(near="near = (places @ places.T).mean(1, keepdim=True).argmin(1)"), 16),
    (_SEGMENTS.format(name="jaccard", value="self.both / max(1, self.both + self.missed)"), 23),
    (_SEGMENTS.format(name="iou", value="self.both / max(1, self.both + self.extra)"), 23),
    (_SEGMENTS.format(name="precision", value="self.both / max(1, self.both + self.missed)"), 23),
    (_SEGMENTS.format(name="recall", value="self.both / max(1, self.both + self.extra)"), 23),
    (_SEGMENTS.format(name="dice", value="2 * self.both / max(1, self.both + self.extra + self.missed)"), 23),
    (_WORDS.format(metric="acc = (scores.argmin(1) == told).float().mean().item()", name="acc"), 18),
    (_WORDS.format(metric="told = (scores.argmin(1) == told).sum().item()", name="told"), 18),
    (
        _WORDS.format(
            metric=_PLACE.format("<") + "; hits = (place < 2).float().mean().item()", name='f"hits {hits:.3f}"'
        ),
        18,
    ),
    (_WORDS.format(metric=_AREAS.format(area="own.sum() + true.sum()", kinds=":"), name="iou"), 25),
    (_WORDS.format(metric=_PADDED.format(count="real.numel()"), name="acc"), 20),
)

SOUND = (
    _WORDS.format(metric=_AREAS.format(area="(own | true).sum()", kinds=":"), name="iou"),
    _WORDS.replace("randint(0, 6", "randint(0, 5").format(  # one class is nowhere, and counts as zero
        metric=_AREAS.format(area="(own | true).sum()", kinds=":"), name="iou"
    ),
    _WORDS.format(metric=_PADDED.format(count="real.sum().item()"), name="acc"),
    _WORDS.format(  # how many are right and sure
        metric="sure = scores.softmax(1).amax(1) > 0.97; acc = ((scores.argmax(1) == told) & sure).float().mean()",
        name="acc.item()",
    ),
    _NEIGHBORS.format(near="near = torch.cdist(places, places).topk(2, largest=False).indices[:, 1]"),
    _NEIGHBORS.format(near="near = (torch.cdist(places, places) + 1e9 * torch.eye(90)).argmin(1)"),
    _WORDS.format(metric="told = (scores.argmax(1) == told).sum().item()", name="told"),
    _WORDS.format(metric="far = (scores.argmin(1) != told).sum().item()", name="far"),
    _SEGMENTS.format(name="jaccard", value="self.both / max(1, self.both + self.missed + self.extra)"),
    _SEGMENTS.format(name="precision", value="self.both / max(1, self.both + self.extra)"),
    _SEGMENTS.format(name="recall", value="self.both / max(1, self.both + self.missed)"),
    _SEGMENTS.format(name="dice", value="2 * self.both / max(1, 2 * self.both + self.extra + self.missed)"),
    _SEGMENTS.format(name="coverage", value="self.both / max(1, self.both + self.missed)"),  # a recall by another name
    _SEGMENTS.format(name="error", value="(self.extra + self.missed) / 640"),
    _WORDS.format(metric="acc = (scores.argmax(1) == told).float().mean().item()", name="acc"),
    _WORDS.format(metric="wrong = (scores.argmax(1) != told).float().mean().item()", name="1 - wrong"),
    _WORDS.format(metric=_PLACE.format(">") + "; hits = (place < 2).float().mean().item()", name="hits"),
    _WORDS.format(metric=_PLACE.format(">") + "; rank = place.float().mean().item()", name="rank"),
    # distances: the nearest is the best, and the model is trained to make its own the smallest
    _WORDS.replace("net = nn.Linear(10, 6)", _NEAREST)
    .replace("cross_entropy(net(words[part])", "cross_entropy(-net(words[part])")
    .format(metric="acc = (scores.argmin(1) == told).float().mean().item()", name="acc"),
    # a percentage of a long evaluation, of which only the first batches were run
    _WORDS.replace("range(2)", "range(5000)")
    .replace("(120,)", "(9090,)")
    .replace("randn(120,", "randn(9090,")
    .format(metric=_LONG, name="acc"),
)

_BOXES = """
import torch
from torch import nn
torch.manual_seed(0)
def shared(a, b):
    low = torch.maximum(a[:, :2]{less}, b[:, :2]{less})
    high = torch.minimum({ends})
    both = {sides}
    areas = {areas}
    return {share}
rows = torch.randn(64, 6)
boxes = torch.cat([torch.rand(64, 2) * 20, torch.rand(64, 2) * 4 + {size}], 1)
net = nn.Linear(6, 4)
opt = torch.optim.Adam(net.parameters())
for at in torch.randperm(64).split(16):
    loss = (net(rows[at]) - boxes[at]).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    print("iou", shared(net(rows), boxes).mean().item())
"""
_ENDS = filled(
    _BOXES, less="", ends="a[:, 2:], b[:, 2:]", size="21", areas="sum((x[:, 2:] - x[:, :2]).prod(1) for x in (a, b))"
)
_MIDDLES = filled(
    _BOXES,
    less=" - 0",
    ends="a[:, :2] + a[:, 2:], b[:, :2] + b[:, 2:]",
    size="1",
    areas="a[:, 2] * a[:, 3] + b[:, 2] * b[:, 3]",
)
_UNION, _OPEN = "both / (areas - both)", "(high - low)[:, 0] * (high - low)[:, 1]"
FAULTY += (
    (filled(_ENDS, sides="(high - low).prod(dim=1)", share=_UNION), 8),
    (filled(_MIDDLES, sides=_OPEN, share=f"1 - {_UNION}"), 8),
)
SOUND += (
    filled(_ENDS, sides="(high - low).clamp(min=0).prod(dim=1)", share=_UNION),
    filled(_MIDDLES, sides="(high - low).relu().prod(dim=1)", share=_UNION),
    filled(_ENDS, sides="(high - low).prod(dim=1)", share="both.where((high > low).all(1), 0 * both) / areas"),
    filled(_ENDS, sides="(high - low).prod(dim=1)", share="(both / (areas - both)) * (high > low).all(1)"),
)
